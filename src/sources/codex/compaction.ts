// Compactions: a `compacted` line holds the summary and, from 0.105 on, the whole context after it. Of that, only ids and
// places are kept: in real homes these lists make gigabytes.

import type { Json, SourceRef } from '../../schema/blocks.ts';
import type { Signal } from '../../schema/outline.ts';
import { hashOf } from '../../schema/text-hash.ts';
import { integerAt, isObject, listAt, stringAt } from '../json-access.ts';
import { type Compacted, newCompaction } from '../new-compaction.ts';
import { CUT } from '../shorten.ts';
import type { ContextTrack } from './context.ts';
import { COMPACTED, type Item, itemFrom } from './items.ts';
import type { Account, Messages } from './messages.ts';
import { anchorAt, type Row, textOf } from './rows.ts';
import { summaryIn } from './signals.ts';
import type { Tokens } from './tokens.ts';
import type { ThreadTurn, Turns } from './turns.ts';

/** What a compaction touches. */
interface Thread {
  messages: Messages;
  turns: Turns;
  tokens: Tokens;
  context: ContextTrack;
  /** The words of each prompt, and those of all items that are messages, as numbers. */
  prompts: ReadonlyMap<number, string>;
  words: ReadonlyMap<number, number>;
  /** The last item that became a message of its own. */
  lastItem: () => { row: Row; index: number } | undefined;
  /** A message is taken back. */
  forget: (index: number) => void;
  model: () => string | null;
  /** Where a call, or its output, stands. */
  callAt: (id: string, isCall: boolean) => number | undefined;
}

export class Compactions {
  private readonly found: { signal: Compacted; turn: ThreadTurn | null }[] = [];
  private readonly thread: Thread;
  /** What became of prompts that were cut short: they may be kept again. */
  private readonly shortened = new Map<string, number>();
  /** Words were compared of which only the beginnings and ends are there. */
  private isUnsure = false;

  constructor(thread: Thread) {
    this.thread = thread;
  }

  take(row: Row): Account | undefined {
    const { messages, tokens, context, turns } = this.thread;
    const anchor = stringAt(row.payload, 'window_id') ?? anchorAt(row.ref);
    // Every compaction opens a window of its own: the same one again is a copy.
    if (this.found.some(({ signal }) => signal.anchor === anchor)) return messages.copy(row);
    const summary = summaryIn(stringAt(row.payload, 'message') ?? '');
    const answer = this.answerBefore(summary);
    const { request, before } = answer ?? tokens.takeEarly();
    const at = messages.list.length;
    const history = listAt(row.payload, 'replacement_history');
    const start = history === undefined ? this.guessed(row) : this.recorded(row, history);
    const summary_index = start.findLast((index) => index >= at && messages.list[index]?.kind === 'summary') ?? null;
    const message = messages.list[summary_index ?? -1];
    if (message !== undefined && answer !== undefined) message.source.push(answer.ref);
    if (message !== undefined && request !== null) {
      const { usage, response_id: request_id, model } = request;
      Object.assign(message, { usage, request_id, model: model ?? this.thread.model() });
    }
    const isRecorded = history !== undefined;
    const told = { anchor, evidence: [row.ref], basis: 'recorded', confidence: 'high' } as const;
    const opened = isRecorded ? told : { ...told, basis: 'inferred' as const, confidence: 'low' as const };
    context.replace({ ...opened, evidence: [row.ref], opened_at_index: at, opened_by: 'compaction' }, start);
    this.found.push({
      turn: turns.current,
      signal: {
        ...newCompaction({
          anchor,
          evidence: [row.ref],
          message_index: messages.list.length > at ? at : null,
          after_message_index: at === 0 ? null : at - 1,
          timestamp: row.time,
        }),
        is_own: messages.owner === null,
        pre_tokens: before,
        // Up to 0.130 the estimate of the new context stands in front of the line, later behind it.
        post_tokens: answer === undefined && request !== null ? tokens.estimate : null,
        summary_index,
        summary,
        summary_source: summary === null ? (isEncrypted(history) ? 'encrypted' : null) : 'inline',
        kept: start.filter((index) => index < at).sort((a, b) => a - b),
        // What was cut must not be kept: it makes an index read the family once more, without cutting (index-family.ts).
        extra: { ...extraOf(row), ...(this.isUnsure ? { cut: CUT } : {}) },
      },
    });
    return messages.list.length > at ? 'message' : undefined;
  }

