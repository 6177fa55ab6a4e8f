// Is one of some texts in a file? Told by its bytes: no row is parsed for it.

import { openedOrNot } from './head-rows.ts';
import type { Files } from './source.ts';

/** `from`: only what ends behind this byte counts. */
export function holdsAny(port: Files, path: string, texts: readonly string[], from = 0): boolean {
  const open = openedOrNot(port, path);
  if (open === undefined) return false;
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  const overlap = Math.max(...texts.map((text) => text.length));
  try {
    for (let at = Math.max(0, from - overlap); at < open.size; at += buffer.length - overlap) {
      const bytes = buffer.subarray(0, open.read(buffer, at));
      if (texts.some((text) => bytes.includes(text))) return true;
      if (bytes.length < buffer.length) return false;
    }
    return false;
  } finally {
    open.close();
  }
}
