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
