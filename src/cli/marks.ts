// Events as small marks, for lists.

import { EVENT_KINDS, type EventKind, widthOf } from '../index.ts';
import type { Screen } from './screen.ts';

export const MARKS: Record<EventKind, string> = {
  compaction: '≡',
  clear: '∅',
  interruption: '■',
  rejection: '✗',
  rewind: '↶',
  denial: '⊘',
  failure: '!',
};

/** ✗3 ■ ≡2 */
export function marks(events: Partial<Record<EventKind, number>>): string {
  return EVENT_KINDS.flatMap((kind) => {
    const count = events[kind] ?? 0;
    return count === 0 ? [] : [`${MARKS[kind]}${count === 1 ? '' : count}`];
  }).join(' ');
}

/** What the marks mean: as many on a line as there is room for. */
export function legendLines(kinds: readonly EventKind[], { width, paint }: Pick<Screen, 'width' | 'paint'>): string[] {
  const lines: string[] = [];
  for (const kind of kinds) {
    const [entry, last] = [`${MARKS[kind]} ${kind}`, lines.at(-1)];
    if (last === undefined || widthOf(last) + 3 + widthOf(entry) > width) lines.push(entry);
    else lines[lines.length - 1] = `${last}   ${entry}`;
  }
  return lines.map((line) => paint('dim', line));
}