  /** The record that tells the same act again, after the line. */
  again(ref: SourceRef, uuid: string | null): void {
    const last = this.found.at(-1)?.signal;
    if (last === undefined || last.evidence.length > 1) return;
    last.evidence.push(ref);
    last.uuid = uuid;
  }

  /** The client's estimate of the new context. */
  estimate(tokens: number): void {
    const last = this.found.at(-1)?.signal;
    if (last !== undefined) last.post_tokens ??= tokens;
  }

  signals(): Signal[] {
    return this.found.map(({ signal, turn }) => {
      const told = this.thread.turns.migrated ? undefined : triggerIn(turn, signal);
      const isEstimated = signal.post_tokens !== null;
      const extra = {
        ...(told === undefined ? {} : { trigger_basis: 'inferred', place: told.place }),
        ...(isEstimated ? { estimated_fields: ['post_tokens'] } : {}),
        ...signal.extra,
      };
      return { ...signal, trigger: told?.trigger ?? null, estimated: isEstimated, extra };
    });
  }

  /** From 0.145 on the model's answer to the request for a summary stands in front of the line: the same words again. */
  private answerBefore(summary: string | null) {
    const { messages, tokens, forget } = this.thread;
    const index = messages.list.length - 1;
    const message = messages.list[index];
    const last = this.thread.lastItem();
    // What was shown to the person was no summary.
    if (message?.kind !== 'reply' || last?.index !== index || message.source.length > 1) return undefined;
    const { row } = last;
    const isSame = summary !== null && textOf(row.payload.content) === summary;
    if (row.metadata?.compaction_output !== true && !isSame) return undefined;
    messages.takeBack(row);
    forget(index);
    return { ...tokens.takeBack(message), ref: row.ref };
  }

  /** Items that are known are those messages; the others are messages that exist only here. */
  private recorded(row: Row, history: Json[]): number[] {
    const { messages, turns } = this.thread;
    const turn_id = turns.current?.id ?? null;
    const items = history.map((entry, i) =>
      isObject(entry) ? itemFrom(entry, row.ref, `${row.pointer}/replacement_history/${i}`) : undefined,
    );
    const sameWords = this.byWords(items);
    // Where its words were left in the file, the summary is known by its place.
    const last = items.at(-1);
    if (last?.kind === 'prompt' && last.text === '') last.kind = 'summary';
    return items.flatMap((item, i) => {
      if (item === undefined) return [];
      const named = item.id === undefined ? undefined : messages.byId.get(item.id);
      const isShortened = named !== undefined && this.isShortened(named, item);
      const name = `${item.id} ${hashOf(item.text)}`;
      const known = isShortened ? this.shortened.get(name) : (named ?? this.ofCall(item) ?? sameWords(item));
      if (known !== undefined) return [known];
      const of = isShortened ? { shortened_from: messages.list[named]?.id ?? null } : {};
      const extra = { ...(turn_id === null ? {} : { turn_id }), ...item.extra, ...of };
      // The prompt stands where it was typed: this is what the client made of it.
      const kind = isShortened ? 'meta' : item.kind;
      const index = messages.add({ ...item, kind, extra }, row);
      if (isShortened) this.shortened.set(name, index);
      const message = messages.list[index];
      if (message !== undefined) message.source = [{ ...row.ref, pointer: `${row.pointer}/replacement_history/${i}` }];
      return [index];
    });
  }

  /**
   * The client cuts a long prompt short when it keeps it, under the same id. Words that a giant line left in the file cannot be
   * compared; nor can those that were cut before they were parsed: whoever did that must see it.
   */
  private isShortened(index: number, item: Item): boolean {
    const words = this.thread.words.get(index);
    if (item.kind !== 'prompt' || item.text === '' || words === undefined || words === NO_WORDS) return false;
    if (words !== hashOf(item.text)) return true;
    this.isUnsure ||= item.text.includes(CUT);
    return false;
  }

