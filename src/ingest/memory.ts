// V8 lets garbage pile up to a share of the machine's memory: on a large machine, reading a large
// history would take hundreds of megabytes for a few tens that are in use. So whenever enough has
// piled up since the last time, we ask for a collection.

import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const EVERY_BYTES = 4 * 1024 * 1024;
const GARBAGE_BYTES = 44 * 1024 * 1024;

let collect: (() => void) | undefined;
let sinceLast = 0;
/** What was in use after the last collection. */
let inUse = 0;

/** To be told of all bytes read: they are what garbage is made of. */
export function boundMemory(bytesRead: number): void {
  sinceLast += bytesRead;
  if (sinceLast < EVERY_BYTES) return;
  sinceLast = 0;
  if (getHeapStatistics().used_heap_size < inUse + GARBAGE_BYTES) return;
  collect ??= exposedCollector();
  collect();
  inUse = getHeapStatistics().used_heap_size;
}

function exposedCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return typeof gc === 'function' ? () => gc() : () => {};
}
