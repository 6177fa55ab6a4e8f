// What the client itself does with sessions: how it goes on with one. It deletes none: no setting of 0.166 does.

import type { Family, FileInfo, Retention } from '../source.ts';

export function resumeCommand(id: string): string[] {
  return ['codex', 'resume', id];
}

/** 0.166 refuses to go on with a thread that was archived, and names the command that brings it back (tried on the recording `archive`). */
export function commandBeforeResume({ id, files }: Family, pathOf: (info: FileInfo) => string): string[] | null {
  const own = files.filter(({ role, session_id }) => role !== 'base' && role !== 'companion' && session_id === id);
  const isArchived = own.length > 0 && own.every(({ info }) => /[/\\]archived_sessions[/\\]/.test(pathOf(info)));
  return isArchived ? ['codex', 'unarchive', id] : null;
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
