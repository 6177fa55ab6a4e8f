// Takes the rows of one session in file order and gives its outline.

import type { Json, SourceRef } from '../../schema/blocks.ts';
import type {
  FileText,
  OpenedWindow,
  Outline,
  OutlineBlock,
  OutlineMessage,
  Signal,
  ToolOutcome,
} from '../../schema/outline.ts';
import type { Diagnostic, RecordEntry } from '../../schema/session.ts';
import { isObject, type JsonObject, objectAt, stringAt, stringsAt } from '../json-access.ts';
import { Compactions } from './compaction.ts';
import { ContextTrack, withoutUnsent } from './context.ts';
import { fileWithText } from './diff.ts';
import { failureIn, joinFailures } from './failures.ts';
import type { HeadFacts } from './head.ts';
import { outcomeOf } from './outcomes.ts';
import { attachmentRole, isKnownType, nativeType, systemRole } from './records.ts';
import { RequestLog } from './requests.ts';
import { attachmentMessage, blocksOf, commandName, textOf, timeOf, userKind } from './rows.ts';
import { orderAsSent } from './send-order.ts';
import { Stops } from './settle.ts';
import { usageOf } from './usage.ts';

/** How a line is accounted for. */
export type Account = 'message' | 'record' | 'unknown' | 'copy';

export class SessionBuilder {
  readonly head: HeadFacts;
  readonly messages: OutlineMessage[] = [];
  readonly outcomes: ToolOutcome[] = [];
  readonly diagnostics: Diagnostic[] = [];
  /** Prompts given to subagents, by call: what an inline subagent is known by. */
  readonly agentCalls: { tool_use_id: string; prompt: string }[] = [];
  private readonly fileTexts: FileText[] = [];
  private readonly records: RecordEntry[] = [];
  private readonly signals: Signal[] = [];
  private readonly rowIds = new Map<string, number>();
  private readonly parents = new Map<string, string | null>();
  private readonly apiMessages = new Map<string, number>();
  /** Call id → the message that made it; result message → the message whose call it answers. */
  private readonly callers = new Map<string, number>();
  private readonly answers = new Map<number, number>();
  /** Places of blocks (`apiBlockIndex`, 2.1.325) that a message has rows for. */
  private readonly blockPlaces = new Map<number, Set<Json>>();
  private readonly context: ContextTrack;
  private readonly requests = new RequestLog();
  private readonly stops: Stops;
  private readonly compactions: Compactions;
  private recordsPrompt = false;

  constructor(head: HeadFacts) {
    this.head = head;
    this.context = new ContextTrack(this.messages, this.answers);
    this.stops = new Stops(this.messages);
    this.compactions = new Compactions(this.messages, (uuid) => this.messageAt(uuid));
  }

  get isEmpty(): boolean {
    return this.messages.length === 0;
  }

  /** Takes a row; says what became of its line. */
  take(row: Json, ref: SourceRef): Account {
    this.head.count(nativeType(row), isObject(row) && isKnownType(row));
    if (!isObject(row)) return this.record(row, ref, { known: false });
    this.head.row(row);
    const uuid = stringAt(row, 'uuid');
    if (uuid !== undefined && this.parents.has(uuid)) return this.again(row, ref, uuid);
    if (uuid !== undefined) this.parents.set(uuid, stringAt(row, 'parentUuid') ?? null);
    switch (stringAt(row, 'type')) {
      case 'user':
        return isObject(row.message) ? this.user(row, ref) : this.record(row, ref, { known: true });
      case 'assistant':
        return isObject(row.message) ? this.assistant(row, ref) : this.record(row, ref, { known: true });
      case 'system':
        return this.system(row, ref);
      case 'attachment':
        return attachmentRole(row) === 'record' ? this.attachmentRecord(row, ref) : this.attachment(row, ref);
      case 'api-request':
        this.requests.request(row);
        return this.record(row, ref, { known: true });
      case 'api-request-blob':
        this.requests.blob(row);
        return this.record(row, ref, { known: true });
      case 'api-request-shape':
        this.recordsPrompt = true;
        return this.record(row, ref, { known: true });
      case 'last-prompt':
        this.stops.lastPrompt(row, ref);
        return this.record(row, ref, { known: true });
      default:
        return this.record(row, ref, { known: isKnownType(row) });
    }
  }

