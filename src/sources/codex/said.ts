// What was said in a thread. The same words may be told twice: as the item that was sent, and by an event as it was shown.

import type { SourceRef } from '../../schema/blocks.ts';
import type { OutlineBlock, OutlineMessage } from '../../schema/outline.ts';
import { hashOf } from '../../schema/text-hash.ts';
import { stringAt } from '../json-access.ts';
import type { Calls } from './calls.ts';
import type { HeadFacts } from './head.ts';
import { type Item, itemFrom, textsOf, toldAs } from './items.ts';
import type { Account, Messages } from './messages.ts';
import type { Review } from './review.ts';
import { type Row, textOf } from './rows.ts';
import { COMPACT_DONE } from './signals.ts';
import type { Tokens } from './tokens.ts';
import type { Turns } from './turns.ts';
import { type Neighbour, type Told, TwiceTold } from './twice-told.ts';

/** What else is known of the thread. */
interface Thread {
  head: HeadFacts;
  messages: Messages;
  turns: Turns;
  calls: Calls;
  tokens: Tokens;
  review: Review;
}

export class Said {
  /** The words of each prompt. */
  readonly prompts = new Map<number, string>();
  /** The words of each message, as a number: to tell a repetition from another message of the same id. */
  readonly words = new Map<number, number>();
  lastItem: { row: Row; index: number } | undefined;
  lastRow: Row | undefined;
  mailStartsTurn = false;
  /** Lines of which something was lost. */
  private readonly damaged = new Set<string>();
  private readonly told = new TwiceTold();
  /** Messages that only an event told. */
  private readonly eventOnly = new Set<number>();
  /** Prompts that were shown. */
  private readonly confirmed = new Set<number>();
  private readonly head: HeadFacts;
  private readonly messages: Messages;
  private readonly turns: Turns;
  private readonly calls: Calls;
  private readonly tokens: Tokens;
  private readonly review: Review;

  constructor({ head, messages, turns, calls, tokens, review }: Thread) {
    this.head = head;
    this.messages = messages;
    this.turns = turns;
    this.calls = calls;
    this.tokens = tokens;
    this.review = review;
  }

  /** What was sent. Its event may have told it before. */
  item(row: Row): Account | undefined {
    const item = itemFrom(row.payload, row.ref, row.pointer);
    if (item === undefined) return undefined;
    this.identify(item, row.ref);
    const known = item.id === undefined ? undefined : this.messages.byId.get(item.id);
    // The same id twice is one message with two sources, unless the words are others.
    if (known !== undefined && !this.eventOnly.has(known) && this.isSame(known, row)) {
      this.messages.list[known]?.source.push(row.ref);
      return this.messages.copy(row);
    }
    const told = toldAs(item);
    const isPersons = item.kind === 'prompt';
    const once = { id: item.id, texts: textsOf(item, row), index: this.messages.list.length, isPersons };
    const shown = told === undefined ? undefined : this.told.item({ told, ...once });
    if (shown !== undefined) return this.complete(shown, item, row);
    const index = this.messages.add(item, row);
    if (item.type === 'message') this.words.set(index, hashOf(item.text));
    this.lastItem = { row, index };
    if (item.type === 'agent_message') this.mail(index);
    if (item.kind === 'prompt') this.prompt(index, item.text);
    if (item.kind === 'interruption' && this.turns.current !== null) this.turns.current.marker = index;
    if (item.kind === 'reply') this.reply(index);
    if (item.name !== undefined) this.calls.call(item, row.payload, index, this.turns.current);
    if (item.kind === 'tool_result') this.calls.output(item, row, index);
    return 'message';
  }

  /** Calls are known by one id each. */
  private identify(item: Item, ref: SourceRef): void {
    const id = this.calls.idOf(item, ref);
    if (id === undefined || id === item.call_id) return;
    item.call_id = id;
    for (const block of item.blocks) block.tool_use_id = id;
  }

