// What decides on tokens in a row: asked of the row that was last looked into.

import type { JsonObject } from '../json-access.ts';
import { byLength, Field, Fields } from '../json-fields.ts';
import { timeIn } from '../times.ts';
import { type Passthrough, passthroughOf } from './rows.ts';
import { sameTotal } from './tokens.ts';
import type { Told } from './twice-told.ts';

// Of the first line of a file.
export const id = new Field('id');
export const cwd = new Field('cwd');
export const source = new Field('source');
export const threadSource = new Field('thread_source');
export const parentId = new Field('parent_thread_id');
export const forkedFrom = new Field('forked_from_id');
export const historyBase = new Field('history_base');
export const ownFrom = new Field('subagent_history_start_ordinal');
const META = [id, cwd, source, threadSource, parentId, forkedFrom, historyBase, ownFrom];

// Of items and events.
const innerType = new Field('type');
export const role = new Field('role');
export const content = new Field('content');
export const summary = new Field('summary');
export const message = new Field('message');
export const text = new Field('text');
export const model = new Field('model');
export const windowId = new Field('window_id');
export const history = new Field('replacement_history');
export const threadId = new Field('thread_id');
const turnId = new Field('turn_id');
const kinds = new Field('content_item_kinds');
const partMetadata = new Field('content_item_metadata');
const passthrough = new Field('internal_chat_message_metadata_passthrough', [turnId, kinds, partMetadata]);
const ITEM = [innerType, role, content, summary, message, text, model, windowId, history, threadId, passthrough];

// Of `item_completed`.
export const shownType = new Field('type');
export const shownId = new Field('id');
export const shownContent = new Field('content');
export const shownSummary = new Field('summary_text');
const SHOWN = new Field('item', [shownType, shownId, shownContent, shownSummary]);

// Of counts and records.
const input = new Field('input_tokens');
const read = new Field('cached_input_tokens');
const written = new Field('cache_write_input_tokens');
const output = new Field('output_tokens');
const reasoning = new Field('reasoning_output_tokens');
const all = new Field('total_tokens');
const last = new Field('last_token_usage', [input, read, written, output, reasoning, all]);
const total = new Field('total_token_usage');
const info = new Field('info', [last, total]);
export const usage = new Field('usage');
export const responseId = new Field('response_id');

const PAYLOAD = [...META, ...ITEM, SHOWN, info, usage, responseId];
const type = new Field('type');
const timestamp = new Field('timestamp');
const ordinal = new Field('ordinal');
const payload = new Field('payload', PAYLOAD);
export const isSummary = new Field('compaction_output');
const isParents = new Field('inherited_user_message');
const metadata = new Field('metadata', [isSummary, isParents]);
export const ROW = new Fields([type, timestamp, ordinal, payload, metadata]);

/** Up to 0.31 rows have no envelope: what is in the payload elsewhere stands in the row itself. */
const recordType = new Field('record_type');
const BARE = new Fields([...PAYLOAD, timestamp, recordType]);

/** Most rows, items and events are of these types. */
const ROW_TYPES = byLength(['response_item', 'event_msg', 'turn_context', 'token_usage_record', 'world_state']);
const INNER_TYPES = byLength([
  ...['reasoning', 'message', 'function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output'],
  ...['token_count', 'agent_message', 'agent_reasoning', 'user_message', 'item_completed', 'item_started'],
  ...['task_started', 'task_complete', 'exec_command_begin', 'exec_command_end', 'patch_apply_end'],
]);

/** As `rowFrom` in rows.ts. */
export function rowType(): string {
  if (payload.isObject && type.isText) return type.oneOf(ROW_TYPES) ?? '';
  ROW.lookAgain(BARE);
  return bareType();
}

function bareType(): string {
  if (recordType.isText) return 'state';
  if (innerType.isText) return 'response_item';
  return id.isText && timestamp.isText ? 'session_meta' : '';
}

/** Only an envelope tells it. */
export function time(): string | null {
  return payload.isObject ? timeIn(timestamp.text) : null;
}

/** The type of an item or an event. */
export function inner(): string {
  return innerType.oneOf(INNER_TYPES) ?? '';
}

/** Who says a message; undefined for the client. */
export function speaker(): Told | undefined {
  if (role.is('assistant')) return 'assistant';
  return role.is('user') ? 'user' : undefined;
}

/** As `passthroughOf` in rows.ts: what the row says of who spoke. */
export function passthroughIn(): Passthrough {
  const given = { content_item_kinds: kinds.value ?? null, content_item_metadata: partMetadata.value ?? null };
  return passthroughOf({ internal_chat_message_metadata_passthrough: given });
}

/** As `isCopiedForSubagent` in copied.ts. */
export function isCopiedForSubagent(native: string, start: number): boolean {
  const at = ordinal.number;
  if (at === undefined || !Number.isSafeInteger(at) || at === 0 || at >= start) return false;
  return native !== 'response_item' || turnId.isText || isParents.isTrue;
}

/** As `countIn` in tokens.ts. */
export function count(): { last: JsonObject; total: string } | undefined {
  if (!last.isObject || !total.isObject) return undefined;
  const json = total.json ?? '';
  return { last: lastUsage(), total: sameTotal(CANONICAL.test(json) ? json : JSON.stringify(JSON.parse(json))) };
}

/** What comes out as it was when it is read and written again: no space, no key twice, no number in other words. */
const CANONICAL =
  /^\{"input_tokens":\d{1,15},"cached_input_tokens":\d{1,15},(?:"cache_write_input_tokens":\d{1,15},)?"output_tokens":\d{1,15},"reasoning_output_tokens":\d{1,15},"total_tokens":\d{1,15}\}$/;

const LAST = [input, read, written, output, reasoning, all];

function lastUsage(): JsonObject {
  const usage: JsonObject = {};
  for (const field of LAST) usage[field.name] = field.number ?? null;
  return usage;
}
