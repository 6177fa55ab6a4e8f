// Reads a file of one JSON value per line, made for speed and for trouble: one reused
// buffer, no streams; a bad line is reported and never hides another.

import type { Json, SourceRef } from '../schema/blocks.ts';
import type { Diagnostic } from '../schema/session.ts';
import { APART_BYTES, type IsLittleEnough, parsedApart } from './parse-apart.ts';
import { piecesOf } from './pieces.ts';
import { LINE_BYTES, lineEnds, READ_BYTES, readBuffer, widened } from './read-memory.ts';
import { LONGEST, shortened } from './shorten.ts';
import { skimmer } from './skim.ts';
import type { Files, OpenFile } from './source.ts';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
/** What nearly every line begins with. */
const BRACE = 0x7b;

export interface RowHandler {
  /** A JSON value of the file. `first` is false for the second and later values glued on one line. */
  row(value: Json, ref: SourceRef, first: boolean): void;
  /** A line from which nothing could be read. */
  bad(ref: SourceRef): void;
  blank(ref: SourceRef): void;
  trouble(diagnostic: Diagnostic): void;
  /** Where long strings are cut: of which of them a little is enough. */
  isLittleEnough?: IsLittleEnough | undefined;
}

/** Between two lines of a file: where, and what was counted before. */
export interface LinePlace {
  offset: number;
  lines: number;
  blanks: number;
  returns: number;
}

/** Reads a file from where it was left, and tells how far it came. */
export interface Continuation {
  /** Asked when the file is open; undefined: from its beginning. */
  begin(bytes: number): LinePlace | undefined;
  /** All whole lines have been handed over; of a line that is still being written nothing. Not told where reading failed. */
  wholeLines(place: LinePlace): void;
}

/** Hands every line of the file to `handler`, in order; gives the number of lines. */
export function readRows(
  port: Files,
  path: string,
  file: number,
  handler: RowHandler,
  continuation?: Continuation,
): number {
  let open: OpenFile;
  try {
    open = port.open(path);
  } catch (error) {
    handler.trouble({ code: 'unreadable-file', message: unreadMessage(path, error), source: null });
    return 0;
  }
  const careful = { ...open, read: (into: Uint8Array, at: number) => readOrStop(open, into, at, path, handler) };
  const buffer = takeBuffer();
  try {
    const lines = new LineReader(path, file, handler, port.shortens === true);
    return readLines(careful, buffer, lines, continuation);
  } finally {
    spare = buffer;
    open.close();
  }
}

/** A disk that fails in mid-file: what was read until then stands. */
function readOrStop(open: OpenFile, into: Uint8Array, at: number, path: string, handler: RowHandler): number {
  try {
    return open.read(into, at);
  } catch (error) {
    handler.trouble({ code: 'read-error', message: `Reading ${path} stopped: ${reasonOf(error)}`, source: null });
    return 0;
  }
}

export function unreadMessage(path: string, error: unknown): string {
  return `Cannot read ${path}: ${reasonOf(error)}`;
}

function reasonOf(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  const known: Record<string, string> = { EACCES: 'permission denied', ENOENT: 'it is gone', EISDIR: 'it is a folder' };
  return known[String(code)] ?? (error instanceof Error ? error.message : String(error));
}

/** One buffer serves all files, small enough for the processor's cache: fresh memory for each file costs more than reading it. Null: not yet made. */
let spare: Buffer | undefined | null = null;

/** Who reads while another one does gets a buffer of its own. */
function takeBuffer(): Buffer {
  const taken = (spare === null ? readBuffer() : spare) ?? Buffer.allocUnsafe(READ_BYTES);
  spare = undefined;
  return taken;
}

