import { closeSync, mkdirSync, openSync, utimesSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Truth } from './truth.ts';

/** A JSONL file being written, with the few ways in which real ones are broken. */
export interface LineFile {
  /** Bytes so far. */
  size(): number;
  row(row: object): void;
  /** The next row gets no newline, so that it and the one after it share a line. */
  glueNextRow(): void;
  /** An empty line. */
  blankLine(): void;
  /** In the next row that holds this ASCII word, its first byte becomes 0xff. */
  breakNextRow(word: string): void;
  /** A row cut off in the middle, as when the agent is still writing. Must be the last. */
  tornRow(row: object): void;
  /** A line whose middle is given in pieces, so that it never lies in memory whole. */
  longLine(head: string, pieces: Iterable<string>, tail: string): void;
  /** Sets the file's time too, as if the last row had just been written. */
  close(time: number): void;
}

const BUFFER = 1 << 18;

/** Opens a new file, readable by its owner only as the agents make them; counts it in `truth.files`, `bytes` and `lines`. */
export function createLineFile(path: string, truth: Truth): LineFile {
  mkdirSync(dirname(path), { recursive: true });
  const descriptor = openSync(path, 'w', 0o600);
  // One buffer for the whole file: a new one for each row would outrun the garbage collector.
  const buffer = Buffer.allocUnsafe(BUFFER);
  let used = 0;
  let size = 0;
  let lines = 0;
  let glue = false;
  let broken: string | null = null;

  const flush = () => {
    writeWhole(descriptor, buffer.subarray(0, used));
    used = 0;
  };
  const putBytes = (bytes: Buffer) => {
    flush();
    writeWhole(descriptor, bytes);
    size += bytes.length;
  };
  const put = (text: string) => {
    const length = Buffer.byteLength(text);
    if (length > BUFFER) return putBytes(Buffer.from(text));
    if (length > BUFFER - used) flush();
    used += buffer.write(text, used);
    size += length;
  };
  const endLine = () => {
    put('\n');
    lines++;
  };

  return {
    size: () => size,
    row: (row) => {
      const text = JSON.stringify(row);
      if (broken !== null && text.includes(broken)) {
        putBytes(withBadByte(text, broken));
        broken = null;
      } else {
        put(text);
      }
      if (glue) glue = false;
      else endLine();
    },
    glueNextRow: () => {
      glue = true;
    },
    blankLine: endLine,
    breakNextRow: (word) => {
      broken = word;
    },
    tornRow: (row) => {
      const bytes = Buffer.from(JSON.stringify(row));
      putBytes(bytes.subarray(0, bytes.length >> 1));
      lines++;
    },
    longLine: (head, pieces, tail) => {
      put(head);
      for (const piece of pieces) put(piece);
      put(tail);
      endLine();
    },
    close: (time) => {
      flush();
      closeSync(descriptor);
      utimesSync(path, time / 1000, time / 1000);
      truth.files++;
      truth.bytes += size;
      truth.lines += lines;
    },
  };
}

function withBadByte(text: string, word: string): Buffer {
  const bytes = Buffer.from(text);
  bytes[bytes.indexOf(word)] = 0xff;
  return bytes;
}

function writeWhole(descriptor: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}
