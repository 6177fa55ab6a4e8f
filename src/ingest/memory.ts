// V8 lets garbage pile up to a share of the machine's memory: on a large machine, reading a large
// history would take hundreds of megabytes for a few tens that are in use. So every now and then,
// when the heap has grown, we ask for a collection.

import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const EVERY_BYTES = 16 * 1024 * 1024;
const HEAP_BYTES = 112 * 1024 * 1024;

let collect: (() => void) | undefined;
let sinceLast = 0;

/** To be told of all bytes read: they are what garbage is made of. */
export function boundMemory(bytesRead: number): void {
  sinceLast += bytesRead;
  if (sinceLast < EVERY_BYTES) return;
  sinceLast = 0;
  if (getHeapStatistics().total_heap_size < HEAP_BYTES) return;
  collect ??= exposedCollector();
  collect();
}

function exposedCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return typeof gc === 'function' ? () => gc() : () => {};
}
