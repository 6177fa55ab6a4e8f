// As thread-builder.ts, for nothing but tokens: which replies there are, when and by which model they were given, and
// which requests they answer. What is hard to tell is told by the same code: tokens.ts, twice-told.ts, items.ts.

import type { Json } from '../../schema/blocks.ts';
import { hashOf } from '../../schema/text-hash.ts';
import type { UsageOfSession, UsageRow } from '../../schema/usage-row.ts';
import { isObject } from '../json-access.ts';
import { Odd } from '../odd.ts';
import { eachRowIn } from '../rows-in-line.ts';
import { inheritedRow } from '../usage-of-outline.ts';
import { parentOf } from './files.ts';
import { CALLS, type Item, itemFrom, OUTPUTS, paragraphsOf, speakerOf } from './items.ts';
import { Review } from './review.ts';
import * as row from './row-fields.ts';
import { textOf } from './rows.ts';
import { COMPACT_DONE, summaryIn } from './signals.ts';
import { type Asked, Tokens } from './tokens.ts';
import { type Neighbour, type Sent, type Told, TwiceTold } from './twice-told.ts';
import { usageKey } from './usage.ts';

/** The last line that was copied from another thread. */
export type CopiedFrom = (parent: string, kind: 'fork' | 'subagent') => number;

interface Message extends Asked {
  inherited: boolean;
  /** How many rows told it. */
  rows: number;
}

/** Items that are messages and nobody's reply. */
const OTHERS = new Set(['agent_message', 'compaction', 'context_compaction']);
/** Outputs whose rows were passed may be messages, or copies. */
const UNSEEN = -1;
const NO_WORDS = hashOf('');
const NOWHERE = { file: 0, line: 0, offset: 0, length: 0, pointer: null };

export class ThreadUsage {
  private readonly thread: string;
  private readonly messages: Message[] = [];
  private readonly tokens = new Tokens(this.messages);
  private readonly told = new TwiceTold();
  private readonly review = new Review();
  private readonly byId = new Map<string, number>();
  /** The words of messages that have an id, as a number. */
  private readonly hashes = new Map<number, number>();
  private readonly windows = new Set<string>();
  /** Prompts that compactions cut short, and what they made of them. */
  private readonly shortened = new Set<string>();
  private readonly copiedFrom: CopiedFrom;
  /** Which lines, or which ordinals, of the first file are its parent's. */
  private copied = 0;
  private ownFrom: number | null = null;
  private inherited = false;
  private files = 0;
  private line = 0;
  private reverts = false;
  private isBegun = false;
  private project: string | null = null;
  private model: string | null = null;
  /** Rows that were looked into so far, and the last of them. */
  private rows = 0;
  private lastType = '';
  /** The last item that became a message of its own. */
  private lastItem:
    | { row: number; line: number; index: number; isReply: boolean; text: string; isSummary: boolean }
    | undefined;
  /** Rows that were passed since then, and outputs that were passed since the last message: if they were whole. */
  private hasPassed = false;
  private hasOutput = false;

  constructor(thread: string, copiedFrom: CopiedFrom) {
    this.thread = thread;
    this.copiedFrom = copiedFrom;
  }

  /** A file of the thread: the first, or one that goes on from the middle of another (after a rewind). */
  begin(role: string): void {
    this.files++;
    this.line = 0;
    this.reverts = role === 'revert';
  }

  nextLine(): void {
    this.line++;
  }

  /** A row that tells nothing of tokens; an output is a message, and may have an id. */
  pass(output: string | undefined, id: string | undefined): void {
    this.goOn();
    this.hasPassed = true;
    if (output !== undefined) this.hasOutput = true;
    if (id && !this.byId.has(id)) this.byId.set(id, UNSEEN);
  }

  takeLine(bytes: Buffer, from: number, to: number): void {
    eachRowIn(bytes, from, to, row.ROW, this.take);
  }

  finish(): UsageOfSession {
    this.tokens.endTurn();
    const own = this.messages.filter(({ inherited }) => !inherited);
    const others = this.messages.filter(({ inherited }) => inherited);
    const rows = [...rowsOf([...own, ...this.tokens.lost]), ...rowsOf(others).flatMap(inheritedRow)];
    return { session_id: this.thread, project: this.project, rows };
  }

