// One session, opened: everything but the text at once, the text message by message.

import { type Change, detect, detectInAll, type Material, type Presence, type Skeleton } from '../detect/index.ts';
import type { Block, SourceRef } from '../schema/blocks.ts';
import type { Message } from '../schema/message.ts';
import type { Outline, OutlineMessage } from '../schema/outline.ts';
import type { RecordEntry, Session, ToolCall } from '../schema/session.ts';
import type { SessionView } from '../schema/stream.ts';
import type { UsageRow } from '../schema/usage-row.ts';
import { valueAt } from '../sources/json-access.ts';
import type { DiffRequest, Rows, Source } from '../sources/source.ts';
import { usageOfOutline } from '../sources/usage-of-outline.ts';

/** A message without its text. */
type MessagePlace = Pick<
  Message,
  'id' | 'role' | 'kind' | 'timestamp' | 'model' | 'usage' | 'sent' | 'sent_before' | 'inherited' | 'source'
>;

/** A session whose text is still in the files. Valid until the family it belongs to is closed. */
export interface SessionReader extends SessionView {
  /** Id of the main session of the family it was read with. */
  readonly familyId: string;
  /** Requests that the agent recorded, and how many of them are as our contexts say. */
  readonly requests: { recorded: number; explained: number };
  /** Its own requests, one by one. */
  usageRows(): UsageRow[];
  /** Index of the message with this id, or that one of its rows has. */
  indexOf(id: string): number | undefined;
  /** Which messages are still in the context at the end, and what took the others out. */
  readonly presence: readonly Presence[];
  /** Results whose content left the context while their messages stayed: by the id of their call, the event that took it out. */
  readonly clearedResults: ReadonlyMap<string, string>;
  /** Everything about each message but its text, and what the text alone tells. */
  messagePlaces(): readonly MessagePlace[];
  /** The change that an edit made or would have made: what the calls of `document` lack. */
  changeOf(tool_use_id: string): Pick<ToolCall, 'diff' | 'diff_base'>;
  /** The bytes of a row as they stand in its file; valid until those of another are asked for. */
  bytes(ref: SourceRef): Buffer;
  /** The whole document. For sessions that fit into memory. */
  read(): Session;
}

/** What a session is read back from. */
interface Reach {
  rows: Rows;
  bytes: (ref: SourceRef) => Buffer;
  file: DiffRequest['file'];
  familyId: string;
}

export function sessionReader(outline: Outline, source: Source, reach: Reach): SessionReader {
  const { rows, bytes, file, familyId } = reach;
  const content = (index: number): Block[] => {
    const message = outline.messages[index];
    return message === undefined ? [] : source.content(message, rows);
  };
  const calls = lazyCalls(outline);
  const change = (id: string): Change => changeOf(source, calls(), { outline, tool_use_id: id, content, file });
  const material: Material = { outline, content, change, call: (id) => calls().get(id), purpose: source.purpose };
  const skeleton = detect(material);
  let inAll: ReturnType<SessionView['allEvents']> | undefined;
  const message = (index: number): Message => {
    if (outline.messages[index] === undefined)
      throw new RangeError(`there is no message ${index}: the session has ${outline.messages.length}`);
    return messageAt(outline, skeleton, index, content(index));
  };
  const toolCall = (call: ToolCall): ToolCall =>
    call.id !== null && source.mayEdit(call.name) ? { ...call, ...change(call.id) } : call;
  // Of a document that is one value, only the part that the record is.
  const rawRecord = (record: RecordEntry): RecordEntry => ({
    ...record,
    data: valueAt(rows.row(record.source), record.source.pointer ?? ''),
  });
  const messages = () => eachOf(outline.messages, (_, index) => message(index));
  const toolCalls = () => eachOf(skeleton.document.tool_calls, toolCall);
  return {
    document: skeleton.document,
    familyId,
    requests: outline.requests ?? { recorded: 0, explained: 0 },
    messageCount: outline.messages.length,
    usageRows: () => usageOfOutline(outline, source).rows.filter(({ inherited }) => inherited !== true),
    indexOf: (id) =>
      outline.row_ids.get(id) ?? indexOrUndefined(outline.messages.findIndex((candidate) => candidate.id === id)),
    message,
    allEvents: () => {
      inAll ??= detectInAll(material, skeleton);
      return inAll;
    },
    purposeOf: source.purpose,
    sentMarks: () => outline.messages,
    presence: skeleton.presence,
    clearedResults: skeleton.clearedResults,
    messagePlaces: () => outline.messages,
    changeOf: change,
    bytes,
    messages,
    toolCalls,
    records: ({ raw }) => (raw ? eachOf(outline.records, rawRecord) : outline.records),
    read: () => {
      const { type, schema_version, session, ...rest } = skeleton.document;
      return { type, schema_version, session, messages: [...messages()], ...rest, tool_calls: [...toolCalls()] };
    },
  };
}

