import type { Files, OpenFile } from '../sources/source.ts';
import { isPacked } from './zstd.ts';

/** More are opened each time that they are asked for: a process may have only so many. */
const MOST = 32;

/** Leaves files open until the work is done: those of a session are opened for their rows, and again to see when it was used. */
export function withFilesOpen<T>(port: Files, work: (port: Files) => T): T {
  const held = new Map<string, OpenFile>();
  const opened: OpenFile[] = [];
  const open = (path: string): OpenFile => {
    const known = held.get(path);
    if (known !== undefined) return known;
    const file = port.open(path);
    // What was unpacked would take memory.
    if (held.size >= MOST || isPacked(path)) return file;
    const left = { ...file, close: () => undefined };
    held.set(path, left);
    opened.push(file);
    return left;
  };
  try {
    return work({ ...port, open });
  } finally {
    for (const file of opened) file.close();
  }
}
