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

/** What reading ends in where a file was cut, replaced or deleted. That there are too many open files, say, is something else. */
const OF_CHANGES = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'ESTALE', 'Z_DATA_ERROR']);

function isOfChange(error: unknown): boolean {
  return error instanceof SyntaxError || OF_CHANGES.has(String((error as NodeJS.ErrnoException).code));
}

/** `lost` is told of files of which a row can no longer be read: they were cut, or replaced, or are gone. */
export function rowStore(port: Files, lost: (path: string) => void = () => {}): RowStore {
  const open = new Map<string, OpenFile>();
  const last = new Map<string, Json>();
  const rowAt = rowReader(port.shortens === true);
  const bytesAt = bytesReader();

  let isClosed = false;
  const fileAt = (path: string): OpenFile => {
    if (isClosed) throw new TypeError('The family that this session belongs to was closed.');
    const file = open.get(path) ?? port.open(path);
    open.set(path, file);
    return file;
  };

  /** What was read before stands; what is to be read again may have changed since. */
  const unlessLost = <Value>(path: string, read: () => Value, instead: Value): Value => {
    try {
      return read();
    } catch (error) {
      if (!isOfChange(error)) throw error;
      lost(path);
      return instead;
    }
  };

  return {
    rowsOf: (paths) => ({
      row: (ref) => {
        const path = paths[ref.file] ?? '';
        const key = `${path}:${ref.offset}`;
        const known = last.get(key);
        if (known !== undefined) return known;
        const row = unlessLost(path, () => rowAt(fileAt(path), ref), null);
        last.set(key, row);
        if (last.size > LAST_ROWS) last.delete(last.keys().next().value ?? '');
        return row;
      },
    }),
    bytesOf: (paths) => (ref) => {
      const path = paths[ref.file] ?? '';
      return unlessLost(path, () => bytesAt(fileAt(path), ref), Buffer.alloc(0));
    },
    close: () => {
      for (const file of open.values()) file.close();
      open.clear();
      last.clear();
      isClosed = true;
    },
  };
}