  /** A row of this file that belongs to another session: a subagent written inline. */
  foreign(row: JsonObject, ref: SourceRef): Account {
    this.head.count(nativeType(row), isKnownType(row));
    return this.record(row, ref, { known: isKnownType(row) });
  }

  private user(row: JsonObject, ref: SourceRef): Account {
    const { kind, starts_turn } = userKind(row);
    const index = this.add(row, ref, {
      role: 'user',
      kind,
      starts_turn,
      blocks: blocksOf(row, ref),
      extra: userExtra(row),
    });
    if (kind === 'tool_result') {
      this.results(row, ref, index);
      // "Yes, and …": the person's words stand as text beside the result that they allowed.
      const message = this.messages[index];
      if (message !== undefined && textOf(row) !== '') message.extra.comment = textOf(row);
    }
    if (kind === 'interruption') this.stops.marker(row, ref, index);
    if (kind === 'prompt') this.head.prompt(textOf(row));
    if (kind === 'command') this.compactions.command(commandName(textOf(row)), textOf(row), index);
    if (kind === 'summary') this.summary(row, ref, index);
    else this.follow(index, row);
    return 'message';
  }

  private results(row: JsonObject, ref: SourceRef, index: number): void {
    const path = fileWithText(row);
    if (path !== undefined) this.fileTexts.push({ path, message_index: index, source: ref });
    for (const { outcome, verdict } of outcomeOf(row, index)) {
      this.outcomes.push(outcome);
      const caller = this.callers.get(outcome.tool_use_id);
      if (caller !== undefined) this.answers.set(index, caller);
      if (verdict !== undefined)
        this.stops.result({ row, ref, index, tool_use_id: outcome.tool_use_id, verdict, caller: caller ?? null });
    }
  }

  private summary(row: JsonObject, ref: SourceRef, index: number): void {
    const opened = this.compactions.summary(row, ref, index, this.context.windows.length === 0 ? null : index - 1);
    this.context.replace(opened);
  }

  private assistant(row: JsonObject, ref: SourceRef): Account {
    const message = objectAt(row, 'message') ?? {};
    const apiId = stringAt(message, 'id');
    const known = apiId === undefined ? undefined : this.apiMessages.get(apiId);
    const blocks = blocksOf(row, ref);
    const content = message.content;
    if (Array.isArray(content)) this.calls(content, known ?? this.messages.length);
    if (known !== undefined) return this.moreOf(known, row, ref, blocks, message);
    const synthetic = message.model === '<synthetic>';
    const failed = row.isApiErrorMessage === true;
    // "No response requested." is filler that the client adds on resume so that roles alternate.
    const filler = synthetic && !failed && textOf(row) === 'No response requested.';
    const index = this.add(row, ref, {
      role: 'assistant',
      kind: failed ? 'notice' : filler ? 'meta' : 'reply',
      blocks,
      sent: !failed,
      model: stringAt(message, 'model') ?? null,
      extra: assistantExtra(row, message),
    });
    if (apiId !== undefined) this.apiMessages.set(apiId, index);
    this.notePlace(index, row);
    this.finishReply(index, row, message);
    if (failed) this.signals.push(failureIn(row, ref, index));
    else this.follow(index, row);
    return 'message';
  }

  /** Rows of one `message.id` are one message, one block each, also when other rows stand between. */
  private moreOf(index: number, row: JsonObject, ref: SourceRef, blocks: OutlineBlock[], message: JsonObject): Account {
    const whole = this.messages[index];
    const uuid = stringAt(row, 'uuid');
    if (uuid !== undefined) this.rowIds.set(uuid, index);
    if (whole === undefined) return 'message';
    whole.source.push(ref);
    const fresh = this.freshBlocks(index, whole, blocks, row);
    whole.blocks.push(...fresh);
    const rowIds = whole.extra.row_ids === undefined ? [whole.id] : stringsAt(whole.extra, 'row_ids');
    whole.extra = { ...whole.extra, ...assistantExtra(row, message), row_ids: [...rowIds, uuid ?? `main:${ref.line}`] };
    this.finishReply(index, row, message);
    if (fresh.length > 0 || blocks.length === 0) return 'message';
    this.record(row, ref, { known: true, copy: true });
    return 'copy';
  }