function readLines(open: OpenFile, taken: Buffer, lines: LineReader, continuation: Continuation | undefined): number {
  let buffer = taken;
  let filled = 0;
  let bufferAt = lines.goOn(continuation?.begin(open.size)); // where in the file buffer[0] is
  while (bufferAt + filled < open.size) {
    const room = Math.min(buffer.length - filled, open.size - bufferAt - filled);
    const got = open.read(buffer.subarray(filled, filled + room), bufferAt + filled);
    if (got === 0) break; // the file was cut while it was read
    const from = lines.each(buffer, filled, filled + got, bufferAt);
    filled += got;
    buffer.copyWithin(0, from, filled);
    bufferAt += from;
    filled -= from;
    if (filled === buffer.length) {
      // Longer lines are skimmed, not parsed whole.
      if (filled >= LINE_BYTES) {
        const next = lines.giant(open, bufferAt, buffer);
        bufferAt = next;
        filled = 0;
      } else buffer = widened(buffer, Math.min(buffer.length * 2, LINE_BYTES));
    } else if (buffer.buffer === taken.buffer && filled < taken.length) buffer = taken;
  }
  if (bufferAt + filled === open.size && !lines.isTorn) continuation?.wholeLines(lines.placeAt(bufferAt));
  if (filled > 0) lines.last(buffer, filled, bufferAt);
  return lines.finish();
}

class LineReader {
  private count = 0;
  private blanks = 0;
  private returns = 0;
  /** Of the line at hand, all bytes are known to be ASCII. */
  isAscii = false;
  /** The last line was too long to hold, and is still being written. */
  isTorn = false;
  private readonly path: string;
  private readonly file: number;
  private readonly handler: RowHandler;
  readonly shortens: boolean;
  readonly isLittleEnough: IsLittleEnough | undefined;

  constructor(path: string, file: number, handler: RowHandler, shortens: boolean) {
    this.path = path;
    this.file = file;
    this.handler = handler;
    this.shortens = shortens;
    this.isLittleEnough = handler.isLittleEnough;
  }

  /** Lines before this place were read before. Gives where the next begins. */
  goOn(place: LinePlace | undefined): number {
    this.count = place?.lines ?? 0;
    this.blanks = place?.blanks ?? 0;
    this.returns = place?.returns ?? 0;
    return place?.offset ?? 0;
  }

  placeAt(offset: number): LinePlace {
    return { offset, lines: this.count, blanks: this.blanks, returns: this.returns };
  }

  /**
   * Every whole line in the first `filled` bytes, of which only those from `fresh` on were just read and can hold
   * a line feed. Gives where the rest begins. Apart from the reading loop, so that it is compiled once, not per file.
   */
  each(buffer: Buffer, fresh: number, filled: number, bufferAt: number): number {
    const ends = lineEnds(buffer, fresh, filled);
    let from = 0;
    if (ends !== undefined) {
      for (let i = 0; i < ends.length; i += 2) {
        const newline = (ends[i] ?? 0) - buffer.byteOffset;
        this.isAscii = ends[i + 1] === 0;
        this.line(buffer, from, newline, bufferAt);
        from = newline + 1;
      }
      this.isAscii = false;
      return from;
    }
    const bytes = buffer.subarray(0, filled);
    for (let newline = bytes.indexOf(NEWLINE, fresh); newline !== -1; newline = bytes.indexOf(NEWLINE, from)) {
      this.line(buffer, from, newline, bufferAt);
      from = newline + 1;
    }
    return from;
  }

  /** One line: bytes from..to of the buffer, which begins at `bufferAt` of the file. */
  line(buffer: Buffer, from: number, to: number, bufferAt: number, last = false): void {
    this.count++;
    let start = from;
    let end = to;
    if (this.count === 1 && isByteOrderMark(buffer, start, end)) {
      start += 3;
      this.trouble('byte-order-mark', 'The file begins with a byte order mark; it was left out.', start, end, bufferAt);
    }
    if (end > start && buffer[end - 1] === RETURN) {
      end--;
      this.returns++;
    }
    if (end > start && (buffer[start] === 0 || buffer[end - 1] === 0)) {
      const inner = withoutNuls(buffer, start, end);
      const nuls = end - start - (inner.end - inner.start);
      this.trouble(
        'nul-bytes',
        `${nuls} NUL bytes around line ${this.count}; they were left out.`,
        start,
        end,
        bufferAt,
      );
      start = inner.start;
      end = inner.end;
    }
    const ref = this.ref(start, end, bufferAt);
    if ((start === end || buffer[start] !== BRACE) && isBlank(buffer, start, end)) {
      this.blanks++;
      this.handler.blank(ref);
      return;
    }
    const apart = end - start < APART_BYTES ? undefined : parsedApart(buffer.subarray(start, end), this);
    if (apart !== undefined) {
      this.handler.row(apart, ref, true);
      return;
    }
    const short = this.shortens && end - start > LONGEST ? shortened(buffer.subarray(start, end)) : undefined;
    const text = short?.toString('utf8') ?? buffer.toString(this.isAscii ? 'latin1' : 'utf8', start, end);
    if (!this.isAscii && text.includes('\ufffd') && !isValidUtf8(buffer.subarray(start, end))) {
      this.trouble(
        'invalid-utf8',
        `Line ${this.count} has bytes that are no UTF-8; each was read as U+FFFD.`,
        start,
        end,
        bufferAt,
      );
    }
    if (!this.value(text, ref)) this.recover(buffer.subarray(start, end), ref, last);
  }

