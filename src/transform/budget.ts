// The ladder: slimmer and slimmer, stopping at the first rung that fits.

import type { SessionView } from '../schema/stream.ts';
import { callNotes } from './call-notes.ts';
import { compressed, type Level, type Summariser } from './compress.ts';
import { type Draft, type DraftMessage, type TokensByCategory, tokensBy } from './draft.ts';
import type { TokenModel } from './estimate.ts';
import { joinedReplies } from './joined-replies.ts';
import { settled } from './settled.ts';
import { olderThan, turnsOf } from './turns.ts';
import { withoutImagesAndCopies } from './without-images.ts';
import { withoutThinking } from './without-thinking.ts';
import { toolsCut, toolsToNotes } from './without-tools.ts';

export interface Rung {
  name: string;
  draft: Draft;
  tokens: TokensByCategory;
  /** With what every request has besides. */
  total: number;
  messages: number;
  fits: boolean;
}

export interface Ladder {
  rungs: Rung[];
  /** The first that fits; null where none does. */
  fitting: number | null;
  /** So many of the newest turns stayed whole. */
  kept: number;
}

export interface LadderOptions {
  budget: number;
  keepLast: number;
  /** Every rung: what each would save is worth knowing. Else none below the first that fits. */
  all: boolean;
  summarise: Summariser;
}

export function ladder(view: SessionView, start: Draft, model: TokenModel, options: LadderOptions): Ladder {
  const isOld = olderThan(start, options.keepLast);
  const choice = { tools: [], isOld };
  const steps: [string, (draft: Draft) => Draft][] = [
    ['as asked', (draft) => draft],
    ['without images and copies', (draft) => withoutImagesAndCopies(draft, () => true)],
    ['older tool outputs cut', (draft) => toolsCut(draft, choice, 'outputs')],
    ['without thinking', (draft) => withoutThinking(draft, () => true)],
    ['older tool calls as notes', (draft) => toolsToNotes(draft, choice, callNotes(view))],
    ['oldest turns as a summary', (draft) => shortest(draft, model, options)],
  ];
  const rungs: Rung[] = [];
  let draft = start;
  for (const [name, step] of steps) {
    draft = settled(step(draft));
    const rung = rungOf(name, draft, model, options.budget);
    rungs.push(rung);
    if (rung.fits && !options.all) break;
  }
  const fitting = rungs.findIndex(({ fits }) => fits);
  return { rungs, fitting: fitting === -1 ? null : fitting, kept: options.keepLast };
}

export function rungOf(name: string, draft: Draft, model: TokenModel, budget: number): Rung {
  const tokens = tokensBy(draft, model.ofText);
  const total = model.fixed + Object.values(tokens).reduce((sum, count) => sum + count, 0);
  // What a client adds by itself is nothing that was said.
  const said = draft.messages.filter(({ kind }) => kind !== 'meta').length - joinedReplies(draft.messages).size;
  const messages = said + (draft.summary === null ? 0 : 1);
  return { name, draft, tokens, total, messages, fits: total <= budget };
}

/** A summary takes no more than a third of the room, and never less than what says anything at all. */
const SHARE = 3;
const LEAST_SUMMARY = 400;

/** As few turns as needed; where a full summary does not do, a brief one of all turns that may go. */
function shortest(draft: Draft, model: TokenModel, { budget, keepLast, summarise }: LadderOptions): Draft {
  const most = Math.max(0, turnsOf(draft).length - keepLast);
  const limit = Math.max(LEAST_SUMMARY, Math.floor((budget - model.fixed) / SHARE));
  const options = { summarise, limitOf: () => limit, ofText: model.ofText };
  const after = (turns: number, level: Level) =>
    compressed(draft, turns === 0 ? [] : [{ from: 1, to: turns, level }], options);
  const totalOf = (candidate: Draft) => rungOf('', candidate, model, budget).total;
  const room = budget - model.fixed - limit;
  for (let turns = leastTurns(draft, model, room, most); turns <= most; turns += Math.max(1, (most - turns) >> 1)) {
    const candidate = after(turns, 'full');
    const isShorter = totalOf(candidate) < totalOf(draft);
    if (turns > 0 && isShorter && totalOf(candidate) <= budget) return candidate;
    if (turns === most) break;
  }
  const brief = after(most, 'brief');
  // Of a few short turns a summary may be longer than they are.
  return totalOf(brief) < totalOf(draft) ? brief : draft;
}

/** So many turns must go that the rest leaves room for the summary. */
function leastTurns(draft: Draft, model: TokenModel, room: number, most: number): number {
  const turns = turnsOf(draft);
  const place = new Map(turns.map((turn, i) => [turn, i]));
  const byTurn = new Array<number>(turns.length).fill(0);
  let current = 0;
  for (const message of draft.messages) {
    current = place.get(message.turn) ?? current;
    byTurn[current] = (byTurn[current] ?? 0) + tokensOf(message, draft, model);
  }
  let rest = byTurn.reduce((sum, count) => sum + count, 0);
  for (let gone = 0; gone < most; gone++) {
    if (rest <= room) return Math.max(1, gone);
    rest -= byTurn[gone] ?? 0;
  }
  return most;
}

function tokensOf(message: DraftMessage, draft: Draft, model: TokenModel): number {
  const sums = tokensBy({ ...draft, summary: null, messages: [message] }, model.ofText);
  return Object.values(sums).reduce((sum, count) => sum + count, 0);
}
