// Most bytes of a history are the texts of tools and screenshots: whoever needs only their beginnings and ends need not
// parse the rest. A line's long strings are cut before it is parsed, at about the speed at which it is read.

import type { Json } from '../schema/blocks.ts';
import { longStrings } from './long-strings.ts';

const BACKSLASH = 0x5c;
const U = 0x75;

/** Strings of more bytes than this are cut to so many at the beginning and at the end. */
export const LONGEST = 16 * 1024;
const HEAD = 12 * 1024;
const TAIL = 4 * 1024;

interface Left {
  head: number;
  tail: number;
}

export const SHORT: Left = { head: HEAD, tail: TAIL };
/** Of texts of which it is known that nobody asks for more than how they begin and end. */
export const LITTLE: Left = { head: 96, tail: 32 };

/** Stands where a string was cut. No text has it: nobody writes these three characters in a row. */
export const CUT = '\u0001\u0000\u0001';
const CUT_TEXT = '\\u0001\\u0000\\u0001';
const CUT_JSON = Buffer.from(CUT_TEXT);

let scratch = Buffer.alloc(0);

/**
 * The line with its long strings cut, valid until the next call; undefined where none is long, or a string has no end, or is none: what
 * is cut out would not be missed, and the line is one that cannot be parsed.
 */
export function shortened(line: Buffer): Buffer | undefined {
  const long = longStrings(line, LONGEST);
  if (long.length === 0) return undefined;
  let length = 0; // bytes in scratch
  let from = 0; // not yet copied from here on
  for (let i = 0; i < long.length; i += 2) {
    const [begin = 0, end = 0] = [long[i], long[i + 1]];
    const head = line.subarray(from, cutBefore(line, begin, begin + HEAD));
    if (scratch.length < length + head.length + CUT_JSON.length + TAIL) grow(line.length);
    length += head.copy(scratch, length);
    length += CUT_JSON.copy(scratch, length);
    from = cutAfter(line, begin, end - TAIL);
  }
  if (scratch.length < length + line.length - from) grow(line.length);
  length += line.copy(scratch, length, from);
  return scratch.subarray(0, length);
}

/** The text of such a string, whose escapes are gone already: the bytes between these places. They are put together at a third place. */
export function shortText(bytes: Buffer, from: number, to: number, into: number, left: Left): string {
  let head = from + left.head;
  let tail = to - left.tail;
  if (head >= tail) return bytes.toString('utf8', from, to);
  // No letter has more than four bytes; of damage there may be more.
  while (head > from && isContinuation(bytes[head])) head--;
  while (tail < to && isContinuation(bytes[tail])) tail++;
  const cut = into + head - from;
  bytes.copyWithin(into, from, head);
  bytes.write(CUT, cut, 'latin1');
  bytes.copyWithin(cut + CUT.length, tail, to);
  return bytes.toString('utf8', into, cut + CUT.length + to - tail);
}

/** What is cut is longer than what stands in its place: a shortened line is never longer than the line. */
function grow(bytes: number): void {
  const larger = Buffer.allocUnsafe(bytes);
  scratch.copy(larger);
  scratch = larger;
}

function slashesBefore(line: Buffer, begin: number, place: number): number {
  let at = place;
  while (at > begin && line[at - 1] === BACKSLASH) at--;
  return place - at;
}

/** The last place at or before this one that is neither in an escape nor in a character. */
function cutBefore(line: Buffer, begin: number, place: number): number {
  const around = escapeAround(line, begin, place);
  if (around !== undefined) return around.from;
  let at = place;
  while (at > begin && isContinuation(line[at])) at--;
  return at;
}

function cutAfter(line: Buffer, begin: number, place: number): number {
  const around = escapeAround(line, begin, place);
  if (around !== undefined) return around.to;
  let at = place;
  while (isContinuation(line[at])) at++;
  return at;
}

/** The escape sequence that a place lies in: `\n` has two bytes, `\u00e9` six. */
function escapeAround(line: Buffer, begin: number, place: number): { from: number; to: number } | undefined {
  for (let at = place - 1; at >= begin && at >= place - 5; at--) {
    if (line[at] !== BACKSLASH || slashesBefore(line, begin, at) % 2 !== 0) continue;
    const to = at + (line[at + 1] === U ? 6 : 2);
    return to > place ? { from: at, to } : undefined;
  }
  return undefined;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** The end of a text that is the beginning of an escape sequence. */
const OPEN_ESCAPE = /(?<=^|[^\\])(?:\\\\)*(\\(?:u[0-9a-f]{0,3})?)$/i;
const LONGEST_ESCAPE = 6;

/**
 * The value of a JSON text that stood in a string and was cut with it, its own strings cut at that place; undefined where it is none.
 * What was cut may have begun or ended within one of its escape sequences.
 */
export function parsedAround(text: string): Json | undefined {
  const [head = '', ...tails] = text.split(CUT);
  const [tail] = tails;
  if (tail === undefined || tails.length > 1) return undefined;
  const open = OPEN_ESCAPE.exec(head)?.[1] ?? '';
  const begin = `${head.slice(0, head.length - open.length)}${CUT_TEXT}`;
  for (let from = 0; from < LONGEST_ESCAPE; from++) {
    try {
      return JSON.parse(begin + tail.slice(from)) as Json;
    } catch {
      // The rest of an escape sequence: without it, perhaps.
    }
  }
  return undefined;
}
