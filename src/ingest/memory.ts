// V8 lets garbage pile up to a share of the machine's memory: on a large machine, reading a large history would take
// hundreds of megabytes for a few tens that are in use. So where much is in use, we ask for a collection whenever enough
// has piled up since the last time. Not where little is: each costs more than its own time.
//
// There are two ways to ask. `gc()` collects at once, and V8 then forgets what it has learnt about objects of which none is left:
// between two sessions that is all of them, and what it had made fast is slow again (150 functions each time in a history of 1.2 GB).
// A collection that V8 begins by itself, a little at a time, keeps that (`--retain-maps-for-n-gc`, see spare-processor.ts).
// So it is told that it is time for one, and `gc()` is called only where none came.

import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { WhenToCollect } from './when-to-collect.ts';

const EVERY_BYTES = 4 * 1024 * 1024;
const EVERY_FILES = 512;
/** V8 collects what is left of old ones too late for our limits: after so many it is asked to. */
const MANY_FILES = 16 * 1024;
/** With less in use, there is little that could go. */
const SOME_BYTES = 60 * 1024 * 1024;
/** Less needs no room to be made. */
const MUCH_BYTES = 24 * 1024 * 1024;
/** The space for new objects, both halves of it. */
const YOUNG_BYTES = 32 * 1024 * 1024;

let collect: (() => void) | undefined;
let sinceLast = 0;
const whenToCollect = new WhenToCollect();

/** To be told of all bytes read: they are what garbage is made of. */
export function boundMemory(bytesRead: number): void {
  sinceLast += bytesRead;
  if (sinceLast < EVERY_BYTES) return;
  sinceLast = 0;
  boundYoung();
  const step = whenToCollect.next(getHeapStatistics().used_heap_size);
  if (step === 'collect') collectNow();
  else if (step !== 'nothing') startEarly(step === 'begin');
}

/**
 * V8 begins a collection when a tenth of what it would allow has come since the last one, or, as it is by itself, when nearly all of it has.
 * The flag is one for the whole process.
 */
function startEarly(isEarly: boolean): void {
  setFlagsFromString(`--incremental-marking-hard-trigger=${isEarly ? 10 : 0}`);
}

/** With more in use, half as much again would be too much. */
const COPIED_BYTES = 160 * 1024 * 1024;

/** To be asked before what is held is written down, which takes half as much again as all of it. */
export function hasRoomToCopy(): boolean {
  if (getHeapStatistics().used_heap_size >= COPIED_BYTES) collectNow();
  return getHeapStatistics().used_heap_size < COPIED_BYTES;
}

let wantsRoom = false;

/**
 * To be told before so many bytes are read and held. V8 lets as much garbage pile up as was held at most: before much is held, what is
 * left of others goes. Not at once, but when the first of them are read: if nothing of the kind that reads is there, V8 throws away all
 * code that it made for it.
 */
export function makeRoomFor(bytes: number): void {
  if (bytes > MUCH_BYTES && getHeapStatistics().used_heap_size > SOME_BYTES) wantsRoom = true;
}

/** To be told whenever something is read. */
export function makeRoomIfWanted(): void {
  if (!wantsRoom) return;
  wantsRoom = false;
  collectNow();
}

let files = 0;

/** To be told of each file that is found or opened: of many small ones little is read, and much is held. */
export function boundMemoryByFiles(): void {
  if (++files % EVERY_FILES === 0) boundYoung();
  if (files % MANY_FILES === 0) collectNow();
}

function collectNow(): void {
  collect ??= exposedCollector();
  collect();
  if (whenToCollect.collected(getHeapStatistics().used_heap_size)) startEarly(false);
}

/**
 * The flag is one for the whole process, and several threads may ask for their collectors at once: whoever took it back would take it
 * from the others. So it stays.
 */
function exposedCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('globalThis.gc');
  return typeof gc === 'function' ? () => gc() : () => {};
}

let isYoungBound = false;

/** The space for new objects doubles while much of it survives, to 128 MB on a large machine. It stays at what is enough. */
function boundYoung(): void {
  if (isYoungBound) return;
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  if (young === undefined || young.space_size < YOUNG_BYTES) return;
  isYoungBound = true;
  setFlagsFromString('--semi-space-growth-factor=1');
}
