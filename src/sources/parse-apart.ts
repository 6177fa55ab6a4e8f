// Parses a line with its long strings apart: `JSON.parse` looks at each of their bytes by itself, and where one letter in the whole line
// needs two bytes, all of them take two. Compiled code takes out the escapes sixteen bytes at a time, and each text is decoded by itself.
// That spares a fifth of the time that all lines of a history take to be parsed.

import type { Json } from '../schema/blocks.ts';
import type { JsonObject } from './json-access.ts';
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
import { LITTLE, LONGEST, SHORT, shortText } from './shorten.ts';

/** Shorter lines are parsed sooner than they are looked at. */
export const APART_BYTES = 2 * 1024;
/** Strings of more bytes than this are taken out. */
const LONG = 512;

/** Of longer texts only the beginning and the end are needed where they are cut: more of each is taken than is left then, see json-walk.wat and shorten.ts. */
const CUT_BYTES = 48 * 1024;

/** Of the text that stands in an object under a name, is a little enough? What is so named is an agent's word: sources say it. */
export type IsLittleEnough = (name: string, holder: JsonObject) => boolean;

interface HowParsed {
  /** All bytes of the line are known to be ASCII. */
  isAscii: boolean;
  /** Only beginnings and ends of very long strings are wanted: see shorten.ts. */
  shortens: boolean;
  /** Asked of long strings, where these are shortened. */
  isLittleEnough?: IsLittleEnough | undefined;
}

/** What `JSON.parse` would give; undefined where it must be asked: nothing is long, or something is not as it mostly is. */
export function parsedApart(line: Buffer, how: HowParsed): Json | undefined {
  const { walks, bytes, notes, buffer } = readMemory();
  if (walks === undefined || line.length > LINE_BYTES) return undefined;
  const isHere = line.buffer === buffer;
  const at = isHere ? line.byteOffset : LINE;
  if (!isHere) bytes.set(line, LINE);
  const most = how.shortens ? CUT_BYTES : LINE_BYTES;
  const end = walks.apart(at, at + line.length, LONG, NOTES, NOTES_END, TEXTS, REST, most);
  if (end === -1 || end === STRING_NOTES) return undefined;
  const rest = bytes.toString(how.isAscii ? 'latin1' : 'utf8', REST, notes[NOTES / 4]);
  // Bytes that are no UTF-8 must be told of.
  if (!how.isAscii && rest.includes('\ufffd')) return undefined;
  try {
    const value: Json = JSON.parse(rest);
    const texts = new LongTexts(bytes, notes, how);
    // A name that was long, a key that stands twice.
    return putBack(value, texts, (end - STRING_NOTES) / 4 / NOTE_NUMBERS) === 0 && !texts.isDamaged ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The strings that were taken out of the line at hand, by the numbers of their marks. */
class LongTexts {
  /** One of them has bytes that are no UTF-8. */
  isDamaged = false;
  private readonly bytes: Buffer;
  private readonly notes: Int32Array;
  private readonly how: HowParsed;
  private readonly made: string[] = [];

  constructor(bytes: Buffer, notes: Int32Array, how: HowParsed) {
    this.bytes = bytes;
    this.notes = notes;
    this.how = how;
  }

  /** Whole, or as much as is left of very long ones. */
  text(mark: number): string {
    const same = this.sameBefore(mark);
    const known = same === -1 ? undefined : this.made[same];
    if (known !== undefined) return known;
    const isCut = this.how.shortens && this.bytesIn(mark) > LONGEST;
    const text = this.checked(
      isCut
        ? shortText(this.bytes, this.begin(mark), this.end(mark), LINE, SHORT)
        : this.bytes.toString('utf8', this.begin(mark), this.end(mark)),
    );
    this.made[mark] = text;
    return text;
  }

  /** As much as its holder is asked for. */
  textIn(holder: JsonObject, name: string, mark: number): string {
    if (!this.how.shortens || this.how.isLittleEnough?.(name, holder) !== true) return this.text(mark);
    // Where a line lies that was read elsewhere is free by now.
    return this.checked(shortText(this.bytes, this.begin(mark), this.end(mark), LINE, LITTLE));
  }

  private checked(text: string): string {
    if (!this.how.isAscii && text.includes('\ufffd')) this.isDamaged = true;
    return text;
  }

  /** The first text that says the same, -1 for none: what a tool wrote often stands in its row twice, and is held once. */
  private sameBefore(mark: number): number {
    const length = this.end(mark) - this.begin(mark);
    for (let other = 0; other < mark; other++) {
      // In as many bytes, and as many when escapes are taken out.
      if (this.bytesIn(other) !== this.bytesIn(mark) || this.end(other) - this.begin(other) !== length) continue;
      const { bytes } = this;
      if (bytes.compare(bytes, this.begin(mark), this.end(mark), this.begin(other), this.end(other)) === 0)
        return other;
    }
    return -1;
  }

  private bytesIn(mark: number): number {
    return this.notes[STRING_NOTES / 4 + mark * NOTE_NUMBERS] ?? 0;
  }

  private begin(mark: number): number {
    return this.notes[STRING_NOTES / 4 + mark * NOTE_NUMBERS + 1] ?? 0;
  }

  private end(mark: number): number {
    return this.notes[STRING_NOTES / 4 + mark * NOTE_NUMBERS + 2] ?? 0;
  }
}

/** Puts texts where their marks are, until none of so many is left; gives how many are. */
function putBack(value: Json, texts: LongTexts, marks: number): number {
  if (typeof value !== 'object' || value === null) return marks;
  let left = marks;
  // By their places, here and elsewhere where it is done for every row: a loop over values makes an object for each until V8 compiles it.
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left > 0; at++) {
      const each = value[at] ?? null;
      const mark = markOf(each);
      if (mark !== -1) value[at] = texts.text(mark);
      left = mark === -1 ? putBack(each, texts, left) : left - 1;
    }
    return left;
  }
  for (const key in value) {
    const each = value[key] ?? null;
    const mark = markOf(each);
    if (mark !== -1) value[key] = texts.textIn(value, key, mark);
    left = mark === -1 ? putBack(each, texts, left) : left - 1;
    if (left === 0) return 0;
  }
  return left;
}

/** The number of the text whose mark this is, -1 for none: no other short string of the line has a U+0000. */
function markOf(value: Json): number {
  if (typeof value !== 'string' || value.length !== 4 || value.charCodeAt(0) !== 0) return -1;
  return (value.charCodeAt(2) - 96) | ((value.charCodeAt(3) - 96) << 5);
}