  /** Without blocks that are recorded already under another row: histories are re-recorded on some resumes. */
  private freshBlocks(index: number, whole: OutlineMessage, blocks: OutlineBlock[], row: JsonObject): OutlineBlock[] {
    const places = this.blockPlaces.get(index);
    if (row.apiBlockIndex !== undefined && places?.has(row.apiBlockIndex)) return [];
    this.notePlace(index, row);
    return blocks.filter(
      (block) => block.tool_use_id === null || !whole.blocks.some((other) => other.tool_use_id === block.tool_use_id),
    );
  }

  private notePlace(index: number, row: JsonObject): void {
    if (row.apiBlockIndex === undefined) return;
    const places = this.blockPlaces.get(index) ?? new Set();
    this.blockPlaces.set(index, places.add(row.apiBlockIndex));
  }

  private calls(content: Json[], caller: number): void {
    for (const block of content) {
      if (!isObject(block) || (block.type !== 'tool_use' && block.type !== 'server_tool_use')) continue;
      const id = stringAt(block, 'id');
      if (id === undefined) continue;
      if (!this.callers.has(id)) this.callers.set(id, caller);
      const prompt = stringAt(objectAt(block, 'input'), 'prompt');
      if (prompt !== undefined && (block.name === 'Task' || block.name === 'Agent'))
        this.agentCalls.push({ tool_use_id: id, prompt });
      this.stops.call(id, stringAt(block, 'name') ?? '', caller);
    }
  }

  private finishReply(index: number, row: JsonObject, message: JsonObject): void {
    const reply = this.messages[index];
    if (reply === undefined) return;
    reply.usage = usageOf(message) ?? reply.usage;
    reply.stop_reason = stringAt(message, 'stop_reason') ?? reply.stop_reason;
    reply.request_id = stringAt(row, 'requestId') ?? reply.request_id;
    const request = stringAt(objectAt(row, 'requestRef'), 'id') ?? stringAt(row, 'requestRef');
    if (request !== undefined) this.requests.answered(request, index);
    const apiId = stringAt(message, 'id');
    if (apiId !== undefined) this.stops.reply(apiId, index, row.isAbortedMidStream === true);
  }

  private system(row: JsonObject, ref: SourceRef): Account {
    const role = systemRole(row);
    if (role === 'record') {
      if (row.subtype === 'turn_duration') this.stops.turnEnded(stringAt(row, 'parentUuid'));
      return this.record(row, ref, { known: isKnownType(row) });
    }
    const text = stringAt(row, 'content');
    const source = { ...ref, pointer: `${ref.pointer ?? ''}/content` };
    const blocks: OutlineBlock[] =
      text === undefined ? [] : [{ type: 'text', source, size: text.length, tool_use_id: null, name: null }];
    const command = role === 'command';
    const index = this.add(row, ref, {
      role: command ? 'user' : 'system',
      kind: command ? 'command' : 'notice',
      starts_turn: command && commandName(text ?? '') !== undefined ? 'command' : null,
      blocks,
      sent: command,
      extra: { subtype: row.subtype ?? null, level: row.level ?? null },
    });
    if (role === 'boundary') this.compactions.boundary(row, ref, index);
    if (role === 'partial-boundary') this.compactions.partial(row, ref, index);
    if (role === 'retry' || role === 'refusal') this.signals.push(failureIn(row, ref, index));
    if (command) {
      this.compactions.command(commandName(text ?? ''), text ?? '', index);
      this.follow(index, row);
    }
    return 'message';
  }

  private attachment(row: JsonObject, ref: SourceRef): Account {
    const { role, blocks, kind, starts_turn } = attachmentMessage(row, ref);
    const index = this.add(row, ref, { role, kind, starts_turn, blocks, extra: {} });
    this.follow(index, row);
    return 'message';
  }

  private attachmentRecord(row: JsonObject, ref: SourceRef): Account {
    if (objectAt(row, 'attachment')?.type === 'prompt_snapshot') this.recordsPrompt = true;
    return this.record(row, ref, { known: true });
  }

