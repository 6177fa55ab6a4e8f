// What a copy of a session is to hold, from what was asked for.

import type { SessionView } from '../schema/stream.ts';
import { type Ladder, ladder, type Rung, rungOf } from './budget.ts';
import { callNotes } from './call-notes.ts';
import { compressed, type Level, retold, type Summariser, type TurnRange } from './compress.ts';
import { contextIndices, type Draft, type DraftMessage, draftOf, isBlankText, withBlocks } from './draft.ts';
import { calibrate, type TokenModel } from './estimate.ts';
import { endedOnReply, settled } from './settled.ts';
import { summarise } from './summarise.ts';
import { olderThan, turnsOf } from './turns.ts';
import { hasOversizedImages, withoutImagesAndCopies, withoutOversizedImages } from './without-images.ts';
import { withoutThinking } from './without-thinking.ts';
import { toolsCut, withoutTools } from './without-tools.ts';
import { type WordsAtCall, wordsAtCalls } from './words-at-calls.ts';

export interface CloneOptions {
  /** The last message of the copy; the last of the session where none is given. */
  at?: number;
  /** Leave out the last turn if the agent is still at it. */
  wholeTurns?: boolean;
  stripTools?: 'all' | 'old' | 'outputs';
  /** Only tools of these names. */
  tools?: string[];
  stripThinking?: boolean;
  stripImages?: boolean;
  /** Everything but the newest turns, or these turns. */
  compress?: Level | TurnRange[];
  budget?: number;
  /** With a budget: every rung of the ladder, also below the first that fits. */
  allRungs?: boolean;
  /** So many of the newest turns stay whole. */
  keepLast?: number;
  /** Go on over breaks at which a client would stop: what was said before them is taken along. */
  mend?: boolean;
  /** The built-in one where none is given. */
  summarise?: Summariser;
}

export interface ClonePlan {
  draft: Draft;
  model: TokenModel;
  /** Tokens of the session, and of the copy. */
  before: Rung;
  after: Rung;
  /** Something of the session is not in the copy, or not as it was; of what no client sends nothing is missed. */
  isTouched: boolean;
  /** It had images that no server takes. */
  hadOversizedImages: boolean;
  /** With a budget: the ladder. `draft` is then the rung that fits, or the lowest; where none fits, a summary in it is the built-in one. */
  ladder: Ladder | null;
}

/** Where nobody says how many turns stay whole, but some must. */
export const KEEP_LAST = 5;

/** With a budget, one after the other. */
const KEPT_BY_BUDGET = [KEEP_LAST, 2, 1];

/** A summary takes no more of what it replaces than this; of little, it may take more. */
const SUMMARY_SHARE = 0.08;
const LEAST_SUMMARY = 600;

/** So many characters of a summary are about one token. */
const CHARACTERS = 3.5;

export function builtInSummariser(session: SessionView): Summariser {
  return (messages, level, limit) => summarise({ session, messages, level, limit: Math.floor(limit * CHARACTERS) });
}

export function planClone(view: SessionView, options: CloneOptions = {}): ClonePlan {
  const { budget, summarise, at } = options;
  if (budget !== undefined && !(budget > 0)) throw new RangeError(`a budget is a number above zero, not ${budget}`);
  if (at !== undefined && !(Number.isInteger(at) && at >= 0 && at < view.messageCount))
    throw new RangeError(`there is no message ${at}: the session has ${view.messageCount}`);
  if (budget === undefined || summarise === undefined) return planWith(view, options, summarise);
  return planRetold(view, { ...options, budget }, summarise);
}

/**
 * Summaries of somebody else's may take minutes and money. What fits is found with our own in their place, or with next to nothing
 * where ours are too long, and only the one that is taken is asked for. Where it comes out too long: once more, by its length.
 */
