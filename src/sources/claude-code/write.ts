// A session written anew, so that the client resumes it: one straight chain of the rows that are to stay, each with every
// byte as it was apart from its ids, its usage and what was asked to be changed. What the client needs of a file was
// measured with 2.0.42 and 2.1.325: see FORMAT.md and docs/conformance.md.

import type { Block, Json, SourceRef, Text } from '../../schema/blocks.ts';
import type { Message } from '../../schema/message.ts';
import { isObject, type JsonObject, listAt, parsedObject, stringAt } from '../json-access.ts';
import type { Family, WriteRequest, WrittenMessage, WrittenSummary } from '../source.ts';
import { projectFolder } from './files.ts';
import { nativeBlock } from './native-block.ts';
import { type PlannedRow, rowsOf } from './planned-rows.ts';
import { CLONE_ROW } from './records.ts';
import { type RawRow, rawRow, type Values } from './row-edit.ts';

/** With the old figures the client would think the context as full as it was. */
const NO_USAGE = '{"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}';

/** Copies of a result, and of the words with which a call was refused. */
const BESIDE_RESULTS = ['toolUseResult', 'userFeedback', 'mcpMeta'];
/** What a row says of the result in it. */
const ABOUT_RESULTS = [...BESIDE_RESULTS, 'sourceToolAssistantUUID', 'toolDenialKind'];
/** What makes a row a summary of all that stands before it. */
const ABOUT_SUMMARIES = ['isCompactSummary', 'isVisibleInTranscriptOnly', 'summarizeMetadata'];
/** Copies of what calls were given: the list of tasks, a plan. */
const BESIDE_PROMPTS = ['todos', 'planContent'];

/** Longer names are cut by 2.1.325, and end in a hash that we do not know (tried: such a session is not found). */
const LONGEST_FOLDER = 200;

/** What new rows have of the rows around them. */
const SHARED = ['userType', 'entrypoint', 'cwd', 'version', 'gitBranch'];

/** Beside the session it is made from; a session that lies in two folders was moved, and is used in the last one. */
export function place(family: Family, id: string, project: string | null): string {
  const own = family.files.filter(({ role }) => role === 'main' || role === 'copy');
  const path = own.sort((a, b) => a.info.modified_ms - b.info.modified_ms).at(-1)?.info.path ?? '';
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  if (project === null) return `${folder}${id}.jsonl`;
  return `.claude/projects/${projectFolder(project)}/${id}.jsonl`;
}

/** By the name of the folder. With `-p` the client looks in others, too (2.1.325). */
export function looksThere(path: string, project: string): boolean {
  const folder = projectFolder(project);
  return path.split(/[/\\]/).at(-2) === folder && folder.length <= LONGEST_FOLDER;
}

export function* lines(request: WriteRequest): Generator<Uint8Array> {
  yield* new Writer(request).write();
}

class Writer {
  private readonly request: WriteRequest;
  private parent: string | null = null;
  /** Something that the client did not put in was written. */
  private hasSaid = false;
  /** Old ids of rows → new ones. */
  private readonly ids = new Map<string, string>();
  /** Results that are as they were: what the client keeps in their place must be kept too. */
  private readonly wholeResults = new Set<string>();
  private shared: JsonObject | undefined;
  /** The time of the row before. */
  private time = 0;
  /** The reply before, and the id that it got of one before it. */
  private reply: { message: Message; apiId: string | undefined } | undefined;

  constructor(request: WriteRequest) {
    this.request = request;
  }

  *write(): Generator<Uint8Array> {
    let summary = this.request.summary;
    for (const written of this.request.messages) {
      if (this.shared === undefined) this.begin(written.message);
      if (summary !== null) yield* this.summary(summary);
      summary = null;
      yield* this.message(written);
    }
    if (this.shared === undefined) this.begin(null);
    if (summary !== null) yield* this.summary(summary);
    yield* this.replacements();
    const { id, origin, title, now, estimate } = this.request;
    yield line({ type: 'custom-title', customTitle: title, sessionId: id });
    yield line({ type: CLONE_ROW, sessionId: id, clonedFrom: origin, estimate, timestamp: now });
  }

  private begin(first: Message | null): void {
    this.shared = first === null ? this.sharedOfHead() : this.sharedOf(first);
    const { summary, now, project } = this.request;
    if (project !== null) this.shared.cwd = project;
    // Where the first row has no time it gets one: the client refuses a file with a row that has none (2.1.325).
    this.time = (Date.parse(summary?.timestamp ?? first?.timestamp ?? now) || Date.parse(now)) - 1;
  }

