// The place of a message that shows best why it was found, on one line.

import type { Block } from '../schema/blocks.ts';
import type { Finder, FoundPlace } from './find-words.ts';

export interface MessageText {
  kind: Block['type'];
  text: string;
}

export interface Snippet {
  text: string;
  /** Beginnings and ends of what was looked for, in `text`. */
  marks: [start: number, end: number][];
  from: Block['type'];
}

/** In characters. */
const LENGTH = 160;

/**
 * A stretch that holds the most of what was looked for, and the first of those. Where nothing is found (the words stand in
 * several blocks, or none were asked for), the message's beginning. Null for a message without text.
 */
export function snippetOf(texts: readonly MessageText[], finder: Finder, length: number = LENGTH): Snippet | null {
  let best: { from: MessageText; stretch: Stretch } | undefined;
  for (const from of texts) {
    const stretch = bestStretch(from.text, finder, length);
    if (stretch !== undefined && stretch.count > (best?.stretch.count ?? 0)) best = { from, stretch };
    if (best?.stretch.count === finder.count) break;
  }
  const shown = best ?? firstOf(texts);
  if (shown === undefined) return null;
  return { ...lineAround(shown.from.text, shown.stretch, finder, length), from: shown.from.kind };
}

function firstOf(texts: readonly MessageText[]): { from: MessageText; stretch: Stretch } | undefined {
  for (const from of texts) {
    const start = from.text.search(SEEN);
    if (start !== -1) return { from, stretch: { start, end: start, count: 0 } };
  }
  return undefined;
}

/** From the beginning of one place to the end of another, and how many different things were found there. */
interface Stretch {
  start: number;
  end: number;
  count: number;
}

/** Of a common word there are hundreds of thousands of places in a long text; after so many one is as good as the next. */
const ENOUGH = 10_000;

/** Looks no further than the first stretch that holds everything. */
function bestStretch(text: string, finder: Finder, length: number): Stretch | undefined {
  const near: FoundPlace[] = [];
  const counts = new Map<number, number>();
  let best: Stretch | undefined;
  let seen = 0;
  for (const place of finder.places(text, 0)) {
    near.push(place);
    counts.set(place.what, (counts.get(place.what) ?? 0) + 1);
    for (let first = near[0]; first !== undefined && near.length > 1; first = near[0]) {
      const same = counts.get(first.what) ?? 1;
      // What stands further on again need not be in it twice.
      if (same === 1 && place.end - first.start <= length) break;
      near.shift();
      if (same === 1) counts.delete(first.what);
      else counts.set(first.what, same - 1);
    }
    const start = near[0]?.start ?? place.start;
    if (counts.size > (best?.count ?? 0)) best = { start, end: place.end, count: counts.size };
    if (counts.size === finder.count || ++seen === ENOUGH) break;
  }
  return best;
}

/** So many times its length is taken of the text around a place: much of it may be blanks. */
const AROUND = 4;

function lineAround(
  text: string,
  { start, end, count }: Stretch,
  finder: Finder,
  length: number,
): Omit<Snippet, 'from'> {
  const from = Math.max(0, start - AROUND * length);
  const to = Math.min(text.length, end, start + length) + AROUND * length;
  const { line, places } = folded(text.slice(from, to));
  const inLine = (place: number) => places[Math.min(Math.max(place - from, 0), places.length - 1)] ?? 0;
  const [first, last] = cutAround(line, inLine(start), inLine(end), length);
  const before = first > 0 || from > 0 ? '…' : '';
  const after = last < line.length || to < text.length ? '…' : '';
  const found = count === 0 ? [] : placesBetween(text, { from, start, to }, finder);
  const marks = found.flatMap((place): Snippet['marks'] => {
    const [a, b] = [Math.max(inLine(place.start), first), Math.min(inLine(place.end), last)];
    return a < b ? [[a - first + before.length, b - first + before.length]] : [];
  });
  return { text: `${before}${line.slice(first, last)}${after}`.toWellFormed(), marks };
}

// Control characters would reach the terminal, and with the marks that turn the direction of writing a text can look like another.
const BLANKS = '\\s\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const BLANK = new RegExp(`[${BLANKS}]`);
const SEEN = new RegExp(`[^${BLANKS}]`);

/** As one line, and for every offset of the text where it is in the line. */
function folded(text: string): { line: string; places: Uint32Array } {
  const places = new Uint32Array(text.length + 1);
  let line = '';
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? '';
    const isBlank = BLANK.test(letter);
    // A run of blanks is the last of them, and none at the beginning.
    if (isBlank && !line.endsWith(' ') && line !== '') line += ' ';
    places[at] = isBlank ? Math.max(0, line.length - 1) : line.length;
    if (!isBlank) line += letter;
  }
  const trimmed = line.trimEnd();
  places[text.length] = trimmed.length;
  return { line: trimmed, places: places.map((place) => Math.min(place, trimmed.length)) };
}

/** No word is cut for the sake of so many characters. */
const WORD = 16;

/** What of a line is shown: the place, some of what is before it, more of what is after. */
function cutAround(line: string, start: number, end: number, length: number): [number, number] {
  const room = Math.max(0, length - (end - start));
  const lead = Math.min(start, Math.max(Math.floor(room / 3), room - (line.length - end)));
  const first = start - lead;
  const last = Math.min(line.length, first + length);
  return [wordBegin(line, first, start), wordFinish(line, last, Math.min(end, last))];
}

function wordBegin(line: string, first: number, most: number): number {
  if (first === 0) return 0;
  const blank = line.indexOf(' ', first - 1);
  if (blank !== -1 && blank < Math.min(most, first + WORD)) return blank + 1;
  return isLowHalf(line, first) ? first + 1 : first;
}

function wordFinish(line: string, last: number, least: number): number {
  if (last === line.length) return last;
  const blank = line.lastIndexOf(' ', last);
  if (blank >= Math.max(least, last - WORD)) return blank;
  return isLowHalf(line, last) ? last - 1 : last;
}

/** A letter of two code units is not cut in two. */
function isLowHalf(line: string, at: number): boolean {
  return /[\udc00-\udfff]/.test(line[at] ?? '');
}

/** All that was found in a part of a text. It is begun where a word can begin, so that none is seen half. */
function placesBetween(
  text: string,
  { from, start, to }: { from: number; start: number; to: number },
  finder: Finder,
): FoundPlace[] {
  const blank = from === 0 ? 0 : text.slice(from, start).search(/\s/) + 1;
  const begin = from > 0 && blank === 0 ? start : from + blank;
  const found: FoundPlace[] = [];
  for (const place of finder.places(text, begin)) {
    if (place.start >= to) break;
    found.push(place);
  }
  return found;
}
