// Rows by their place, read back from the files.

import type { Json, SourceRef } from '../schema/blocks.ts';
import { rowReader } from '../sources/jsonl.ts';
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
  const rowAt = rowReader();

  const read = (path: string, ref: SourceRef): Json => {
    const file = open.get(path) ?? port.open(path);
    open.set(path, file);
    return rowAt(file, ref);
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
