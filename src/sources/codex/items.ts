// One response item → a message in our words. Items stand in rows of their own, and again inside `replacement_history`.

import type { Json, SourceRef } from '../../schema/blocks.ts';
import type { OutlineBlock, OutlineMessage } from '../../schema/outline.ts';
import { isObject, type JsonObject, stringAt } from '../json-access.ts';
import { anchorAt, type Passthrough, passthroughOf, type Row, textOf } from './rows.ts';
import { type SaidBy, saidBy } from './signals.ts';
import type { Told } from './twice-told.ts';

export interface Item {
  id: string | undefined;
  type: string;
  role: OutlineMessage['role'];
  kind: OutlineMessage['kind'];
  blocks: OutlineBlock[];
  /** The words of a message, by which the same message is known again. */
  text: string;
  /** Of calls and results. */
  call_id: string | undefined;
  name: string | undefined;
  turn_id: string | null;
  extra: OutlineMessage['extra'];
}

export const CALLS = new Set([
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'web_search_call',
  'image_generation_call',
  'tool_search_call',
]);
/** What a compaction left, for the server alone to read. */
export const COMPACTED = new Set(['compaction', 'context_compaction']);
export const OUTPUTS = new Set(['function_call_output', 'custom_tool_call_output', 'tool_search_output']);

/** Undefined for items that were never said to anybody: ghost commits, lists of tools. */
export function itemFrom(payload: JsonObject, ref: SourceRef, pointer: string): Item | undefined {
  const type = stringAt(payload, 'type') ?? '';
  const { turn_id, kinds, provenance } = passthroughOf(payload);
  const extra: Item['extra'] = {};
  if (turn_id !== null) extra.turn_id = turn_id;
  if (payload.role === 'developer') extra.native_role = 'developer';
  // What else an item tells, as it is.
  if (payload.status != null) extra.status = payload.status;
  if (payload.phase != null) extra.phase = payload.phase;
  if (payload.namespace != null) extra.namespace = payload.namespace;
  if (payload.author != null) extra.author = payload.author;
  if (payload.recipient != null) extra.recipient = payload.recipient;
  if (kinds !== undefined) extra.content_item_kinds = kinds;
  if (provenance !== undefined) extra.provenance = provenance;
  const block = (blockType: OutlineBlock['type'], tool_use_id: string | null = null, name: string | null = null) => [
    { type: blockType, row: ref, pointer, tool_use_id, name },
  ];
  const common = { id: stringAt(payload, 'id') || undefined, type, turn_id, extra, text: '' };
  // Searches of older versions have no id at all.
  const call_id = stringAt(payload, 'call_id') ?? (CALLS.has(type) ? (common.id ?? anchorAt(ref)) : undefined);
  if (type === 'message') return { ...common, ...messageItem(payload, ref, pointer, provenance, kinds) };
  if (type === 'agent_message') {
    const blocks = partBlocks(payload, ref, pointer);
    return { ...common, role: 'user', kind: 'meta', blocks, text: textOf(payload.content), ...NO_CALL };
  }
  if (type === 'reasoning')
    return { ...common, role: 'assistant', kind: 'reply', blocks: block('thinking'), ...NO_CALL };
  if (CALLS.has(type)) {
    const name = callName(payload);
    return {
      ...common,
      role: 'assistant',
      kind: 'reply',
      blocks: block('tool_use', call_id ?? null, name),
      call_id,
      name,
    };
  }
  if (OUTPUTS.has(type)) {
    const blocks = block('tool_result', call_id ?? null);
    return { ...common, role: 'user', kind: 'tool_result', blocks, call_id, name: undefined };
  }
  if (COMPACTED.has(type)) return { ...common, role: 'user', kind: 'summary', blocks: block('unknown'), ...NO_CALL };
  return undefined;
}

/** Tools of the client's own are told by the type alone: `web_search_call`. */
export function callName(payload: JsonObject): string {
  return stringAt(payload, 'name') ?? stringAt(payload, 'type')?.replace(/_call$/, '') ?? '';
}

/** The paragraphs of reasoning: what is shown of it, then the whole, where that is given. */
export function paragraphsOf(summary: Json | undefined, content: Json | undefined): string[] {
  const parts = [summary, content].flatMap((list) => (Array.isArray(list) ? list : []));
  return parts.map((part) => (isObject(part) ? (stringAt(part, 'text') ?? '') : ''));
}

/** As what an event may tell it again; undefined for what none does. */
export function toldAs(item: Item): Told | undefined {
  if (item.type === 'reasoning') return 'reasoning';
  return item.type !== 'message' || item.role === 'system' ? undefined : item.role;
}

/** Its words; of reasoning, the paragraphs. */
export function textsOf(item: Item, { payload }: Pick<Row, 'payload'>): string[] {
  return item.type === 'reasoning' ? paragraphsOf(payload.summary, payload.content) : [item.text];
}

const NO_CALL = { call_id: undefined, name: undefined };

function messageItem(
  payload: JsonObject,
  ref: SourceRef,
  pointer: string,
  provenance: OutlineProvenance,
  kinds: OutlineProvenance,
): Pick<Item, 'role' | 'kind' | 'blocks' | 'text' | 'call_id' | 'name'> {
  const text = textOf(payload.content);
  const blocks = partBlocks(payload, ref, pointer);
  if (payload.role === 'assistant') return { role: 'assistant', kind: 'reply', blocks, text, ...NO_CALL };
  if (payload.role !== 'user') return { role: 'system', kind: 'meta', blocks, text, ...NO_CALL };
  return { role: 'user', kind: KIND[speakerOf(text, { kinds, provenance })], blocks, text, ...NO_CALL };
}

const KIND: Record<SaidBy, OutlineMessage['kind']> = {
  person: 'prompt',
  shell: 'command',
  client: 'meta',
  abort: 'interruption',
  summary: 'summary',
};

/** Who spoke on the user's side. */
export function speakerOf(text: string, { kinds, provenance }: Pick<Passthrough, 'kinds' | 'provenance'>): SaidBy {
  return recordedSpeaker(kinds, provenance) ?? saidBy(text);
}

type OutlineProvenance = ReturnType<typeof passthroughOf>['kinds'];

/** `content_item_kinds` (0.153 on), or `provenance` (0.148 on). */
function recordedSpeaker(kinds: OutlineProvenance, provenance: OutlineProvenance): SaidBy | undefined {
  const known = kinds?.filter((kind) => kind !== 'unknown') ?? [];
  if (known.length > 0) {
    if (known.some((kind) => String(kind).startsWith('user.'))) return 'person';
    if (known.includes('compaction.summary')) return 'summary';
    return known.includes('generic.turn_aborted') ? 'abort' : 'client';
  }
  const types = provenance?.map((part) => (isObject(part) ? part.type : null));
  return types?.includes('user') ? 'person' : undefined;
}

function partBlocks(payload: JsonObject, ref: SourceRef, pointer: string): OutlineBlock[] {
  const { content } = payload;
  const none = { tool_use_id: null, name: null };
  if (!Array.isArray(content))
    return content == null ? [] : [{ type: 'text', row: ref, pointer: `${pointer}/content`, ...none }];
  return content.map((part, i) => ({ type: partType(part), row: ref, pointer: `${pointer}/content/${i}`, ...none }));
}

function partType(part: unknown): OutlineBlock['type'] {
  if (!isObject(part)) return typeof part === 'string' ? 'text' : 'unknown';
  if (part.type === 'input_image') return 'image';
  return 'text' in part ? 'text' : 'unknown';
}