  /** The rest of a file that does not end in a line feed. */
  last(buffer: Buffer, filled: number, bufferAt: number): void {
    this.line(buffer, 0, filled, bufferAt, true);
    this.trouble(
      'no-final-newline',
      'The last line has no line feed: it may still be being written.',
      0,
      filled,
      bufferAt,
    );
  }

  /** A line too long to hold: its first bytes are in the buffer already. Gives where the next line begins. */
  giant(open: OpenFile, lineAt: number, buffer: Buffer): number {
    this.count++;
    const skim = skimmer();
    let at = lineAt;
    let length = 0;
    let next = open.size;
    let ended = false;
    while (at < open.size && !ended) {
      const got = open.read(buffer.subarray(0, Math.min(READ_BYTES, open.size - at)), at);
      if (got === 0) break;
      const newline = buffer.subarray(0, got).indexOf(NEWLINE);
      ended = newline !== -1;
      const size = ended ? newline : got;
      skim.take(buffer.subarray(0, size), at);
      length += size;
      at += size;
      next = ended ? at + 1 : at;
    }
    const ref = { file: this.file, line: this.count, offset: lineAt, length, pointer: null };
    this.handler.trouble({
      code: 'giant-line',
      message: `Line ${this.count} has ${length} bytes; its longest strings were left in the file.`,
      source: ref,
    });
    // It was too long to hold: nothing can be recovered from it.
    if (!this.value(skim.end(), ref)) this.recover(Buffer.alloc(0), ref, !ended);
    this.isTorn = !ended;
    if (!ended) {
      const message = 'The last line has no line feed: it may still be being written.';
      this.handler.trouble({ code: 'no-final-newline', message, source: ref });
    }
    return next;
  }

  finish(): number {
    if (this.blanks > 0) this.note('blank-lines', `${this.blanks} blank lines.`);
    if (this.returns > 0) this.note('carriage-returns', `${this.returns} lines end in CR LF.`);
    return this.count;
  }

  /** False where the line is not one JSON value. */
  private value(text: string, ref: SourceRef): boolean {
    let value: Json;
    try {
      value = JSON.parse(text);
    } catch {
      return false;
    }
    this.handler.row(value, ref, true);
    return true;
  }

  /** A line that is not one JSON value: objects glued together, or cut. What is whole is kept. */
  private recover(bytes: Buffer, ref: SourceRef, last: boolean): void {
    const pieces = piecesOf(bytes);
    const code = pieces.length > 1 ? 'glued-line' : last || pieces.length === 1 ? 'torn-line' : 'bad-json';
    const kept = pieces.reduce((sum, piece) => sum + (piece.to - piece.from), 0);
    const lost = kept < bytes.length ? `, ${bytes.length - kept} bytes lost` : '';
    const message =
      pieces.length === 0
        ? `Line ${ref.line} is not JSON (${ref.length} bytes); it is counted as bad.`
        : `Line ${ref.line} is not one JSON value: ${pieces.length} recovered${lost}.`;
    this.handler.trouble({ code, message, source: ref });
    if (pieces.length === 0) this.handler.bad(ref);
    for (const [i, { from, to, value }] of pieces.entries()) {
      this.handler.row(value, { ...ref, offset: ref.offset + from, length: to - from }, i === 0);
    }
  }

  private ref(start: number, end: number, bufferAt: number): SourceRef {
    return { file: this.file, line: this.count, offset: bufferAt + start, length: end - start, pointer: null };
  }

