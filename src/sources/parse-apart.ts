// Parses a line with its long strings apart: `JSON.parse` looks at each of their bytes by itself, and where one letter in the whole line
// needs two bytes, all of them take two. Compiled code takes out the escapes sixteen bytes at a time, and each text is decoded by itself.
// That spares a fifth of the time that all lines of a history take to be parsed.

import type { Json } from '../schema/blocks.ts';
import {
  LINE,
  LINE_BYTES,
  NOTE_NUMBERS,
  NOTES,
  NOTES_END,
  REST,
  readMemory,
  STRING_NOTES,
  TEXTS,
} from './read-memory.ts';
import { LONGEST, shortText } from './shorten.ts';

/** Shorter lines are parsed sooner than they are looked at. */
export const APART_BYTES = 2 * 1024;
/** Strings of more bytes than this are taken out. */
const LONG = 512;

/** Of longer texts only the beginning and the end are needed where they are cut: more of each is taken than is left then, see json-walk.wat and shorten.ts. */
const CUT_BYTES = 48 * 1024;

interface HowParsed {
  /** All bytes of the line are known to be ASCII. */
  isAscii: boolean;
  /** Only beginnings and ends of very long strings are wanted: see shorten.ts. */
  shortens: boolean;
}

/** What `JSON.parse` would give; undefined where it must be asked: nothing is long, or something is not as it mostly is. */
export function parsedApart(line: Buffer, { isAscii, shortens }: HowParsed): Json | undefined {
  const { walks, bytes, notes, buffer } = readMemory();
  if (walks === undefined || line.length > LINE_BYTES) return undefined;
  const isHere = line.buffer === buffer;
  const at = isHere ? line.byteOffset : LINE;
  if (!isHere) bytes.set(line, LINE);
  const most = shortens ? CUT_BYTES : LINE_BYTES;
  const end = walks.apart(at, at + line.length, LONG, NOTES, NOTES_END, TEXTS, REST, most);
  if (end === -1 || end === STRING_NOTES) return undefined;
  const rest = bytes.toString(isAscii ? 'latin1' : 'utf8', REST, notes[NOTES / 4]);
  const texts: string[] = [];
  // By their places, here and elsewhere where it is done for every row: a loop over values makes an object for each until V8 compiles it.
  for (let note = STRING_NOTES / 4; note < end / 4; note += NOTE_NUMBERS) {
    const same = sameBefore(note, bytes, notes);
    texts.push(same === -1 ? textOf(note, bytes, notes, shortens) : (texts[same] ?? ''));
  }
  // Bytes that are no UTF-8 must be told of.
  if (!isAscii && (rest.includes('\ufffd') || texts.some((text) => text.includes('\ufffd')))) return undefined;
  try {
    const value: Json = JSON.parse(rest);
    // A name that was long, a key that stands twice.
    return putBack(value, texts, texts.length) === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The first text that says the same, -1 for none: what a tool wrote often stands in its row twice, and is held once. */
function sameBefore(note: number, bytes: Buffer, notes: Int32Array): number {
  const from = notes[note + 1] ?? 0;
  const to = notes[note + 2] ?? 0;
  for (let other = STRING_NOTES / 4; other < note; other += NOTE_NUMBERS) {
    // In as many bytes, and as many when escapes are taken out.
    if (notes[other] !== notes[note]) continue;
    const begin = notes[other + 1] ?? 0;
    const end = notes[other + 2] ?? 0;
    if (end - begin === to - from && bytes.compare(bytes, from, to, begin, end) === 0)
      return (other - STRING_NOTES / 4) / NOTE_NUMBERS;
  }
  return -1;
}

/** Where a line lies that was read elsewhere is free by now. */
function textOf(note: number, bytes: Buffer, notes: Int32Array, shortens: boolean): string {
  const from = notes[note + 1] ?? 0;
  const to = notes[note + 2] ?? 0;
  return shortens && (notes[note] ?? 0) > LONGEST ? shortText(bytes, from, to, LINE) : bytes.toString('utf8', from, to);
}

/** Puts texts where their marks are, until none of so many is left; gives how many are. */
function putBack(value: Json, texts: string[], marks: number): number {
  if (typeof value !== 'object' || value === null) return marks;
  let left = marks;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left > 0; at++) {
      const text = textAt(value[at] ?? null, texts);
      if (text !== undefined) value[at] = text;
      left = text === undefined ? putBack(value[at] ?? null, texts, left) : left - 1;
    }
    return left;
  }
  for (const key in value) {
    const text = textAt(value[key] ?? null, texts);
    if (text !== undefined) value[key] = text;
    left = text === undefined ? putBack(value[key] ?? null, texts, left) : left - 1;
    if (left === 0) return 0;
  }
  return left;
}

/** The text whose mark this is: no other short string of the line has a U+0000. */
function textAt(value: Json, texts: string[]): string | undefined {
  if (typeof value !== 'string' || value.length !== 4 || value.charCodeAt(0) !== 0) return undefined;
  return texts[(value.charCodeAt(2) - 96) | ((value.charCodeAt(3) - 96) << 5)];
}
