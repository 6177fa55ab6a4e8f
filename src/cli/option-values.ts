// What stands behind an option, from what was typed.

import { InvalidArgumentError } from 'commander';
import { EVENT_KINDS, type EventKind } from '../schema/words.ts';

export function wholeNumber(value: string): number {
  if (!/^[1-9]\d*$/.test(value)) throw new InvalidArgumentError('It is a number from 1 on.');
  return Number(value);
}

export function countFromZero(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError('It is a number from 0 on.');
  return Number(value);
}

export function portNumber(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535)
    throw new InvalidArgumentError('It is a number from 0 to 65535.');
  return Number(value);
}

/** 60000, 60k, 1.5m */
export function tokenCount(value: string): number {
  const found = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(value);
  const times = { '': 1, k: 1000, m: 1_000_000 }[(found?.[2] ?? '').toLowerCase()] ?? 1;
  const count = Math.round(Number(found?.[1]) * times);
  if (found === null || count < 1) throw new InvalidArgumentError('It is a number of tokens such as 60000 or 60k.');
  return count;
}

export function names(value: string): string[] {
  const found = value
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  if (found.length === 0) throw new InvalidArgumentError('It is a list of tools such as Bash,Read.');
  return found;
}

interface Turns {
  from: number;
  to: number;
  level: 'full' | 'brief';
}

/** 1-40, or 1-20:brief,21-40. A client's own compaction replaces everything before: there can be no gap. */
export function turnRanges(value: string): Turns[] {
  const ranges = value.split(',').map((part): Turns => {
    const found = /^(\d+)(?:-(\d+))?(?::(full|brief))?$/.exec(part.trim());
    if (found === null) throw new InvalidArgumentError('It is a range of turns such as 1-40, or 1-20:brief,21-40.');
    return { from: Number(found[1]), to: Number(found[2] ?? found[1]), level: found[3] === 'brief' ? 'brief' : 'full' };
  });
  let next = 1;
  for (const { from, to } of ranges) {
    if (from !== next || to < from)
      throw new InvalidArgumentError(
        `Everything before the kept turns is replaced: ranges begin with 1 and follow one another, not ${from}-${to}.`,
      );
    next = to + 1;
  }
  return ranges;
}

export function collected(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

export function kinds(value: string, before: EventKind[] | undefined): EventKind[] {
  const kind = EVENT_KINDS.find((known) => known === value);
  if (kind === undefined) throw new InvalidArgumentError(`It is one of ${EVENT_KINDS.join(', ')}.`);
  return [...(before ?? []), kind];
}
