// Kept files as if they still lay in the agent's folder.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import type { Diagnostic } from '../schema/session.ts';
import type { AgentPlace, FileInfo, Files, OpenFile } from '../sources/source.ts';
import { contentPath, type KeptFile, PIECE, readIndex } from './kept-index.ts';
import { isPacked, openUnpacked, unpack } from './zstd.ts';

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
export function withKept(live: Live, kept: KeptFile[], open: Kept['open'], source: AgentPlace): Live {
  if (kept.length === 0) return live;
  const { port } = live;
  const there = new Set(live.files.map(({ path }) => source.fileKey(path)));
  const listed = onePerKey(
    kept.filter(({ path }) => isListed(path, source) && !there.has(source.fileKey(path))),
    source,
  );
  const others = kept.filter(({ path }) => !isListed(path, source));
  if (listed.length + others.length === 0) return live;
  const byPath = new Map([...listed, ...others].map((entry) => [entry.path, entry]));
  const added = listed.map(({ path, bytes, modified_ms }) => ({ path, bytes, modified_ms, kept: true }));
  return {
    files: [...live.files, ...added].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)),
    port: { ...port, open: (path) => openedLive(port, path) ?? openedKept(path, byPath.get(path), open, port) },
  };
}

/** An agent's files, and how they are opened. */
export interface Live {
  files: FileInfo[];
  port: Files;
}

/** Histories are listed; what lies alongside them is opened by name. */
function isListed(path: string, { root, places }: AgentPlace): boolean {
  return places.some((place) => path === `${root.name}/${place}` || path.startsWith(`${root.name}/${place}/`));
}

/** A file that was kept in several places, as it was moved and packed, is one. */
function onePerKey(entries: KeptFile[], source: AgentPlace): KeptFile[] {
  const best = new Map<string, KeptFile>();
  for (const entry of entries) {
    const known = best.get(source.fileKey(entry.path));
    const isPlain = !isPacked(entry.path);
    if (known === undefined || (isPlain && (entry.bytes >= known.bytes || isPacked(known.path))))
      best.set(source.fileKey(entry.path), entry);
  }
  return [...best.values()];
}

function openedLive(port: Files, path: string): OpenFile | undefined {
  try {
    return port.open(path);
  } catch {
    return undefined;
  }
}

function openedKept(path: string, entry: KeptFile | undefined, open: Kept['open'], port: Files): OpenFile {
  if (entry === undefined) return port.open(path); // to say why it cannot be opened
  const file = open(entry);
  return isPacked(path) ? unpacked(file) : file;
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
    last = { number, bytes: unpackedPiece(packed) };
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

/** A piece is one frame: see keep.ts. */
function unpackedPiece(packed: Buffer): Buffer {
  try {
    return zstdDecompressSync(packed);
  } catch {
    throw new Error('its kept copy is damaged');
  }
}

/** A file that the agent itself had packed. */
function unpacked(file: OpenFile): OpenFile {
  const packed = Buffer.allocUnsafe(file.size);
  file.read(packed, 0);
  file.close();
  return openUnpacked(unpack(packed));
}
