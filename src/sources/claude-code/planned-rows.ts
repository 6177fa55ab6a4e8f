// The rows of a message that hold what is left of it, and what is to be done to each.

import type { Block, SourceRef, Text } from '../../schema/blocks.ts';
import type { WrittenMessage } from '../source.ts';
import { changedEntry } from './native-block.ts';
import type { EntryEdit, Values } from './row-edit.ts';

/** What is to be done to a row of a message. */
export interface PlannedRow {
  ref: SourceRef;
  content: Map<number, EntryEdit>;
  message: Values;
  dropsDetails: boolean;
  wholeResults: string[];
}

/** The rows of a message that hold what is left of it, in their order. */
export function rowsOf({ message, blocks }: WrittenMessage, whole: Whole): PlannedRow[] {
  const rows = new Map<string, PlannedRow & { left: number }>();
  message.content.forEach((block, i) => {
    const { source } = block;
    if (source === null) return;
    const key = `${source.file}:${source.offset}`;
    const row = rows.get(key) ?? newRow({ ...source, pointer: null });
    rows.set(key, row);
    const now = blocks[i] ?? null;
    if (now !== null) row.left++;
    const isWhole = now === block || (now !== null && isSameText(block, now));
    if (isWhole && block.type === 'tool_result' && block.tool_use_id !== null) row.wholeResults.push(block.tool_use_id);
    if (now !== block) editBlock(row, block, now, whole);
  });
  return [...rows.values()].filter(({ left }) => left > 0);
}

function newRow(ref: SourceRef): PlannedRow & { left: number } {
  return { ref, content: new Map(), message: {}, dropsDetails: false, wholeResults: [], left: 0 };
}

function editBlock(row: PlannedRow, before: Block, now: Block | null, whole: Whole): void {
  if (before.type === 'tool_result') row.dropsDetails = true;
  if (now !== null && isSameText(before, now)) return;
  const pointer = before.source?.pointer ?? '';
  const place = /^\/message\/content\/(\d+)$/.exec(pointer)?.[1];
  const texts = (text: Text) => whole(text, row.ref);
  if (place !== undefined)
    row.content.set(Number(place), now === null ? null : (entry) => JSON.stringify(changedEntry(entry, now, texts)));
  // The content is one string: it stays one.
  else if (now !== null && now.type === 'text') row.message.content = JSON.stringify(texts(now.text));
}

/** A text as it is; one that was too long to read along is read back. */
type Whole = (text: Text, row: SourceRef) => string;

/** Only what stands beside a result was taken away. */
function isSameText(before: Block, now: Block): boolean {
  if (before.type !== 'tool_result' || now.type !== 'tool_result') return false;
  return (
    before.content.length === now.content.length && before.content.every((part, i) => isSamePart(part, now.content[i]))
  );
}

function isSamePart(a: { type: string; text?: unknown }, b: { type: string; text?: unknown } | undefined): boolean {
  return a === b || (a.type === 'text' && b?.type === 'text' && a.text === b.text);
}
