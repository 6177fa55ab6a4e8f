// Rows by their place: kept from the first pass where the session is small, else read back.

import type { Json, SourceRef } from '../schema/blocks.ts';
import { GIANT_BYTES, rowAt } from '../sources/jsonl.ts';
import type { Files, KeepRow, OpenFile, Rows } from '../sources/source.ts';

/** Sessions up to this size keep their parsed rows between the passes. */
const KEEP_BYTES = 24 * 1024 * 1024;

export interface RowStore {
  keep: KeepRow | undefined;
  /** The rows of a session whose files are `paths`. */
  rowsOf(paths: string[]): Rows;
  /** Lets go of what is held; rows are read back from then on. */
  rest(): void;
  close(): void;
}

export function rowStore(port: Files, bytes: number): RowStore {
  return bytes <= KEEP_BYTES ? keptRows(port) : rereadRows(port);
}

/** The rows of one file by line; what is glued behind the first object of a line by offset. */
interface KeptFile {
  byLine: Json[];
  glued: Map<number, Json>;
}

function keptRows(port: Files): RowStore {
  const kept = new Map<string, KeptFile>();
  const reread = rereadRows(port);
  let lastPath: string | undefined;
  let file: KeptFile = { byLine: [], glued: new Map() };
  return {
    keep: (ref, path, row) => {
      if (path !== lastPath) {
        file = kept.get(path) ?? { byLine: [], glued: new Map() };
        kept.set(path, file);
        lastPath = path;
      }
      if (file.byLine[ref.line] === undefined) file.byLine[ref.line] = row;
      else file.glued.set(ref.offset, row);
    },
    rowsOf: (paths) => {
      const again = reread.rowsOf(paths);
      return {
        row: (ref) => {
          const found = kept.get(paths[ref.file] ?? '');
          const glued = found !== undefined && found.glued.size > 0 ? found.glued.get(ref.offset) : undefined;
          return glued ?? found?.byLine[ref.line] ?? again.row(ref);
        },
      };
    },
    rest: () => kept.clear(),
    close: () => {
      kept.clear();
      reread.close();
    },
  };
}

/** A message's blocks lie in few rows, asked for one after the other. */
const LAST_ROWS = 8;

function rereadRows(port: Files): RowStore {
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
    keep: undefined,
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
    rest: () => {},
    close: () => {
      for (const file of open.values()) file.close();
      open.clear();
      last.clear();
    },
  };
}
