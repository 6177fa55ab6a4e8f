// Text in columns of a terminal: wide letters take two, marks that join others none.

import stringWidth from 'string-width';

const NARROW = /^[\u0020-\u007e]*$/;

export function widthOf(text: string): number {
  return NARROW.test(text) ? text.length : stringWidth(text);
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

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
  for (const { segment } of [...letters.segment(text)].reverse()) {
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
  for (const { segment } of letters.segment(text)) {
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

/** A word that is longer than a line, in pieces that are not. */
function pieces(word: string, columns: number): string[] {
  if (widthOf(word) <= columns) return [word];
  const found: string[] = [];
  let rest = word;
  while (rest !== '') {
    const head = headOf(rest, columns) || [...letters.segment(rest)][0]?.segment || rest;
    found.push(head);
    rest = rest.slice(head.length);
  }
  return found;
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
