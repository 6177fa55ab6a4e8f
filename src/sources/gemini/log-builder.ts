// The entries of one session, in the order of its files → its outline. The log is read in layers: what was ever said stays,
// and every `$set.messages` only says what the model's context is from there on.

import type { Json, SourceRef } from '../../schema/blocks.ts';
import type { Outline, OutlineMessage } from '../../schema/outline.ts';
import type { Diagnostic, RecordEntry } from '../../schema/session.ts';
import { countLine, countType } from '../new-head.ts';
import { newMessage } from '../new-message.ts';
import type { OutlineOptions } from '../source.ts';
import { Asks, NO_PROMPT } from './asks.ts';
import { Calls } from './calls.ts';
import { Compactions } from './compaction.ts';
import { contentOf } from './content.ts';
import { ContextTrack } from './context.ts';
import { Entries, type Taken } from './entries.ts';
import type { HeadFacts } from './head.ts';
import type { TypedRow } from './logs.ts';
import { outcomesOf } from './outcomes.ts';
import { type Entry, isKnown, itemOf, type Told } from './rows.ts';
import { BOOTSTRAP, CANCELLED, isCanned } from './signals.ts';
import { stopsIn } from './stops.ts';
import {
  beginsWithResults,
  holdsResults,
  isSummary,
  isSummaryRow,
  merged,
  placeOf,
  richesIn,
  richesOf,
  userKind,
} from './told.ts';
import { usageOf } from './usage.ts';

type Account = 'message' | 'record' | 'unknown' | 'copy';

export class LogBuilder {
  readonly head: HeadFacts;
  readonly diagnostics: Diagnostic[] = [];
  private readonly entries = new Entries();
  private readonly held: Map<number, Json>[] | null;
  private readonly messages: OutlineMessage[] = [];
  private readonly records: RecordEntry[] = [];
  private readonly byId = new Map<string, number>();
  /** Ids under which known messages were recorded again: a context may put several into one. */
  private readonly aliases = new Map<string, number[]>();
  /** From here on results are recorded as they are sent: the first message of a client that does so. */
  private sendsFrom: number | null = null;
  private readonly filesTold = new Set<number>();
  private readonly calls: Calls;
  private readonly asks = new Asks();
  private readonly context: ContextTrack;
  private readonly compactions: Compactions;
  /** How much each message's best row tells. */
  private readonly riches: number[] = [];
  private readonly typed: TypedRow[];

  constructor(head: HeadFacts, options: OutlineOptions, typed: TypedRow[]) {
    this.head = head;
    this.typed = typed;
    this.held = options.content ? [] : null;
    this.context = new ContextTrack(this.messages);
    this.calls = new Calls(this.messages, this.asks, this.context, (message) => this.append(message, []));
    this.compactions = new Compactions(this.messages, this.context);
  }

  /** The first row of every id so far. */
  get firstRows(): ReadonlyMap<string, Told> {
    return this.entries.firstRows;
  }

  /** Takes what a line says. What becomes of it is known when all lines are read. */
  add(entry: Entry, value: Json, isLine: boolean): void {
    this.entries.add(entry, isLine);
    const { file, offset } = entry.ref;
    // What sets something, half of all rows, is in no message.
    if (this.held === null || entry.what === 'set') return;
    this.held[file] ??= new Map();
    this.held[file]?.set(offset, value);
  }

  /** No text is held of messages before all lines are read. */
  heldTexts(): object[] {
    return [];
  }

  finish(): Outline {
    for (const taken of this.entries.take()) {
      const { entry, isLine } = taken;
      countType(this.head.head, entry.native_type, isKnown(entry));
      this.times(entry);
      const account = this.become(taken);
      if (account === 'message') this.filesTold.add(entry.ref.file);
      if (!isLine) continue;
      countLine(this.head.head.accounting, account);
      this.head.head.accounting.lines++;
    }
    this.settle();
    const stops = stopsIn({
      messages: this.messages,
      asks: this.asks.all,
      calls: [...this.calls.byId.values()],
      typed: this.typed,
    });
    const cleared = this.context.clears(this.typed, this.asks.all, this.head.head.id);
    this.makeContent();
    return {
      head: this.head.finish(this.messages),
      not_recorded: ['system-prompt', 'tools'],
      row_ids: this.byId,
      messages: this.messages,
      outcomes: outcomesOf([...this.calls.byId.values()]),
      signals: [...stops, ...cleared, ...this.context.rewinds, ...this.compactions.found(this.typed, this.asks.all)],
      windows: this.context.finish(stops, this.asks.all, this.typed),
      file_texts: [],
      records: this.records,
      diagnostics: this.diagnostics,
    };
  }

