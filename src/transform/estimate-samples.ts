// The inputs that a session recorded, each with the weight of the context it was for. One pass over the text;
// the contexts are then sums over ranges of messages, so that many windows cost little.

import type { Message } from '../schema/message.ts';
import type { ContextWindow } from '../schema/session.ts';
import type { SessionView } from '../schema/stream.ts';
import { wholeInput } from '../schema/tokens.ts';
import { keepsThinking, type Weights, weightLostByClearing, weightOfBlock, weightsOf } from './estimate-weights.ts';

/** One recorded input: what the context weighs by our count, and what the API counted. */
export interface Sample {
  weight: number;
  tokens: number;
}

/** The recorded inputs of the replies before a message, and the model that wrote the last of them. */
export function recordedInputs(session: SessionView, before: number): { samples: Sample[]; model: string | null } {
  const model = lastModel(session, before);
  const weighed = weigh(session, { before, model });
  const contextWeight = contextWeights(session, weighed, keepsThinking(model));
  const samples = weighed.requests.map(({ index, tokens }) => ({ weight: contextWeight(index), tokens }));
  return { samples, model };
}

/** The next request goes to the model of the last one, as far as anyone can know. */
function lastModel(session: SessionView, before: number): string | null {
  for (let index = Math.min(before, session.messageCount) - 1; index >= 0; index--) {
    const { model, usage } = session.message(index);
    if (usage !== null && model !== null) return model;
  }
  return session.document.session.models.at(-1) ?? null;
}

interface Weighed {
  /** Sums up to each message: entry i is of the messages before i. */
  content: Float64Array;
  thinking: Float64Array;
  /** The last prompt at or before each message, or -1. */
  lastPrompt: Int32Array;
  /** By how much more a request at this message weighed than the one before it, for results that were cleared later. */
  notYetCleared: Float64Array;
  requests: { index: number; tokens: number }[];
}

function weigh(session: SessionView, { before, model }: { before: number; model: string | null }): Weighed {
  const count = session.messageCount;
  const weights = weightsOf(model);
  const clearedAt = new Map(
    session.document.compaction.boundaries.map((event) => [event.id, event.after_message_index]),
  );
  const weighed: Weighed = {
    content: new Float64Array(count + 1),
    thinking: new Float64Array(count + 1),
    lastPrompt: new Int32Array(count).fill(-1),
    notYetCleared: new Float64Array(count + 2),
    requests: [],
  };
  const isNeeded = neededMessages(session, before);
  let index = 0;
  for (; index < Math.min(before, count); index++) {
    if (!isNeeded(index)) {
      skipMessage(weighed, index);
      continue;
    }
    const message = session.message(index);
    addMessage(weighed, message, { index, weights, clearedAt });
    // Requests to a model with another tokenizer say nothing about the next one.
    const tokens = weightsOf(message.model) === weights ? inputOf(message) : 0;
    if (tokens > 0) weighed.requests.push({ index, tokens });
  }
  weighed.content.fill(weighed.content[index] ?? 0, index);
  weighed.thinking.fill(weighed.thinking[index] ?? 0, index);
  weighed.lastPrompt.fill(weighed.lastPrompt[index - 1] ?? -1, index);
  return weighed;
}

/** So many of the newest messages tell how tokens are counted now: older inputs count next to nothing, see estimate-line.ts. */
const ENOUGH = 400;

/** Those of the windows that the newest messages were sent in. A large session is many windows, and most of it need not be read. */
function neededMessages({ document }: SessionView, before: number): (index: number) => boolean {
  const { windows } = document.context;
  const first = windows.findLastIndex((window) => window.opened_at_index <= before - ENOUGH);
  if (first <= 0) return () => true;
  const from = windows[first]?.opened_at_index ?? 0;
  const kept = windows.slice(first).flatMap(({ start }) => start);
  return (index) => index >= from || kept.some(([low, high]) => index >= low && index <= high);
}

