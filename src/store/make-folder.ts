import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** With all that leads to it, for its owner alone. Node's own way never ends where the system refuses a folder without saying why (/proc). */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it by now.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
