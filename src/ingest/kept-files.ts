// Kept files as if they still lay in the agent's folder.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import type { Diagnostic } from '../schema/session.ts';
import type { FileInfo, Files, OpenFile } from '../sources/source.ts';
import { contentPath, type KeptFile, PIECE, readIndex } from './kept-index.ts';

/** What was kept of each root folder. */
export interface Kept {
  filesOf(root: string): KeptFile[];
  open(entry: KeptFile): OpenFile;
  diagnostics: Diagnostic[];
}

export function openKept(folder: string): Kept {
  const { entries, diagnostics } = entriesIn(folder);
  const byRoot = Map.groupBy(richest(entries), (entry) => entry.root);
  return {
    filesOf: (root) => byRoot.get(root) ?? [],
    open: (entry) => openPieces(contentPath(folder, entry.sha256), entry),
    diagnostics,
  };
}

function entriesIn(folder: string): { entries: KeptFile[]; diagnostics: Diagnostic[] } {
  try {
    return { entries: readIndex(folder), diagnostics: [] };
  } catch (error) {
    const message = `What was kept in ${folder} cannot be read: ${(error as Error).message}. Everything else was read.`;
    return { entries: [], diagnostics: [{ code: 'unreadable-folder', message, source: null }] };
  }
}

/** Of a file that was kept several times, the version that holds most: an agent may have emptied it before it was deleted. */
function richest(entries: KeptFile[]): KeptFile[] {
  const best = new Map<string, KeptFile>();
  for (const entry of entries) {
    const key = `${entry.root}\n${entry.path}`;
    if (entry.bytes >= (best.get(key)?.bytes ?? 0)) best.set(key, entry);
  }
  return [...best.values()];
}

/** Live files stand above kept ones: of those only what is gone is read. */
export function withKept(
  live: FileInfo[],
  port: Files,
  kept: KeptFile[],
  open: Kept['open'],
): { files: FileInfo[]; port: Files } {
  const there = new Set(live.flatMap(({ path }) => [path, moved(path)]));
  const isGone = ({ path }: KeptFile) => !there.has(path) && !there.has(moved(path));
  const gone = new Map(kept.filter(isGone).map((entry) => [entry.path, entry]));
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

/** A session's file has its id in its name: an agent that moves it to an archive, or packs it, leaves the name as it is. */
function moved(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.zst$/, '');
  return /[0-9a-f]{8}/.test(name) ? name : path;
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
  if (fstatSync(descriptor).size !== start) {
    closeSync(descriptor);
    throw new Error('its kept copy is damaged');
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
