// The ends of a file and the ids in it, enough to place and link a session without reading it.

import { headRows, openedOrNot } from '../head-rows.ts';
import { type JsonObject, stringAt } from '../json-access.ts';
import type { Files } from '../source.ts';

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
  const open = openedOrNot(port, path);
  if (open === undefined) return { ids, others };
  try {
    const chunk = sharedChunk();
    let rest = '';
    for (let at = 0; at < open.size; ) {
      const got = open.read(chunk, at);
      if (got === 0) break;
      at += got;
      const lines = (rest + chunk.toString('latin1', 0, got)).split('\n');
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

const KEY = Buffer.from('"uuid":');
const SPACE = 32;
const QUOTE = 34;
/** No id is as long, with its key. */
const OVERLAP_BYTES = 256;

/** Those of the ids that rows of a file have: found by their bytes, a gigabyte in about a second. */
export function idsAmong(port: Files, path: string, wanted: ReadonlyMap<string, unknown>): Set<string> {
  const found = new Set<string>();
  const open = openedOrNot(port, path);
  if (open === undefined) return found;
  try {
    const chunk = sharedChunk();
    let held = 0;
    for (let at = 0; at < open.size; ) {
      const got = open.read(chunk.subarray(held), at);
      if (got === 0) break;
      at += got;
      const bytes = chunk.subarray(0, held + got);
      for (let key = bytes.indexOf(KEY); key !== -1; key = bytes.indexOf(KEY, key + KEY.length)) {
        const id = idAt(bytes, key + KEY.length);
        if (wanted.has(id)) found.add(id);
      }
      held = Math.min(OVERLAP_BYTES, bytes.length);
      chunk.copyWithin(0, bytes.length - held, bytes.length);
    }
    return found;
  } finally {
    open.close();
  }
}

function idAt(bytes: Buffer, at: number): string {
  let from = at;
  while (bytes[from] === SPACE) from++;
  const to = bytes[from] === QUOTE ? bytes.indexOf(QUOTE, from + 1) : -1;
  return to === -1 || to - from > OVERLAP_BYTES ? '' : bytes.toString('latin1', from + 1, to);
}

let shared: Buffer | undefined;

/** One for all files: clearing fresh memory for each takes longer than to look through it. */
function sharedChunk(): Buffer {
  shared ??= Buffer.allocUnsafeSlow(1024 * 1024);
  return shared;
}