  /** As the client's own compaction writes it: a boundary, then the summary. */
  private *summary({ summary, timestamp, tokens }: WrittenSummary): Generator<Uint8Array> {
    this.hasSaid = true;
    const boundary = this.request.newId();
    const time = timestamp ?? this.request.now;
    const compactMetadata = { trigger: 'manual', preTokens: tokens.before, postTokens: tokens.after, by: CLONE_ROW };
    const content = 'Conversation compacted';
    yield this.newRow(
      { type: 'system', subtype: 'compact_boundary', content, level: 'info', compactMetadata },
      boundary,
      time,
    );
    const marks = { isCompactSummary: true, isVisibleInTranscriptOnly: true };
    yield this.newRow(
      { type: 'user', message: { role: 'user', content: summary }, ...marks },
      this.request.newId(),
      time,
    );
  }

  private newRow(row: JsonObject, uuid: string, timestamp: string): Uint8Array {
    const parentUuid = this.parent;
    this.parent = uuid;
    const ids = { parentUuid, isSidechain: false, ...this.shared, sessionId: this.request.id };
    return line({ ...ids, ...row, uuid, timestamp: this.laterThan(timestamp) ?? timestamp });
  }

  /**
   * 2.0.42 resumes from the row with the newest time, and of two with the same from the first: a row that is no later than the
   * one before it gets a time of its own. Undefined where it is later.
   */
  private laterThan(timestamp: string | undefined): string | undefined {
    const own = Date.parse(timestamp ?? '');
    const isLater = own > this.time;
    this.time = isLater ? own : this.time + 1;
    return isLater ? undefined : new Date(this.time).toISOString();
  }

  private *message(written: WrittenMessage): Generator<Uint8Array> {
    const { message, blocks } = written;
    const isChanged = blocks.some((block, i) => block !== message.content[i]);
    // "Summarize from here" (2.1.325) keeps what stands before its summary: behind a boundary that would be gone.
    const isLaterSummary = message.kind === 'summary' && this.hasSaid;
    if (message.kind !== 'meta') this.hasSaid = true;
    if (message.kind === 'summary' && !isLaterSummary) yield* this.boundaryOf(message);
    if (isChanged && message.content[0]?.source?.pointer?.startsWith('/attachment')) {
      yield this.typedInstead(written);
      return;
    }
    const apiId = written.isJoined ? this.idOfReplyBefore() : undefined;
    for (const row of rowsOf(written, (text, ref) => this.whole(text, ref))) {
      // A copy where others are read while the row is edited.
      const bytes = row.content.size === 0 ? this.request.bytes(row.ref) : Buffer.from(this.request.bytes(row.ref));
      yield this.row(rawRow(bytes), row, {
        message,
        isChanged,
        apiId,
        calls: callsIn(blocks),
        answers: blocks.some(isResult),
        isLaterSummary,
      });
    }
    if (message.role === 'assistant') this.reply = { message, apiId };
  }

  /** The client joins rows by the id of the message. */
  private idOfReplyBefore(): string | undefined {
    if (this.reply?.apiId !== undefined) return this.reply.apiId;
    const ref = this.reply?.message.source[0];
    if (ref === undefined) return undefined;
    const message = parsedObject(rawRow(this.request.bytes(ref)).text('message') ?? '');
    return stringAt(message, 'id');
  }

  private row(
    row: RawRow,
    planned: PlannedRow,
    about: {
      message: Message;
      isChanged: boolean;
      apiId: string | undefined;
      calls: number;
      answers: boolean;
      isLaterSummary: boolean;
    },
  ): Uint8Array {
    const { id, origin, newId } = this.request;
    const { message, isChanged, apiId, calls, answers } = about;
    const old = row.string('uuid');
    const uuid = newId();
    const forkedFrom = { sessionId: origin, messageUuid: old ?? message.id };
    const set: Values = {
      parentUuid: JSON.stringify(this.parent),
      uuid: JSON.stringify(uuid),
      sessionId: JSON.stringify(id),
      forkedFrom: JSON.stringify(forkedFrom),
    };
    const later = this.laterThan(row.string('timestamp'));
    if (later !== undefined) set.timestamp = JSON.stringify(later);
    // For a project that has moved, each row says where it is now: by that it is found.
    if (this.request.project !== null) set.cwd = JSON.stringify(this.request.project);
    const caller = row.string('sourceToolAssistantUUID');
    const interrupted = this.ids.get(row.string('interruptedMessageId') ?? '');
    const change: Values = {
      session_id: JSON.stringify(id),
      logicalParentUuid: null,
      requestRef: null, // names a request that is not copied
      summarizedTurnPromptUuids: null,
      supersedesUuids: null,
      sourceToolAssistantUUID: jsonOrNull(this.ids.get(caller ?? '')),
      // The id of a message of the API, which stays; of a row, which does not.
      ...(interrupted === undefined ? {} : { interruptedMessageId: JSON.stringify(interrupted) }),
    };
    // What is written beside a result once more, or beside a prompt of what calls did.
    if (planned.dropsDetails) for (const key of BESIDE_RESULTS) change[key] = null;
    // Words of a person who refused a call that is left out.
    if (message.kind === 'tool_result' && !answers) for (const key of ABOUT_RESULTS) change[key] = null;
    if (this.request.leavesOutCalls) for (const key of BESIDE_PROMPTS) change[key] = null;
    if (isChanged || apiId !== undefined) change.apiBlockIndex = null;
    if (about.isLaterSummary) {
      set.isMeta = 'true';
      for (const key of ABOUT_SUMMARIES) change[key] = null;
    }
    const inner: Values = { ...planned.message };
    if (message.role === 'assistant') {
      inner.usage = NO_USAGE;
      if (apiId !== undefined) inner.id = JSON.stringify(apiId);
      if (message.stop_reason === 'tool_use' && calls === 0) inner.stop_reason = '"end_turn"';
    }
    if (old !== undefined) this.ids.set(old, uuid);
    this.parent = uuid;
    for (const whole of planned.wholeResults) this.wholeResults.add(whole);
    const edit = { set, change, message: inner, ...(planned.content.size === 0 ? {} : { content: planned.content }) };
    return withLineFeed(row.edited(edit));
  }