function skipMessage(weighed: Weighed, index: number): void {
  weighed.content[index + 1] = weighed.content[index] ?? 0;
  weighed.thinking[index + 1] = weighed.thinking[index] ?? 0;
  weighed.lastPrompt[index] = weighed.lastPrompt[index - 1] ?? -1;
}

interface Adding {
  index: number;
  weights: Weights;
  /** The message after which each event came; null where none did. */
  clearedAt: ReadonlyMap<string, number | null>;
}

function addMessage(weighed: Weighed, message: Message, { index, weights, clearedAt }: Adding): void {
  let content = 0;
  let thinking = 0;
  for (const block of message.content) {
    const weight = weightOfBlock(block, weights);
    if (block.type === 'thinking') thinking += weight;
    else content += weight;
    const at = clearedAt.get(block.cleared_by ?? '');
    if (at === undefined || at === null || at < index) continue;
    const lost = weightLostByClearing(block, weights);
    weighed.notYetCleared[index + 1] = (weighed.notYetCleared[index + 1] ?? 0) + lost;
    weighed.notYetCleared[at + 1] = (weighed.notYetCleared[at + 1] ?? 0) - lost;
  }
  weighed.content[index + 1] = (weighed.content[index] ?? 0) + content;
  weighed.thinking[index + 1] = (weighed.thinking[index] ?? 0) + thinking;
  weighed.lastPrompt[index] = startsTurn(message) ? index : (weighed.lastPrompt[index - 1] ?? -1);
}

/** Whether the API takes it for a new turn, at which older thinking goes. */
function startsTurn({ kind }: Pick<Message, 'kind'>): boolean {
  return kind === 'prompt';
}

function inputOf({ kind, usage }: Message): number {
  if (kind !== 'reply' || usage === null || usage.estimated) return 0;
  return wholeInput(usage);
}

/** The weight of the context in which each reply was asked for; to be called with growing indices. */
function contextWeights(session: SessionView, weighed: Weighed, keeps: boolean): (reply: number) => number {
  const { windows } = session.document.context;
  const marks = session.sentMarks();
  let opened = -1;
  let next = 0;
  let held: Held = { content: 0, thinking: 0 };
  let inStart: (index: number) => boolean = () => false;
  let clearedLater = 0;
  let clearedUpTo = 0;
  return (reply) => {
    while (windows[opened + 1] !== undefined && (windows[opened + 1] as ContextWindow).opened_at_index < reply) {
      opened++;
      const { start, opened_at_index } = windows[opened] as ContextWindow; // just looked at
      held = heldIn(start, { weighed, keeps });
      const later = start.filter(([, to]) => to >= opened_at_index);
      inStart = (index) => later.some(([from, to]) => index >= from && index <= to);
      next = opened_at_index;
    }
    if (opened === -1) return 0;
    for (; next < reply; next++) {
      if (marks[next]?.sent && !inStart(next)) held = plus(held, [next, next], { weighed, keeps });
    }
    while (clearedUpTo < reply) clearedLater += weighed.notYetCleared[++clearedUpTo] ?? 0;
    return held.content + held.thinking + clearedLater;
  };
}

interface Held {
  content: number;
  thinking: number;
}

type Range = readonly [number, number];
type Rule = { weighed: Weighed; keeps: boolean };

function heldIn(ranges: readonly Range[], rule: Rule): Held {
  return ranges.reduce<Held>((held, range) => plus(held, range, rule), { content: 0, thinking: 0 });
}

function plus(held: Held, [from, to]: Range, { weighed, keeps }: Rule): Held {
  const { content, thinking, lastPrompt } = weighed;
  const sum = (sums: Float64Array, start: number): number => (sums[to + 1] ?? 0) - (sums[start] ?? 0);
  const prompt = keeps ? -1 : (lastPrompt[to] ?? -1);
  return {
    content: held.content + sum(content, from),
    thinking: prompt >= from ? sum(thinking, prompt) : held.thinking + sum(thinking, from),
  };
}