  private become({ entry, isAgain, isCopied, before, next, trigger }: Taken): Account {
    if (isCopied && entry.what !== 'message') return this.repeated(entry);
    switch (entry.what) {
      case 'message':
        return isAgain ? this.record(entry, true) : this.message(entry, next, before === 'restart');
      case 'context':
        return this.newContext(entry, trigger);
      case 'header':
        this.head.header(entry.header);
        this.context.restart();
        this.asks.restart();
        return this.record(entry, false);
      case 'restart':
        this.context.restart();
        this.asks.restart();
        return this.record(entry, false);
      case 'rewind':
        this.context.rewind(entry, this.knownAs(entry.to)?.at(-1));
        return this.record(entry, false);
      case 'set':
        this.head.set(entry.set);
        return this.record(entry, false);
      default:
        return this.record(entry, false);
    }
  }

  /** It happened when the first file told it. Only where the copy goes on by itself it matters what it had told last. */
  private repeated(entry: Entry): Account {
    this.context.repeat(entry);
    return this.record(entry, true);
  }

  private message(told: Told, next: Told | undefined, afterLoading: boolean): Account {
    const known = this.knownAs(told.id);
    const [only = -1] = known ?? [];
    if (known !== undefined) return known.length === 1 ? this.update(only, told) : this.record(told, true);
    if (told.type === 'gemini') return this.reply(told);
    if (told.type !== 'user') return this.notice(told, afterLoading);
    if (this.answersCalls(told)) return this.results(told);
    const index = this.say(told, isSummaryRow(told, next) ? 'summary' : userKind(told.text));
    this.context.said(index);
    return 'message';
  }

  private times(entry: Entry): void {
    if (entry.what === 'set') this.head.writtenAt(entry.time, entry.set);
    else this.head.happenedAt(entry.time);
    if (entry.what === 'message') for (const { time } of entry.calls) this.head.happenedAt(time);
  }

  private knownAs(id: string): number[] | undefined {
    const index = this.byId.get(id);
    return index === undefined ? this.aliases.get(id) : [index];
  }

  /** Words on the user's side: typed, or put there by the client. */
  private say(told: Told, kind: OutlineMessage['kind']): number {
    const index = this.push(told, 'user', kind);
    if (told.text.startsWith(BOOTSTRAP)) this.sendsFrom ??= index;
    const message = this.messages[index];
    if (message === undefined || kind !== 'prompt') return index;
    message.starts_turn = this.head.head.kind === 'subagent' ? 'agent' : 'user';
    if (told.display !== null && told.display !== told.text) message.extra.display_content = told.display;
    this.asks.begin(index, { text: told.display ?? told.text, time: told.time });
    this.head.prompt(told.display ?? told.text);
    return index;
  }

  private reply(told: Told): Account {
    const asking = this.askingFor(told);
    if (asking !== undefined) {
      const message = this.messages[asking];
      message?.blocks.push(...told.blocks);
      message?.source.push(told.ref);
      this.byId.set(told.id, asking);
      this.context.know(asking, told.keys);
      this.takeCalls(told, asking);
      return 'message';
    }
    const index = this.answer(told);
    this.context.said(index);
    this.takeCalls(told, index);
    return 'message';
  }

  /** Words on the model's side: its own, or put there by the client. */
  private answer(told: Told): number {
    const kind = isCanned(told.text) ? 'meta' : 'reply';
    const index = this.push(told, 'assistant', kind);
    this.tell(index, told);
    if (kind === 'reply') this.asks.reply(index);
    return index;
  }

  /** A call that was stopped is recorded in a message of its own, after the note (0.30 on): it belongs to the reply that asked. */
  private askingFor(told: Told): number | undefined {
    const isStopped =
      told.text === '' &&
      told.tokens === undefined &&
      told.calls.length > 0 &&
      told.calls.every((call) => call.status === 'cancelled');
    const last = this.asks.current?.replies.at(-1);
    const asking = last === undefined ? undefined : this.messages[last];
    if (!isStopped || asking === undefined) return undefined;
    return asking.blocks.some((block) => block.type === 'tool_use') ? undefined : last;
  }

  private takeCalls(told: Told, message: number): void {
    const index = this.calls.take(told, message);
    if (index !== null) this.context.said(index);
  }

