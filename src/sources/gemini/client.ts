// What the client itself does with sessions: how it goes on with one, and when it deletes one.

import { objectAt, stringAt } from '../json-access.ts';
import { smallJson } from '../small-files.ts';
import type { Files, Retention } from '../source.ts';

export function resumeCommand(id: string): string[] {
  return ['gemini', '--resume', id];
}

const HOURS: Record<string, number> = { h: 1, d: 24, w: 7 * 24, m: 30 * 24 };

/** `general.sessionRetention`: on since 0.33, with 30 days where nothing else is said. */
export function retention(port: Files): Retention | null {
  const settings = objectAt(smallJson(port, '.gemini/settings.json'), 'general');
  const kept = objectAt(settings, 'sessionRetention');
  if (kept?.enabled === false) return null;
  const [, count, unit = ''] = /^(\d+)([hdwm])$/.exec(stringAt(kept, 'maxAge') ?? '') ?? [];
  const hours = HOURS[unit];
  return count === undefined || hours === undefined
    ? { days: 30, told: 'default' }
    : { days: (Number(count) * hours) / 24, told: 'settings' };
}

export function alongside(): string[] {
  return [];
}

/** None that we know of. */
export function hookFor(): string | null {
  return null;
}
