// The end of a file, enough to know when it was last written to.

import { openedOrNot } from './head-rows.ts';
import type { Files, OpenFile } from './source.ts';
import { timeIn } from './times.ts';

const LIMIT_BYTES = 256 * 1024;

/** The times in the last part of a file, or of what stands in it between two bytes, found by their bytes. */
export function lastTimes(port: Files, path: string, from = 0, to = Number.POSITIVE_INFINITY): string[] {
  const open = openedOrNot(port, path);
  if (open === undefined) return [];
  try {
    const end = Math.min(open.size, to);
    const size = Math.max(0, Math.min(end - from, LIMIT_BYTES));
    const bytes = Buffer.allocUnsafe(size);
    const got = open.read(bytes, end - size);
    const found = bytes.toString('latin1', 0, got).matchAll(/"timestamp":\s*"(\d{4}-\d\d-\d\dT[^"]+)"/g);
    // Copies: a part of the long text would hold all of it, for every session of a home.
    return [...found].flatMap(([, time = '']) => timeIn(Buffer.from(time, 'latin1').toString('latin1')) ?? []);
  } finally {
    open.close();
  }
}

const NAME = Buffer.from('"timestamp":');
const SPACE = 0x20;
const QUOTE = 0x22;

/** Nearly every file has a time so near its end: to look at more of each costs as much as reading a fifth of a history. */
const NEAR_BYTES = 16 * 1024;

/** The latest of them, if there are any, near the end of the file; null where there is none. */
export function lastTime(port: Files, path: string): string | null {
  const open = openedOrNot(port, path);
  if (open === undefined) return null;
  try {
    return latestIn(open, NEAR_BYTES) ?? latestIn(open, LIMIT_BYTES);
  } finally {
    open.close();
  }
}

/** Of the last so many bytes. */
function latestIn(open: OpenFile, most: number): string | null {
  const size = Math.min(open.size, most);
  const bytes = endBuffer.subarray(0, open.read(endBuffer.subarray(0, size), open.size - size));
  let latest: string | null = null;
  for (let at = bytes.indexOf(NAME); at !== -1; at = bytes.indexOf(NAME, at + NAME.length)) {
    let from = at + NAME.length;
    while (bytes[from] === SPACE) from++;
    const to = bytes[from] === QUOTE ? bytes.indexOf(QUOTE, from + 1) : -1;
    const time = to === -1 || to - from > 40 ? null : timeIn(bytes.toString('latin1', from + 1, to));
    if (time !== null && (latest === null || time > latest)) latest = time;
  }
  return latest;
}

/** One for all files: they are asked one after the other. */
const endBuffer = Buffer.allocUnsafe(LIMIT_BYTES);
