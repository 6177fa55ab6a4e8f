// Where the terms of a query stand in a text, by the rules of the word lists.

import { GAP, type Letters, MARK } from '../store/letters.ts';
import type { SearchQuery, Term } from './search-query.ts';

/** A place in a text, and which of the things that were looked for stands there. */
export interface FoundPlace {
  start: number;
  end: number;
  what: number;
}

export interface Finder {
  /** How many different things are looked for. */
  count: number;
  /** Where they stand in a text from an offset on, in their order. */
  places(text: string, from: number): Iterable<FoundPlace>;
}

/** Finds what must occur; of several words for the same thing any. */
export function wordFinder({ groups }: Pick<SearchQuery, 'groups'>, letters: Letters): Finder {
  const wanted = groups.flatMap((group, what) => group.flatMap((term) => wantedFrom(term, what, letters)));
  const firsts = new Set(wanted.map(({ words }) => words[0]?.codePointAt(0)));
  const count = new Set(wanted.map(({ what }) => what)).size;
  return { count, places: (text, from) => wordPlaces(text, from, { wanted, firsts, letters }) };
}

interface Wanted {
  wanted: WantedWords[];
  /** How the first words of all of them begin. */
  firsts: ReadonlySet<number | undefined>;
  letters: Letters;
}

function* wordPlaces(text: string, from: number, { wanted, firsts, letters }: Wanted): Generator<FoundPlace> {
  for (let at = from; ; ) {
    const start = wordStart(text, at, letters);
    if (start === undefined) return;
    const isLikely = firsts.has(letters(text.codePointAt(start) ?? 0));
    const found = isLikely ? longestAt(text, start, wanted, letters) : undefined;
    if (found !== undefined) yield found;
    at = found?.end ?? wordEnd(text, start, letters);
  }
}

interface WantedWords {
  words: string[];
  prefix: boolean;
  what: number;
}

function wantedFrom({ text, prefix }: Term, what: number, letters: Letters): WantedWords[] {
  const words = wordsOf(text, letters);
  return words.length === 0 ? [] : [{ words, prefix, what }];
}

/** The words of a text as the word lists have them. */
export function wordsOf(text: string, letters: Letters): string[] {
  const words: string[] = [];
  for (let start = wordStart(text, 0, letters); start !== undefined; ) {
    const end = wordEnd(text, start, letters);
    words.push(folded(text, start, end, letters));
    start = wordStart(text, end, letters);
  }
  return words;
}

function longestAt(text: string, start: number, wanted: WantedWords[], letters: Letters): FoundPlace | undefined {
  let longest: FoundPlace | undefined;
  for (const { words, prefix, what } of wanted) {
    const end = endOf(text, start, { words, prefix, what }, letters);
    if (end !== undefined && end > (longest?.end ?? 0)) longest = { start, end, what };
  }
  return longest;
}

/** Where the words end, if they all stand here one after the other. */
function endOf(text: string, start: number, { words, prefix }: WantedWords, letters: Letters): number | undefined {
  let [at, end]: [number | undefined, number] = [start, start];
  for (const [i, word] of words.entries()) {
    if (at === undefined) return undefined;
    end = wordEnd(text, at, letters);
    const there = folded(text, at, end, letters);
    const isFit = prefix && i === words.length - 1 ? there.startsWith(word) : there === word;
    if (!isFit) return undefined;
    at = i === words.length - 1 ? end : wordStart(text, end, letters);
  }
  return end;
}

function wordStart(text: string, from: number, letters: Letters): number | undefined {
  for (let at = from; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    // A mark that stands alone begins no word.
    if (letters(code) > GAP) return at;
    at += code > 0xffff ? 2 : 1;
  }
  return undefined;
}

function wordEnd(text: string, start: number, letters: Letters): number {
  for (let at = start; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    if (letters(code) === GAP) return at;
    at += code > 0xffff ? 2 : 1;
  }
  return text.length;
}

function folded(text: string, start: number, end: number, letters: Letters): string {
  let word = '';
  for (let at = start; at < end; ) {
    const code = text.codePointAt(at) ?? 0;
    const letter = letters(code);
    if (letter !== MARK) word += String.fromCodePoint(letter);
    at += code > 0xffff ? 2 : 1;
  }
  return word;
}
