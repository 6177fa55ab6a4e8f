// The lines of a file as bytes, for those who look at few of them: nothing is decoded, one buffer serves all files.

import { endsWalked, lineBytes, type Mark, placeOf } from './json-walk.ts';
import { Odd } from './odd.ts';
import type { Files, OpenFile } from './source.ts';

/** So much is read at once: not more than a processor's cache holds. */
const READ_BYTES = 512 * 1024;
/** Longer lines are not held by the full reader either: see jsonl.ts. */
const LONGEST_LINE = 8 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** Takes the line that ends before the line feed at `to`. */
type TakeLine = (bytes: Buffer, from: number, to: number) => void;
/** Takes whole lines, as many as there are at hand: each ends in a line feed, the last byte is one. */
type TakeLines = (lines: Buffer) => void;
/** The same, and where each line ends: two numbers, the place of its line feed, counted from `base` on, and one that is 0 where it does not have the mark. */
type TakeMarkedLines = (lines: Buffer, ends: Int32Array, base: number) => void;

/** Hands all lines of a file over, in order. Odd where one is too long, or the file cannot be read to its end. */
export function readLines(port: Files, path: string, take: TakeLine): void {
  readManyLines(port, path, (lines) => eachLine(lines, take));
}

/** The same, many lines at a time, for those who look for a mark in all of them. */
export function readMarkedLines(port: Files, path: string, mark: Mark, take: TakeMarkedLines): void {
  readManyLines(port, path, (lines) => {
    const walked = endsWalked(lines, mark);
    if (walked === undefined) take(lines, endsIn(lines, mark), 0);
    else take(lines, walked, placeOf(lines));
  });
}

/** As `endsWalked`, without compiled code. */
export function endsIn(lines: Buffer, { bytes }: Mark): Int32Array {
  const ends: number[] = [];
  let next = lines.indexOf(bytes);
  eachLine(lines, (_bytes, _from, to) => {
    const isMarked = next !== -1 && next < to;
    if (isMarked) next = lines.indexOf(bytes, to);
    ends.push(to, isMarked ? 1 : 0);
  });
  return Int32Array.from(ends);
}

function eachLine(lines: Buffer, take: TakeLine): void {
  for (let from = 0; from < lines.length; ) {
    const to = lines.indexOf(LINE_FEED, from);
    take(lines, from, to);
    from = to + 1;
  }
}

/** Fresh memory for each file, or for each long line, would cost more than reading it. */
let spare: Buffer | undefined = lineBytes?.subarray(0, READ_BYTES + 1);

function readManyLines(port: Files, path: string, take: TakeLines): void {
  const open = opened(port, path);
  let buffer: Buffer = spare ?? Buffer.allocUnsafeSlow(READ_BYTES + 1);
  spare = undefined;
  let filled = 0;
  let at = 0;
  try {
    while (at < open.size) {
      // One byte is kept free for the line feed that the last line of a file may lack.
      if (filled === buffer.length - 1) buffer = larger(buffer, filled);
      const room = Math.min(buffer.length - 1 - filled, open.size - at, READ_BYTES);
      const got = read(open, buffer.subarray(filled, filled + room), at);
      if (at === 0) hideMark(buffer, got);
      at += got;
      filled += got;
      const behind = filled - got + buffer.subarray(filled - got, filled).lastIndexOf(LINE_FEED) + 1;
      if (behind === filled - got) continue;
      take(buffer.subarray(0, behind));
      buffer.copyWithin(0, behind, filled);
      filled -= behind;
    }
    if (filled === 0) return;
    buffer[filled] = LINE_FEED;
    take(buffer.subarray(0, filled + 1));
  } finally {
    spare = buffer;
    open.close();
  }
}

/** A byte order mark is no part of the first line. */
function hideMark(buffer: Buffer, filled: number): void {
  if (filled >= 3 && buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf) buffer.fill(0x20, 0, 3);
}

function larger(buffer: Buffer, filled: number): Buffer {
  if (filled >= LONGEST_LINE) throw new Odd('a long line');
  if (lineBytes !== undefined && buffer.buffer === lineBytes.buffer) return lineBytes.subarray(0, buffer.length * 2);
  const twice = Buffer.allocUnsafeSlow(buffer.length * 2);
  buffer.copy(twice, 0, 0, filled);
  return twice;
}

function opened(port: Files, path: string): OpenFile {
  try {
    return port.open(path);
  } catch {
    throw new Odd('no file');
  }
}

function read(open: OpenFile, into: Buffer, at: number): number {
  try {
    const got = open.read(into, at);
    if (got > 0) return got;
  } catch {
    // As a file that was cut.
  }
  throw new Odd('a file that was cut');
}
