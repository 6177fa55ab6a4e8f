// The bytes of lines in a memory in which compiled code can walk over them: see json-walk.wat. It is a short cut of json-fields.ts, which
// does without where there is no WebAssembly, or no room for it. Most of the time that tokens take was spent in these walks.

import { newWalks, TABLE_BYTES } from './compiled-walks.ts';

// What lies where, behind the table: the lists and objects that are open, what is asked for, where lines end, lines.
const STACK = TABLE_BYTES;
const FIELDS = 8 * 1024;
const ENDS = 256 * 1024;
const LINES = ENDS + 64 * 1024;
/** One line of the longest that are held, and as much as is read at once. */
const LINES_BYTES = 9 * 1024 * 1024;

const { walks, buffer: walkMemory } = newWalks(LINES + LINES_BYTES);
const buffer = walks === undefined ? new ArrayBuffer(LINES) : walkMemory;

/** All of the memory: places in it are those that the walk gives. */
export const walked = Buffer.from(buffer);

/** For whoever reads lines that are to be walked over; undefined where they cannot be. Only one can use it at a time. */
export const lineBytes = walks === undefined ? undefined : Buffer.from(buffer, LINES, LINES_BYTES);

/** Where fields were found: the object, where the value begins and where it ends. */
export const places = new Int32Array(buffer, 0, ENDS / 4);

const ends = new Int32Array(buffer, ENDS, (LINES - ENDS) / 4);

/** Bytes that some lines have, four to eight of them: `head` are the first four, `tail` the last, which begin `skip` bytes behind the first. */
export interface Mark {
  bytes: Buffer;
  head: number;
  tail: number;
  skip: number;
}

export function markOf(text: string): Mark {
  const bytes = Buffer.from(text);
  const skip = bytes.length - 4;
  if (skip < 0 || skip > 4) throw new RangeError('a mark has four to eight bytes');
  return { bytes, head: bytes.readInt32LE(0), tail: bytes.readInt32LE(skip), skip };
}

/**
 * Where these lines end, each with a number that is 0 where it does not have the mark. Places are those of the memory. Undefined for bytes that
 * are not in it, and where lines are very short.
 */
export function endsWalked(lines: Buffer, { head, tail, skip }: Mark): Int32Array | undefined {
  const from = placeOf(lines);
  if (from === -1 || walks === undefined) return undefined;
  const end = walks.marked(from, from + lines.length, ENDS, LINES, head, tail, skip);
  return end === -1 ? undefined : ends.subarray(0, (end - ENDS) / 4);
}

/** Where these bytes begin in the memory; -1 where they are not in it. */
export function placeOf(bytes: Buffer): number {
  return walks !== undefined && bytes.buffer === buffer ? bytes.byteOffset : -1;
}

/** Walks over the value that begins at this place; gives where it ends. -1: this value is to be looked at in the other way. */
export function walkFrom(at: number, fields: number, object: number): number {
  return walks === undefined ? -1 : walks.walk(at, fields, object, STACK);
}

let free = FIELDS;

/** Room for so many numbers, as an index in `places`; undefined where none is left. */
function room(numbers: number): number | undefined {
  const at = Math.ceil(free / 16) * 16;
  if (at + numbers * 4 > ENDS) return undefined;
  free = at + numbers * 4;
  return at / 4;
}

/** A place for a field, as an index in `places`. Fields are made once, not for each file. */
export function newPlace(): number {
  const place = room(3);
  if (place === undefined) throw new RangeError('too many fields');
  return place;
}

const BUCKETS = 64;

/** What is asked for in an object, for the walk; 0 where there is no room, and what is in there cannot be asked for. */
export function newTable(fields: readonly { key: Uint8Array; place: number; table: number }[]): number {
  const table = room(BUCKETS);
  if (table === undefined) return 0;
  for (const { key, place, table: inner } of fields) {
    const padded = Math.ceil(key.length / 16) * 16;
    const entry = room(4 + padded / 4);
    if (entry === undefined || inner === -1) return 0;
    const bucket = table + (key.length % BUCKETS);
    // The next one whose name is as long, its length, where its place is, what is asked for inside it.
    places.set([places[bucket] ?? 0, key.length, place * 4, inner], entry);
    walked.set(key, entry * 4 + 16);
    places[bucket] = entry * 4;
  }
  return table * 4;
}
