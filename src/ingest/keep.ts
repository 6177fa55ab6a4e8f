// Copies native files to safety: packed, by their content, so that nothing is kept twice.

import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { makeFolder } from '../store/make-folder.ts';
import type { NativeFile } from './home.ts';
import { appendIndex, contentPath, type KeptFile, PIECE, readIndex } from './kept-index.ts';
import { lockIn } from './lock.ts';

export interface KeepResult {
  /** Files that are new, or have grown. */
  kept: number;
  /** Files that are there as they are. */
  unchanged: number;
  bytes: number;
  packed_bytes: number;
  /** Files that could not be kept. */
  troubles: { path: string; message: string }[];
}

export interface Keeper {
  keep(files: NativeFile[]): KeepResult;
  close(): void;
}

/** `folder` and all in it can be read by nobody else. Throws where it cannot be written to, or another one is at work for long. */
export function keeperIn(folder: string, kept_at: string): Keeper {
  makeFolder(join(folder, 'content'));
  const lock = lockIn(folder);
  // What a process that was killed left half written.
  for (const name of readdirSync(join(folder, 'content')))
    if (name.startsWith('.')) rmSync(join(folder, 'content', name), { force: true });
  const known = new Map<string, KeptFile[]>();
  for (const entry of readIndex(folder)) note(known, entry);

  const keepOne = (file: NativeFile, result: KeepResult): void => {
    const before = known.get(keyOf(file))?.at(-1);
    if (before !== undefined && isSame(before, file) && isWhole(before, folder)) {
      result.unchanged++;
      return;
    }
    const packed = pack(file, folder, before?.bytes ?? null);
    const entry: KeptFile = { root: file.root, path: file.path, ...packed.entry, kept_at };
    appendIndex(folder, entry);
    note(known, entry);
    // Nothing is let go of before the new content is safe, and known.
    const isContained =
      packed.beginning === before?.sha256 || (file.isCompanion && entry.bytes >= (before?.bytes ?? 0));
    if (before !== undefined && isContained) letGo(before, known, folder);
    result.kept++;
    result.bytes += entry.bytes;
    result.packed_bytes += packed.isNew ? sum(entry.pieces) : 0;
  };

  return {
    keep(files) {
      const result: KeepResult = { kept: 0, unchanged: 0, bytes: 0, packed_bytes: 0, troubles: [] };
      for (const file of files) {
        try {
          keepOne(file, result);
        } catch (error) {
          result.troubles.push({ path: file.path, message: (error as Error).message });
        }
      }
      return result;
    },
    close: lock.release,
  };
}

function keyOf({ root, path }: { root: string; path: string }): string {
  return `${root}\n${path}`;
}

function note(known: Map<string, KeptFile[]>, entry: KeptFile): void {
  known.set(keyOf(entry), [...(known.get(keyOf(entry)) ?? []), entry]);
}

function isSame(entry: KeptFile, file: NativeFile): boolean {
  return entry.bytes === file.bytes && entry.modified_ms === file.modified_ms;
}

/** Content that was cut is kept again, as long as the file is there. */
function isWhole({ sha256, pieces }: KeptFile, folder: string): boolean {
  return statSync(contentPath(folder, sha256), { throwIfNoEntry: false })?.size === sum(pieces);
}

/** Content that the newer one begins with is let go of. What an agent rewrote stays: it may hold what is lost. */
function letGo(before: KeptFile, known: Map<string, KeptFile[]>, folder: string): void {
  for (const [key, entries] of known)
    known.set(
      key,
      entries.filter((entry) => entry !== before),
    );
  const isUsed = [...known.values()].some((entries) => entries.some(({ sha256 }) => sha256 === before.sha256));
  if (!isUsed) rmSync(contentPath(folder, before.sha256), { force: true });
}

interface Packed {
  entry: Pick<KeptFile, 'bytes' | 'modified_ms' | 'sha256' | 'pieces'>;
  /** The hash of as many bytes as it had before: what it was then, if it has only grown. */
  beginning: string | null;
  isNew: boolean;
}

/** With a checksum: a copy that rots on its disk is found out. Made when it is needed, since `node:zlib` takes milliseconds to load. */
const checked = () => ({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });

/** Written beside, made sure of, then renamed: neither a crash nor a full disk leaves half a content under its name. */
function pack({ absolute, modified_ms }: NativeFile, folder: string, had: number | null): Packed {
  const scratch = join(folder, 'content', `.${process.pid}-${Math.floor(performance.now() * 1000)}`);
  const from = openSync(absolute, 'r');
  let to: number | undefined;
  try {
    to = openSync(scratch, 'wx', 0o600);
    const hash = createHash('sha256');
    const piece = Buffer.allocUnsafe(PIECE);
    const pieces: number[] = [];
    let [bytes, beginning]: [number, string | null] = [0, null];
    for (let got = fill(from, piece, bytes); got > 0; got = fill(from, piece, bytes)) {
      const part = piece.subarray(0, got);
      if (had !== null && had > bytes && had <= bytes + got)
        beginning = hash
          .copy()
          .update(part.subarray(0, had - bytes))
          .digest('hex');
      hash.update(part);
      pieces.push(writeWhole(to, zstdCompressSync(part, checked())));
      bytes += got;
    }
    fsyncSync(to);
    if (fstatSync(to).size !== sum(pieces)) throw new Error('it could not be written whole');
    const sha256 = hash.digest('hex');
    const path = contentPath(folder, sha256);
    const isNew = !existsSync(path);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    renameSync(scratch, path);
    return { entry: { bytes, modified_ms, sha256, pieces }, beginning, isNew };
  } finally {
    closeSync(from);
    if (to !== undefined) closeSync(to);
    rmSync(scratch, { force: true });
  }
}

/** On a full disk a write may be short without being an error. */
function writeWhole(descriptor: number, bytes: Buffer): number {
  let written = 0;
  while (written < bytes.length) {
    const more = writeSync(descriptor, bytes, written);
    if (more === 0) throw new Error('the disk is full');
    written += more;
  }
  return written;
}

/** A whole piece, but at the end of the file. */
function fill(descriptor: number, piece: Buffer, at: number): number {
  let got = 0;
  while (got < piece.length) {
    const more = readSync(descriptor, piece, got, piece.length - got, at + got);
    if (more === 0) break;
    got += more;
  }
  return got;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
