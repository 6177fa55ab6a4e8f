// Takes the rows of one thread in order and gives its outline.

import type { Json, SourceRef } from '../../schema/blocks.ts';
import { contextAt, rangesOf } from '../../schema/context.ts';
import type { OpenedWindow, Outline, OutlineMessage } from '../../schema/outline.ts';
import type { Diagnostic, RecordEntry } from '../../schema/session.ts';
import { countAt, isObject, listAt, objectAt, stringAt } from '../json-access.ts';
import type { OutlineOptions } from '../source.ts';
import { Calls } from './calls.ts';
import { Compactions } from './compaction.ts';
import { contentOf } from './content.ts';
import type { HeadFacts } from './head.ts';
import { type Item, itemFrom } from './items.ts';
import { isKnown } from './records.ts';
import { type Row, textOf } from './rows.ts';
import { COMPACT_DONE, summaryIn } from './signals.ts';
import { stopsIn } from './stops.ts';
import { Tokens } from './tokens.ts';
import { Turns } from './turns.ts';
import { type Told, TwiceTold } from './twice-told.ts';

/** How a line is accounted for. */
export type Account = 'message' | 'record' | 'unknown' | 'copy';

/** Whose rows are being read: the thread's own, or its parent's. */
export type Owner = { session_id: string; idOf: (row: Row) => string } | null;

export class ThreadBuilder {
  readonly head: HeadFacts;
  readonly diagnostics: Diagnostic[] = [];
  private readonly messages: OutlineMessage[] = [];
  private readonly records: RecordEntry[] = [];
  private readonly windows: OpenedWindow[] = [];
  private readonly rewinds: Outline['signals'] = [];
  private readonly byId = new Map<string, number>();
  /** Ids by which messages are known beside their own. */
  private readonly prompts = new Map<number, string>();
  private readonly turns = new Turns();
  private readonly calls = new Calls(this.messages);
  private readonly tokens = new Tokens(this.messages);
  private readonly told = new TwiceTold();
  private readonly compactions = new Compactions(this.turns);
  /** Rows as they were read, for sessions small enough to hold. */
  private readonly held: Map<string, Json> | null;
  /** File and ordinal of the row that a message began with. */
  private readonly places: { file: number; ordinal: number | null }[] = [];
  private readonly eventOnly = new Set<number>();
  private readonly confirmed = new Set<number>();
  private owner: Owner = null;
  private lastRow: Row | undefined;
  private lastItem: { row: Row; index: number } | undefined;
  private mailStartsTurn = false;

  constructor(head: HeadFacts, options: OutlineOptions) {
    this.head = head;
    this.held = options.content ? new Map() : null;
  }

  /** Takes a row; says what became of its line. */
  take(row: Row, value: Json, owner: Owner): Account {
    this.owner = owner;
    const known = isKnown(row);
    if (owner === null) this.head.time(row);
    this.held?.set(keyOf(row.ref), value);
    const became = this.become(row);
    this.lastRow = row;
    return became ?? this.record(row, known);
  }

  /** A line that is no JSON object. */
  stray(ref: SourceRef): Account {
    return this.entry({ native_type: 'unknown', known: false, copy: false, ref, time: null });
  }

  /** A line that only repeats what another file of the thread holds. */
  copy(row: Row): Account {
    return this.entry({ native_type: row.native_type, known: isKnown(row), copy: true, ref: row.ref, time: row.time });
  }