  /** The first row of a file that goes on from another one. */
  private goOn(): void {
    if (this.line === 1 && this.reverts) this.tokens.goesOn();
  }

  private readonly take = (): void => {
    this.goOn();
    const type = row.rowType();
    if (type === 'session_meta') this.firstMeta();
    this.inherited = this.isInherited(type);
    this.become(type);
    this.lastType = type;
    this.rows++;
    this.hasPassed = false;
  };

  /** The first line of the first file says whether others are its parent's: as `inheritedRows` in outline.ts. */
  private firstMeta(): void {
    if (this.isBegun || this.files > 1) return;
    this.isBegun = true;
    if (row.historyBase.isObject) throw new Odd('a fork of another file');
    const spawner = parentOf({
      source: row.source.value ?? null,
      thread_source: row.threadSource.value ?? null,
      parent_thread_id: row.parentId.value ?? null,
    });
    const parent = spawner ?? row.forkedFrom.text;
    if (parent === undefined) return;
    if (this.line > 1 || !row.id.is(this.thread)) throw new Odd('a fork without its first line');
    const start = row.ownFrom.number;
    if (Number.isSafeInteger(start)) this.ownFrom = start ?? null;
    else this.copied = this.copiedFrom(parent, spawner === undefined ? 'fork' : 'subagent');
  }

  private isInherited(type: string): boolean {
    if (this.files > 1) return false;
    if (this.ownFrom !== null) return row.isCopiedForSubagent(type, this.ownFrom);
    return this.line > 1 && this.line <= this.copied;
  }

  private become(type: string): void {
    switch (type) {
      case 'session_meta':
        if ((row.id.value ?? this.thread) === this.thread) this.workedIn(row.cwd.text);
        break;
      case 'turn_context':
        this.workedIn(row.cwd.text);
        this.model = row.model.text ?? this.model;
        break;
      case 'response_item':
        this.item();
        break;
      case 'event_msg':
        this.event();
        break;
      case 'compacted':
        this.compacted();
        break;
      case 'token_usage_record':
        this.record();
        break;
    }
  }

  private workedIn(folder: string | undefined): void {
    if (!this.inherited) this.project ??= folder ?? null;
  }

  private item(): void {
    const native = row.inner();
    const isMessage = native === 'message';
    const isReply = native === 'reasoning' || CALLS.has(native) || (isMessage && row.role.is('assistant'));
    if (!isReply && !isMessage && !OUTPUTS.has(native) && !OTHERS.has(native)) return;
    const id = row.id.text || undefined;
    const known = id === undefined ? undefined : this.byId.get(id);
    if (known === UNSEEN) throw new Odd('the id of an output');
    // The same id twice is one message with two sources, unless the words are others.
    if (known !== undefined && this.isSame(known)) {
      this.again(known);
      return;
    }
    const hasText = isMessage || row.content.isList || row.content.isText;
    const text = hasText ? textOf(row.content.value) : '';
    const once = this.once(native, id, text);
    const shown = once === undefined ? undefined : this.told.item(once);
    if (shown !== undefined) {
      this.complete(shown, id);
      return;
    }
    const index = this.add(id);
    if (isMessage && id !== undefined) this.hashes.set(index, hashOf(text));
    this.lastItem = { row: this.rows, line: this.line, index, isReply, text, isSummary: row.isSummary.isTrue };
    if (isReply) this.reply(index);
  }

  /** What an event may tell again. */
  private once(native: string, id: string | undefined, text: string): Sent | undefined {
    const index = this.messages.length;
    if (native === 'reasoning') return new Thoughts(id, index);
    const told = native === 'message' ? row.speaker() : undefined;
    if (told === undefined) return undefined;
    const isPersons = told === 'user' && speakerOf(text, row.passthroughIn()) === 'person';
    return { told, id, texts: [text], index, isPersons };
  }

  private isSame(index: number): boolean {
    const hash = this.hashes.get(index);
    return hash === undefined || hash === hashOf(textOf(row.content.value));
  }

  /** Another row of a message. */
  private again(index: number): void {
    const message = this.messages[index];
    if (message !== undefined) message.rows++;
  }

