// What a message is, as one row tells it, and what several rows of one tell together.

import type { SourceRef } from '../../schema/blocks.ts';
import type { OutlineBlock, OutlineMessage } from '../../schema/outline.ts';
import type { Told } from './rows.ts';
import { BOOTSTRAP, CONTINUE, SHELL, SNAPSHOT, thanksForSummary } from './signals.ts';

export function userKind(text: string): OutlineMessage['kind'] {
  if (text.startsWith(BOOTSTRAP) || text === CONTINUE) return 'meta';
  return text.startsWith(SHELL) ? 'command' : 'prompt';
}

/**
 * An item of a context that is a summary, if no known message has its words. The client asks for `<state_snapshot>` and keeps the
 * whole answer: a draft, a fence or prose may stand before the tag, and models forget it. What the client puts behind it tells then.
 */
export function isSummary(told: Told, next: Told | undefined, isMadeAnew: boolean): boolean {
  if (told.type !== 'user' || told.answers.length > 0) return false;
  return told.text.startsWith(SNAPSHOT) || (isMadeAnew && told.holds_snapshot) || isThanked(next);
}

/** A row of its own is what a person typed, who may quote the tag; a log that was written anew may have a summary there. */
export function isSummaryRow(told: Told, next: Told | undefined): boolean {
  return told.text.includes(SNAPSHOT) && !told.text.startsWith(BOOTSTRAP) && isThanked(next);
}

function isThanked(next: Told | undefined): boolean {
  return next?.type === 'gemini' && thanksForSummary(next.text);
}

/** Its row, or its place in one that holds many. */
export function placeOf({ ref, pointer }: Told): SourceRef {
  return pointer === '' ? ref : { ...ref, pointer };
}

/** Nothing but results: the answer to calls. A picture that a tool has read may stand beside its result. */
export function holdsResults({ answers, blocks }: Told): boolean {
  return answers.length > 0 && blocks.every(({ type }) => type === 'tool_result' || type === 'image');
}

/** Results, and behind them words that the client adds, such as a hint that the person gave while the call ran: no new prompt. */
export function beginsWithResults({ blocks }: Told): boolean {
  return blocks[0]?.type === 'tool_result';
}

const ORDER = ['thinking', 'text', 'image', 'unknown', 'tool_result', 'tool_use'];

/** What a later row lacks stays: the words, the thoughts, a call that a row of its own told. */
export function merged(old: OutlineBlock[], fresh: OutlineBlock[]): OutlineBlock[] {
  const types = new Set(fresh.map(({ type }) => type));
  const calls = new Set(fresh.map(({ type, tool_use_id }) => (type === 'tool_use' ? tool_use_id : '')));
  const kept = old.filter(({ type, tool_use_id }) =>
    type === 'tool_use' ? !calls.has(tool_use_id) : !types.has(type),
  );
  if (kept.length === 0) return fresh;
  return [...kept, ...fresh].sort((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type));
}

/** How much a row tells of a message. */
export interface Riches {
  calls: number;
  results: number;
  thoughts: number;
  hasTokens: boolean;
  hasText: boolean;
}

export function richesOf({ calls, blocks, tokens, text }: Told): Riches {
  return {
    calls: calls.length,
    results: calls.filter((call) => call.has_result).length,
    thoughts: blocks.filter((block) => block.type === 'thinking').length,
    hasTokens: tokens !== undefined,
    hasText: text !== '',
  };
}

/** Later rows of a message may add calls, tokens and thoughts; on a resume they lose them again. */
export function richesIn({ calls, results, thoughts, hasTokens, hasText }: Riches): number {
  return (calls + results) * 100 + (hasTokens ? 10 : 0) + thoughts + (hasText ? 1 : 0);
}
