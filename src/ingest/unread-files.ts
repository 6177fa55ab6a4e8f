// Files that cannot be read now, but perhaps can be the next time: no size and no time of theirs changes with that.

import type { DatabaseSync } from 'node:sqlite';
import { unreadMessage } from '../sources/jsonl.ts';
import type { Files, OpenFile } from '../sources/source.ts';
import type { UnreadFile } from '../store/rows.ts';

/** A port that notes what could not be opened, or not be read to its end. */
export function notingUnread(port: Files): { port: Files; unread: () => UnreadFile[] } {
  const messages = new Map<string, string>();
  const noting = <T>(path: string, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (mayPass(error)) messages.set(path, unreadMessage(path, error));
      throw error;
    }
  };
  const open = (path: string): OpenFile => {
    const file = noting(path, () => port.open(path));
    return { ...file, read: (into, at) => noting(path, () => file.read(into, at)) };
  };
  return { port: { ...port, open }, unread: () => [...messages].map(([path, message]) => ({ path, message })) };
}

/** The system refused it. A file that is gone is not listed the next time, and one that is broken stays so until it changes. */
function mayPass(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && code !== 'ENOENT';
}

export function unreadIn(main: DatabaseSync, root: number): UnreadFile[] {
  const rows = main.prepare('select path, message from unread join families on families.id = family where root = ?');
  return rows.all(root).map(({ path, message }) => ({ path: String(path), message: String(message) }));
}

export function canBeOpened(port: Files, path: string): boolean {
  try {
    port.open(path).close();
    return true;
  } catch {
    return false;
  }
}