  private ofCall(item: Item): number | undefined {
    return item.call_id === undefined ? undefined : this.thread.callAt(item.call_id, item.kind === 'reply');
  }

  /** Before items had ids (0.145): the messages of the context with the same words, the last for the last. */
  private byWords(items: (Item | undefined)[]): (item: Item) => number | undefined {
    const nameOf = ({ kind, text }: Item) => `${kind} ${text}`;
    const left = new Map<string, number>();
    const isUnnamed = items.some((item) => item !== undefined && item.id === undefined);
    const said = isUnnamed ? this.saidNow() : undefined;
    // Those that have ids count, too: they stand for messages with these words.
    if (isUnnamed)
      for (const item of items) if (item !== undefined) left.set(nameOf(item), (left.get(nameOf(item)) ?? 0) + 1);
    return (item) => {
      const isMessage = item.kind === 'prompt' || (item.kind === 'reply' && item.type === 'message');
      if (item.id !== undefined || !isMessage || item.text === '') return undefined;
      const count = left.get(nameOf(item)) ?? 0;
      left.set(nameOf(item), count - 1);
      const words = item.kind === 'prompt' ? item.text : hashOf(item.text);
      return said?.get(`${item.kind} ${words}`)?.at(-count);
    };
  }

  /** The messages of the context by what they are and say, in order. */
  private saidNow(): Map<string, number[]> {
    const { context, prompts, words, messages } = this.thread;
    const said = new Map<string, number[]>();
    const put = (name: string, index: number) => {
      const same = said.get(name);
      if (same === undefined) said.set(name, [index]);
      else same.push(index);
    };
    for (const index of context.now()) {
      const prompt = prompts.get(index);
      if (prompt !== undefined) put(`prompt ${prompt}`, index);
      const kind = messages.list[index]?.kind;
      if (kind === 'reply') put(`reply ${words.get(index)}`, index);
    }
    return said;
  }

  /** Up to 0.80 the new context is not recorded: the client keeps the prompts, and adds the summary. */
  private guessed(row: Row): number[] {
    const { messages, context } = this.thread;
    const prompts = context.now().filter((index) => messages.list[index]?.kind === 'prompt');
    const pointer = `${row.pointer}/message`;
    const block = { type: 'text', row: row.ref, pointer, tool_use_id: null, name: null } as const;
    return [...prompts, messages.addText(row, { role: 'user', kind: 'summary', turn_id: null }, block)];
  }
}

const NO_WORDS = hashOf('');

/** Not recorded; it follows from the turn: /compact has one of its own, without a prompt (0.105 on). */
function triggerIn(
  turn: ThreadTurn | null,
  signal: Compacted,
): { trigger: 'auto' | 'manual'; place: string } | undefined {
  if (turn === null || turn.started === null) return undefined;
  const [prompt] = turn.prompts;
  if (prompt !== undefined)
    return { trigger: 'auto', place: prompt > (signal.after_message_index ?? -1) ? 'before-prompt' : 'mid-turn' };
  const isAlone = turn.replies.length === 0 && turn.calls.length === 0;
  return turn.completed === null || !isAlone ? undefined : { trigger: 'manual', place: 'own-turn' };
}

/** A summary that only the server can read is an item of its own kind. */
function isEncrypted(history: Json[] | undefined): boolean {
  return history?.some((entry) => isObject(entry) && COMPACTED.has(stringAt(entry, 'type') ?? '')) === true;
}

function extraOf({ payload }: Row): NonNullable<Signal['extra']> {
  const extra: NonNullable<Signal['extra']> = {};
  for (const key of ['window_id', 'previous_window_id', 'window_number', 'compaction_response_id']) {
    const value = stringAt(payload, key) ?? integerAt(payload, key);
    if (value !== null) extra[key] = value;
  }
  return extra;
}