function planRetold(view: SessionView, options: CloneOptions & { budget: number }, summarise: Summariser): ClonePlan {
  const ours = planWith(view, options, undefined);
  const guessed = fits(ours) ? ours : planWith(view, options, () => '…');
  if (!fits(guessed)) return ours;
  const first = retoldPlan(guessed, options.budget, summarise);
  if (fits(first)) return first;
  const again = planWith(view, options, () => first.draft.summary?.text ?? '');
  if (fits(again)) return retoldPlan(again, options.budget, summarise);
  return fits(ours) ? first : ours;
}

function fits({ ladder }: ClonePlan): boolean {
  return ladder !== null && ladder.fitting !== null;
}

function retoldPlan(plan: ClonePlan, budget: number, summarise: Summariser): ClonePlan {
  const { ladder, model } = plan;
  const fitting = ladder?.fitting ?? null;
  if (ladder === null || fitting === null) return plan;
  const draft = retold(plan.draft, { summarise, ofText: model.ofText });
  const rung = rungOf(ladder.rungs[fitting]?.name ?? '', draft, model, budget);
  const rungs = ladder.rungs.with(fitting, rung);
  return { ...plan, draft, after: rung, ladder: { ...ladder, rungs, fitting: rung.fits ? fitting : null } };
}

function planWith(view: SessionView, options: CloneOptions, given: Summariser | undefined): ClonePlan {
  const summarise = given ?? builtInSummariser(view);
  const model = calibrate(view);
  const whole = draftOf(view, model, indicesOf(view, options));
  const session = options.at === undefined ? whole : draftOf(view, model, indicesOf(view, {}));
  const start = startOf(view, whole, options);
  const slim = begun(slimmed(start, model, { ...options, summarise, words: wordsAtCalls(view) }), model);
  const sent = settled(session);
  const before = withUnrecorded(rungOf('the session', sent, model, Number.POSITIVE_INFINITY), model);
  const { budget, keepLast } = options;
  const planned = (draft: Draft, after: Rung, ladder: Ladder | null): ClonePlan => ({
    ...{ draft, model, before, after, ladder },
    isTouched: draft.summary !== null || draft.messages.length < sent.messages.length || draft.messages.some(isChanged),
    hadOversizedImages: hasOversizedImages(start),
  });
  if (budget === undefined) return planned(slim, rungOf('the copy', slim, model, 0), null);
  const all = options.allRungs === true;
  const climb = (kept: number) => ladder(view, slim, model, { budget, keepLast: kept, all, summarise });
  // Turns can be very long: where nobody says how many stay whole, it is as many as can.
  const kept = keepLast === undefined ? KEPT_BY_BUDGET : [keepLast];
  let steps = climb(kept[0] ?? KEEP_LAST);
  for (const fewer of kept.slice(1)) if (steps.fitting === null) steps = climb(fewer);
  const draft = steps.rungs[steps.fitting ?? steps.rungs.length - 1]?.draft ?? slim;
  return planned(draft, rungOf('the copy', draft, model, budget), steps);
}

/** What was sent and not recorded is in the session's requests; no copy can hold it. */
function withUnrecorded(rung: Rung, { unrecorded }: TokenModel): Rung {
  return { ...rung, tokens: { ...rung.tokens, 'not recorded': unrecorded }, total: rung.total + unrecorded };
}

function isChanged({ blocks }: DraftMessage): boolean {
  return blocks.some((block) => block.change !== null && !isBlankText(block));
}

function indicesOf(view: SessionView, { at, mend }: Pick<CloneOptions, 'at' | 'mend'>): number[] {
  return contextIndices(view, at ?? view.messageCount - 1, { mend: mend === true });
}

/** Servers want the user's word first. Of a session whose beginning is not recorded, that is all there is to say. */
function begun(draft: Draft, model: TokenModel): Draft {
  // What the client added is no message of anybody's.
  const first = draft.messages.find(({ kind }) => kind !== 'meta');
  if (draft.summary !== null || first?.role !== 'assistant') return draft;
  const text = '[The beginning of this session is not recorded.]';
  const parts = [{ text, task: null }];
  const summary = { text, parts, tokens: model.ofText(text), replaced: [], timestamp: first.timestamp };
  return { ...draft, summary };
}

