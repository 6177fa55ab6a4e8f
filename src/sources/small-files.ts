// Files that lie beside a history and are read whole.

import type { Json } from '../schema/blocks.ts';
import { isObject, type JsonObject } from './json-access.ts';
import type { Files } from './source.ts';

/** A small companion file, whole, or its first part; undefined where it cannot be read. */
export function smallText(port: Files, path: string, limit = 4 * 1024 * 1024): string | undefined {
  try {
    const open = port.open(path);
    try {
      const bytes = Buffer.alloc(Math.min(open.size, limit));
      return bytes.toString('utf8', 0, open.read(bytes, 0));
    } finally {
      open.close();
    }
  } catch {
    return undefined;
  }
}

/** What a machine that lost its power leaves behind what was written last. */
export const END_OF_CRASH = /\0+\s*$/;

export function smallJson(port: Files, path: string, limit?: number): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(
      (smallText(port, path, limit) ?? '').replace(/^\uFEFF/, '').replace(END_OF_CRASH, ''),
    );
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
