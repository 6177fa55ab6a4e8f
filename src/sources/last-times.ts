// The end of a file, enough to know when it was last written to.

import { openedOrNot } from './head-rows.ts';
import type { Files } from './source.ts';

const LIMIT_BYTES = 256 * 1024;

/** The times in the last part of a file, found by their bytes. */
export function lastTimes(port: Files, path: string): string[] {
  const open = openedOrNot(port, path);
  if (open === undefined) return [];
  try {
    const size = Math.min(open.size, LIMIT_BYTES);
    const bytes = Buffer.allocUnsafe(size);
    const got = open.read(bytes, open.size - size);
    const found = bytes.toString('latin1', 0, got).matchAll(/"timestamp":\s*"(\d{4}-\d\d-\d\dT[^"]+)"/g);
    // Copies: a part of the long text would hold all of it, for every session of a home.
    return [...found].map(([, time = '']) => Buffer.from(time, 'latin1').toString('latin1'));
  } finally {
    open.close();
  }
}
