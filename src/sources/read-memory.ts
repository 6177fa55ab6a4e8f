// The memory into which files are read, where compiled code can look at them: it finds lines, and which of them are ASCII.

import { newWalks, TABLE_BYTES, type WalkMemory } from './compiled-walks.ts';

/** As much as is read at once. */
export const READ_BYTES = 256 * 1024;
/** The longest line that is held, and whose strings are looked at. */
export const LINE_BYTES = 8 * 1024 * 1024;
/** More strings of a line than this are not taken out: as many as the two letters of a mark can number, see json-walk.wat. */
const MOST_STRINGS = 1024;
// What lies where, behind the table: notes of strings, notes of lines, what was read, a line that lies elsewhere, texts, what is left of
// the line without them. What was never used takes no room.
export const NOTES = TABLE_BYTES;
/** Where those of strings begin, and as many numbers as each has. */
export const STRING_NOTES = NOTES + 4;
export const NOTE_NUMBERS = 3;
export const NOTES_END = STRING_NOTES + MOST_STRINGS * NOTE_NUMBERS * 4;
const ENDS = 16 * 1024;
const READ = ENDS + 64 * 1024;
export const LINE = READ + LINE_BYTES + 16;
export const TEXTS = LINE + LINE_BYTES + 16;
export const REST = TEXTS + LINE_BYTES + 16;

interface ReadMemory extends WalkMemory {
  bytes: Buffer;
  notes: Int32Array;
}

let memory: ReadMemory | undefined;

/** Made when it is first needed. */
export function readMemory(): ReadMemory {
  memory ??= opened();
  return memory;
}

function opened(): ReadMemory {
  const { buffer, walks } = newWalks(REST + LINE_BYTES + 16);
  return { buffer, walks, bytes: Buffer.from(buffer), notes: new Int32Array(buffer, 0, walks ? READ / 4 : 0) };
}

/** Room for what is read; undefined where there is no compiled code. Only one can use it at a time. */
export function readBuffer(): Buffer | undefined {
  const { walks, bytes } = readMemory();
  return walks === undefined ? undefined : bytes.subarray(READ, READ + READ_BYTES);
}

/** Room for so many bytes that begin with those of the buffer: that of the memory need not be copied. */
export function widened(buffer: Buffer, size: number): Buffer {
  if (memory !== undefined && buffer.buffer === memory.buffer) return memory.bytes.subarray(READ, READ + size);
  const larger = Buffer.allocUnsafe(size);
  buffer.copy(larger);
  return larger;
}

/**
 * Where lines end between these places of a buffer, if it is that one, each with a number that is 0 only where all of the line is ASCII.
 * Undefined for other buffers, and where lines are very short. Places are those of the memory: they begin at `buffer.byteOffset`.
 */
export function lineEnds(buffer: Buffer, from: number, to: number): Int32Array | undefined {
  if (memory?.walks === undefined || buffer.buffer !== memory.buffer) return undefined;
  // Of a line that began before, nothing is known.
  const end = memory.walks.lines(READ + from, READ + to, ENDS, READ, from);
  return end === -1 ? undefined : memory.notes.subarray(ENDS / 4, end / 4);
}
