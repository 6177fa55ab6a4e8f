// The first rows of a file, enough to know what it is without reading it.

import type { SourceRef } from '../schema/blocks.ts';
import { isObject, type JsonObject } from './json-access.ts';
import { type Piece, piecesOf } from './pieces.ts';
import type { Files, OpenFile } from './source.ts';
import { timeIn } from './times.ts';

const STEP_BYTES = 16 * 1024;
const LIMIT_BYTES = 256 * 1024;
/** A first row may be long: a screenshot in the first prompt. */
const LONGEST_ROW = 16 * 1024 * 1024;

export interface HeadRow {
  row: JsonObject;
  source: Omit<SourceRef, 'file'>;
}

/** One buffer serves nearly all files: a new one for each is memory that is freed late, 400 MB of it for 30,000 files. */
let spare: Buffer | undefined;

/** The rows at the beginning of a file, one by one, as long as somebody asks and not beyond the first part of it. */
export function* headRows(port: Files, path: string): Generator<HeadRow> {
  const open = openedOrNot(port, path);
  if (open === undefined) return;
  let buffer = spare ?? Buffer.allocUnsafeSlow(STEP_BYTES);
  spare = undefined;
  try {
    let held = 0;
    let at = 0;
    let line = 1;
    while (at + held < Math.min(open.size, line === 1 ? LONGEST_ROW : LIMIT_BYTES)) {
      const step = Math.max(STEP_BYTES, held);
      if (held + step > buffer.length) buffer = Buffer.concat([buffer], held + step);
      const got = open.read(buffer.subarray(held, held + step), at + held);
      if (got === 0) return;
      const bytes = buffer.subarray(0, held + got);
      const ends = at + bytes.length >= open.size;
      let from = 0;
      for (
        let newline = bytes.indexOf(10, held);
        newline !== -1 || (ends && from < bytes.length);
        newline = bytes.indexOf(10, from)
      ) {
        const to = newline === -1 ? bytes.length : newline;
        for (const { from: begin, to: end, value } of rowsIn(bytes.subarray(from, to))) {
          const source = { line, offset: at + from + begin, length: end - begin, pointer: null };
          if (isObject(value)) yield { row: value, source };
        }
        line++;
        from = Math.min(to + 1, bytes.length);
      }
      buffer.copyWithin(0, from, bytes.length);
      held = bytes.length - from;
      at += from;
    }
  } finally {
    open.close();
    if (buffer.length <= LIMIT_BYTES) spare = buffer;
  }
}

/** The first time that a file tells; null where its beginning has none. */
export function firstTime(port: Files, path: string): string | null {
  for (const { row } of headRows(port, path)) {
    const time = timeIn(row.timestamp);
    if (time !== null) return time;
  }
  return null;
}

/** Nearly every line is one value; the others are taken apart. */
function rowsIn(line: Buffer): Piece[] {
  try {
    return [{ from: 0, to: line.length, value: JSON.parse(line.toString('utf8')) }];
  } catch {
    return piecesOf(line);
  }
}

/** Undefined where the file cannot be opened, and nothing where it cannot be read: reading the session will say why. */
export function openedOrNot(port: Files, path: string): OpenFile | undefined {
  try {
    const file = port.open(path);
    return { ...file, read: (into, at) => bytesOrNone(file, into, at) };
  } catch {
    return undefined;
  }
}

function bytesOrNone(file: OpenFile, into: Uint8Array, at: number): number {
  try {
    return file.read(into, at);
  } catch {
    return 0;
  }
}
