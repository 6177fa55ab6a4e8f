// How many tokens the model had before it at each message: as replies recorded it, and worked out in between.

import type { Usage } from '../index.ts';
import { indicesIn } from '../schema/context.ts';
import { wholeInput } from '../schema/tokens.ts';

interface Sized {
  sent: boolean;
  usage: Usage | null;
  /** Bytes of its rows. */
  bytes: number;
}

interface WindowLike {
  opened_at_index: number;
  start: readonly (readonly [number, number])[];
}

export interface ContextSizes {
  tokens: number[];
  recorded: boolean[];
}

/** Rows are JSON with much around the text: seen in recordings of all three agents, some 8 bytes for each token. */
const BYTES_PER_TOKEN = 8;

/**
 * A reply records what it was given. Between two replies in the same window the context grows as their rows do; where the
 * next reply records less than that, it grew less. After a compaction, until a reply tells, it is what the window begins with.
 */
export function contextSizes(messages: readonly Sized[], windows: readonly WindowLike[]): ContextSizes {
  const tokens: number[] = new Array(messages.length).fill(0);
  const recorded = messages.map(({ usage }) => usage !== null && !usage.estimated && wholeInput(usage) > 0);
  const openings = new Map(windows.map((window) => [window.opened_at_index, window]));
  let [known, since, from] = [0, 0, 0];
  let start = new Set<number>();
  messages.forEach((message, index) => {
    const opened = openings.get(index);
    if (opened !== undefined) {
      start = new Set(indicesIn(opened.start));
      [known, since, from] = [bytesOf(start, messages) / BYTES_PER_TOKEN, 0, index];
    }
    // What a window begins with is counted already.
    if (message.sent && !start.has(index)) since += message.bytes / BYTES_PER_TOKEN;
    if (recorded[index] === true && message.usage !== null) {
      const told = wholeInput(message.usage);
      scale(tokens, messages, { from, to: index, known, told, start });
      tokens[index] = told;
      [known, since, from] = [told + message.usage.output_tokens, 0, index + 1];
    } else tokens[index] = Math.round(known + since);
  });
  return { tokens, recorded };
}

function bytesOf(indices: Iterable<number>, messages: readonly Sized[]): number {
  let bytes = 0;
  for (const index of indices) bytes += messages[index]?.bytes ?? 0;
  return bytes;
}

/** Messages between two replies, and what the context held at both ends. */
interface Stretch {
  from: number;
  to: number;
  known: number;
  told: number;
  /** What the window began with. */
  start: ReadonlySet<number>;
}

/** The messages since the last reply are spread between what that one left and what this one was given. */
function scale(tokens: number[], messages: readonly Sized[], { from, to, known, told, start }: Stretch): void {
  const bytesAt = (i: number) => (messages[i]?.sent === true && !start.has(i) ? (messages[i]?.bytes ?? 0) : 0);
  let all = 0;
  for (let i = from; i < to; i++) all += bytesAt(i);
  let sum = 0;
  // The first reply of a window tells of more than the messages: the system prompt and the tools were there from its beginning.
  const begin = Math.min(known, told);
  for (let i = from; i < to; i++) {
    sum += bytesAt(i);
    tokens[i] = Math.round(begin + (all === 0 ? 1 : sum / all) * (told - begin));
  }
}