  private isSame(index: number, row: Row): boolean {
    const words = this.words.get(index);
    return words === undefined || words === hashOf(textOf(row.payload.content));
  }

  /** The item of a message that its event told before. */
  private complete(index: number, item: Item, row: Row): Account {
    const message = this.messages.list[index];
    if (message === undefined) return 'message';
    message.blocks = item.blocks;
    message.said = null;
    message.source.unshift(row.ref);
    if (item.type === 'message') this.words.set(index, hashOf(item.text));
    message.timestamp = row.time ?? message.timestamp;
    message.extra = { ...item.extra, ...message.extra };
    message.turn_id = item.turn_id ?? message.turn_id;
    if (item.id !== undefined) this.messages.rename(index, item.id);
    this.eventOnly.delete(index);
    return 'message';
  }

  /** A message as it was shown. Its item may have come already, may come later, or was lost. */
  shown(row: Row, once: { told: Told; id: string | undefined; texts: string[] }, at: string): Account {
    const { told, id, texts } = once;
    const [text = ''] = texts;
    const type = told === 'reasoning' ? 'thinking' : 'text';
    const block: OutlineBlock = { type, row: row.ref, pointer: `${row.pointer}${at}`, tool_use_id: null, name: null };
    // Words of the client in the model's name.
    if (told === 'assistant' && text === COMPACT_DONE && this.lastRow?.type === 'compacted')
      return this.notice(row, block);
    const known = this.told.event(once, this.neighbourOf(row));
    if (known !== undefined) return this.confirm(known, row, told, id, text);
    // What is told of a review has no item: it was not said in this thread.
    if (told === 'user' && this.review.isOn) return this.messages.record(row, true);
    const last = this.messages.list.length - 1;
    const waiting = told === 'reasoning' ? this.told.waiting(told, last) : undefined;
    if (waiting !== undefined) {
      waiting.texts.push(...texts);
      this.messages.list[last]?.blocks.push(block);
      this.messages.list[last]?.source.push(row.ref);
      return 'message';
    }
    const isUser = told === 'user';
    const turn_id = stringAt(row.payload, 'turn_id') ?? null;
    const given = { role: isUser ? 'user' : 'assistant', kind: isUser ? 'prompt' : 'reply', turn_id } as const;
    const index = this.messages.addText(row, given, block);
    this.eventOnly.add(index);
    this.told.wait({ ...once, index });
    if (isUser) this.prompt(index, text);
    else this.reply(index);
    return 'message';
  }

  private neighbourOf({ ref }: Row): Neighbour | undefined {
    const { lastItem, lastRow } = this;
    if (lastItem === undefined || lastItem.row !== lastRow) return undefined;
    return { index: lastItem.index, isBeside: ref.line - lastItem.row.ref.line <= 1 };
  }

  /** The event of a message whose item came first. */
  private confirm(index: number, row: Row, told: Told, id: string | undefined, text: string): Account {
    const message = this.messages.list[index];
    if (message === undefined) return 'message';
    message.source.push(row.ref);
    if (told !== 'user') return 'message';
    this.confirmed.add(index);
    const turn_id = stringAt(row.payload, 'turn_id');
    if (turn_id !== undefined && turn_id !== message.turn_id) {
      message.turn_id = turn_id;
      this.turns.moved(index, turn_id);
    }
    if (id !== undefined) message.extra.item_id = id;
    // The item of a prompt with pictures has the client's tags around them.
    if (this.prompts.has(index) && text !== '') this.prompts.set(index, text);
    // What the person typed, though it begins as something that the client writes.
    const isQuoted = QUOTED.has(message.kind) && this.words.get(index) === hashOf(text);
    if (message.kind === 'meta' || isQuoted) {
      message.kind = 'prompt';
      if (this.turns.current?.marker === index) this.turns.current.marker = null;
      this.prompt(index, text);
    }
    return 'message';
  }

  /** A message that was taken back, or is another after all. */
  forget(index: number): void {
    this.told.forget(index);
  }

  /** What was shown of a request that was aborted. */
  lost(): void {
    this.told.lost();
  }

