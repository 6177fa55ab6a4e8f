// Rows by their place, read back from the files.

import type { Json, SourceRef } from '../schema/blocks.ts';
import { bytesReader, rowReader } from '../sources/jsonl.ts';
import type { Files, OpenFile, Rows } from '../sources/source.ts';

export interface RowStore {
  /** The rows of a session whose files are `paths`. */
  rowsOf(paths: string[]): Rows;
  /** Their bytes as they stand in the files; valid until others are asked for. */
  bytesOf(paths: string[]): (ref: SourceRef) => Buffer;
  close(): void;
}

/** A message's blocks lie in few rows, asked for one after the other. */
const LAST_ROWS = 8;

export function rowStore(port: Files): RowStore {
  const open = new Map<string, OpenFile>();
  const last = new Map<string, Json>();
  const rowAt = rowReader(port.shortens);
  const bytesAt = bytesReader();

  const fileAt = (path: string): OpenFile => {
    const file = open.get(path) ?? port.open(path);
    open.set(path, file);
    return file;
  };

  return {
    rowsOf: (paths) => ({
      row: (ref) => {
        const path = paths[ref.file] ?? '';
        const key = `${path}:${ref.offset}`;
        const known = last.get(key);
        if (known !== undefined) return known;
        const row = rowAt(fileAt(path), ref);
        last.set(key, row);
        if (last.size > LAST_ROWS) last.delete(last.keys().next().value ?? '');
        return row;
      },
    }),
    bytesOf: (paths) => (ref) => bytesAt(fileAt(paths[ref.file] ?? ''), ref),
    close: () => {
      for (const file of open.values()) file.close();
      open.clear();
      last.clear();
    },
  };
}
