// Copies native files to safety: packed, by their content, so that nothing is kept twice.

import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import type { NativeFile } from './home.ts';
import { appendIndex, contentPath, type KeptFile, PIECE, readIndex } from './kept-index.ts';

export interface KeepResult {
  /** Files that are new, or have grown. */
  kept: number;
  /** Files that are there as they are. */
  unchanged: number;
  bytes: number;
  packed_bytes: number;
  /** Files that could not be read. */
  troubles: { path: string; message: string }[];
}

export interface Keeper {
  keep(files: NativeFile[]): KeepResult;
}

/** `folder` and all in it can be read by nobody else. */
export function keeperIn(folder: string, kept_at: string): Keeper {
  mkdirSync(join(folder, 'content'), { recursive: true, mode: 0o700 });
  const known = new Map(readIndex(folder).map((entry) => [`${entry.root}\n${entry.path}`, entry]));
  const users = new Map<string, number>();
  for (const { sha256 } of known.values()) users.set(sha256, (users.get(sha256) ?? 0) + 1);

  const keepOne = (file: NativeFile, result: KeepResult): void => {
    const key = `${file.root}\n${file.path}`;
    const before = known.get(key);
    if (before !== undefined && isSame(before, file) && existsSync(contentPath(folder, before.sha256))) {
      result.unchanged++;
      return;
    }
    const packed = pack(file, folder);
    const entry: KeptFile = { root: file.root, path: file.path, ...packed.entry, kept_at };
    appendIndex(folder, entry);
    known.set(key, entry);
    users.set(entry.sha256, (users.get(entry.sha256) ?? 0) + 1);
    if (before !== undefined) letGo(before, entry, folder, users);
    result.kept++;
    result.bytes += entry.bytes;
    result.packed_bytes += packed.isNew ? entry.pieces.reduce((sum, length) => sum + length, 0) : 0;
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
  };
}

function isSame(entry: KeptFile, file: NativeFile): boolean {
  return entry.bytes === file.bytes && entry.modified_ms === file.modified_ms;
}

/** Of a file that has grown the earlier content is let go of. What an agent made smaller stays: it may hold what is lost. */
function letGo(before: KeptFile, now: KeptFile, folder: string, users: Map<string, number>): void {
  if (before.sha256 === now.sha256 || before.bytes > now.bytes) return;
  const left = (users.get(before.sha256) ?? 1) - 1;
  users.set(before.sha256, left);
  if (left === 0) rmSync(contentPath(folder, before.sha256), { force: true });
}

interface Packed {
  entry: Pick<KeptFile, 'bytes' | 'modified_ms' | 'sha256' | 'pieces'>;
  isNew: boolean;
}

/** Written beside, then renamed: a crash leaves no half content under its name. */
function pack({ absolute, modified_ms }: NativeFile, folder: string): Packed {
  const scratch = join(folder, 'content', `.${process.pid}-${Math.floor(performance.now() * 1000)}`);
  const from = openSync(absolute, 'r');
  const to = openSync(scratch, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    const piece = Buffer.allocUnsafe(PIECE);
    const pieces: number[] = [];
    let bytes = 0;
    for (let got = fill(from, piece, bytes); got > 0; got = fill(from, piece, bytes)) {
      const part = piece.subarray(0, got);
      hash.update(part);
      const packed = zstdCompressSync(part);
      writeSync(to, packed);
      pieces.push(packed.length);
      bytes += got;
    }
    const sha256 = hash.digest('hex');
    const path = contentPath(folder, sha256);
    const isNew = !existsSync(path);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (isNew) renameSync(scratch, path);
    return { entry: { bytes, modified_ms, sha256, pieces }, isNew };
  } finally {
    closeSync(from);
    closeSync(to);
    rmSync(scratch, { force: true });
  }
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
