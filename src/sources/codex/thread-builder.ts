// Takes the rows of one thread in order and gives its outline.

import type { Json, SourceRef } from '../../schema/blocks.ts';
import type { Outline, OutlineBlock } from '../../schema/outline.ts';
import type { Diagnostic } from '../../schema/session.ts';
import { type JsonObject, objectAt, stringAt, stringsAt } from '../json-access.ts';
import type { OutlineOptions } from '../source.ts';
import { Calls } from './calls.ts';
import { Compactions } from './compaction.ts';
import { ContextTrack } from './context.ts';
import { hashOf } from './copied.ts';
import type { HeadFacts } from './head.ts';
import { type Item, itemFrom, textsOf, toldAs } from './items.ts';
import { type Account, Messages, type Owner } from './messages.ts';
import { isKnown } from './records.ts';
import { askedIn, Review } from './review.ts';
import { type Row, textOf } from './rows.ts';
import { COMPACT_DONE } from './signals.ts';
import { stopsIn } from './stops.ts';
import { countIn, Tokens } from './tokens.ts';
import { Turns } from './turns.ts';
import { type Told, TwiceTold } from './twice-told.ts';

export class ThreadBuilder {
  readonly head: HeadFacts;
  readonly diagnostics: Diagnostic[] = [];
  readonly messages: Messages;
  private readonly turns = new Turns();
  private readonly calls: Calls;
  private readonly tokens: Tokens;
  private readonly context: ContextTrack;
  private readonly compactions: Compactions;
  private readonly told = new TwiceTold();
  private readonly review = new Review();
  /** The words of each prompt. */
  private readonly prompts = new Map<number, string>();
  /** The words of each message, as a number: to tell a repetition from another message of the same id. */
  private readonly words = new Map<number, number>();
  /** Messages that only an event told. */
  private readonly eventOnly = new Set<number>();
  /** Prompts that were shown. */
  private readonly confirmed = new Set<number>();
  private lastRow: Row | undefined;
  private lastItem: { row: Row; index: number } | undefined;
  private mailStartsTurn = false;
  /** The mark at which the last review began, and what the first was about. */
  private reviewMark: Row | undefined;
  private reviewed: string | undefined;

  constructor(head: HeadFacts, options: OutlineOptions) {
    this.head = head;
    this.messages = new Messages(head, this.turns, options);
    this.calls = new Calls(this.messages.list);
    this.tokens = new Tokens(this.messages.list);
    this.context = new ContextTrack(this.messages);
    this.compactions = new Compactions({
      messages: this.messages,
      turns: this.turns,
      tokens: this.tokens,
      context: this.context,
      prompts: this.prompts,
      words: this.words,
      lastItem: () => this.lastItem,
      forget: (index) => this.told.forget(index),
      model: () => this.head.model,
      callAt: (id, isCall) => {
        const call = this.calls.byId.get(id);
        return (isCall ? call?.index : call?.output?.index) ?? undefined;
      },
    });
  }

  /** Takes a row; says what became of its line. */
  take(row: Row, value: Json, owner: Owner): Account {
    this.messages.owner = owner;
    if (owner === null) this.head.time(row);
    const became = this.become(row);
    this.messages.hold(row.ref, value);
    this.lastRow = row;
    return became ?? this.messages.record(row, isKnown(row));
  }

  /** What the thread goes on from is not here. */
  withoutBase(): void {
    this.tokens.goesOn();
  }

  /** The first row of a file that goes on from the middle of another one of this thread. */
  revert(row: Row, cuts: { file: number; end: number }[], rollout_id: string): void {
    this.turns.current = null;
    this.tokens.goesOn();
    this.context.reverted(row, cuts, rollout_id);
  }

  private get inherited(): boolean {
    return this.messages.owner !== null;
  }

  private become(row: Row): Account | undefined {
    switch (row.type) {
      case 'session_meta':
        if (!this.inherited && (row.payload.id ?? this.head.head.id) === this.head.head.id) this.head.meta(row);
        return undefined;
      case 'turn_context':
        this.turns.settings(row);
        this.head.settings(row.payload, this.inherited);
        return undefined;
      case 'response_item':
        return this.item(row);
      case 'event_msg':
        return this.event(row);
      case 'compacted':
        return this.compactions.take(row);
      case 'token_usage_record':
        this.tokens.record(row, this.head.model, this.inherited);
        return undefined;
      case 'inter_agent_communication_metadata':
        this.mailStartsTurn = row.payload.trigger_turn === true;
        return undefined;
      default:
        return undefined;
    }
  }