  /** The same uuid twice is one message with two sources (a second /compact appends old rows again). */
  private again(row: JsonObject, ref: SourceRef, uuid: string): Account {
    const index = this.rowIds.get(uuid);
    if (index !== undefined) this.messages[index]?.source.push(ref);
    return this.record(row, ref, { known: isKnownType(row), copy: true });
  }

  private add(
    row: JsonObject,
    ref: SourceRef,
    given: Partial<OutlineMessage> & Pick<OutlineMessage, 'role' | 'kind'>,
  ): number {
    const index = this.messages.length;
    const uuid = stringAt(row, 'uuid');
    this.messages.push({
      id: uuid ?? `main:${ref.line}`,
      parent_id: null,
      timestamp: timeOf(row),
      blocks: [],
      model: null,
      stop_reason: null,
      usage: null,
      request_id: null,
      sent: true,
      sent_before: null,
      inherited: inheritedFrom(row, uuid),
      source: [ref],
      extra: {},
      turn_id: stringAt(row, 'promptId') ?? null,
      starts_turn: null,
      ends_turn: false,
      ...given,
    });
    if (uuid !== undefined) this.rowIds.set(uuid, index);
    return index;
  }

  private follow(index: number, row: JsonObject): void {
    const parent = stringAt(row, 'parentUuid');
    const above = parent === undefined ? null : this.sentAbove(parent);
    this.context.add(index, above, (from) => this.chain(from));
  }

  private record(row: Json, ref: SourceRef, given: { known: boolean; copy?: boolean }): Account {
    const copy = given.copy ?? false;
    this.records.push({
      native_type: nativeType(row),
      known: given.known,
      copy,
      after_message_index: this.messages.length === 0 ? null : this.messages.length - 1,
      timestamp: isObject(row) ? timeOf(row) : null,
      source: ref,
    });
    return copy ? 'copy' : given.known ? 'record' : 'unknown';
  }

  /** The message that a row is, or hangs on; undefined where that row is not known. */
  private messageAt(uuid: string): number | undefined {
    let at: string | null | undefined = uuid;
    for (let steps = 0; steps < 10_000; steps++) {
      if (at === null) return undefined;
      const index: number | undefined = this.rowIds.get(at);
      if (index !== undefined) return index;
      at = this.parents.get(at);
      if (at === undefined) return undefined;
    }
    return undefined; // a circle of parents
  }

  /** Notices stand in the chain of rows, not in the context: the nearest message above that was sent. */
  private sentAbove(uuid: string): number | undefined {
    let index = this.messageAt(uuid);
    for (let steps = 0; steps < 10_000 && index !== undefined; steps++) {
      const message = this.messages[index];
      if (message === undefined || message.sent) return index;
      const parent = this.parents.get(message.id);
      index = parent === null || parent === undefined ? undefined : this.messageAt(parent);
    }
    return undefined;
  }

  /** The messages above one, oldest first, itself included; siblings of parallel calls too. */
  private chain(from: number): number[] {
    const found = new Set<number>();
    let at: number | undefined = from;
    while (at !== undefined && !found.has(at)) {
      found.add(at);
      const parent = this.parents.get(this.messages[at]?.id ?? '');
      at = parent === null || parent === undefined ? undefined : this.messageAt(parent);
    }
    for (const [result, caller] of this.answers) if (result < from && found.has(caller)) found.add(result);
    return [...found].sort((a, b) => a - b);
  }

  finish(): Outline {
    const settled = this.stops.settle(this.context.takenBack);
    const compacted = this.compactions.settle();
    this.linkParents();
    for (const message of this.messages) message.ends_turn = endsTurn(message);
    if (this.requests.sendsAllAsUser)
      for (const message of this.messages)
        if (message.kind === 'meta' && message.role === 'system') message.role = 'user';
    const windows = this.windows(settled.windowAnchors);
    orderAsSent(this.messages, new Set(windows.map((window) => window.opened_at_index)));
    for (const reply of this.requests.confirm(windows, this.messages)) this.mismatch(reply);
    const signals = [...joinFailures(this.signals, this.messages), ...settled.signals, ...compacted];
    return {
      head: this.head.finish(this.messages, this.rowIds),
      not_recorded: this.recordsPrompt ? [] : ['system-prompt', 'tools'],
      row_ids: this.rowIds,
      messages: this.messages,
      outcomes: this.outcomes,
      signals,
      windows,
      records: this.records,
      file_texts: this.fileTexts,
      diagnostics: this.diagnostics,
    };
  }

