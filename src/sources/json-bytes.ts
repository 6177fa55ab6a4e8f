// Where JSON values end, in bytes. It takes exactly what `JSON.parse` takes; what was cut, glued or damaged in any place is
// odd. To have all values built and thrown away again takes twice as long.

import { Odd } from './odd.ts';

const TAB = 0x09;
const RETURN = 0x0d;
const SPACE = 0x20;
export const QUOTE = 0x22;
const PLUS = 0x2b;
export const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
export const OPEN_LIST = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

export function behindSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  // Hardly ever is there any.
  while ((bytes[at] ?? 0) <= SPACE && isSpace(bytes[at])) at++;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB || byte === RETURN;
}

/** What closes the lists and objects that are open. Deeper ones than any that were seen are odd. */
const open = new Uint8Array(512);

/** Where the value that begins here ends; behind the text a line feed must stand, which ends what was cut. One loop: most bytes are passed here. */
export function endOfValue(bytes: Uint8Array, begin: number): number {
  let at = begin;
  let depth = 0;
  for (;;) {
    const first = bytes[at];
    if (first === QUOTE) at = endOfString(bytes, at + 1);
    else if (first === OPEN_OBJECT) {
      at = behindSpace(bytes, at + 1);
      if (bytes[at] === CLOSE_OBJECT) at++;
      else {
        open[depth++] = CLOSE_OBJECT;
        at = behindKey(bytes, at);
        continue;
      }
    } else if (first === OPEN_LIST) {
      at = behindSpace(bytes, at + 1);
      if (bytes[at] === CLOSE_LIST) at++;
      else {
        open[depth++] = CLOSE_LIST;
        continue;
      }
    } else at = endOfScalar(bytes, at);
    while (depth > 0) {
      const closes = open[depth - 1];
      at = behindSpace(bytes, at);
      const next = bytes[at];
      if (next === COMMA) {
        at = behindSpace(bytes, at + 1);
        if (closes === CLOSE_OBJECT) at = behindKey(bytes, at);
        break;
      }
      if (next !== closes) throw new Odd('no JSON');
      depth--;
      at++;
    }
    if (depth === 0) return at;
  }
}

/** Where the value of the key that begins here begins. */
function behindKey(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== QUOTE) throw new Odd('no JSON');
  return behindColon(bytes, endOfString(bytes, at + 1));
}

/** Where a value begins whose key ends here. */
export function behindColon(bytes: Uint8Array, end: number): number {
  const at = behindSpace(bytes, end);
  if (bytes[at] !== COLON) throw new Odd('no JSON');
  return behindSpace(bytes, at + 1);
}

/** Bytes that mean nothing but themselves in a string. */
const PLAIN = new Uint8Array(256).fill(1, SPACE);
PLAIN[QUOTE] = 0;
PLAIN[BACKSLASH] = 0;

const ESCAPES = bytesIn('"\\/bfnrt');
const HEX_DIGITS = bytesIn('0123456789abcdefABCDEF');

function bytesIn(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) table[byte] = 1;
  return table;
}

/** The place behind the closing quote of the string whose first byte stands here. */
export function endOfString(bytes: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    at = endOfPlain(bytes, at);
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte !== BACKSLASH) throw new Odd('no JSON');
    at = endOfEscape(bytes, at);
  }
}

/** The first byte from here on that has a meaning in a string. */
export function endOfPlain(bytes: Uint8Array, from: number): number {
  let at = from;
  while (PLAIN[bytes[at] ?? 0] === 1) at++;
  return at;
}

function endOfEscape(bytes: Uint8Array, at: number): number {
  const byte = bytes[at + 1] ?? 0;
  if (ESCAPES[byte] === 1) return at + 2;
  if (byte !== 0x75) throw new Odd('no JSON');
  for (let i = at + 2; i < at + 6; i++) if (HEX_DIGITS[bytes[i] ?? 0] !== 1) throw new Odd('no JSON');
  return at + 6;
}

const WORDS = new Map(['true', 'false', 'null'].map((word) => [word.charCodeAt(0), Buffer.from(word)]));

/** A number, `true`, `false` or `null`. */
function endOfScalar(bytes: Uint8Array, at: number): number {
  const word = WORDS.get(bytes[at] ?? 0);
  if (word === undefined) return endOfNumber(bytes, at);
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) throw new Odd('no JSON');
  return at + word.length;
}

function endOfNumber(bytes: Uint8Array, from: number): number {
  let at = bytes[from] === MINUS ? from + 1 : from;
  at = bytes[at] === ZERO ? at + 1 : endOfDigits(bytes, at);
  if (bytes[at] === POINT) at = endOfDigits(bytes, at + 1);
  if (bytes[at] !== 0x65 && bytes[at] !== 0x45) return at;
  const sign = bytes[at + 1];
  return endOfDigits(bytes, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
}

function endOfDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isDigit(bytes[at])) at++;
  if (at === from) throw new Odd('no JSON');
  return at;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}