  private answersCalls(told: Told): boolean {
    const isSent = told.answers.every((id) => this.calls.sentAt.has(id));
    return holdsResults(told) || (beginsWithResults(told) && !isSent);
  }

  /** Results as they were sent back (0.44 on): the same that the calls hold. */
  private results(told: Told): Account {
    const index = told.answers.map((id) => this.calls.byId.get(id)?.result ?? null).find((at) => at !== null) ?? null;
    const message = index === null ? undefined : this.messages[index];
    // Results that a resumed client makes up again: `<id>_response`.
    if (index !== null && told.answers.every((id) => this.calls.sentAt.has(id))) {
      this.aliases.set(told.id, [index]);
      return this.record(told, true);
    }
    if (index === null || message === undefined) {
      const added = this.push(told, 'user', 'tool_result');
      this.calls.send(told, added);
      this.context.said(added);
      return 'message';
    }
    const isFirst = !message.blocks.some((block) => this.calls.sentAt.has(block.tool_use_id ?? ''));
    message.source.push(told.ref);
    const fresh = new Map(told.blocks.map((block) => [block.tool_use_id, block]));
    message.blocks = message.blocks.map((block) => fresh.get(block.tool_use_id) ?? block);
    message.blocks.push(...told.blocks.filter((block) => !message.blocks.includes(block)));
    message.timestamp = told.time ?? message.timestamp;
    this.calls.send(told, index);
    this.context.know(index, told.keys);
    this.context.sentLate(index);
    if (isFirst) this.byId.delete(message.id);
    if (isFirst) message.id = told.id;
    this.byId.set(told.id, index);
    return 'message';
  }

  /** The same id again: a row that tells more. One that tells less, or the same, only repeats. */
  private update(index: number, told: Told): Account {
    const message = this.messages[index];
    const riches = richesIn(richesOf(told));
    if (message === undefined || riches <= (this.riches[index] ?? 0)) return this.record(told, true);
    this.riches[index] = riches;
    message.source.push(told.ref);
    message.blocks = merged(message.blocks, told.blocks);
    this.context.know(index, told.keys);
    this.tell(index, told);
    this.takeCalls(told, index);
    return 'message';
  }

  private tell(index: number, told: Told): void {
    const message = this.messages[index];
    if (message === undefined) return;
    message.model = told.model ?? message.model;
    if (told.tokens !== undefined) message.usage = usageOf(told.tokens);
  }

  private notice(told: Told, afterLoading: boolean): Account {
    const index = this.push(told, 'system', 'notice');
    const message = this.messages[index];
    if (message !== undefined) {
      message.sent = false;
      message.extra.type = told.type;
      message.ends_turn = told.text === CANCELLED;
    }
    const placed = { ...told, ref: placeOf(told) };
    this.asks.note(index, placed);
    this.compactions.note(index, placed, afterLoading);
    return 'message';
  }

  private newContext(entry: Extract<Entry, { what: 'context' }>, trigger: Taken['trigger']): Account {
    const at = this.messages.length;
    const record = () => this.record(entry, false);
    const { isLoadedAnew } = this.context;
    this.sendsFrom ??= at;
    const found = this.findItems(entry.told);
    const start = entry.told.flatMap(
      (told, item) =>
        found[item] ?? this.added(itemOf(entry, item, told), entry.told[item + 1], at === 0 || isLoadedAnew),
    );
    const summary = start.find((index) => index >= at && this.messages[index]?.kind === 'summary');
    const isFirst = at === 0;
    if (isFirst) {
      this.context.begin();
      return this.messages.length > at ? 'message' : record();
    }
    if (summary !== undefined) this.compactions.snapshot(summary, at, start, entry, trigger);
    const account = this.messages.length > at ? 'message' : record();
    const kept = account === 'record' ? (this.records.at(-1) ?? null) : null;
    const why =
      summary === undefined ? undefined : { by: 'compaction' as const, anchor: this.messages[summary]?.id ?? null };
    const ask = this.asks.current;
    const isRollback = summary === undefined && !isLoadedAnew && !this.context.isRewinding;
    const isOut = ask !== null && ask.prompt !== NO_PROMPT && !start.includes(ask.prompt);
    if (isRollback && isOut) ask.rolled_back ??= entry.ref;
    this.context.rewoundTo(start, entry);
    this.context.replace(start, at, { ...entry.ref, pointer: '/$set/messages' }, kept, why, this.head.head.accounting);
    return account;
  }

