// Kept files as if they still lay in the agent's folder.

import { closeSync, openSync, readSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import type { FileInfo, Files, OpenFile } from '../sources/source.ts';
import { contentPath, type KeptFile, PIECE, readIndex } from './kept-index.ts';

/** What was kept of each root folder. */
export interface Kept {
  filesOf(root: string): KeptFile[];
  open(entry: KeptFile): OpenFile;
}

export function openKept(folder: string): Kept {
  const byRoot = Map.groupBy(readIndex(folder), (entry) => entry.root);
  return {
    filesOf: (root) => byRoot.get(root) ?? [],
    open: (entry) => openPieces(contentPath(folder, entry.sha256), entry),
  };
}

/** Live files stand above kept ones: of those only what is gone is read. */
export function withKept(
  live: FileInfo[],
  port: Files,
  kept: KeptFile[],
  open: Kept['open'],
): { files: FileInfo[]; port: Files } {
  const there = new Set(live.map((info) => info.path));
  const gone = new Map(kept.filter((entry) => !there.has(entry.path)).map((entry) => [entry.path, entry]));
  if (gone.size === 0) return { files: live, port };
  const added = [...gone.values()].map(({ path, bytes, modified_ms }) => ({ path, bytes, modified_ms, kept: true }));
  return {
    files: [...live, ...added].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)),
    port: {
      ...port,
      open: (path) => {
        const entry = gone.get(path);
        if (entry === undefined) return port.open(path);
        const file = open(entry);
        return path.endsWith('.zst') ? unpacked(file) : file;
      },
    },
  };
}

/** Pieces are packed one by one, so that any place can be read without the rest. */
function openPieces(path: string, { bytes, pieces }: KeptFile): OpenFile {
  const descriptor = openSync(path, 'r');
  const starts: number[] = [];
  let start = 0;
  for (const length of pieces) {
    starts.push(start);
    start += length;
  }
  let last: { number: number; bytes: Buffer } | undefined;
  const piece = (number: number): Buffer => {
    if (last?.number === number) return last.bytes;
    const packed = Buffer.allocUnsafe(pieces[number] ?? 0);
    readSync(descriptor, packed, 0, packed.length, starts[number] ?? 0);
    last = { number, bytes: zstdDecompressSync(packed) };
    return last.bytes;
  };
  return {
    size: bytes,
    read: (into, at) => {
      let got = 0;
      while (got < into.length && at + got < bytes) {
        const number = Math.floor((at + got) / PIECE);
        const copied = piece(number).copy(into, got, at + got - number * PIECE);
        if (copied === 0) break;
        got += copied;
      }
      return got;
    },
    close: () => closeSync(descriptor),
  };
}

/** A file that the agent itself had packed. */
function unpacked(file: OpenFile): OpenFile {
  const packed = Buffer.allocUnsafe(file.size);
  file.read(packed, 0);
  file.close();
  const bytes = zstdDecompressSync(packed);
  return { size: bytes.length, read: (into, at) => bytes.copy(into, 0, at), close: () => {} };
}
