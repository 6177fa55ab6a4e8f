// Takes the rows of one session in file order and gives its outline.

import type { Json, SourceRef } from '../../schema/blocks.ts';
import type { FileText, Outline, OutlineBlock, OutlineMessage, ToolOutcome } from '../../schema/outline.ts';
import type { Diagnostic, RecordEntry } from '../../schema/session.ts';
import { isObject, type JsonObject, objectAt, stringAt } from '../json-access.ts';
import { countType } from '../new-head.ts';
import { newMessage } from '../new-message.ts';
import { heldTexts, isSaid, NOTHING_SAID, saidThen } from '../said.ts';
import { withOneMore } from '../short-lists.ts';
import type { OutlineOptions } from '../source.ts';
import { addBackups } from './backups.ts';
import { Calls } from './calls.ts';
import { Clears } from './clears.ts';
import { Compactions } from './compaction.ts';
import { addRowContent, rowContent, wordsOf } from './content.ts';
import { ContextTrack, withoutUnsent } from './context.ts';
import { diedBeforeReply, diedWhileRunning } from './died.ts';
import { replyExtra, userExtra } from './extras.ts';
import { type Failed, failureIn, failuresOf } from './failures.ts';
import { fileToldBy } from './file-texts.ts';
import type { HeadFacts } from './head.ts';
import { hostedOutcome, isHostedResult, outcomesIn } from './outcomes.ts';
import { attachmentRole, isKnownType, nativeType, systemRole } from './records.ts';
import { Replies } from './replies.ts';
import { RequestLog } from './requests.ts';
import { RowIndex, type RowPlace } from './row-index.ts';
import {
  attachmentMessage,
  blocksOf,
  commandName,
  inheritedFrom,
  isCaveat,
  outlineBlock,
  resultsIn,
  sizeOf,
  textOf,
  timeOf,
  typedText,
  userKind,
} from './rows.ts';
import { orderAsSent } from './send-order.ts';
import { Stops } from './settle.ts';
import { TakenBackTurns } from './taken-back.ts';
import {
  acceptPlans,
  anchored,
  endTurns,
  endWithPlans,
  linkParents,
  mismatchAt,
  otherWordsAgain,
  putOnUsersSide,
} from './whole-session.ts';

/** How a line is accounted for. */
export type Account = 'message' | 'record' | 'unknown' | 'copy';

export class SessionBuilder {
  readonly head: HeadFacts;
  readonly outcomes: ToolOutcome[] = [];
  readonly diagnostics: Diagnostic[] = [];
  /** Prompts given to subagents, by call: what an inline subagent is known by. */
  readonly agentCalls: { tool_use_id: string; prompt: string }[] = [];
  private readonly messages: OutlineMessage[] = [];
  private readonly fileTexts: FileText[] = [];
  private readonly records: RecordEntry[] = [];
  private readonly failures: Failed[] = [];
  /** Result message → the message whose call it answers. */
  private readonly answers = new Map<number, number>();
  private readonly caveats = new Set<number>();
  /** Rows with the id of an earlier one that said something else. */
  private readonly otherWords: SourceRef[] = [];
  /** Replies that the client put in on resume. */
  private readonly fillers: number[] = [];
  private readonly rows: RowIndex;
  private readonly context: ContextTrack;
  private readonly requests = new RequestLog();
  private readonly replies: Replies;
  readonly toolCalls = new Calls();
  private readonly stops: Stops;
  private readonly takenBack: TakenBackTurns;
  private readonly compactions: Compactions;
  private readonly clears: Clears;
  private readonly lineIds = new Set<string>();
  private readonly holds: 'content' | 'said' | 'nothing';
  private recordsPrompt = false;
  /** The place of the row at hand. */
  private place: RowPlace | undefined;

  constructor(head: HeadFacts, options: OutlineOptions) {
    this.head = head;
    this.holds = options.said === true ? 'said' : options.content ? 'content' : 'nothing';
    this.rows = new RowIndex(this.messages, this.answers);
    this.context = new ContextTrack(this.messages, this.answers, this.caveats);
    this.replies = new Replies(this.messages, this.requests);
    this.clears = new Clears(head.head.id, this.messages);
    this.stops = new Stops(this.messages, this.replies.byApiId, this.toolCalls, this.clears.begun);
    this.takenBack = new TakenBackTurns(this.messages);
    this.compactions = new Compactions(this.messages, this.rows);
  }

