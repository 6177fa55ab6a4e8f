// Projects and dates as people write them.

import { resolve } from 'node:path';
import { timeFrom } from '../reports.ts';
import { fail } from './failure.ts';
import { now } from './now.ts';

/** A project by its path, or by the name of its folder. */
export function isProject(project: string | null, wanted: string): boolean {
  if (project === null) return false;
  return project === wanted || project === resolve(wanted) || project.split(/[/\\]/).at(-1) === wanted;
}

export function dateFrom(text: string | undefined, option: string): string | undefined {
  if (text === undefined) return undefined;
  const time = timeFrom(text, now());
  if (time === undefined)
    fail(`${option} takes a date such as 2026-11-01 or a number of days such as 7d, not "${text}".`);
  return new Date(time).toISOString();
}
