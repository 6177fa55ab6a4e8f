// One process at a time writes in a folder.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Lock {
  release(): void;
}

const WAIT_MS = 30_000;
const EVERY_MS = 100;

/** Waits for another process that is at work; one that has died is not waited for. */
export function lockIn(folder: string): Lock {
  const path = join(folder, 'lock');
  for (let waited = 0; ; waited += EVERY_MS) {
    if (taken(path)) return { release: () => rmSync(path, { force: true }) };
    if (isDead(path)) rmSync(path, { force: true });
    else if (waited >= WAIT_MS) throw new Error('another process is at work there');
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EVERY_MS);
  }
}

function taken(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isDead(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    if (pid === process.pid) return true;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM: it is alive, and somebody else's.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
