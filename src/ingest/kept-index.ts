// What was kept: one line per file and version, only ever appended.

import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../store/make-folder.ts';

export interface KeptFile {
  /** The agent's folder that it lay in. */
  root: string;
  /** As documents name it. */
  path: string;
  bytes: number;
  modified_ms: number;
  /** Of its content: equal files are kept once. */
  sha256: string;
  /** Lengths of the packed pieces; each holds so many bytes as PIECE says, the last one the rest. */
  pieces: number[];
  kept_at: string;
}

export const PIECE = 4 * 1024 * 1024;

/** Every version of every file, in the order in which they were kept. Throws where there is an index that cannot be read. */
export function readIndex(folder: string): KeptFile[] {
  try {
    const lines = readFileSync(join(folder, 'index.ndjson'), 'utf8').split('\n');
    return lines.map(entryIn).filter((entry) => entry !== undefined);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** A line that was cut by a crash is none: its file is kept again the next time. */
function entryIn(line: string): KeptFile | undefined {
  try {
    const entry = JSON.parse(line) as Partial<KeptFile> | null;
    const isWhole =
      typeof entry?.root === 'string' &&
      typeof entry.path === 'string' &&
      typeof entry.bytes === 'number' &&
      typeof entry.modified_ms === 'number' &&
      /^[0-9a-f]{64}$/.test(entry.sha256 ?? '') &&
      Array.isArray(entry.pieces) &&
      entry.pieces.every((length) => typeof length === 'number');
    return isWhole ? (entry as KeptFile) : undefined; // its fields were just looked at
  } catch {
    return undefined;
  }
}

export function appendIndex(folder: string, entry: KeptFile): void {
  makeFolder(folder);
  // A line feed in front ends a line that a crash may have cut.
  appendFileSync(join(folder, 'index.ndjson'), `\n${JSON.stringify(entry)}\n`, { mode: 0o600, flush: true });
}

/** Where the content of a file lies. */
export function contentPath(folder: string, sha256: string): string {
  return join(folder, 'content', sha256.slice(0, 2), `${sha256}.zst`);
}