/**
 * One after the other, each made when it is asked for. A generator function of its own for every session would keep the session in memory
 * until V8 next collects all of it: the class of what such a function gives is never young, and refers to the function. That cost a tenth
 * of the time in which documents are read.
 */
function* eachOf<From, To>(list: readonly From[], make: (from: From, index: number) => To): Generator<To> {
  for (let index = 0; index < list.length; index++) yield make(list[index] as From, index);
}

function indexOrUndefined(index: number): number | undefined {
  return index === -1 ? undefined : index;
}

function messageAt(outline: Outline, skeleton: Skeleton, index: number, content: Block[]): Message {
  const message = outline.messages[index] as OutlineMessage; // asked for by its place in the list
  const presence = skeleton.presence[index];
  return {
    index,
    id: message.id,
    parent_id: message.parent_id,
    turn: skeleton.turnOfMessage[index] ?? null,
    role: message.role,
    kind: message.kind,
    timestamp: message.timestamp,
    content: skeleton.clearedResults.size === 0 ? content : content.map((block) => withClearedBy(block, skeleton)),
    model: message.model,
    stop_reason: message.stop_reason,
    usage: message.usage,
    request_id: message.request_id,
    sent: message.sent,
    sent_before: message.sent_before,
    live: presence?.live ?? false,
    left_by: presence?.left_by ?? null,
    left_at_index: presence?.left_at_index ?? null,
    inherited: message.inherited,
    source: message.source,
    extra: message.extra,
  };
}

function withClearedBy(block: Block, skeleton: Skeleton): Block {
  const by = block.type === 'tool_result' ? skeleton.clearedResults.get(block.tool_use_id ?? '') : undefined;
  return by === undefined ? block : { ...block, cleared_by: by };
}

interface CallPlace {
  name: string;
  message_index: number;
  result_message_index: number | null;
}

function lazyCalls(outline: Outline): () => Map<string, CallPlace> {
  let calls: Map<string, CallPlace> | undefined;
  return () => {
    if (calls !== undefined) return calls;
    calls = new Map();
    const results = new Map(outline.outcomes.map((outcome) => [outcome.tool_use_id, outcome.message_index]));
    for (let message_index = 0; message_index < outline.messages.length; message_index++) {
      const { blocks } = outline.messages[message_index] as OutlineMessage; // a place of the list
      for (let i = 0; i < blocks.length; i++) {
        const block = blocks[i];
        if (block?.type !== 'tool_use' || block.tool_use_id === null) continue;
        const result_message_index = results.get(block.tool_use_id) ?? null;
        calls.set(block.tool_use_id, { name: block.name ?? '', message_index, result_message_index });
      }
    }
    return calls;
  };
}

function changeOf(
  source: Source,
  calls: Map<string, CallPlace>,
  request: Pick<DiffRequest, 'outline' | 'tool_use_id' | 'content' | 'file'>,
): Change {
  const call = calls.get(request.tool_use_id);
  const none = { diff: null, diff_base: null };
  if (call === undefined || !source.mayEdit(call.name)) return none;
  return source.diff({ ...request, ...call }) ?? none;
}