  private become(row: Row): Account | undefined {
    switch (row.type) {
      case 'session_meta':
        if (this.owner === null) this.head.meta(row.payload);
        return undefined;
      case 'turn_context':
        this.turns.settings(row);
        this.head.settings(row.payload);
        return undefined;
      case 'response_item':
        return this.item(row);
      case 'event_msg':
        return this.event(row);
      case 'compacted':
        return this.compacted(row);
      case 'token_usage_record':
        this.tokens.record(row.payload, this.head.model, this.owner !== null);
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
    const known = item.id === undefined ? undefined : this.byId.get(item.id);
    if (known !== undefined && !this.eventOnly.has(known)) return this.again(known, row);
    const told = toldBy(item);
    const earlier =
      told === undefined
        ? undefined
        : this.told.item({ told, id: item.id, texts: textsOf(item, row), index: this.messages.length });
    if (earlier !== undefined) return this.complete(earlier, item, row);
    const index = this.add(item, row);
    this.lastItem = { row, index };
    if (item.type === 'agent_message') this.mail(index);
    if (item.kind === 'prompt') this.promptAt(index, item.text);
    if (item.kind === 'interruption' && this.turns.current !== null) this.turns.current.marker = index;
    if (item.kind === 'reply') this.replyAt(index);
    if (item.name !== undefined) this.calls.call(item, row.payload, index, this.turns.current, this.owner !== null);
    if (item.kind === 'tool_result') this.calls.output(item, row, index);
    return 'message';
  }

  /** The item of a message that its event told before. */
  private complete(index: number, item: Item, row: Row): Account {
    const message = this.messages[index];
    if (message === undefined) return 'message';
    message.blocks = item.blocks;
    message.source.unshift(row.ref);
    message.timestamp = row.time ?? message.timestamp;
    message.extra = { ...item.extra, ...message.extra };
    message.turn_id = item.turn_id ?? message.turn_id;
    if (item.id !== undefined) this.rename(index, item.id);
    this.eventOnly.delete(index);
    message.sent = true;
    return 'message';
  }

  private rename(index: number, id: string): void {
    const message = this.messages[index];
    if (message === undefined) return;
    message.id = id;
    if (message.inherited !== null) message.inherited = { ...message.inherited, id };
    this.byId.set(id, index);
  }

  /** The same item id twice is one message with two sources. */
  private again(index: number, row: Row): Account {
    this.messages[index]?.source.push(row.ref);
    return this.entry({ native_type: row.native_type, known: true, copy: true, ref: row.ref, time: row.time });
  }

  private event(row: Row): Account | undefined {
    const { payload } = row;
    switch (payload.type) {
      case 'user_message':
        return this.shown(row, 'user', undefined, [stringAt(payload, 'message') ?? ''], '/message');
      case 'agent_message':
        return this.shown(row, 'assistant', undefined, [stringAt(payload, 'message') ?? ''], '/message');
      case 'agent_reasoning':
      case 'agent_reasoning_raw_content':
        return this.shown(row, 'reasoning', undefined, [stringAt(payload, 'text') ?? ''], '/text');
      case 'item_completed':
        return this.completed(row);
      case 'task_started':
      case 'turn_started':
        this.tokens.endTurn();
        this.turns.start(row, this.owner !== null);
        return undefined;
      case 'task_complete':
      case 'turn_complete':
        this.ends(this.turns.complete(row)?.lastReply ?? null, payload.error !== undefined && payload.error !== null);
        return undefined;
      case 'turn_aborted':
        this.turns.abort(row);
        this.tokens.endTurn();
        return undefined;
      case 'token_count':
        this.tokens.count(payload, this.head.model, this.owner !== null);
        if (this.tokens.estimate !== null) this.compactions.estimate(this.tokens.estimate);
        return undefined;
      case 'context_compacted':
        this.compactions.marker(row.ref, null);
        return undefined;
      case 'thread_rolled_back':
        this.rolledBack(row);
        return undefined;
      case 'thread_name_updated':
        this.head.threadName(stringAt(payload, 'thread_name'));
        return undefined;
      default:
        return this.calls.end(row) ? 'message' : undefined;
    }
  }

  /** `item_completed` (0.147 on): messages as shown, and how calls ended. */
  private completed(row: Row): Account | undefined {
    const item = objectAt(row.payload, 'item');
    const id = stringAt(item, 'id');
    switch (item?.type) {
      case 'UserMessage':
        return this.shown(row, 'user', id, [textOf(item.content)], '/item/content/0');
      case 'AgentMessage':
        return this.shown(row, 'assistant', id, [textOf(item.content)], '/item/content/0');
      case 'Reasoning':
        return this.shown(row, 'reasoning', id, stringsIn(item.summary_text), '/item');
      case 'ContextCompaction':
        this.compactions.marker(row.ref, id ?? null);
        return undefined;
      default:
        return this.calls.end(row) ? 'message' : undefined;
    }
  }

  /** A message as it was shown. Its item may have come already, may come later, or was lost. */
  private shown(row: Row, told: Told, id: string | undefined, texts: string[], at: string): Account | undefined {
    const [text = ''] = texts;
    if (told === 'assistant' && text === COMPACT_DONE && this.lastRow?.type === 'compacted')
      return this.notice(row, at);
    const isNext = this.lastItem !== undefined && this.lastItem.row === this.lastRow;
    const known = this.told.event({ told, id, texts }, isNext);
    if (known !== undefined) return this.confirm(known, row, told, id, text);
    const last = this.messages.length - 1;
    const waiting = this.told.waiting(told, last);
    const block = {
      type: told === 'reasoning' ? ('thinking' as const) : ('text' as const),
      row: row.ref,
      pointer: `${row.pointer}${at}`,
      tool_use_id: null,
      name: null,
    };
    if (told === 'reasoning' && waiting !== undefined) {
      waiting.texts.push(...texts);
      this.messages[last]?.blocks.push(block);
      this.messages[last]?.source.push(row.ref);
      return 'message';
    }
    const isUser = told === 'user';
    const item: Item = {
      id: undefined,
      type: 'event',
      role: isUser ? 'user' : 'assistant',
      kind: isUser ? 'prompt' : 'reply',
      blocks: [block],
      text,
      call_id: undefined,
      name: undefined,
      turn_id: stringAt(row.payload, 'turn_id') ?? null,
      extra: {},
    };
    const index = this.add(item, row);
    this.eventOnly.add(index);
    this.told.wait({ told, id, texts, index });
    if (isUser) this.promptAt(index, text);
    else this.replyAt(index);
    return 'message';
  }

  /** The event of a message whose item came first. */
  private confirm(index: number, row: Row, told: Told, id: string | undefined, text: string): Account {
    const message = this.messages[index];
    if (message === undefined) return 'message';
    message.source.push(row.ref);
    if (told !== 'user') return 'message';
    this.confirmed.add(index);
    if (id !== undefined) message.extra.item_id = id;
    // What the person typed, though it begins as something that the client writes.
    if (message.kind === 'meta') {
      message.kind = 'prompt';
      this.promptAt(index, text);
    }
    return 'message';
  }

  /** Words of the client in the model's name. */
  private notice(row: Row, at: string): Account {
    const block = {
      type: 'text' as const,
      row: row.ref,
      pointer: `${row.pointer}${at}`,
      tool_use_id: null,
      name: null,
    };
    const index = this.add(
      {
        id: undefined,
        type: 'event',
        role: 'system',
        kind: 'notice',
        blocks: [block],
        text: '',
        call_id: undefined,
        name: undefined,
        turn_id: null,
        extra: {},
      },
      row,
    );
    const message = this.messages[index];
    if (message !== undefined) message.sent = false;
    return 'message';
  }

  private mail(index: number): void {
    const message = this.messages[index];
    if (message === undefined) return;
    if (this.mailStartsTurn) {
      message.kind = this.head.head.kind === 'main' ? 'meta' : 'prompt';
      message.starts_turn = this.head.head.kind === 'main' ? 'notification' : 'agent';
      this.turns.prompt(index, this.owner !== null);
    }
    this.mailStartsTurn = false;
  }

  private promptAt(index: number, text: string): void {
    const message = this.messages[index];
    if (message === undefined) return;
    message.starts_turn = 'user';
    this.turns.prompt(index, this.owner !== null);
    message.turn_id ??= this.turns.current?.id ?? null;
    this.turns.message(index);
    this.prompts.set(index, text);
    if (this.owner === null) this.head.prompt(text);
  }

  private replyAt(index: number): void {
    const message = this.messages[index];
    if (message !== undefined) message.model = this.head.model;
    this.turns.reply(index);
    this.tokens.reply(index);
  }

  private ends(reply: number | null, failed: boolean): void {
    const message = reply === null ? undefined : this.messages[reply];
    if (message !== undefined) message.ends_turn = !failed;
    this.tokens.endTurn();
  }

  private compacted(row: Row): Account {
    const summary = summaryIn(stringAt(row.payload, 'message') ?? '');
    const copied = this.summaryCopy(summary);
    const { request, before } = copied ?? this.tokens.takeEarly();
    const at = this.messages.length;
    if (at === 0) this.openFirst();
    const history = listAt(row.payload, 'replacement_history');
    const post_tokens = copied === undefined && request !== null ? this.tokens.estimate : null;
    const start = history === undefined ? this.guessedContext(row) : this.recordedContext(row, history);
    const summaryIndex = start.findLast((index) => this.messages[index]?.kind === 'summary' && index >= at) ?? null;
    const message = summaryIndex === null ? undefined : this.messages[summaryIndex];
    if (message !== undefined && copied !== undefined) message.source.push(copied.ref);
    if (request !== null && message !== undefined) {
      message.usage = request.usage;
      message.request_id = request.response_id;
      message.model = request.model ?? this.head.model;
    }
    const kept = start.filter((index) => index < at).sort((a, b) => a - b);
    const anchor = this.compactions.add(row, at, {
      message_index: this.messages.length > at ? at : null,
      summary_index: summaryIndex,
      kept,
      pre_tokens: before,
      post_tokens,
    });
    const isRecorded = history !== undefined;
    this.windows.push({
      opened_at_index: at,
      opened_by: 'compaction',
      anchor,
      start: rangesOf(start),
      basis: isRecorded ? 'recorded' : 'inferred',
      confidence: isRecorded ? 'high' : 'low',
      evidence: [row.ref],
    });
    return this.messages.length > at ? 'message' : 'record';
  }

  /** From 0.145 on the model's answer to the request for a summary stands in front of the line: the same words again. */
  private summaryCopy(summary: string | null) {
    const index = this.messages.length - 1;
    const message = this.messages[index];
    if (message === undefined || message.kind !== 'reply' || this.lastItem?.index !== index) return undefined;
    const { row } = this.lastItem;
    const isCopy =
      row.metadata?.compaction_output === true || (summary !== null && textOf(row.payload.content) === summary);
    if (!isCopy || this.confirmedReply(message)) return undefined;
    this.messages.pop();
    this.places.pop();
    this.byId.delete(message.id);
    this.told.forget(index);
    const { turns } = this;
    if (turns.current?.lastReply === index) turns.current.lastReply = null;
    if (turns.current?.lastMessage === index) turns.current.lastMessage = null;
    for (const record of this.records)
      if (record.after_message_index === index) record.after_message_index = index === 0 ? null : index - 1;
    const { accounting } = this.head.head;
    if (this.owner === null) {
      accounting.message--;
      accounting.copy++;
      const place = this.records.findIndex(
        (record) => record.source.file === row.ref.file && record.source.offset > row.ref.offset,
      );
      const entry = {
        native_type: row.native_type,
        known: true,
        copy: true,
        after_message_index: index === 0 ? null : index - 1,
        timestamp: row.time,
        source: row.ref,
      };
      this.records.splice(place === -1 ? this.records.length : place, 0, entry);
    }
    return { ...this.tokens.takeBack(message), ref: row.ref };
  }

  private confirmedReply(message: OutlineMessage): boolean {
    return message.source.length > 1;
  }

  /** `replacement_history`: items that are known are those messages; the others are messages that exist only here. */
  private recordedContext(row: Row, history: Json[]): number[] {
    const turn_id = this.turns.current?.id ?? null;
    const seen = new Map<string, number>();
    return history.flatMap((entry, i) => {
      const item = isObject(entry) ? itemFrom(entry, row.ref, `${row.pointer}/replacement_history/${i}`) : undefined;
      if (item === undefined) return [];
      const known = item.id === undefined ? this.sameWords(item, seen) : this.byId.get(item.id);
      if (known !== undefined) return [known];
      const index = this.add({ ...item, extra: { ...(turn_id === null ? {} : { turn_id }), ...item.extra } }, row);
      const message = this.messages[index];
      if (message !== undefined) {
        message.source = [{ ...row.ref, pointer: `${row.pointer}/replacement_history/${i}` }];
        // It was said before; here it is only told again.
        message.starts_turn = null;
      }
      return [index];
    });
  }

  /** Before items had ids (0.145): the last message of the same side with the same words, each once. */
  private sameWords(item: Item, seen: Map<string, number>): number | undefined {
    if (item.kind === 'summary' || item.text === '') return undefined;
    const key = `${item.role} ${item.text}`;
    const indices = [...this.prompts]
      .filter(([, text]) => item.role === 'user' && text === item.text)
      .map(([index]) => index);
    const used = seen.get(key) ?? 0;
    seen.set(key, used + 1);
    return indices[used];
  }

  /** Up to 0.80 the new context is not recorded: the client keeps the prompts and the summary. */
  private guessedContext(row: Row): number[] {
    const before = contextAt(this.windows, this.messages, this.messages.length - 1);
    const prompts = before.filter((index) => this.messages[index]?.kind === 'prompt');
    const block = {
      type: 'text' as const,
      row: row.ref,
      pointer: `${row.pointer}/message`,
      tool_use_id: null,
      name: null,
    };
    const index = this.add(
      {
        id: undefined,
        type: 'compacted',
        role: 'user',
        kind: 'summary',
        blocks: [block],
        text: '',
        call_id: undefined,
        name: undefined,
        turn_id: null,
        extra: {},
      },
      row,
    );
    return [...prompts, index];
  }

  /** `thread_rolled_back` (0.79 on, legacy): the last turns leave the context; the file goes on. */
  private rolledBack(row: Row): void {
    const before = contextAt(this.windows, this.messages, this.messages.length - 1);
    const prompts = before.filter((index) => this.prompts.has(index));
    const first = prompts.at(-Math.max(1, countAt(row.payload, 'num_turns'))) ?? prompts[0];
    if (first === undefined) return;
    this.rewind(
      before.filter((index) => index < first),
      before,
      { anchor: `line-${row.ref.line}`, row, ref: row.ref, extra: { num_turns: countAt(row.payload, 'num_turns') } },
    );
  }

  /** A file that goes on from the middle of another file of this thread: what came after that place is dead. */
  revert(row: Row, cuts: { file: number; end: number }[], rollout_id: string): void {
    const base = objectAt(row.payload, 'history_base');
    const before = contextAt(this.windows, this.messages, this.messages.length - 1);
    const last = this.places.findLastIndex(
      ({ file, ordinal }) => ordinal !== null && cuts.some((cut) => cut.file === file && ordinal < cut.end),
    );
    const kept = last === -1 ? [] : contextAt(this.windows, this.messages, last);
    const ref = { ...row.ref, pointer: `${row.pointer}/history_base` };
    this.turns.current = null;
    this.rewind(kept, before, {
      anchor: rollout_id,
      row,
      ref,
      extra: { rollout_id, ...(base === undefined ? {} : { history_base: base }) },
    });
  }

  private rewind(
    kept: number[],
    before: number[],
    given: { anchor: string; row: Row; ref: SourceRef; extra: NonNullable<Outline['signals'][number]['extra']> },
  ): void {
    const at = this.messages.length;
    const stays = new Set(kept);
    this.rewinds.push({
      name: 'rewound',
      message_index: null,
      after_message_index: at === 0 ? null : at - 1,
      anchor: given.anchor,
      timestamp: given.row.time,
      basis: 'recorded',
      confidence: 'high',
      could_be: null,
      evidence: [given.ref],
      between_turns: true,
      extra: given.extra,
      to_message_index: kept.length === 0 ? null : Math.max(...kept),
      removed: before.filter((index) => !stays.has(index)).sort((a, b) => a - b),
    });
    this.windows.push({
      opened_at_index: at,
      opened_by: 'rewind',
      anchor: given.anchor,
      start: rangesOf(kept),
      basis: 'recorded',
      confidence: 'high',
      evidence: [given.ref],
    });
  }

  private add(item: Item, row: Row): number {
    const index = this.messages.length;
    if (index === 0) this.openFirst();
    const turn = this.turns.current;
    const id = item.id ?? this.lineId(row, item);
    const message: OutlineMessage = {
      id,
      parent_id: null,
      role: item.role,
      kind: item.kind,
      timestamp: row.time,
      blocks: item.blocks,
      content: null,
      model: null,
      stop_reason: null,
      usage: null,
      request_id: null,
      sent: true,
      sent_before: null,
      inherited:
        this.owner === null ? null : { session_id: this.owner.session_id, id: item.id ?? this.owner.idOf(row) },
      source: [row.ref],
      extra: item.extra,
      turn_id: item.turn_id ?? turn?.id ?? null,
      starts_turn: null,
      ends_turn: false,
    };
    this.messages.push(message);
    this.places.push({ file: row.ref.file, ordinal: row.ordinal });
    if (!this.byId.has(id)) this.byId.set(id, index);
    // A prompt may begin another turn: see promptAt.
    if (item.kind !== 'prompt') this.turns.message(index);
    return index;
  }

  private openFirst(): void {
    if (this.windows.length > 0) return;
    this.windows.push({
      opened_at_index: 0,
      opened_by: 'start',
      anchor: null,
      start: [],
      basis: 'recorded',
      confidence: 'high',
      evidence: [],
    });
  }

  /** The address of an item that has no id: its file and line, and its place in the line. */
  private lineId(row: Row, item: Item): string {
    const { file, line, offset } = row.ref;
    const role = this.head.head.source.files[file]?.role ?? 'main';
    const inside = /\/(?:replacement_history|items)\/(\d+)/.exec(item.blocks[0]?.pointer ?? '')?.[1];
    const id = `${role}${file === 0 ? '' : `-${file}`}:${line}${inside === undefined ? '' : `/${inside}`}`;
    return this.byId.has(id) ? `${id}+${offset}` : id;
  }

  private record(row: Row, known: boolean): Account {
    return this.entry({ native_type: row.native_type, known, copy: false, ref: row.ref, time: row.time });
  }

  private entry(given: {
    native_type: string;
    known: boolean;
    copy: boolean;
    ref: SourceRef;
    time: string | null;
  }): Account {
    const { native_type, known, copy, ref, time } = given;
    // What a thread has of its parent is told there.
    if (this.owner === null || ref.file === 0)
      this.records.push({
        native_type,
        known,
        copy,
        after_message_index: this.messages.length === 0 ? null : this.messages.length - 1,
        timestamp: time,
        source: ref,
      });
    return copy ? 'copy' : known ? 'record' : 'unknown';
  }

  finish(): Outline {
    this.tokens.endTurn();
    this.calls.finish();
    this.settleOldTurns();
    this.settleUnshown();
    for (const index of this.eventOnly) {
      const message = this.messages[index];
      // Never part of what was sent: the item was lost with the request.
      if (message !== undefined && message.role === 'assistant') message.sent = false;
    }
    const { head } = this;
    const signals = stopsIn({
      messages: this.messages,
      calls: this.calls,
      turns: this.turns,
      recordsEnds: head.head.dialect === 'paginated' && !this.turns.migrated,
      headless: head.originator === 'codex_exec',
      losesCalls: losesCalls(head.version),
      promptText: (index) => this.prompts.get(index)?.trim() || null,
    });
    const outline: Outline = {
      head: head.finish(this.messages),
      not_recorded: head.hasInstructions ? ['tools'] : ['system-prompt', 'tools'],
      row_ids: this.byId,
      messages: this.messages,
      outcomes: this.calls.outcomes(),
      signals: [...signals, ...this.rewinds, ...this.compactions.signals()],
      windows: this.windows,
      file_texts: [],
      records: this.records,
      turn_times: this.turns.times(),
      lost_requests: this.tokens.lost,
      diagnostics: this.diagnostics,
    };
    this.makeContent();
    return outline;
  }

  /** Files without `task_complete`: words without a call are the end of a turn. */
  private settleOldTurns(): void {
    for (const turn of this.turns.all) {
      if (turn.started !== null || turn.aborted !== null || turn.lastReply === null) continue;
      const last = this.messages[turn.lastReply];
      if (last?.blocks.every((block) => block.type === 'text')) last.ends_turn = true;
    }
  }

  /** Where prompts are shown as events, and nothing else says who spoke, words of the user's side that were never shown are the client's. */
  private settleUnshown(): void {
    if (this.confirmed.size === 0) return;
    for (const [index, message] of this.messages.entries()) {
      if (message.kind !== 'prompt' || this.confirmed.has(index) || this.eventOnly.has(index)) continue;
      if (
        message.inherited !== null ||
        message.extra.content_item_kinds !== undefined ||
        message.extra.provenance !== undefined
      )
        continue;
      if (message.starts_turn !== 'user') continue;
      message.kind = 'meta';
      message.starts_turn = null;
    }
  }

  private makeContent(): void {
    const { held } = this;
    if (held === null) return;
    for (const message of this.messages)
      message.content = contentOf(message, { row: (ref) => held.get(keyOf(ref)) ?? null });
  }
}

function keyOf(ref: SourceRef): string {
  return `${ref.file}:${ref.offset}`;
}

function toldBy(item: Item): Told | undefined {
  if (item.type === 'reasoning') return 'reasoning';
  if (item.type !== 'message' || item.role === 'system') return undefined;
  return item.role;
}

function textsOf(item: Item, row: Row): string[] {
  if (item.type !== 'reasoning') return [item.text];
  return [...(listAt(row.payload, 'summary') ?? []), ...(listAt(row.payload, 'content') ?? [])].map((part) =>
    isObject(part) ? (stringAt(part, 'text') ?? '') : '',
  );
}

function stringsIn(list: Json | undefined): string[] {
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : [];
}

/** Up to 0.47 what a request had brought was written when it was done: an abort loses it. */
function losesCalls(version: string | null): boolean {
  const [, minor] = /^0\.(\d+)\./.exec(version ?? '') ?? [];
  return minor !== undefined && Number(minor) < 54;
}