  private item(row: Row): Account | undefined {
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
    const once = { id: item.id, texts: textsOf(item, row), index: this.messages.list.length };
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

  private event(row: Row): Account | undefined {
    const { payload } = row;
    switch (payload.type) {
      case 'user_message':
        return this.shown(
          row,
          { told: 'user', id: undefined, texts: [stringAt(payload, 'message') ?? ''] },
          '/message',
        );
      case 'agent_message':
        return this.shown(
          row,
          { told: 'assistant', id: undefined, texts: [stringAt(payload, 'message') ?? ''] },
          '/message',
        );
      case 'agent_reasoning':
      case 'agent_reasoning_raw_content':
        return this.shown(row, { told: 'reasoning', id: undefined, texts: [stringAt(payload, 'text') ?? ''] }, '/text');
      case 'item_completed':
        return this.completed(row);
      case 'task_started':
      case 'turn_started':
        this.tokens.endTurn();
        if (this.review.begins() && this.reviewMark !== undefined) this.turns.reviewing(this.reviewMark);
        else this.turns.start(row, this.inherited);
        return undefined;
      case 'task_complete':
      case 'turn_complete':
        this.turnDone(row);
        return undefined;
      case 'turn_aborted':
        this.review.leave();
        this.turns.abort(row);
        this.told.lost();
        this.tokens.endTurn();
        return undefined;
      case 'entered_review_mode':
        return this.reviewBegins(row, payload, '');
      case 'exited_review_mode':
        this.review.leave();
        return undefined;
      case 'error':
        if (this.turns.current !== null) this.turns.current.failed = row;
        return undefined;
      case 'token_count':
        this.counted(row);
        return undefined;
      case 'context_compacted':
        this.compactions.again(row.ref, null);
        return undefined;
      case 'thread_rolled_back':
        this.context.rolledBack(row);
        return undefined;
      case 'thread_name_updated':
        this.head.threadName(stringAt(payload, 'thread_name'));
        return undefined;
      default:
        return this.calls.end(row, this.turns.current) ? 'message' : undefined;
    }
  }

  private counted(row: Row): void {
    const count = countIn(row);
    if (count !== undefined) this.tokens.count(count, this.head.model, this.inherited);
    if (this.tokens.estimate !== null) this.compactions.estimate(this.tokens.estimate);
  }

  /** `item_completed` (0.147 on): messages as shown, and how calls ended. */
  private completed(row: Row): Account | undefined {
    const item = objectAt(row.payload, 'item');
    const id = stringAt(item, 'id');
    if (this.review.isReviewers(stringAt(row.payload, 'thread_id'))) return undefined;
    switch (item?.type) {
      case 'EnteredReviewMode':
        return this.reviewBegins(row, item, '/item');
      case 'ExitedReviewMode':
        this.review.leave();
        return undefined;
      case 'UserMessage':
        return this.shown(row, { told: 'user', id, texts: [textOf(item.content)] }, '/item/content/0');
      case 'AgentMessage':
        return this.shown(row, { told: 'assistant', id, texts: [textOf(item.content)] }, '/item/content/0');
      case 'Reasoning':
        return this.shown(row, { told: 'reasoning', id, texts: stringsAt(item, 'summary_text') }, '/item');
      case 'ContextCompaction':
        this.compactions.again(row.ref, id ?? null);
        return undefined;
      default:
        return this.calls.end(row, this.turns.current) ? 'message' : undefined;
    }
  }

  /** A message as it was shown. Its item may have come already, may come later, or was lost. */
  private shown(row: Row, once: { told: Told; id: string | undefined; texts: string[] }, at: string): Account {
    const { told, id, texts } = once;
    const [text = ''] = texts;
    const type = told === 'reasoning' ? 'thinking' : 'text';
    const block: OutlineBlock = { type, row: row.ref, pointer: `${row.pointer}${at}`, tool_use_id: null, name: null };
    // Words of the client in the model's name.
    if (told === 'assistant' && text === COMPACT_DONE && this.lastRow?.type === 'compacted')
      return this.notice(row, block);
    const isNext = this.lastItem !== undefined && this.lastItem.row === this.lastRow;
    const known = this.told.event(once, isNext);
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

  /** `/review`: the person set it going, and what was typed went to the reviewer. */
  private reviewBegins(row: Row, mark: JsonObject, pointer: string): Account {
    this.review.enter(stringAt(row.payload, 'thread_id'));
    this.reviewMark = row;
    this.turns.review(row, this.inherited);
    const asked = askedIn(mark);
    if (!this.inherited) this.reviewed ??= asked?.text;
    const at = `${row.pointer}${pointer}${asked?.at ?? ''}`;
    const type = asked === undefined ? 'unknown' : 'text';
    const turn_id = stringAt(row.payload, 'turn_id') ?? null;
    const block: OutlineBlock = { type, row: row.ref, pointer: at, tool_use_id: null, name: null };
    const index = this.messages.addText(row, { role: 'user', kind: 'command', turn_id }, block);
    const message = this.messages.list[index];
    if (message !== undefined)
      Object.assign(message, { sent: false, starts_turn: 'command', extra: { command: '/review' } });
    return 'message';
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

  private turnDone(row: Row): void {
    this.review.leave();
    const turn = this.turns.complete(row);
    const message = this.messages.list[turn?.replies.at(-1) ?? -1];
    if (message !== undefined) message.ends_turn = row.payload.error == null;
    this.tokens.endTurn();
  }

  finish(): Outline {
    const { head } = this;
    this.context.begin();
    this.tokens.endTurn();
    this.calls.finish();
    this.settle();
    const stops = stopsIn({
      messages: this.messages.list,
      calls: this.calls,
      turns: this.turns,
      recordsEnds: head.head.dialect === 'paginated' && !this.turns.migrated,
      headless: head.headless,
      losesCalls: head.losesCalls,
      promptText: (index) => this.prompts.get(index)?.trim() || null,
    });
    this.messages.makeContent();
    return {
      head: head.finish(this.messages.list),
      not_recorded: head.hasInstructions ? ['tools'] : ['system-prompt', 'tools'],
      row_ids: this.messages.byId,
      messages: this.messages.list,
      outcomes: this.calls.outcomes(),
      signals: [...stops, ...this.context.rewinds, ...this.compactions.signals()],
      windows: this.context.windows,
      file_texts: [],
      records: this.messages.records,
      turn_times: this.turns.times(),
      turn_starts: this.turns.afterUnanswered,
      lost_requests: this.tokens.lost,
      diagnostics: this.diagnostics,
    };
  }

  /** What is known only when all rows are read. */
  private settle(): void {
    // Files without `task_complete`: words without a call are the end of a turn.
    for (const turn of this.turns.all) {
      const last = this.messages.list[turn.replies.at(-1) ?? -1];
      const isOpen = turn.started === null && turn.aborted === null;
      if (isOpen && last?.blocks.every((block) => block.type === 'text')) last.ends_turn = true;
    }
    // An answer of which no item was written was never sent again: it was lost with its request.
    for (const index of this.eventOnly) {
      const message = this.messages.list[index];
      if (message?.role === 'assistant') message.sent = false;
    }
    if (this.confirmed.size > 0) this.settleUnshown();
    const own = [...this.prompts].find(([index]) => this.messages.list[index]?.inherited === null);
    this.head.prompt(own?.[1] ?? this.reviewed ?? '');
  }

  private settleUnshown(): void {
    // Where prompts are shown, and nothing else says who spoke, words that were never shown are the client's.
    for (const [index, message] of this.messages.list.entries()) {
      const { content_item_kinds, provenance } = message.extra;
      const isTold = content_item_kinds !== undefined || provenance !== undefined || this.eventOnly.has(index);
      if (!this.prompts.has(index) || isTold || this.confirmed.has(index) || message.inherited !== null) continue;
      message.kind = 'meta';
      message.starts_turn = null;
      this.prompts.delete(index);
      this.turns.noPrompt(index);
    }
  }
}

/** What the client never shows as the person's words: if it does, these words only begin as its own do. */
const QUOTED: ReadonlySet<string> = new Set(['interruption', 'summary', 'command']);
