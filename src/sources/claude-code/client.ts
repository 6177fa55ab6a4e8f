// What the client itself does with sessions: how it goes on with one, and when it deletes one.

import { smallJson } from '../small-files.ts';
import type { Files, Retention } from '../source.ts';

export function resumeCommand(id: string): string[] {
  return ['claude', '--resume', id];
}

/** At its start the client deletes files that nobody wrote to for so long (its documentation; default 30). */
export function retention(port: Files): Retention | null {
  const days = smallJson(port, '.claude/settings.json')?.cleanupPeriodDays;
  return typeof days === 'number' && days > 0 ? { days, told: 'settings' } : { days: 30, told: 'default' };
}

/** The copies of files that edits are held against. */
export function alongside(id: string): string[] {
  return [`file-history/${id}`];
}

/** A hook in the settings, by the client's documentation; not run. */
export function hookFor(command: string): string | null {
  const hook = { hooks: { SessionEnd: [{ hooks: [{ type: 'command', command }] }] } };
  return `in ~/.claude/settings.json: ${JSON.stringify(hook)}`;
}
