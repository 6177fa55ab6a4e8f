// The files of one root folder on this machine.

import { createHash } from 'node:crypto';
import {
  closeSync,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import type { Diagnostic } from '../schema/session.ts';
import type { FileInfo, Files, OpenFile } from '../sources/source.ts';
import { boundMemory, boundMemoryByFiles, makeRoomIfWanted } from './memory.ts';
import { isPacked, openUnpacked, type Unpacked, unpack } from './zstd.ts';

/** Files from this size on are worth the time to keep memory low. */
const LARGE_BYTES = 48 * 1024 * 1024;

export interface Root {
  /** Where it lies. */
  folder: string;
  /** What documents call it: paths in them begin with this, wherever the folder is. */
  name: string;
}

export interface Listing {
  files: FileInfo[];
  diagnostics: Diagnostic[];
}

/** Told of what is come upon while files are listed, by absolute path. */
export interface Walk {
  /** A folder, before it is looked into. */
  folder(path: string, real: string): void;
  /** A file that a link leads to. */
  linkedFile?(path: string): void;
}

/** Opens files by the paths that documents show. */
export function filesOf(root: Root): Files {
  return {
    open: (path) => openAt(absolutePath(root, path)),
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
  };
}

/** The files as if each ended after so many bytes. */
export function beginningOf(port: Files, bytes: number): Files {
  return {
    ...port,
    open: (path) => {
      const file = port.open(path);
      const size = Math.min(file.size, bytes);
      return { ...file, size, read: (into, at) => file.read(into.subarray(0, Math.max(0, size - at)), at) };
    },
  };
}

export function absolutePath(root: Root, path: string): string {
  const inside = root.name === '' ? path : path.slice(root.name.length + 1);
  return join(root.folder, ...inside.split('/'));
}

function openAt(path: string): OpenFile {
  if (isPacked(path)) return unpacked(path);
  const descriptor = openSync(path, 'r');
  boundMemoryByFiles();
  // What is written while we read is read the next time.
  const { size } = fstatSync(descriptor);
  return {
    size,
    read: (into, at) => {
      const got = readSync(descriptor, into, 0, Math.min(into.length, Math.max(0, size - at)), at);
      makeRoomIfWanted();
      if (size > LARGE_BYTES) boundMemory(got);
      return got;
    },
    close: () => closeSync(descriptor),
  };
}

/** The last file that was unpacked: a session's file is opened several times in a row. */
let last: { key: string; file: Unpacked } | undefined;

function unpacked(path: string): OpenFile {
  makeRoomIfWanted();
  const { size, mtimeMs } = statSync(path);
  const key = `${path} ${size} ${mtimeMs}`;
  const file = last?.key === key ? last.file : unpack(readFileSync(path));
  last = { key, file };
  return openUnpacked(file);
}

/** Every file below the given places of a root. What cannot be read is reported. */
export function listFiles(root: Root, places: string[], walk?: Walk): Listing {
  const listing: Listing = { files: [], diagnostics: [] };
  const seen = new Set<string>();
  const real = realOrNot(root.folder);
  if (real !== undefined) for (const place of places) visit({ root, listing, seen, walk }, place, real, undefined);
  listing.files.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return listing;
}

interface Visit {
  root: Root;
  listing: Listing;
  /** Folders that were read, by their real paths. */
  seen: Set<string>;
  walk: Walk | undefined;
}

/** `parent` is the real path of the folder that it is in; `entry` what that folder says of it, which spares asking for folders. */
function visit(to: Visit, inside: string, parent: string, entry: Dirent | undefined): void {
  const { root, listing } = to;
  const absolute = root.folder + sep + (sep === '/' ? inside : inside.replaceAll('/', sep));
  const path = root.name === '' ? inside : `${root.name}/${inside}`;
  try {
    const isPlainFolder = entry?.isDirectory() === true;
    const found = isPlainFolder ? undefined : statSync(absolute);
    if (found?.isFile() === true) {
      listing.files.push({ path, bytes: found.size, modified_ms: found.mtimeMs });
      boundMemoryByFiles();
      if (to.walk?.linkedFile !== undefined && lstatSync(absolute).isSymbolicLink()) to.walk.linkedFile(absolute);
    } else if (isPlainFolder || found?.isDirectory() === true) {
      // Only a link leads to where its name does not say.
      folder(to, inside, isPlainFolder ? parent + sep + entry.name : realpathSync(absolute), absolute, path);
    }
  } catch (error) {
    unreadable(to, inside, path, error);
  }
}

function folder(to: Visit, inside: string, real: string, absolute: string, path: string): void {
  if (to.seen.has(real)) {
    to.listing.diagnostics.push({
      code: 'folder-seen',
      message: `${path} leads to a folder that was read already; it was not read again.`,
      source: null,
    });
    return;
  }
  to.seen.add(real);
  to.walk?.folder(absolute, real);
  for (const entry of readdirSync(absolute, { withFileTypes: true })) visit(to, `${inside}/${entry.name}`, real, entry);
}

function unreadable({ listing }: Visit, inside: string, path: string, error: unknown): void {
  const { code } = error as NodeJS.ErrnoException;
  // A root that is not there is no trouble: that agent was never used.
  if (code === 'ENOENT' && !inside.includes('/')) return;
  const reasons: Record<string, string> = {
    EACCES: 'permission denied',
    ELOOP: 'its links go in a circle',
    // A name that is no text was read with other characters in it: under that name there is nothing.
    ENOENT: path.includes('\ufffd') ? 'its name is no UTF-8' : 'it leads nowhere',
  };
  listing.diagnostics.push({
    code: 'unreadable-folder',
    message: `Cannot read ${path}: ${reasons[String(code)] ?? code}. Everything else was read.`,
    source: null,
  });
}

function realOrNot(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
