// Finds some fields of a JSON object in its bytes, and makes nothing of the others. As with `JSON.parse`, of a key that
// stands twice the last one counts, and a key may be written in escapes.

import type { Json } from '../schema/blocks.ts';
import type { JsonObject } from './json-access.ts';
import {
  BACKSLASH,
  behindColon,
  behindSpace,
  CLOSE_OBJECT,
  COMMA,
  endOfPlain,
  endOfString,
  endOfValue,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from './json-bytes.ts';
import { Odd } from './odd.ts';
import type { SeenIds } from './seen-ids.ts';

/** Counts the objects that were looked through: what a field has of another one than the last is no longer there. */
let objects = 0;

/** A field that is asked for, by its name, and what is asked for inside it. */
export class Field {
  readonly name: string;
  readonly key: Uint8Array;
  readonly first: number | undefined;
  readonly inner: Fields | null;
  /** The object that it was last found in, and where its value stands. */
  private object = 0;
  private bytes: Buffer = NOTHING;
  private from = 0;
  private to = 0;

  constructor(name: string, inner: Field[] = []) {
    this.name = name;
    this.key = Buffer.from(name);
    this.first = this.key[0];
    this.inner = inner.length === 0 ? null : new Fields(inner);
  }

  get isThere(): boolean {
    return this.object === objects;
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
    const text = this.bytes.toString('utf8', this.from + 1, this.to - 1);
    return text.includes('\\') ? JSON.parse(`"${text}"`) : text;
  }

  /** Is it this string? Tells without making a string of it. */
  is(text: string): boolean {
    if (!this.begins(QUOTE)) return false;
    const { bytes, from, to } = this;
    const length = to - from - 2;
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
  oneOf(texts: readonly string[]): string | undefined {
    for (const text of texts) if (this.is(text)) return text;
    return this.text;
  }

  /** The number that it is; undefined for any other value. */
  get number(): number | undefined {
    if (!this.isThere) return undefined;
    const { bytes, from, to } = this;
    let number = 0;
    // Nearly all are whole and short; others are left to the language.
    for (let at = from; at < to; at++) {
      const digit = (bytes[at] ?? 0) - 0x30;
      if (digit < 0 || digit > 9 || to - from > 15) return numberIn(this.value);
      number = number * 10 + digit;
    }
    return number;
  }

  /** As `countAt` in json-access.ts. */
  get count(): number {
    const { number } = this;
    return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : 0;
  }

  /** Its value as it is written; undefined where it is not there. */
  get json(): string | undefined {
    return this.isThere ? this.bytes.toString('utf8', this.from, this.to) : undefined;
  }

  /** Its value, whatever it is; undefined where it is not there. */
  get value(): Json | undefined {
    const { json } = this;
    return json === undefined ? undefined : JSON.parse(json);
  }

  /** A string that may have been noted before; it is noted now. */
  isIn(seen: SeenIds): boolean {
    if (!this.begins(QUOTE)) return false;
    const { bytes, from, to } = this;
    // The same string may be written with and without escapes.
    if (endOfPlain(bytes, from + 1) === to - 1) return seen.add(bytes, from + 1, to - 1);
    const text = Buffer.from(this.text ?? '');
    return seen.add(text, 0, text.length);
  }

  /** It stands here, before its value; gives where that ends. */
  found(bytes: Buffer, at: number): number {
    const { inner } = this;
    // Of a key that stands twice, nothing of the first value stays.
    if (inner !== null && this.isThere) inner.forget();
    this.bytes = bytes;
    this.from = at;
    this.to = inner !== null && bytes[at] === OPEN_OBJECT ? inner.foundIn(bytes, at) : endOfValue(bytes, at);
    this.object = objects;
    return this.to;
  }

  forget(): void {
    this.object = 0;
    this.inner?.forget();
  }

  private begins(byte: number): boolean {
    return this.object === objects && this.bytes[this.from] === byte;
  }
}

const NOTHING = Buffer.alloc(0);

function numberIn(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** What is asked for in an object. */
export class Fields {
  private readonly all: readonly Field[];
  /** By the length of their names: most keys of an object have another. */
  private readonly byLength: Field[][] = [];
  /** The object that was last looked into. */
  private bytes: Buffer = NOTHING;
  private from = 0;
  private to = 0;

  constructor(all: readonly Field[]) {
    this.all = all;
    for (let length = 0; length <= Math.max(...all.map(({ key }) => key.length)); length++)
      this.byLength.push(all.filter(({ key }) => key.length === length));
  }

  /** Looks into the object that stands from `from` to `to`, before a line feed or whole; false where there is anything else, or more. */
  areIn(bytes: Buffer, from: number, to: number): boolean {
    objects++;
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    const begin = behindSpace(bytes, from);
    if (bytes[begin] !== OPEN_OBJECT) return false;
    try {
      return behindSpace(bytes, this.foundIn(bytes, begin)) === to;
    } catch (error) {
      if (error instanceof Odd) return false;
      throw error;
    }
  }

  /** Looks for other fields in the object that these were looked for in. */
  lookAgain(others: Fields): void {
    others.areIn(this.bytes, this.from, this.to);
  }

  /** The object that was last looked into. */
  get value(): JsonObject {
    return JSON.parse(this.bytes.toString('utf8', this.from, this.to));
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