  /** Takes a row; says what became of its line. */
  take(row: Json, ref: SourceRef): Account {
    const native = nativeType(row);
    if (!isObject(row)) return this.record(row, ref, native, { known: false });
    const known = isKnownType(row);
    countType(this.head.head, native, known);
    this.head.row(row);
    const uuid = stringAt(row, 'uuid') || undefined;
    const parent = stringAt(row, 'parentUuid') ?? null;
    this.place = uuid === undefined ? undefined : this.rows.note(uuid, parent, sizeOf(row));
    if (uuid !== undefined && this.place === undefined) return this.again(row, ref, native, uuid);
    if (parent === null) this.clears.root(row, ref);
    const becomes = this.message(row, ref);
    return becomes ?? this.record(row, ref, native, { known });
  }

  /** A row of this file that belongs to another session: a subagent written inline. */
  foreign(row: JsonObject, ref: SourceRef): Account {
    const known = isKnownType(row);
    countType(this.head.head, nativeType(row), known);
    return this.record(row, ref, nativeType(row), { known });
  }

  /** What a row that is a message becomes; undefined for all others, of which some are listened to. */
  private message(row: JsonObject, ref: SourceRef): Account | undefined {
    switch (row.type) {
      case 'user':
        return isObject(row.message) ? this.user(row, ref) : undefined;
      case 'assistant':
        return isObject(row.message) ? this.assistant(row, row.message, ref) : undefined;
      case 'system':
        return this.system(row, ref);
      case 'attachment':
        return this.attachment(row, ref);
      case 'api-request':
        this.requests.request(row);
        return undefined;
      case 'api-request-blob':
        this.requests.blob(row);
        return undefined;
      case 'api-request-shape':
        this.recordsPrompt = true;
        return undefined;
      case 'file-history-snapshot':
      case 'file-history-delta':
        addBackups(this.fileTexts, row, this.head.head.id, this.messages.length - 1);
        return undefined;
      case 'last-prompt':
        this.takenBack.lastPrompt(row, ref);
        return undefined;
      default:
        return undefined;
    }
  }

  private user(row: JsonObject, ref: SourceRef): Account {
    const results = resultsIn(row);
    const text = textOf(row);
    const { kind, starts_turn } = userKind(row, results, text);
    const message = this.add(row, ref, { role: 'user', kind, blocks: blocksOf(row, ref), extra: userExtra(row, kind) });
    message.starts_turn = starts_turn;
    const index = this.messages.length - 1;
    if (kind === 'tool_result') {
      this.results(row, results, ref, index);
      // "Yes, and …": the person's words stand as text beside the result that they allowed.
      if (text !== '') message.extra.comment = text;
    }
    if (isCaveat(row)) this.caveats.add(index);
    if (kind === 'interruption') this.stops.marker(row, ref, index);
    if (kind === 'prompt') this.head.prompt(() => typedText(row));
    if (kind === 'command') this.compactions.command(commandName(text), text, index);
    if (kind === 'summary') this.context.replace(this.compactions.summary(row, ref, index));
    else this.follow(index, row);
    return 'message';
  }

  private results(row: JsonObject, results: JsonObject[], ref: SourceRef, index: number): void {
    const path = fileToldBy(row);
    if (path !== undefined) this.fileTexts.push({ path, message_index: index, backup: null });
    for (const { outcome, verdict } of outcomesIn(row, results, index, (id) => this.toolCalls.nameOf(id))) {
      this.outcomes.push(outcome);
      const caller = this.toolCalls.answer(outcome.tool_use_id);
      if (caller !== undefined) this.answers.set(index, caller);
      if (verdict === undefined) continue;
      this.stops.result({ row, ref, index, tool_use_id: outcome.tool_use_id, verdict, caller: caller ?? null });
    }
  }

  private assistant(row: JsonObject, api: JsonObject, ref: SourceRef): Account {
    const known = this.replies.known(row, api);
    const blocks = blocksOf(row, ref);
    if (Array.isArray(api.content))
      this.calls(api.content, known ?? this.messages.length, known === undefined ? null : timeOf(row));
    if (known !== undefined) return this.moreOf(known, row, api, ref, blocks);
    const failed = row.isApiErrorMessage === true;
    // "No response requested." is filler that the client adds on resume so that roles alternate.
    const filler = api.model === '<synthetic>' && !failed && textOf(row) === 'No response requested.';
    const kind = failed ? 'notice' : filler ? 'meta' : 'reply';
    const message = this.add(row, ref, { role: 'assistant', kind, blocks, extra: replyExtra(row, api) });
    message.sent = !failed;
    message.model = stringAt(api, 'model') ?? null;
    const index = this.messages.length - 1;
    this.replies.begin(index, row, api);
    if (filler) this.fillers.push(index);
    if (failed) this.failures.push(failureIn(row, ref, index));
    else this.follow(index, row);
    return 'message';
  }

