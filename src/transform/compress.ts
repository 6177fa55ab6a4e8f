// The oldest turns replaced by a summary.

import type { Draft, DraftMessage, SummaryTask } from './draft.ts';
import { turnsOf } from './turns.ts';

export type Level = SummaryTask['level'];

/** Turns as the model still sees them, from 1, both ends included. */
export interface TurnRange {
  from: number;
  to: number;
  level: Level;
}

/** Makes the text that stands for the messages. */
export type Summariser = (messages: number[], level: Level, limit: number) => string;

/** How a summary is made, how long it may be, and how long it is. */
export interface Summing {
  summarise: Summariser;
  limitOf: (messages: number[]) => number;
  ofText: (text: string) => number;
}

/** Everything before the turn after the last range, earlier summaries too, becomes one text: a part for each range. */
export function compressed(draft: Draft, ranges: TurnRange[], { summarise, limitOf, ofText }: Summing): Draft {
  const last = ranges.at(-1);
  if (last === undefined) return draft;
  const starts = turnStarts(draft);
  const end = starts[last.to] ?? draft.messages.length;
  // What an earlier step summed up stands before everything.
  const before = draft.summary;
  const fresh = ranges.map(({ from, to, level }, i) => {
    // Before the first turn stand earlier summaries and what the client put in.
    const first = i === 0 ? 0 : (starts[from - 1] ?? end);
    const messages = indicesOf(draft.messages.slice(first, starts[to] ?? end));
    return partOf({ messages, level, limit: limitOf(messages) }, summarise);
  });
  const replaced = draft.messages.slice(0, end);
  if (replaced.length === 0) return draft;
  const told = toldIn([...(before?.parts ?? []), ...fresh], ofText);
  const indices = [...(before?.replaced ?? []), ...indicesOf(replaced)];
  return {
    ...draft,
    summary: { ...told, replaced: indices, timestamp: lastTime(replaced) },
    messages: draft.messages.slice(end),
  };
}

type Part = NonNullable<Draft['summary']>['parts'][number];

function partOf(task: SummaryTask, summarise: Summariser): Part {
  return { text: summarise(task.messages, task.level, task.limit), task };
}

function toldIn(parts: Part[], ofText: Summing['ofText']): { text: string; tokens: number; parts: Part[] } {
  const told = parts.filter(({ text }) => text !== '');
  const text = told.map((part) => part.text).join('\n\n');
  return { text, tokens: ofText(text), parts: told };
}

/** The same turns summed up by somebody else. */
export function retold(draft: Draft, { summarise, ofText }: Pick<Summing, 'summarise' | 'ofText'>): Draft {
  if (draft.summary === null) return draft;
  const parts = draft.summary.parts.map((part) => (part.task === null ? part : partOf(part.task, summarise)));
  return { ...draft, summary: { ...draft.summary, ...toldIn(parts, ofText) } };
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
