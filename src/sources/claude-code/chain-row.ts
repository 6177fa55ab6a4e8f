// A row of the conversation, as the rules of check.ts need it.

import type { Json, SourceRef } from '../../schema/blocks.ts';
import { isObject, type JsonObject, objectAt, stringAt, stringsAt } from '../json-access.ts';
import type { NativeFault } from '../source.ts';
import { isAcceptedPlan, isClearHook } from './clears.ts';
import { resultId } from './rows.ts';

/** A row of the conversation: what the rules need of it. */
export interface ChainRow {
  ref: SourceRef;
  uuid: string;
  parent: string | null | undefined;
  type: 'user' | 'assistant' | 'system' | 'attachment' | 'progress';
  /** Rows of one message of the API share it. */
  message: string | null;
  calls: string[];
  results: string[];
  /** Blocks by which a server may refuse it. */
  emptyTexts: number;
  unsignedThinking: number;
  largestImage: number;
  isBoundary: boolean;
  isSummary: boolean;
  /** The context was cleared before it. */
  isClear: boolean;
  preserved: string[];
  /** Ends of a run of rows that a compaction kept (2.1.80 on). */
  segment: { head: string; tail: string } | null;
  version: string | null;
  /** Null where it has none. */
  time: number | null;
  /** The server said no to the thinking in it. */
  refusesThinking: boolean;
}

/** From 2.1.7 to 2.1.63 messages hang on rows of progress; 2.1.325 follows these, 2.0.42 does not (tried). */
const CHAIN_TYPES = new Set(['user', 'assistant', 'system', 'attachment', 'progress']);

export function chainRow(row: JsonObject, ref: SourceRef): ChainRow | undefined {
  const uuid = stringAt(row, 'uuid');
  if (uuid === undefined || typeof row.type !== 'string' || !CHAIN_TYPES.has(row.type) || row.isSidechain === true)
    return undefined;
  const message = objectAt(row, 'message');
  const blocks = blocksOf(message?.content);
  const named = (type: string) => blocks.filter((block) => block.type === type);
  const preserved = objectAt(objectAt(row, 'compactMetadata'), 'preservedMessages');
  return {
    ref,
    uuid,
    parent: row.parentUuid === null ? null : stringAt(row, 'parentUuid'),
    type: row.type as ChainRow['type'],
    message: messageId(row, message, uuid),
    calls: named('tool_use').flatMap((block) => stringAt(block, 'id') ?? []),
    results: named('tool_result').flatMap((block) => resultId(block, row) ?? []),
    emptyTexts: named('text').filter(({ text }) => typeof text === 'string' && text.trim() === '').length,
    unsignedThinking: named('thinking').filter(({ signature }) => signature === undefined || signature === '').length,
    largestImage: Math.max(0, ...imagesIn(blocks), ...mentionedIn(row)),
    isBoundary: row.type === 'system' && row.subtype === 'compact_boundary',
    isSummary: row.isCompactSummary === true,
    isClear: isClearHook(row) || isAcceptedPlan(row),
    preserved: stringsAt(preserved, 'uuids'),
    segment: segmentOf(objectAt(objectAt(row, 'compactMetadata'), 'preservedSegment')),
    version: stringAt(row, 'version') ?? null,
    time: Date.parse(stringAt(row, 'timestamp') ?? '') || null,
    refusesThinking:
      row.isApiErrorMessage === true && /thinking.{0,40}blocks.{0,80}cannot be modified/s.test(wordsOf(blocks)),
  };
}

/** Null for rows that nobody said: errors that were shown, what the client puts in, state. */
function messageId(row: JsonObject, message: JsonObject | undefined, uuid: string): string | null {
  if (row.isApiErrorMessage === true) return null;
  if (row.type === 'assistant') return stringAt(message, 'id') ?? uuid;
  const isSaid =
    row.type === 'user' ||
    (row.type === 'system' && row.subtype === 'local_command') ||
    objectAt(row, 'attachment')?.type === 'queued_command';
  return isSaid ? uuid : null;
}

function segmentOf(segment: JsonObject | undefined): ChainRow['segment'] {
  const head = stringAt(segment, 'headUuid');
  const tail = stringAt(segment, 'tailUuid');
  return head === undefined || tail === undefined ? null : { head, tail };
}

function blocksOf(content: Json | undefined): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

function wordsOf(blocks: JsonObject[]): string {
  return blocks.map((block) => stringAt(block, 'text') ?? '').join('\n');
}

function imagesIn(blocks: JsonObject[]): number[] {
  return blocks.flatMap((block) => {
    if (block.type === 'tool_result' && Array.isArray(block.content)) return imagesIn(block.content.filter(isObject));
    const data = block.type === 'image' ? objectAt(block, 'source')?.data : undefined;
    if (isObject(data) && typeof data.omitted_bytes === 'number') return [data.omitted_bytes];
    return typeof data === 'string' ? [data.length] : [];
  });
}

/** A picture that was mentioned with `@`. */
function mentionedIn(row: JsonObject): number[] {
  const data = objectAt(objectAt(objectAt(row, 'attachment'), 'content'), 'file')?.base64;
  if (isObject(data) && typeof data.omitted_bytes === 'number') return [data.omitted_bytes];
  return typeof data === 'string' ? [data.length] : [];
}

/** Rows of one message of the API are one. */
export function messagesIn(rows: ChainRow[]): number {
  return new Set(rows.map(({ message }) => message)).size;
}

/** The fault that these rows are; none where there are no rows. */
export function some(
  code: string,
  effect: NativeFault['effect'],
  rows: ChainRow[],
  [what, then]: [what: string, then: string],
): NativeFault[] {
  const count = messagesIn(rows);
  const source = rows[0]?.ref ?? null;
  return rows.length === 0 ? [] : [{ code, effect, message: `${what}: ${count}. ${then}`, count, source }];
}
