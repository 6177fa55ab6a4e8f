// Parses a line with its long strings apart: `JSON.parse` looks at each of their bytes by itself, and where one letter in the whole line
// needs two bytes, all of them take two. Compiled code takes out the escapes sixteen bytes at a time, and each text is decoded by itself.
// That spares a seventh of the time that lines take to be parsed, and half of the garbage.

import type { Json } from '../schema/blocks.ts';
import { newWalks, TABLE_BYTES, type WalkMemory } from './compiled-walks.ts';

/** Shorter lines are parsed sooner than they are looked at. */
export const APART_BYTES = 4 * 1024;
/** Strings of more bytes than this are taken out. */
const LONG = 1024;
/** What the largest lines hold are pictures, which have no escapes. */
const LINE_BYTES = 1024 * 1024;
/** As much as is read at once. */
export const READ_BYTES = 256 * 1024;
// What lies where in the memory, behind the table: notes of strings, notes of lines, what was read, a line that lies elsewhere, texts.
const ENDS = 16 * 1024;
const READ = ENDS + 64 * 1024;
const LINE = READ + READ_BYTES + 16;
const TEXTS = LINE + LINE_BYTES + 16;

/** In the place of a string stands what no agent writes, and its number. */
const MARK = '\\u0000\\u0001';

interface Memory extends WalkMemory {
  bytes: Buffer;
  notes: Int32Array;
}

let memory: Memory | undefined;

function opened(): Memory {
  const { buffer, walks } = newWalks(TEXTS + LINE_BYTES + 16);
  return { buffer, walks, bytes: Buffer.from(buffer), notes: new Int32Array(buffer, 0, walks ? READ / 4 : 0) };
}

/** Room for what is read, where compiled code can look at it; undefined where there is none. Only one can use it at a time. */
export function readBuffer(): Buffer | undefined {
  memory ??= opened();
  return memory.walks === undefined ? undefined : memory.bytes.subarray(READ, READ + READ_BYTES);
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

/**
 * What `JSON.parse` would give; undefined where it must be asked: nothing is long, or something is not as it mostly is. `isAscii` where
 * all bytes of the line are known to be.
 */
export function parsedApart(line: Buffer, isAscii: boolean): Json | undefined {
  memory ??= opened();
  const { walks, bytes, notes, buffer } = memory;
  if (walks === undefined || line.length > LINE_BYTES) return undefined;
  const isHere = line.buffer === buffer;
  const at = isHere ? line.byteOffset : LINE;
  if (!isHere) bytes.set(line, LINE);
  const end = walks.apart(at, at + line.length, LONG, TABLE_BYTES, ENDS, TEXTS);
  if (end === -1 || end === TABLE_BYTES) return undefined;
  const encoding = isAscii ? 'latin1' : 'utf8';
  const texts: string[] = [];
  let rest = '';
  let from = at; // not yet taken from here on
  for (let note = TABLE_BYTES / 4; note < end / 4; note += 4) {
    const piece = bytes.toString(encoding, from, notes[note]);
    if (piece.includes(MARK)) return undefined;
    rest += piece + MARK + texts.length;
    from = notes[note + 1] ?? 0;
    texts.push(bytes.toString('utf8', notes[note + 2], notes[note + 3]));
  }
  const piece = bytes.toString(encoding, from, at + line.length);
  if (piece.includes(MARK)) return undefined;
  rest += piece;
  // Bytes that are no UTF-8 must be told of.
  if (!isAscii && (rest.includes('\ufffd') || texts.some((text) => text.includes('\ufffd')))) return undefined;
  try {
    const value: Json = JSON.parse(rest);
    // A name that was long, a key that stands twice.
    return putBack(value, texts) === texts.length ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Puts texts where their marks are; gives how many marks there were. */
function putBack(value: Json, texts: string[]): number {
  if (typeof value !== 'object' || value === null) return 0;
  let marks = 0;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const text = textAt(value[i], texts);
      if (text === undefined) marks += putBack(value[i] ?? null, texts);
      else {
        value[i] = text;
        marks++;
      }
    }
    return marks;
  }
  for (const key in value) {
    const text = textAt(value[key], texts);
    if (text === undefined) marks += putBack(value[key] ?? null, texts);
    else {
      value[key] = text;
      marks++;
    }
  }
  return marks;
}

/** The text whose mark this is. */
function textAt(value: Json | undefined, texts: string[]): string | undefined {
  return typeof value === 'string' && value.length < 8 && value.startsWith('\0\x01')
    ? texts[Number(value.slice(2))]
    : undefined;
}
