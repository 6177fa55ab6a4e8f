// The beginning and the end of a file, enough to place and link a session without reading it.

import type { Json, SourceRef } from '../../schema/blocks.ts';
import { isObject, type JsonObject, stringAt } from '../json-access.ts';
import type { Files, OpenFile } from '../source.ts';

const STEP_BYTES = 16 * 1024;
const LIMIT_BYTES = 256 * 1024;
const LONGEST_ROW = 16 * 1024 * 1024;

export interface HeadRow {
  row: JsonObject;
  source: Omit<SourceRef, 'file'>;
}

/** The rows at the beginning of a file, one by one, as long as somebody asks and not beyond the first part of it. */
export function* headRows(port: Files, path: string): Generator<HeadRow> {
  const open = opened(port, path);
  if (open === undefined) return;
  try {
    let buffer = Buffer.alloc(0);
    let at = 0;
    let line = 1;
    let rows = 0;
    // A first row may be long: a screenshot in the first prompt.
    while (at + buffer.length < Math.min(open.size, rows === 0 ? LONGEST_ROW : LIMIT_BYTES)) {
      const more = Buffer.allocUnsafe(Math.max(STEP_BYTES, buffer.length));
      const got = open.read(more, at + buffer.length);
      if (got === 0) return;
      buffer = Buffer.concat([buffer, more.subarray(0, got)]);
      const ends = at + buffer.length >= open.size;
      let from = 0;
      for (
        let newline = buffer.indexOf(10);
        newline !== -1 || (ends && from < buffer.length);
        newline = buffer.indexOf(10, from)
      ) {
        const to = newline === -1 ? buffer.length : newline;
        const row = parsed(buffer.toString('utf8', from, to));
        if (row !== undefined) yield { row, source: { line, offset: at + from, length: to - from, pointer: null } };
        rows++;
        line++;
        from = to + 1;
      }
      from = Math.min(from, buffer.length);
      buffer = buffer.subarray(from);
      at += from;
    }
  } finally {
    open.close();
  }
}

/** The times in the last part of a file, found by their bytes. */
export function lastTimes(port: Files, path: string): string[] {
  const open = opened(port, path);
  if (open === undefined) return [];
  try {
    const size = Math.min(open.size, LIMIT_BYTES);
    const bytes = Buffer.allocUnsafe(size);
    const got = open.read(bytes, open.size - size);
    const found = bytes.toString('latin1', 0, got).matchAll(/"timestamp":\s*"(\d{4}-\d\d-\d\dT[^"]+)"/g);
    return [...found].map(([, time]) => time ?? '');
  } finally {
    open.close();
  }
}

/** The first row that names its session. */
export function firstRow(port: Files, path: string): JsonObject | undefined {
  let first: JsonObject | undefined;
  for (const { row } of headRows(port, path)) {
    if (stringAt(row, 'sessionId') !== undefined) return row;
    first ??= row;
  }
  return first;
}

/** The ids of all rows of a file, and how many of its lines have none: found by their bytes, nothing is parsed. */
export function idsIn(port: Files, path: string): { ids: Set<string>; others: number } {
  const ids = new Set<string>();
  let others = 0;
  const open = opened(port, path);
  if (open === undefined) return { ids, others };
  try {
    const buffer = Buffer.allocUnsafe(1024 * 1024);
    let rest = '';
    for (let at = 0; at < open.size; ) {
      const got = open.read(buffer, at);
      if (got === 0) break;
      at += got;
      const lines = (rest + buffer.toString('latin1', 0, got)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (!addId(line, ids)) others++;
    }
    addId(rest, ids);
    return { ids, others };
  } finally {
    open.close();
  }
}

/** A key cannot stand inside a JSON string unescaped; an `uuid` of an inner object does no harm here. */
function addId(line: string, ids: Set<string>): boolean {
  const found = [...line.matchAll(/"uuid":\s*"([^"]+)"/g)];
  for (const [, id] of found) if (id !== undefined) ids.add(id);
  return found.length > 0;
}

function opened(port: Files, path: string): OpenFile | undefined {
  try {
    return port.open(path);
  } catch {
    return undefined; // reading the session will say why
  }
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
