// What was kept: one line per file and version, only ever appended. The last line of a file counts.

import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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

export function readIndex(folder: string): KeptFile[] {
  let text: string;
  try {
    text = readFileSync(join(folder, 'index.ndjson'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const last = new Map<string, KeptFile>();
  for (const line of text.split('\n')) {
    const entry = entryIn(line);
    if (entry !== undefined) last.set(`${entry.root}\n${entry.path}`, entry);
  }
  return [...last.values()];
}

/** A line that was cut by a crash is none: its file is kept again the next time. */
function entryIn(line: string): KeptFile | undefined {
  if (line === '') return undefined;
  try {
    return JSON.parse(line) as KeptFile; // written by us, line by line
  } catch {
    return undefined;
  }
}

export function appendIndex(folder: string, entry: KeptFile): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // A line feed in front ends a line that a crash may have cut.
  appendFileSync(join(folder, 'index.ndjson'), `\n${JSON.stringify(entry)}\n`, { mode: 0o600 });
}

/** Where the content of a file lies. */
export function contentPath(folder: string, sha256: string): string {
  return join(folder, 'content', sha256.slice(0, 2), `${sha256}.zst`);
}
