// Which messages are old: turns are counted as the model still sees them, from 1.

import type { Draft, DraftMessage } from './draft.ts';

/** The turns that are still there, in order; only those in which somebody said something. */
export function turnsOf(draft: Draft): number[] {
  const turns = new Set<number>();
  for (const { turn, kind } of draft.messages)
    if (turn !== -1 && (kind === 'prompt' || kind === 'reply')) turns.add(turn);
  return [...turns];
}

/** Tells messages from before the newest `keepLast` turns. */
export function olderThan(draft: Draft, keepLast: number): (message: DraftMessage) => boolean {
  if (keepLast <= 0) return () => true;
  const turns = turnsOf(draft);
  const kept = new Set(turns.slice(-keepLast));
  const first = draft.messages.findIndex(({ turn }) => kept.has(turn));
  const old = new Set(draft.messages.slice(0, first === -1 ? 0 : first).map(({ index }) => index));
  return ({ index }) => old.has(index);
}
