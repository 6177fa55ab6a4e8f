// Text in columns of a terminal: wide letters take two, marks that join others none.

import { eastAsianWidth } from 'get-east-asian-width';

const NARROW = /^[\u0020-\u007e]*$/;
/** Latin letters and the common marks of a sentence: none of them joins another. */
const SINGLE = /^[\u0020-\u007e\u00a0-\u024f\u2010-\u2027]*$/;
/** Letters that are made of several: marks, joined emoji, flags. */
const JOINED = /[\p{Mark}\p{Extended_Pictographic}\p{Regional_Indicator}\p{Default_Ignorable_Code_Point}]/u;
const PICTURE = /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}|.*\ufe0f)/su;
const UNSEEN = /^[\p{Mark}\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}]+$/u;

export function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  let columns = 0;
  for (const letter of JOINED.test(text) ? lettersOf(text) : text) columns += widthOfLetter(letter);
  return columns;
}

function widthOfLetter(letter: string): number {
  if (UNSEEN.test(letter)) return 0;
  return PICTURE.test(letter) ? 2 : eastAsianWidth(letter.codePointAt(0) ?? 0);
}

let segmenter: Intl.Segmenter | undefined;

/** As a person counts them. What knows all of them is made only when it is needed: that takes 15 ms. */
function lettersOf(text: string): string[] {
  if (SINGLE.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** The beginning of a text that fits, with … where something is missing. The text has no colours yet. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns <= 1) return '…'.slice(0, Math.max(0, columns));
  return `${headOf(text, columns - 1)}…`;
}

/** The end of a text that fits: of paths the end tells most. */
export function cutStart(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns <= 1) return '…'.slice(0, Math.max(0, columns));
  const kept: string[] = [];
  let room = columns - 1;
  for (const segment of lettersOf(text).reverse()) {
    room -= widthOf(segment);
    if (room < 0) break;
    kept.unshift(segment);
  }
  return `…${kept.join('')}`;
}

/** Cut or filled to exactly so many columns. */
export function fit(text: string, columns: number): string {
  const short = cut(text, columns);
  return short + ' '.repeat(Math.max(0, columns - widthOf(short)));
}

function headOf(text: string, columns: number): string {
  let [kept, room] = ['', columns];
  for (const segment of lettersOf(text)) {
    room -= widthOf(segment);
    if (room < 0) break;
    kept += segment;
  }
  return kept;
}

/** A piece of text in one tone. */
export interface Span<Tone extends string> {
  text: string;
  tone: Tone | null;
}

/** Breaks spans into lines of at most so many columns, between words where it can. A line feed in the text stays one. */
export function wrapSpans<Tone extends string>(spans: readonly Span<Tone>[], columns: number): Span<Tone>[][] {
  const room = Math.max(8, columns);
  const lines: Span<Tone>[][] = [[]];
  let used = 0;
  const put = (text: string, tone: Tone | null) => {
    const line = lines.at(-1);
    const last = line?.at(-1);
    if (last !== undefined && last.tone === tone) last.text += text;
    else line?.push({ text, tone });
    used += widthOf(text);
  };
  // Blanks at which a line was broken go; those that begin a line of the text are its own.
  let isBroken = false;
  const newLine = (broken: boolean) => {
    lines.push([]);
    used = 0;
    isBroken = broken;
  };
  for (const { text, tone } of spans) {
    for (const word of text.split(/(\n|[^\S\n]+)/)) {
      if (word === '') continue;
      if (word === '\n') newLine(false);
      else if (/^\s+$/.test(word)) {
        if (used < room && !(used === 0 && isBroken)) put(word.slice(0, room - used), tone);
      } else if (used + widthOf(word) <= room) put(word, tone);
      else {
        if (used > 0) newLine(true);
        for (const piece of pieces(word, room)) {
          if (used > 0) newLine(true);
          put(piece, tone);
        }
      }
    }
  }
  return lines.map(trimmed);
}

/** A word that is longer than a line, in pieces that are not: a megabyte without a blank is such a word, too. */
function pieces(word: string, columns: number): string[] {
  if (widthOf(word) <= columns) return [word];
  const found: string[] = [];
  let [piece, room] = ['', columns];
  for (const letter of lettersOf(word)) {
    const width = widthOf(letter);
    if (piece !== '' && width > room) {
      found.push(piece);
      [piece, room] = ['', columns];
    }
    piece += letter;
    room -= width;
  }
  return [...found, piece];
}

/** Blanks at the end of a line are not shown: they would only take part in copies. */
function trimmed<Tone extends string>(line: Span<Tone>[]): Span<Tone>[] {
  const last = line.at(-1);
  if (last === undefined) return line;
  const text = last.text.trimEnd();
  return text === last.text
    ? line
    : text === ''
      ? trimmed(line.slice(0, -1))
      : [...line.slice(0, -1), { ...last, text }];
}

/** Plain text as lines of at most so many columns. */
export function wrapText(text: string, columns: number): string[] {
  return wrapSpans([{ text, tone: null }], columns).map((line) => line.map((span) => span.text).join(''));
}
