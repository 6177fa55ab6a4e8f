// One process at a time writes in a folder.

import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
    if (isTaken(folder, path)) return { release: () => release(path) };
    const holder = holderOf(path);
    if (holder !== null && !isAlive(holder)) clear(folder, path, holder);
    else if (waited >= WAIT_MS) throw new Error(`another process is at work there (if not, remove ${path})`);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EVERY_MS);
  }
}

/** The lock, if nobody holds it: who only wants to write down what it has read need not wait. */
export function lockNow(folder: string): Lock | undefined {
  const path = join(folder, 'lock');
  const holder = holderOf(path);
  if (holder !== null && !isAlive(holder)) clear(folder, path, holder);
  return isTaken(folder, path) ? { release: () => release(path) } : undefined;
}

/** Written beside, then linked: a lock is never there without the number of its process. */
function isTaken(folder: string, path: string): boolean {
  const own = join(folder, `lock.${process.pid}`);
  try {
    writeFileSync(own, String(process.pid), { mode: 0o600 });
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/** What stands in the lock; null where there is none. */
function holderOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function isAlive(holder: string): boolean {
  const pid = Number(holder);
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is alive, and somebody else's.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Of several that find a dead lock only one moves it away; one that has moved a new lock by mistake puts it back. */
function clear(folder: string, path: string, holder: string): void {
  const aside = join(folder, `lock.dead.${process.pid}`);
  try {
    renameSync(path, aside);
    if (holderOf(aside) !== holder) linkSync(aside, path);
  } catch {
    // Another one was quicker.
  }
  rmSync(aside, { force: true });
}

function release(path: string): void {
  if (holderOf(path) === String(process.pid)) rmSync(path, { force: true });
}