  /** The item of a message that its event told before. */
  private complete(index: number, id: string | undefined): void {
    const message = this.messages[index];
    if (message === undefined) return;
    message.rows++;
    message.timestamp = row.time() ?? message.timestamp;
    if (id !== undefined && !this.byId.has(id)) this.byId.set(id, index);
  }

  private event(): void {
    switch (row.inner()) {
      case 'token_count':
        this.count();
        break;
      case 'user_message':
        this.shown('user', undefined, [row.message.text ?? '']);
        break;
      case 'agent_message':
        this.shown('assistant', undefined, [row.message.text ?? '']);
        break;
      case 'agent_reasoning':
      case 'agent_reasoning_raw_content':
        this.shown('reasoning', undefined, [row.text.text ?? '']);
        break;
      case 'item_completed':
        this.completed();
        break;
      case 'entered_review_mode':
        this.reviewBegins();
        break;
      case 'exited_review_mode':
        this.review.leave();
        break;
      case 'task_started':
      case 'turn_started':
        this.review.begins();
        this.tokens.endTurn();
        break;
      case 'task_complete':
      case 'turn_complete':
        this.review.leave();
        this.tokens.endTurn();
        break;
      case 'turn_aborted':
        this.review.leave();
        this.told.lost();
        this.tokens.endTurn();
        break;
    }
  }

  private count(): void {
    const count = row.count();
    if (count !== undefined) this.tokens.count({ ...count, time: row.time() }, this.model, this.inherited);
  }

  private record(): void {
    const payload = { usage: row.usage.value ?? null, response_id: row.responseId.value ?? null };
    this.tokens.record({ payload, time: row.time() }, this.model, this.inherited);
  }

  private completed(): void {
    const id = row.shownId.text;
    if (this.review.isReviewers(row.threadId.text)) return;
    switch (row.shownType.text) {
      case 'EnteredReviewMode':
        this.reviewBegins();
        break;
      case 'ExitedReviewMode':
        this.review.leave();
        break;
      case 'UserMessage':
        this.shown('user', id, [textOf(row.shownContent.value)]);
        break;
      case 'AgentMessage':
        this.shown('assistant', id, [textOf(row.shownContent.value)]);
        break;
      case 'Reasoning':
        this.shown('reasoning', id, stringsIn(row.shownSummary.value));
        break;
    }
  }

  private reviewBegins(): void {
    this.review.enter(row.threadId.text);
    this.add(undefined);
  }

  /** A message as it was shown. Its item may have come already, may come later, or was lost. */
  private shown(told: Told, id: string | undefined, texts: string[]): void {
    if (told === 'assistant' && texts[0] === COMPACT_DONE && this.lastType === 'compacted') {
      if (this.hasPassed) throw new Odd('words after a row that was passed');
      this.add(undefined);
      return;
    }
    const isNext = this.lastItem?.row === this.rows - 1;
    const known = this.told.event({ told, id, texts }, isNext && !this.hasPassed ? this.neighbour() : undefined);
    if (known !== undefined) {
      this.again(known);
      return;
    }
    if (isNext && this.hasPassed && told === 'user') throw new Odd('a prompt after a row that was passed');
    if (told === 'user' && this.review.isOn) return;
    const last = this.messages.length - 1;
    const waiting = told === 'reasoning' ? this.told.waiting(told, last) : undefined;
    if (waiting !== undefined) {
      if (this.hasOutput) throw new Odd('thoughts after an output that was passed');
      waiting.texts.push(...texts);
      this.again(last);
      return;
    }
    const index = this.add(undefined);
    this.told.wait({ told, id, texts, index });
    if (told !== 'user') this.reply(index);
  }

  /** As `neighbourOf` in said.ts. */
  private neighbour(): Neighbour | undefined {
    const { lastItem } = this;
    return lastItem && { index: lastItem.index, isBeside: this.line - lastItem.line <= 1 };
  }

  private reply(index: number): void {
    const message = this.messages[index];
    if (message !== undefined) message.model = this.model;
    this.tokens.reply(index);
  }

  private add(id: string | undefined): number {
    const { inherited } = this;
    const index = this.messages.length;
    this.messages.push({ timestamp: row.time(), model: null, usage: null, request_id: null, inherited, rows: 1 });
    if (id !== undefined && !this.byId.has(id)) this.byId.set(id, index);
    this.hasOutput = false;
    return index;
  }

