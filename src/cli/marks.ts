// Events as small marks, for lists.

import { EVENT_KINDS, type EventKind } from '../index.ts';

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

export function marksLegend(kinds: readonly EventKind[]): string {
  return kinds.map((kind) => `${MARKS[kind]} ${kind}`).join('   ');
}
