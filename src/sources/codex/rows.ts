// One native line → what it is: the same shape for all three ways in which items were ever written.

import type { Json, SourceRef } from '../../schema/blocks.ts';
import { interned } from '../interned.ts';
import { isObject, type JsonObject, objectAt, stringAt } from '../json-access.ts';
import { timeIn } from '../times.ts';

/** A line, taken out of its envelope. */
export interface Row {
  /** `session_meta`, `response_item`, `event_msg`, `compacted` …; '' for what is none. */
  type: string;
  /** With the types inside: `event_msg/item_completed/UserMessage`. */
  native_type: string;
  payload: JsonObject;
  /** What the client wrote beside the payload (0.148 on). */
  metadata: JsonObject | undefined;
  time: string | null;
  ordinal: number | null;
  ref: SourceRef;
  /** Where the payload lies in the line. */
  pointer: string;
}

/** From 0.32 on, lines have an envelope: time, type, payload. */
export function rowFrom(value: Json, ref: SourceRef): Row | undefined {
  if (!isObject(value)) return undefined;
  const payload = objectAt(value, 'payload');
  if (payload === undefined || typeof value.type !== 'string') return bareRow(value, ref, '');
  return {
    type: value.type,
    native_type: nativeType(value.type, payload),
    payload,
    metadata: objectAt(value, 'metadata'),
    time: timeIn(value.timestamp),
    ordinal: typeof value.ordinal === 'number' && Number.isSafeInteger(value.ordinal) ? value.ordinal : null,
    ref,
    pointer: '/payload',
  };
}

/** Up to 0.31: items as they are, a first line about the session, and `state` lines between them. */
export function bareRow(value: JsonObject, ref: SourceRef, pointer: string): Row {
  const bare = { payload: value, metadata: undefined, time: null, ordinal: null, ref, pointer };
  if (typeof value.record_type === 'string') return { ...bare, type: 'state', native_type: value.record_type };
  if (typeof value.type === 'string') return { ...bare, type: 'response_item', native_type: value.type };
  const isHead = typeof value.id === 'string' && typeof value.timestamp === 'string';
  return { ...bare, type: isHead ? 'session_meta' : '', native_type: isHead ? 'header' : 'unknown' };
}

function nativeType(type: string, payload: JsonObject): string {
  if (type !== 'response_item' && type !== 'event_msg') return type;
  const inner = stringAt(payload, 'type');
  if (inner === undefined) return type;
  const item = inner === 'item_completed' ? stringAt(objectAt(payload, 'item'), 'type') : undefined;
  return interned(item === undefined ? `${type}/${inner}` : `${type}/${inner}/${item}`);
}

/** What makes the id of an event stable where the client gave none: the place of its row. */
export function anchorAt({ file, line }: SourceRef): string {
  return file === 0 ? `line-${line}` : `line-${file}-${line}`;
}

export function timeOfMs(value: Json | undefined): string | null {
  return typeof value === 'number' && Number.isFinite(value) && Math.abs(value) < 8.64e15
    ? new Date(value).toISOString()
    : null;
}

/** What 0.148 and later say of an item: the turn it belongs to, what each part of it is, where it came from. */
export interface Passthrough {
  turn_id: string | null;
  kinds: Json[] | undefined;
  provenance: Json[] | undefined;
}

const NOT_TOLD: Passthrough = { turn_id: null, kinds: undefined, provenance: undefined };

export function passthroughOf(payload: JsonObject): Passthrough {
  const given = objectAt(payload, 'internal_chat_message_metadata_passthrough');
  if (given === undefined) return NOT_TOLD;
  const metadata = Array.isArray(given.content_item_metadata) ? given.content_item_metadata : undefined;
  const provenance = metadata?.map((part) => (isObject(part) ? (part.provenance ?? null) : null));
  return {
    turn_id: stringAt(given, 'turn_id') ?? null,
    kinds: Array.isArray(given.content_item_kinds) ? given.content_item_kinds : undefined,
    provenance: provenance?.some((part) => part !== null) ? provenance : undefined,
  };
}

/** The words of an item's content: a string, or a list of parts. */
export function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const [first] = content;
  if (content.length === 1) return isObject(first) ? (stringAt(first, 'text') ?? '') : '';
  return content.map((part) => (isObject(part) ? (stringAt(part, 'text') ?? '') : '')).join('');
}