  private moreOf(index: number, row: JsonObject, api: JsonObject, ref: SourceRef, blocks: OutlineBlock[]): Account {
    const whole = this.messages[index];
    if (whole === undefined) return 'message';
    if (this.place !== undefined) this.place.index = index;
    whole.source = withOneMore(whole.source, ref);
    whole.ended_at = timeOf(row) ?? whole.ended_at;
    const { row_ids } = whole.extra;
    const uuid = stringAt(row, 'uuid') || this.lineId(ref);
    whole.extra.row_ids = withOneMore(Array.isArray(row_ids) ? row_ids : [whole.id], uuid);
    const fresh = this.replies.goOn(index, row, api, blocks);
    for (let i = 0; i < fresh.length; i++) whole.blocks = withOneMore(whole.blocks, fresh[i] as OutlineBlock); // a place of the list
    holdContent(fresh, whole, row);
    if (fresh.length > 0 || blocks.length === 0) return 'message';
    return this.record(row, ref, nativeType(row), { known: true, copy: true });
  }

  private calls(content: Json[], caller: number, time: string | null): void {
    for (let i = 0; i < content.length; i++) {
      const block = content[i];
      if (!isObject(block)) continue;
      if (isHostedResult(block)) this.hosted(block, caller);
      if (block.type !== 'tool_use' && block.type !== 'server_tool_use') continue;
      const id = stringAt(block, 'id');
      if (id === undefined) continue;
      this.toolCalls.add(id, stringAt(block, 'name') ?? '', caller, time);
      if (block.name !== 'Task' && block.name !== 'Agent') continue;
      const prompt = stringAt(objectAt(block, 'input'), 'prompt');
      if (prompt !== undefined) this.agentCalls.push({ tool_use_id: id, prompt });
    }
  }

  /** The model's maker answers in the reply itself. */
  private hosted(block: JsonObject, reply: number): void {
    const outcome = hostedOutcome(block, reply);
    if (outcome === undefined || this.toolCalls.nameOf(outcome.tool_use_id) === undefined) return;
    if (this.toolCalls.isAnswered(outcome.tool_use_id)) return;
    this.outcomes.push(outcome);
    this.toolCalls.answer(outcome.tool_use_id);
  }

  private system(row: JsonObject, ref: SourceRef): Account | undefined {
    const role = systemRole(row);
    if (role === 'record') {
      if (row.subtype === 'turn_duration') this.stops.turnEnded(stringAt(row, 'parentUuid'));
      return undefined;
    }
    const text = stringAt(row, 'content');
    const blocks = text === undefined ? [] : [outlineBlock('text', ref, `${ref.pointer ?? ''}/content`)];
    const isCommand = role === 'command';
    const message = this.add(row, ref, {
      role: isCommand ? 'user' : 'system',
      kind: isCommand ? 'command' : 'notice',
      blocks,
      extra: { subtype: row.subtype ?? null, level: row.level ?? null },
    });
    const index = this.messages.length - 1;
    message.sent = isCommand;
    if (role === 'boundary') this.compactions.boundary(row, ref, index);
    if (role === 'partial-boundary') this.compactions.partial(row, ref, index);
    if (role === 'retry' || role === 'refusal') this.failures.push(failureIn(row, ref, index));
    if (isCommand) {
      const name = commandName(text ?? '');
      message.starts_turn = name === undefined ? null : 'command';
      this.compactions.command(name, text ?? '', index);
      this.follow(index, row);
    }
    return 'message';
  }

  private attachment(row: JsonObject, ref: SourceRef): Account | undefined {
    if (attachmentRole(row) === 'record') {
      if (objectAt(row, 'attachment')?.type === 'prompt_snapshot') this.recordsPrompt = true;
      return undefined;
    }
    this.add(row, ref, attachmentMessage(row, ref));
    const index = this.messages.length - 1;
    this.stops.hook(row, ref, index);
    this.follow(index, row);
    return 'message';
  }

  /** The same uuid twice is one message with two sources (a second /compact appends old rows again). */
  private again(row: JsonObject, ref: SourceRef, native: string, uuid: string): Account {
    const index = this.rows.get(uuid);
    if (index !== undefined) this.messages[index]?.source.push(ref);
    if (this.rows.sizeOf(uuid) !== sizeOf(row)) this.otherWords.push(ref);
    return this.record(row, ref, native, { known: isKnownType(row), copy: true });
  }