/** Cut where it was asked for, or where the agent is still at work. */
function startOf(view: SessionView, whole: Draft, { at, wholeTurns }: CloneOptions): Draft {
  if (wholeTurns === true) return endedOnReply(withoutOpenTurn(view, whole));
  const isWhole = at === undefined || at === view.messageCount - 1;
  return isWhole ? settled(lastCallsAsNotes(view, whole)) : endedOnReply(whole);
}

/** Calls that were at work when the session ended may have done something: that they were made stays to be seen. */
function lastCallsAsNotes(view: SessionView, draft: Draft): Draft {
  const answered = new Set(
    draft.messages.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.type === 'tool_result' ? block.tool_use_id : [])),
    ),
  );
  const last = draft.messages.findLastIndex(({ role, kind }) => role === 'user' && kind !== 'meta');
  const noteOf = callNotes(view);
  return withBlocks(draft, ({ type, tool_use_id }, _, place) =>
    type === 'tool_use' && tool_use_id !== null && place > last && !answered.has(tool_use_id)
      ? { to: 'note', text: noteOf(tool_use_id) }
      : undefined,
  );
}

function withoutOpenTurn(view: SessionView, draft: Draft): Draft {
  const open = view.document.turns.at(-1);
  if (open === undefined || open.status !== 'open') return draft;
  return { ...draft, messages: draft.messages.filter(({ turn }) => turn !== open.index) };
}

type Slimming = CloneOptions & { summarise: Summariser; words: ReadonlyMap<string, WordsAtCall> };

function slimmed(start: Draft, model: TokenModel, options: Slimming): Draft {
  const { stripTools, tools = [], keepLast, words } = options;
  const isOld = olderThan(start, keepLast ?? 0);
  let draft = options.stripImages === true ? withoutImagesAndCopies(start, isOld) : start;
  // No server takes them.
  draft = withoutOversizedImages(draft);
  if (stripTools === 'all') draft = withoutTools(draft, { tools, isOld }, words);
  if (stripTools === 'old')
    draft = withoutTools(draft, { tools, isOld: olderThan(start, keepLast ?? KEEP_LAST) }, words);
  if (stripTools === 'outputs') draft = toolsCut(draft, { tools, isOld }, 'both');
  if (options.stripThinking === true) draft = withoutThinking(draft, isOld);
  draft = settled(draft);
  if (options.compress === undefined) return draft;
  const ranges = rangesFor(draft, options.compress, keepLast ?? KEEP_LAST);
  const limitOf = (messages: number[]) => summaryLimit(start, messages, model);
  const shorter = settled(compressed(draft, ranges, { summarise: options.summarise, limitOf, ofText: model.ofText }));
  // Of a few short turns a summary may be longer than they are; who names the turns wants it all the same.
  const isShorter = rungOf('', shorter, model, 0).total < rungOf('', draft, model, 0).total;
  return isShorter || typeof options.compress !== 'string' ? shorter : draft;
}

/** All turns but the newest; none where there are no more. */
function rangesFor(draft: Draft, compress: Level | TurnRange[], keepLast: number): TurnRange[] {
  const turns = turnsOf(draft).length;
  if (typeof compress !== 'string') return compress.map((range) => ({ ...range, to: Math.min(range.to, turns) }));
  return turns <= keepLast ? [] : [{ from: 1, to: turns - keepLast, level: compress }];
}

function summaryLimit(draft: Draft, messages: number[], model: TokenModel): number {
  const replaced = new Set(messages);
  const part = { ...draft, summary: null, messages: draft.messages.filter(({ index }) => replaced.has(index)) };
  const tokens = rungOf('', part, model, 0).total - model.fixed;
  return Math.max(LEAST_SUMMARY, Math.floor(tokens * SUMMARY_SHARE));
}