  /** As `take` in compaction.ts: the request that made a summary is the summary's. */
  private compacted(): void {
    const window = row.windowId.text;
    if (window !== undefined && this.windows.has(window)) return;
    if (window !== undefined) this.windows.add(window);
    const { request } = this.answerBefore(summaryIn(row.message.text ?? '')) ?? this.tokens.takeEarly();
    const summary = this.messages[this.addContext(row.history.value)];
    if (summary === undefined || request === null) return;
    const { usage, response_id: request_id, model } = request;
    Object.assign(summary, { usage, request_id, model: model ?? this.model });
  }

  private answerBefore(summary: string | null): ReturnType<Tokens['takeBack']> | undefined {
    const index = this.messages.length - 1;
    const message = this.messages[index];
    const last = this.lastItem;
    if (message === undefined || last?.index !== index || !last.isReply || message.rows > 1) return undefined;
    if (!last.isSummary && (summary === null || last.text !== summary)) return undefined;
    if (this.hasOutput) throw new Odd('a summary after an output that was passed');
    this.messages.pop();
    this.told.forget(index);
    for (const [id, at] of this.byId) if (at === index) this.byId.delete(id);
    return this.tokens.takeBack(message);
  }

  /**
   * What the new context holds and no row told is a message, too; of these only the summary can have tokens. Gives where it
   * stands, -1 where there is none. How many others there are does not matter, as long as there is one.
   */
  private addContext(context: Json | undefined): number {
    if (!Array.isArray(context)) return this.add(undefined);
    const entries = context.map((entry) => (isObject(entry) ? itemFrom(entry, NOWHERE, '') : undefined));
    const last = entries.at(-1);
    if (last?.kind === 'prompt' && last.text === '') last.kind = 'summary';
    const items = entries.filter((item) => item !== undefined);
    const fresh = items.filter((item) => !this.isKnown(item));
    if (fresh.some(({ id, call_id }) => id !== undefined && call_id !== undefined))
      throw new Odd('a call in a context');
    const summary = fresh.findLast(({ kind }) => kind === 'summary');
    // Messages without ids may be known by their words, and calls by their calls.
    const isWords = ({ kind, type }: Item) => kind === 'prompt' || (kind === 'reply' && type === 'message');
    const isNew = (item: Item) => item.id !== undefined || (!isWords(item) && item.call_id === undefined);
    if (!fresh.some(isNew)) throw new Odd('a context that may be known');
    for (const item of fresh) if (item !== summary && isNew(item)) this.add(item.id);
    return summary === undefined ? -1 : this.add(summary.id);
  }

  /** By its id, unless its words are others: as `isShortened` in compaction.ts. */
  private isKnown({ id, kind, text }: Item): boolean {
    const known = id === undefined ? undefined : this.byId.get(id);
    if (known === undefined || kind !== 'prompt' || text === '') return known !== undefined;
    const hash = this.hashes.get(known);
    if (hash === undefined || hash === NO_WORDS || hash === hashOf(text)) return true;
    const name = `${id} ${hashOf(text)}`;
    const isAgain = this.shortened.has(name);
    this.shortened.add(name);
    return isAgain;
  }
}

function rowsOf(messages: readonly Pick<Asked, 'timestamp' | 'model' | 'usage' | 'request_id'>[]): UsageRow[] {
  return messages.flatMap(({ timestamp, model, usage, request_id }) =>
    usage === null ? [] : [{ key: usageKey({ request_id }), timestamp, model, usage }],
  );
}

/** Reasoning. Most of it is never told again: its paragraphs are read only when somebody asks. */
class Thoughts implements Sent {
  readonly told = 'reasoning';
  readonly isPersons = false;
  readonly id: string | undefined;
  readonly index: number;
  private readonly summary = row.summary.json ?? 'null';
  private readonly content = row.content.json ?? 'null';
  private paragraphs: string[] | undefined;

  constructor(id: string | undefined, index: number) {
    this.id = id;
    this.index = index;
  }

  get texts(): string[] {
    this.paragraphs ??= paragraphsOf(JSON.parse(this.summary), JSON.parse(this.content));
    return this.paragraphs;
  }
}

function stringsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
