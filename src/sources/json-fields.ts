// Finds some fields of a JSON object in its bytes, and makes nothing of the others. As with `JSON.parse`, of a key that
// stands twice the last one counts, and a key may be written in escapes.

import type { Json } from '../schema/blocks.ts';
import type { JsonObject } from './json-access.ts';
import {
  BACKSLASH,
  behindColon,
  behindSpace,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  endOfPlain,
  endOfString,
  endOfValue,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from './json-bytes.ts';
import { newPlace, newTable, placeOf, places, walked, walkFrom } from './json-walk.ts';
import { Odd } from './odd.ts';
import type { SeenIds } from './seen-ids.ts';

/** Counts the objects that were looked through: what a field has of another one than the last is no longer there. */
let objects = 0;
/** The bytes of the last one. */
let bytes: Buffer = Buffer.alloc(0);

type WordsByLength = readonly (readonly string[])[];

/** Words without letters that take several bytes. */
export function byLength(words: readonly string[]): WordsByLength {
  const longest = Math.max(...words.map(({ length }) => length));
  return Array.from({ length: longest + 1 }, (_, length) => words.filter((word) => word.length === length));
}

/** A field that is asked for, by its name, and what is asked for inside it. */
export class Field {
  readonly name: string;
  readonly key: Uint8Array;
  readonly first: number | undefined;
  readonly inner: Fields | null;
  /** In `places`: the object that it was last found in, and where its value stands. */
  readonly place = newPlace();

  constructor(name: string, inner: Field[] = []) {
    this.name = name;
    this.key = Buffer.from(name);
    this.first = this.key[0];
    this.inner = inner.length === 0 ? null : new Fields(inner);
  }

  /** What is asked for inside it, for the walk. */
  get table(): number {
    return this.inner?.table ?? 0;
  }

  get isThere(): boolean {
    return places[this.place] === objects;
  }

  get isObject(): boolean {
    return this.begins(OPEN_OBJECT);
  }

  get isList(): boolean {
    return this.begins(OPEN_LIST);
  }

  get isText(): boolean {
    return this.begins(QUOTE);
  }

  get isTrue(): boolean {
    return this.begins(0x74);
  }

  /** The string that it is; undefined for any other value. */
  get text(): string | undefined {
    if (!this.begins(QUOTE)) return undefined;
    const text = bytes.toString('utf8', this.from + 1, this.to - 1);
    return text.includes('\\') ? JSON.parse(`"${text}"`) : text;
  }

  /** Is it this string? Tells without making a string of it. */
  is(text: string): boolean {
    // Asked of nearly every row: to ask in turn for where it begins and ends would be calls, unless V8 optimises to the utmost.
    const { place } = this;
    const from = places[place + 1] ?? 0;
    if (places[place] !== objects || bytes[from] !== QUOTE) return false;
    const length = (places[place + 2] ?? 0) - from - 2;
    // What is written in escapes, or in several bytes for a character, is longer.
    if (length < text.length) return false;
    for (let i = 0; i < length; i++) {
      const byte = bytes[from + 1 + i] ?? 0;
      if (byte === BACKSLASH || byte > 0x7f) return this.text === text;
      if (byte !== text.charCodeAt(i)) return false;
    }
    return true;
  }

  /** The one of these strings that it is: most strings are one of few. Any other string is made; undefined for any other value. */
  oneOf(words: WordsByLength): string | undefined {
    for (const word of words[this.to - this.from - 2] ?? []) if (this.is(word)) return word;
    return this.text;
  }

  /** The number that it is; undefined for any other value. */
  get number(): number | undefined {
    if (!this.isThere) return undefined;
    const digits = this.digits();
    return digits === -1 ? numberIn(this.value) : digits;
  }

  /** As `countAt` in json-access.ts. */
  get count(): number {
    if (places[this.place] !== objects) return 0;
    const digits = this.digits();
    if (digits !== -1) return digits;
    const { number } = this;
    return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : 0;
  }

  /** The number that it is if it is whole and short, as nearly all are; -1 for anything else, which is left to the language. */
  private digits(): number {
    const from = places[this.place + 1] ?? 0;
    const to = places[this.place + 2] ?? 0;
    if (to - from > 15) return -1;
    let number = 0;
    for (let at = from; at < to; at++) {
      const digit = (bytes[at] ?? 0) - 0x30;
      if (digit < 0 || digit > 9) return -1;
      number = number * 10 + digit;
    }
    return number;
  }

  /** Its value as it is written; undefined where it is not there. */
  get json(): string | undefined {
    return this.isThere ? bytes.toString('utf8', this.from, this.to) : undefined;
  }

  /** Its value, whatever it is; undefined where it is not there. */
  get value(): Json | undefined {
    const { json } = this;
    return json === undefined ? undefined : JSON.parse(json);
  }

  /** A list of nothing. */
  get isEmpty(): boolean {
    return this.isList && bytes[behindSpace(bytes, this.from + 1)] === CLOSE_LIST;
  }

  /**
   * Looks into every entry of the list that it is, and tells whether that is an object. From then on nothing is known of the object that
   * the list stands in.
   */
  eachEntry(fields: Fields, take: (isObject: boolean) => void): void {
    if (!this.isList || this.isEmpty) return;
    const { to } = this;
    for (let at = behindSpace(bytes, this.from + 1); at < to; at = behindSpace(bytes, at + 1)) {
      const isObject = bytes[at] === OPEN_OBJECT;
      // Behind it stands a comma, or what ends the list.
      at = behindSpace(bytes, fields.behindEntry(at));
      take(isObject);
    }
  }

  /** A string that may have been noted before; it is noted now. */
  isIn(seen: SeenIds): boolean {
    if (!this.begins(QUOTE)) return false;
    const { from, to } = this;
    // The same string may be written with and without escapes.
    if (endOfPlain(bytes, from + 1) === to - 1) return seen.add(bytes, from + 1, to - 1);
    const text = Buffer.from(this.text ?? '');
    return seen.add(text, 0, text.length);
  }

  /** It stands here, before its value; gives where that ends. */
  found(line: Buffer, at: number): number {
    const { inner, place } = this;
    // Of a key that stands twice, nothing of the first value stays.
    if (inner !== null && this.isThere) inner.forget();
    const to = inner !== null && line[at] === OPEN_OBJECT ? inner.foundIn(line, at) : endOfValue(line, at);
    places[place] = objects;
    places[place + 1] = at;
    places[place + 2] = to;
    return to;
  }

  forget(): void {
    places[this.place] = 0;
    this.inner?.forget();
  }

  private get from(): number {
    return places[this.place + 1] ?? 0;
  }

  private get to(): number {
    return places[this.place + 2] ?? 0;
  }

  private begins(byte: number): boolean {
    return this.isThere && bytes[this.from] === byte;
  }
}

function numberIn(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The bytes that were last looked into, and where in the walk's memory they begin. */
let lastLine: Buffer = bytes;
let lastPlace = -1;

/** What is asked for in an object. */
export class Fields {
  private readonly all: readonly Field[];
  /** By the length of their names: most keys of an object have another. */
  private readonly byLength: Field[][] = [];
  /** For the walk; -1 where it cannot be asked for these. */
  readonly table: number;
  /** The object that was last looked into. */
  private from = 0;
  private to = 0;

  constructor(all: readonly Field[]) {
    this.all = all;
    for (let length = 0; length <= Math.max(...all.map(({ key }) => key.length)); length++)
      this.byLength.push(all.filter(({ key }) => key.length === length));
    this.table = newTable(all) || -1;
  }

  /** Looks into the object that stands from `from` to `to`, before a line feed or whole; false where there is anything else, or more. */
  areIn(line: Buffer, from: number, to: number): boolean {
    objects++;
    return this.areWalkedIn(line, from, to) || this.areLookedUpIn(line, from, to);
  }

  /** By the walk, in bytes that it can be asked about. */
  private areWalkedIn(line: Buffer, from: number, to: number): boolean {
    if (line !== lastLine) {
      lastLine = line;
      lastPlace = placeOf(line);
    }
    if (lastPlace === -1 || this.table === -1 || line[from] !== OPEN_OBJECT) return false;
    bytes = walked;
    this.from = lastPlace + from;
    this.to = lastPlace + to;
    return walkFrom(this.from, this.table, objects) === this.to;
  }

  private areLookedUpIn(line: Buffer, from: number, to: number): boolean {
    objects++;
    bytes = line;
    this.from = from;
    this.to = to;
    const begin = behindSpace(line, from);
    if (line[begin] !== OPEN_OBJECT) return false;
    try {
      return behindSpace(line, this.foundIn(line, begin)) === to;
    } catch (error) {
      if (error instanceof Odd) return false;
      throw error;
    }
  }

  /** Looks for other fields in the object that these were just looked for in. */
  lookAgain(others: Fields): void {
    others.areIn(bytes, this.from, this.to);
  }

  /** Looks into the value that begins here, which is known to be whole; gives where it ends. */
  behindEntry(at: number): number {
    objects++;
    const end = bytes === walked && this.table !== -1 ? walkFrom(at, this.table, objects) : -1;
    if (end !== -1) return end;
    objects++;
    return bytes[at] === OPEN_OBJECT ? this.foundIn(bytes, at) : endOfValue(bytes, at);
  }

  /** The object that was just looked into. */
  get value(): JsonObject {
    return JSON.parse(bytes.toString('utf8', this.from, this.to));
  }

  /** Looks into the object that begins here; gives where it ends. */
  foundIn(bytes: Buffer, begin: number): number {
    let at = behindSpace(bytes, begin + 1);
    if (bytes[at] === CLOSE_OBJECT) return at + 1;
    for (;;) {
      if (bytes[at] !== QUOTE) throw new Odd('no JSON');
      const key = at + 1;
      at = endOfPlain(bytes, key);
      const isPlain = bytes[at] === QUOTE;
      at = isPlain ? at + 1 : endOfString(bytes, at);
      const field = isPlain ? this.named(bytes, key, at - 1) : this.inEscapes(bytes, key, at - 1);
      at = behindColon(bytes, at);
      at = behindSpace(bytes, field === undefined ? endOfValue(bytes, at) : field.found(bytes, at));
      if (bytes[at] === CLOSE_OBJECT) return at + 1;
      if (bytes[at] !== COMMA) throw new Odd('no JSON');
      at = behindSpace(bytes, at + 1);
    }
  }

  forget(): void {
    for (const field of this.all) field.forget();
  }

  private named(bytes: Uint8Array, from: number, to: number): Field | undefined {
    const candidates = this.byLength[to - from];
    if (candidates === undefined) return undefined;
    for (const field of candidates) if (field.first === bytes[from] && isAt(bytes, from, field.key)) return field;
    return undefined;
  }

  /** Nobody writes keys with escapes; if somebody does, they mean the same. */
  private inEscapes(bytes: Buffer, from: number, to: number): Field | undefined {
    const name: unknown = JSON.parse(`"${bytes.toString('utf8', from, to)}"`);
    return this.all.find((field) => field.name === name);
  }
}

function isAt(bytes: Uint8Array, from: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[from + i] !== word[i]) return false;
  return true;
}