  /** A line that could not be read, or not whole. */
  damage({ file, line }: SourceRef): void {
    this.damaged.add(`${file}:${line}`);
  }

  private notice(row: Row, block: OutlineBlock): Account {
    const index = this.messages.addText(row, { role: 'system', kind: 'notice', turn_id: null }, block);
    const message = this.messages.list[index];
    if (message !== undefined) message.sent = false;
    return 'message';
  }

  /** Mail between agents. What sets a subagent to work is its prompt. */
  private mail(index: number): void {
    const message = this.messages.list[index];
    const isMain = this.head.head.kind === 'main';
    if (message !== undefined && this.mailStartsTurn) {
      if (!isMain) message.kind = 'prompt';
      message.starts_turn = isMain ? 'notification' : 'agent';
      this.turns.prompt(index, this.inherited);
    }
    this.mailStartsTurn = false;
  }

  private prompt(index: number, text: string): void {
    const message = this.messages.list[index];
    if (message === undefined) return;
    // The times of rows that a fork copied are those of the copying.
    const isTakenIn = !this.inherited && this.turns.takesIn(index, message, this.messages.list[index - 1]);
    if (!isTakenIn) this.turns.prompt(index, this.inherited);
    this.turns.message(index);
    if (!isTakenIn) message.starts_turn = this.head.head.kind === 'main' || this.inherited ? 'user' : 'agent';
    message.turn_id ??= this.turns.current?.id ?? null;
    this.prompts.set(index, text);
  }

  private reply(index: number): void {
    const message = this.messages.list[index];
    if (message !== undefined) message.model = this.head.model;
    this.turns.reply(index);
    this.tokens.reply(index);
  }

  /** What is known only when all rows are read. */
  settle(): void {
    // An answer of which no item was written was never sent again: it was lost with its request.
    for (const index of this.eventOnly) {
      const message = this.messages.list[index];
      if (message?.role === 'assistant') message.sent = false;
    }
    if (this.confirmed.size > 0) this.settleUnshown();
    const own = [...this.prompts].find(([index]) => this.messages.list[index]?.inherited === null);
    this.head.prompt(own?.[1] ?? '');
  }

  private settleUnshown(): void {
    // Where prompts are shown, and nothing else says who spoke, words that were never shown are the client's.
    for (const index of [...this.prompts.keys()].sort((a, b) => a - b)) {
      const message = this.messages.list[index];
      if (message === undefined) continue;
      const { content_item_kinds, provenance } = message.extra;
      const isTold = content_item_kinds !== undefined || provenance !== undefined || this.eventOnly.has(index);
      if (isTold || this.confirmed.has(index) || message.inherited !== null) continue;
      if (this.hasLostEvent(index, message)) continue;
      message.kind = 'meta';
      message.starts_turn = null;
      this.prompts.delete(index);
      this.turns.noPrompt(index);
    }
  }

  /**
   * The event is the next row: it is lost where the next line cannot be read, and was never written where nothing follows,
   * in the file or in the turn. What begins with a tag may be the client's, though no list knows it.
   */
  private hasLostEvent(index: number, { source: [item] }: OutlineMessage): boolean {
    // The prompt itself follows, of which only the event is left.
    if (item === undefined || TAGGED.test(this.prompts.get(index) ?? '') || this.eventOnly.has(index + 1)) return false;
    const { file, line } = item;
    const isTorn = [line, line + 1].some((at) => this.damaged.has(`${file}:${at}`));
    return isTorn || this.lastRow?.ref === item || this.turns.isCutBehind(index);
  }

  private get inherited(): boolean {
    return this.messages.owner !== null;
  }
}

/** As the client writes; but for pictures, which stand in front of a person's words. */
const TAGGED = /^\s*<(?!image\b)[a-z][\w -]*>/i;

/** What the client never shows as the person's words: if it does, these words only begin as its own do. */
const QUOTED: ReadonlySet<string> = new Set(['interruption', 'summary', 'command']);
