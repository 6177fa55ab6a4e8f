// The oldest turns replaced by a summary.

import type { Draft, DraftMessage } from './draft.ts';
import { turnsOf } from './turns.ts';

export type Level = 'full' | 'brief';

/** Turns as the model still sees them, from 1, both ends included. */
export interface TurnRange {
  from: number;
  to: number;
  level: Level;
}

/** Makes the text that stands for the messages. */
export type Summarise = (messages: number[], level: Level) => string;

/** Everything before the turn after the last range, earlier summaries too, becomes one text: a part for each range. */
export function compressed(
  draft: Draft,
  ranges: TurnRange[],
  summarise: Summarise,
  ofText: (text: string) => number,
): Draft {
  const last = ranges.at(-1);
  if (last === undefined) return draft;
  const starts = turnStarts(draft);
  const end = starts[last.to] ?? draft.messages.length;
  // What an earlier step summed up stands before everything.
  const before = draft.summary;
  const fresh = ranges
    .map(({ from, to, level }, i) => {
      // Before the first turn stand earlier summaries and what the client put in.
      const first = i === 0 ? 0 : (starts[from - 1] ?? end);
      return summarise(indicesOf(draft.messages.slice(first, starts[to] ?? end)), level);
    })
    .filter((part) => part !== '');
  const replaced = draft.messages.slice(0, end);
  if (replaced.length === 0) return draft;
  const text = [...(before === null ? [] : [before.text]), ...fresh].join('\n\n');
  const indices = [...(before?.replaced ?? []), ...indicesOf(replaced)];
  return {
    ...draft,
    summary: { text, tokens: ofText(text), replaced: indices, timestamp: lastTime(replaced) },
    messages: draft.messages.slice(end),
  };
}

function indicesOf(messages: DraftMessage[]): number[] {
  return messages.map(({ index }) => index);
}

/** Where each turn begins, by its place in the draft. */
function turnStarts(draft: Draft): number[] {
  const firsts = new Map<number, number>();
  for (const [place, { turn }] of draft.messages.entries()) if (!firsts.has(turn)) firsts.set(turn, place);
  return turnsOf(draft).map((turn) => firsts.get(turn) ?? 0);
}

function lastTime(messages: DraftMessage[]): string | null {
  return messages.findLast(({ timestamp }) => timestamp !== null)?.timestamp ?? null;
}
