// What the client itself does with sessions: how it goes on with one. It deletes none: no setting of 0.166 does.

import type { Retention } from '../source.ts';

export function resumeCommand(id: string): string[] {
  return ['codex', 'resume', id];
}

export function retention(): Retention | null {
  return null;
}

/** A rollout keeps its name in the archive, and when it is packed. */
export function fileKey(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.startsWith('rollout-') ? name.replace(/\.zst$/, '') : path;
}

export function alongside(): string[] {
  return [];
}

/** None that we know of. */
export function hookFor(): string | null {
  return null;
}