  private trouble(code: string, message: string, start: number, end: number, bufferAt: number): void {
    this.handler.trouble({ code, message, source: this.ref(start, end, bufferAt) });
  }

  private note(code: string, message: string): void {
    this.handler.trouble({ code, message: `${this.path}: ${message}`, source: null });
  }
}

function isByteOrderMark(buffer: Buffer, start: number, end: number): boolean {
  return end - start >= 3 && buffer[start] === 0xef && buffer[start + 1] === 0xbb && buffer[start + 2] === 0xbf;
}

/** After a crash of the machine a line may begin or end in NUL bytes. */
function withoutNuls(buffer: Buffer, from: number, to: number): { start: number; end: number } {
  let start = from;
  let end = to;
  while (start < end && buffer[start] === 0) start++;
  while (end > start && buffer[end - 1] === 0) end--;
  return { start, end };
}

function isBlank(buffer: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = buffer[i];
    if (byte !== 0x20 && byte !== 0x09 && byte !== RETURN) return false;
  }
  return true;
}

function isValidUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Who asks for a row so near behind the last one goes through the file. */
const NEAR_BYTES = 64 * 1024;

/**
 * Reads rows again, by their places. One buffer serves all of them: a new one for each row cost 9 MB of peak memory
 * in a session of 200 MB. Of a file that is gone through, more is read at once: a call for each row costs as much as parsing it.
 */
export function rowReader(shortens = false): (open: OpenFile, ref: SourceRef) => Json {
  let buffer = Buffer.alloc(0);
  let held: { open: OpenFile | undefined; from: number; to: number } = { open: undefined, from: 0, to: 0 };
  let lastEnd = 0;
  const bytesAt = (open: OpenFile, { offset, length }: SourceRef): Buffer => {
    const end = offset + length;
    const goesOn = held.open === open && offset >= lastEnd && offset - lastEnd <= NEAR_BYTES;
    lastEnd = end;
    if (held.open !== open || offset < held.from || end > held.to) {
      const wanted = goesOn ? Math.max(length, Math.min(READ_BYTES, open.size - offset)) : length;
      if (buffer.length < wanted) buffer = Buffer.allocUnsafe(goesOn ? Math.max(wanted, READ_BYTES) : wanted * 2);
      held = { open: undefined, from: 0, to: 0 }; // should reading fail
      const got = open.read(buffer.subarray(0, wanted), offset);
      held = { open, from: offset, to: offset + got };
    }
    return buffer.subarray(offset - held.from, Math.min(end, held.to) - held.from);
  };
  return (open, ref) => {
    if (ref.length > LINE_BYTES) return JSON.parse(skimAt(open, ref));
    const line = bytesAt(open, ref);
    const apart = line.length < APART_BYTES ? undefined : parsedApart(line, { isAscii: false, shortens });
    if (apart !== undefined) return apart;
    const short = shortens && line.length > LONGEST ? shortened(line) : undefined;
    const text = (short ?? line).toString('utf8');
    // A row that held raw NUL bytes was recovered without them: see piecesOf.
    return JSON.parse(text.includes('\0') ? text.replaceAll('\0', '') : text);
  };
}

/** The bytes of rows, by their places: in one buffer, valid until the next is asked for. */
export function bytesReader(): (open: OpenFile, ref: SourceRef) => Buffer {
  let buffer = Buffer.alloc(0);
  return (open, ref) => {
    if (buffer.length < ref.length) buffer = Buffer.allocUnsafe(ref.length * 2);
    const got = open.read(buffer.subarray(0, ref.length), ref.offset);
    return withoutInnerNuls(buffer.subarray(0, got));
  };
}

/** A row that held raw NUL bytes was recovered without them: see piecesOf. */
function withoutInnerNuls(bytes: Buffer): Buffer {
  return bytes.includes(0) ? Buffer.from(bytes.filter((byte) => byte !== 0)) : bytes;
}

function skimAt(open: OpenFile, ref: SourceRef): string {
  const skim = skimmer();
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  let at = ref.offset;
  while (at < ref.offset + ref.length) {
    const got = open.read(buffer.subarray(0, Math.min(READ_BYTES, ref.offset + ref.length - at)), at);
    if (got === 0) break;
    skim.take(buffer.subarray(0, got), at);
    at += got;
  }
  return skim.end();
}