  /** The known messages that each item of a new context is. What a compaction kept is the tail of the old one: it is looked for from the end. */
  private findItems(items: readonly Told[]): (number[] | undefined)[] {
    const { isLoadedAnew } = this.context;
    const summary = items.findIndex(
      (told, item) => this.knownAs(told.id) === undefined && isSummary(told, items[item + 1], isLoadedAnew),
    );
    const head = isLoadedAnew && summary !== -1 ? summary + 1 : items.length;
    const found: (number[] | undefined)[] = items.map(() => undefined);
    this.context.beginMatching();
    for (let item = 0; item < head; item++) found[item] = this.find(items, item);
    this.context.matchFromEnd();
    for (let item = items.length - 1; item >= head; item--) found[item] = this.find(items, item);
    return found;
  }

  private find(items: readonly Told[], item: number): number[] | undefined {
    const told = items[item];
    const known = told === undefined ? undefined : this.knownAs(told.id);
    if (told === undefined || known !== undefined) return known;
    const found = this.context.match(told.keys) ?? this.calls.resultsOf(told);
    // A summary that was made anew may have the words of the last one; a prompt that was kept may quote the tag.
    const { isLoadedAnew } = this.context;
    const isOld = found?.every((at) => this.messages[at]?.kind === 'summary') === true;
    if (found === undefined || (isOld && isLoadedAnew && isSummary(told, items[item + 1], true))) return undefined;
    this.aliases.set(told.id, found);
    return found;
  }

  /**
   * A new message for an item of a context that is none of those known. What a loaded context holds and no row told was said in a
   * time of which nothing else is left.
   */
  private added(told: Told, next: Told | undefined, isLoaded: boolean): number[] {
    // Results that are made up again stand beside those that the context itself has just brought.
    const results = holdsResults(told) ? this.find([told], 0) : undefined;
    if (results !== undefined) return results;
    const isUser = told.type === 'user';
    const kind = isSummary(told, next, this.context.isLoadedAnew) ? 'summary' : userKind(told.text);
    if (!isLoaded)
      return [this.push(told, isUser ? 'user' : 'assistant', isUser ? kind : isCanned(told.text) ? 'meta' : 'reply')];
    if (isUser && holdsResults(told)) {
      const index = this.push(told, 'user', 'tool_result');
      this.calls.send(told, index);
      return [index];
    }
    if (isUser) return [this.say(told, kind)];
    const index = this.answer(told);
    this.calls.take(told, index);
    return [index];
  }

  private push(told: Told, role: OutlineMessage['role'], kind: OutlineMessage['kind']): number {
    const message = newMessage({
      id: told.id,
      role,
      kind,
      timestamp: told.time,
      blocks: told.blocks,
      source: [placeOf(told)],
      extra: {},
    });
    const index = this.append(message, told.keys);
    this.riches[index] = richesIn(richesOf(told));
    return index;
  }

  private append(message: OutlineMessage, keys: readonly string[]): number {
    while (this.byId.has(message.id)) message.id += '+';
    const index = this.messages.push(message) - 1;
    this.byId.set(message.id, index);
    this.context.know(index, keys);
    return index;
  }

  private record(entry: Entry, copy: boolean): Account {
    const known = isKnown(entry);
    const after = this.messages.length === 0 || this.startsFile(entry) ? null : this.messages.length - 1;
    this.records.push({
      native_type: entry.native_type,
      known,
      copy,
      after_message_index: after,
      timestamp: entry.time,
      source: entry.ref,
    });
    return copy ? 'copy' : known ? 'record' : 'unknown';
  }

  /** No message of that file stands before it. */
  private startsFile(entry: Entry): boolean {
    return entry.ref.file > 0 && !this.filesTold.has(entry.ref.file);
  }

  private settle(): void {
    const sent = new Set(this.calls.sentAt.values());
    for (const [index, message] of this.messages.entries()) {
      // From 0.44 on what was sent back has a row of its own: what has none was never sent.
      if (message.kind === 'tool_result' && sent.size > 0 && !sent.has(index) && index >= (this.sendsFrom ?? 0))
        message.sent = false;
      // A subagent's last word is a call.
      const asks = message.blocks.some((block) => block.type === 'tool_use' && block.name !== 'complete_task');
      if (message.kind === 'reply')
        message.ends_turn = !asks && message.blocks.some((block) => block.type !== 'thinking');
    }
  }

  private makeContent(): void {
    const { held } = this;
    if (held === null) return;
    const rows = { row: (ref: SourceRef) => held[ref.file]?.get(ref.offset) ?? null };
    for (const message of this.messages) message.content = contentOf(message, rows);
  }
}
