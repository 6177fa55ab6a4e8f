// What the client itself does with sessions: how it goes on with one. It deletes none: no setting of 0.166 does.

import type { Retention } from '../source.ts';

export function resumeCommand(id: string): string[] {
  return ['codex', 'resume', id];
}

export function retention(): Retention | null {
  return null;
}

export function alongside(): string[] {
  return [];
}

/** None that we know of. */
export function hookFor(): string | null {
  return null;
}