  private windows(anchors: Map<number, { anchor: string; opened_by: OpenedWindow['opened_by'] }>): OpenedWindow[] {
    const windows = withoutUnsent(this.context.windows, this.messages);
    for (const window of windows) {
      window.start = window.start.filter((index) => this.messages[index]?.sent);
      const settled = window.opened_by === 'rewind' ? anchors.get(window.opened_at_index) : undefined;
      if (settled !== undefined) Object.assign(window, settled);
    }
    return windows;
  }

  private linkParents(): void {
    let missing = 0;
    for (const message of this.messages) {
      const parent = this.parents.get(message.id);
      if (parent === null || parent === undefined) continue;
      const index = this.messageAt(parent);
      message.parent_id = index === undefined ? null : (this.messages[index]?.id ?? null);
      if (index === undefined && !this.parents.has(parent)) missing++;
    }
    if (missing === 0) return;
    const message = `${missing} messages hang on a row that is not in the file. Clients up to 2.0.x resume only what comes after such a break.`;
    this.diagnostics.push({ code: 'missing-parent', message, source: null });
  }

  private mismatch(reply: number): void {
    const source = this.messages[reply]?.source[0] ?? null;
    const message = `The recorded request before message ${reply} had another number of messages than the context worked out.`;
    this.diagnostics.push({ code: 'request-mismatch', message, source });
  }
}

/**
 * Versions up to about 2.1.6x write rows before the reply has ended and leave `stop_reason` null:
 * there, words without a call are the end.
 */
function endsTurn(message: OutlineMessage): boolean {
  if (message.kind !== 'reply' || message.extra.aborted_mid_stream === true) return false;
  if (message.stop_reason !== null) return message.stop_reason !== 'tool_use' && message.stop_reason !== 'pause_turn';
  return (
    message.blocks.some((block) => block.type === 'text') && message.blocks.every((block) => block.type !== 'tool_use')
  );
}

/** Interactive forks (2.1.20 on) say of each row where it was copied from; `-p` forks do not: see links.ts. */
function inheritedFrom(row: JsonObject, uuid: string | undefined): OutlineMessage['inherited'] {
  const from = objectAt(row, 'forkedFrom');
  const session_id = stringAt(from, 'sessionId');
  return session_id === undefined ? null : { session_id, id: stringAt(from, 'messageUuid') ?? uuid ?? '' };
}

function userExtra(row: JsonObject): OutlineMessage['extra'] {
  return picked(row, {
    promptSource: 'prompt_source',
    origin: 'origin',
    permissionMode: 'permission_mode',
    thinkingMetadata: 'thinking_metadata',
    holdsPersonsWords: 'holds_persons_words',
    refusedMessageId: 'refused_message_id',
    interruptedMessageId: 'interrupted_message_id',
    imagePasteIds: 'image_paste_ids',
    planContent: 'plan_content',
    todos: 'todos',
    isMeta: 'is_meta',
  });
}

function assistantExtra(row: JsonObject, message: JsonObject): OutlineMessage['extra'] {
  const edits = objectAt(message, 'context_management')?.applied_edits;
  return {
    ...picked(message, {
      id: 'message_id',
      stop_sequence: 'stop_sequence',
      stop_details: 'stop_details',
      container: 'container',
    }),
    ...picked(row, {
      effort: 'effort',
      requestedModel: 'requested_model',
      isAbortedMidStream: 'aborted_mid_stream',
      supersedesUuids: 'supersedes',
      attributionAgent: 'attribution_agent',
      attributionSkill: 'attribution_skill',
    }),
    ...(Array.isArray(edits) && edits.length > 0 ? { applied_edits: edits } : {}),
  };
}

/** Fields worth keeping, under our names; null and false are as good as absent. */
function picked(row: JsonObject, names: Record<string, string>): OutlineMessage['extra'] {
  const found: OutlineMessage['extra'] = {};
  for (const [native, ours] of Object.entries(names)) {
    const value = row[native];
    if (value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0))
      found[ours] = value;
  }
  return found;
}
