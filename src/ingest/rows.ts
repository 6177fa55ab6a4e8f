// Rows by their place, read back from the files.

import type { Json, SourceRef } from '../schema/blocks.ts';
import { GIANT_BYTES, rowAt } from '../sources/jsonl.ts';
import type { Files, OpenFile, Rows } from '../sources/source.ts';

export interface RowStore {
  /** The rows of a session whose files are `paths`. */
  rowsOf(paths: string[]): Rows;
  close(): void;
}

/** A message's blocks lie in few rows, asked for one after the other. */
const LAST_ROWS = 8;

export function rowStore(port: Files): RowStore {
  const open = new Map<string, OpenFile>();
  const last = new Map<string, Json>();
  let buffer = Buffer.alloc(0);

  const read = (path: string, ref: SourceRef): Json => {
    if (ref.length > GIANT_BYTES) return rowAt(port, path, ref);
    const file = open.get(path) ?? port.open(path);
    open.set(path, file);
    if (buffer.length < ref.length) buffer = Buffer.allocUnsafe(ref.length * 2);
    const got = file.read(buffer.subarray(0, ref.length), ref.offset);
    const text = buffer.toString('utf8', 0, got);
    return JSON.parse(text.includes('\0') ? text.replaceAll('\0', '') : text);
  };

  return {
    rowsOf: (paths) => ({
      row: (ref) => {
        const path = paths[ref.file] ?? '';
        const key = `${path}:${ref.offset}`;
        const known = last.get(key);
        if (known !== undefined) return known;
        const row = read(path, ref);
        last.set(key, row);
        if (last.size > LAST_ROWS) last.delete(last.keys().next().value ?? '');
        return row;
      },
    }),
    close: () => {
      for (const file of open.values()) file.close();
      open.clear();
      last.clear();
    },
  };
}