  /** The boundary that stands before a summary of the client's own, without what it says of rows that are gone. */
  private *boundaryOf(summary: Message): Generator<Uint8Array> {
    for (let index = summary.index - 1; index >= Math.max(0, summary.index - 20); index--) {
      const message = this.request.messageAt(index);
      if (message?.extra.subtype !== 'compact_boundary' || message.source[0] === undefined) continue;
      const row = rawRow(this.request.bytes(message.source[0]));
      const metadata = parsedObject(row.text('compactMetadata') ?? '') ?? {};
      const { preservedSegment: _segment, preservedMessages: _messages, ...rest } = metadata;
      const planned = {
        ref: message.source[0],
        content: new Map(),
        dropsDetails: false,
        message: {},
        wholeResults: [],
      };
      const about = { message, isChanged: false, apiId: undefined, calls: 0, answers: false, isLaterSummary: false };
      const bytes = this.row(row, planned, about);
      yield withLineFeed(
        rawRow(Buffer.from(bytes).subarray(0, -1)).edited({ change: { compactMetadata: JSON.stringify(rest) } }),
      );
      return;
    }
  }

  /** Words that were taken in mid-turn stand in an attachment, beside what was made of them: changed, they are a message. */
  private typedInstead({ message, blocks }: WrittenMessage): Uint8Array {
    const ref = message.source[0] as SourceRef; // every message has one
    const content = blocks
      .filter((block) => block !== null)
      .map((block) => nativeBlock(block, (text) => this.whole(text, ref)));
    const row = { type: 'user', message: { role: 'user', content }, promptSource: 'queued' };
    return this.newRow(row, this.request.newId(), message.timestamp ?? this.request.now);
  }

  private whole(text: Text, row: SourceRef): string {
    if (typeof text === 'string') return text;
    const bytes = this.request.bytes({ ...row, offset: text.offset, length: text.omitted_bytes });
    return JSON.parse(`"${bytes.toString('utf8')}"`) as string;
  }

  /** 2.1.x sends another text in the place of some long results, and notes which: without that it would send the long ones. */
  private *replacements(): Generator<Uint8Array> {
    for (const { native_type, source } of this.request.records) {
      if (native_type !== 'content-replacement') continue;
      const row = parsedObject(this.request.bytes(source).toString('utf8'));
      const kept = (listAt(row, 'replacements') ?? []).filter(
        (entry) => isObject(entry) && this.wholeResults.has(stringAt(entry, 'toolUseId') ?? ''),
      );
      if (kept.length > 0) yield line({ type: 'content-replacement', sessionId: this.request.id, replacements: kept });
    }
  }

  private sharedOfHead(): JsonObject {
    const { project, client_versions, git_branches } = this.request.head;
    const told = { cwd: project, version: client_versions.at(-1), gitBranch: git_branches.at(-1) };
    const known = Object.entries(told).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return { userType: 'external', ...Object.fromEntries(known) };
  }

  private sharedOf({ source }: Message): JsonObject {
    const [ref] = source;
    const row = ref === undefined ? undefined : rawRow(this.request.bytes(ref));
    return Object.fromEntries(
      SHARED.flatMap((key) => {
        const value = row?.string(key);
        return value === undefined ? [] : [[key, value]];
      }),
    );
  }
}

function isResult(block: Block | null): boolean {
  return block?.type === 'tool_result';
}

function callsIn(blocks: (Block | null)[]): number {
  return blocks.filter((block) => block?.type === 'tool_use').length;
}

function jsonOrNull(value: string | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function line(row: Record<string, Json>): Uint8Array {
  return Buffer.from(`${JSON.stringify(row)}\n`);
}

function withLineFeed(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.from('\n')]);
}