  private add(
    row: JsonObject,
    ref: SourceRef,
    given: Pick<OutlineMessage, 'role' | 'kind' | 'blocks' | 'extra'>,
  ): OutlineMessage {
    const uuid = stringAt(row, 'uuid') || undefined;
    const message = newMessage({
      id: uuid ?? this.lineId(ref),
      role: given.role,
      kind: given.kind,
      timestamp: timeOf(row),
      blocks: given.blocks,
      source: [ref],
      extra: given.extra,
      inherited: inheritedFrom(row, uuid),
      turn_id: stringAt(row, 'promptId') ?? null,
    });
    if (this.holds === 'content') message.content = rowContent(given.blocks, message, row);
    if (this.holds === 'said') {
      message.said = NOTHING_SAID;
      holdContent(given.blocks, message, row);
    }
    if (this.place !== undefined) this.place.index = this.messages.length;
    this.messages.push(message);
    return message;
  }

  /** The address of a row that has no id: its file and line; objects glued on one line have their offset too. */
  private lineId(ref: SourceRef): string {
    const line = `${ref.file === 0 ? 'main' : `copy-${ref.file}`}:${ref.line}`;
    const id = this.lineIds.has(line) ? `${line}+${ref.offset}` : line;
    this.lineIds.add(id);
    return id;
  }

  private follow(index: number, row: JsonObject): void {
    const kind = this.messages[index]?.kind;
    if (kind === 'prompt' || kind === 'reply') this.openWithoutSummary(index);
    const parent = stringAt(row, 'parentUuid');
    const above = parent === undefined ? null : this.rows.sentAbove(parent);
    const cleared = above === null ? this.clears.window(index) : undefined;
    if (cleared !== undefined) this.context.replace(cleared);
    else this.context.add(index, above, (from) => this.rows.chain(from));
  }

  /** A boundary whose summary is not in the file: the old context is gone all the same. */
  private openWithoutSummary(index: number): void {
    const window = this.compactions.withoutSummary(index);
    if (window !== undefined) this.context.replace(window);
  }

  private record(row: Json, ref: SourceRef, native_type: string, given: { known: boolean; copy?: boolean }): Account {
    const copy = given.copy ?? false;
    if (!isObject(row)) countType(this.head.head, native_type, false);
    this.records.push({
      native_type,
      known: given.known,
      copy,
      after_message_index: this.messages.length === 0 ? null : this.messages.length - 1,
      timestamp: isObject(row) ? timeOf(row) : null,
      source: ref,
    });
    return copy ? 'copy' : given.known ? 'record' : 'unknown';
  }

  heldTexts(): object[] {
    return heldTexts(this.messages);
  }

  finish(): Outline {
    const stopped = this.stops.settle();
    acceptPlans(this.outcomes, this.stops.accepted);
    const died = diedWhileRunning(this.messages, this.toolCalls);
    const settled = this.takenBack.settle(this.context.takenBack, died);
    this.diagnostics.push(...linkParents(this.messages, this.rows), ...otherWordsAgain(this.otherWords));
    this.replies.finish();
    endTurns(this.messages, this.rows, this.stops.endedTurns);
    endWithPlans(this.messages, this.outcomes, this.stops.accepted);
    const unanswered = diedBeforeReply(this.messages, this.fillers, stopped);
    if (this.requests.sendsAllAsUser) putOnUsersSide(this.messages);
    const windows = anchored(withoutUnsent(this.context.windows, this.messages), settled.windowAnchors);
    orderAsSent(this.messages, windows);
    const { compared, mismatches } = this.requests.confirm(windows, this.messages);
    this.diagnostics.push(...mismatches.map((reply) => mismatchAt(reply, this.messages)));
    return {
      head: this.head.finish(this.messages, this.rows, this.caveats),
      not_recorded: this.recordsPrompt ? [] : ['system-prompt', 'tools'],
      row_ids: this.rows,
      messages: this.messages,
      outcomes: this.outcomes,
      call_times: this.toolCalls.times,
      signals: [
        ...failuresOf(this.failures, this.messages),
        ...stopped,
        ...died,
        ...unanswered,
        ...settled.signals,
        ...this.compactions.found,
        ...this.clears.found,
      ],
      windows,
      records: this.records,
      file_texts: this.fileTexts,
      requests: { recorded: compared, explained: compared - mismatches.length },
      diagnostics: this.diagnostics,
    };
  }
}

function holdContent(blocks: OutlineBlock[], message: OutlineMessage, row: JsonObject): void {
  if (message.content !== null) addRowContent(blocks, message, row, message.content);
  if (message.said === null) return;
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i] as OutlineBlock; // a place of the list
    if (isSaid(block, message.kind)) message.said = saidThen(message.said, wordsOf(block, message, row));
  }
}
