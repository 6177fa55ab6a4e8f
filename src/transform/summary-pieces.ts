// A text cut into pieces of which each is word for word what was written, on one line: sentences, what stands in
// fences, and what only frames the rest. All of them together are the whole text; who tells less of it says so.

import { clip, oneLine } from './summary-sentences.ts';

export interface Piece {
  text: string;
  /** `fenced`: a block in fences or tags of its own. `frame`: the head of a table, a rule, a heading with nothing below it. */
  kind: 'said' | 'fenced' | 'frame';
}

/** Longest sentence worth weighing, and a line that is much longer is data that somebody pasted. */
const LONGEST = 1200;
const LONGEST_LINE = LONGEST * 4;

/** A lead-in ("The cause:") and what it leads to are one, unless they get longer than this. */
const LED = 320;

/** What stands in fences and is no longer is said like the words around it: a command, a name. */
const SHORT_BLOCK = 200;

/** The pieces in order. */
export function piecesOf(text: string): Piece[] {
  return paragraphsOf(text.split('\n')).flatMap(({ text, kind, isHeading }): Piece[] => {
    if (kind === 'said' && isHeading && text.startsWith('#')) return [{ text, kind: 'frame' }];
    return kind === 'said' ? splitSentences(text).map((sentence) => ({ text: sentence, kind })) : [{ text, kind }];
  });
}

/** The sentences of a reply, each to be told by itself. Of code in fences a lead-in says that there was some. */
export function sentencesOf(text: string): string[] {
  const pieces = piecesOf(text);
  return pieces.flatMap(({ text, kind }, index) => {
    if (kind !== 'said') return [];
    const sentence = clip(text.replace(BULLET, ''), LONGEST);
    return pieces[index + 1]?.kind === 'fenced' && sentence.endsWith(':') ? `${sentence} …` : sentence;
  });
}

/** The mark of a list before a word: alone it says nothing. (Before a number it may be a minus.) */
const BULLET = /^[-*+•]\s+(?=[\p{L}`"'“*])/u;

export function isLongBlock({ text, kind }: Piece): boolean {
  return kind === 'fenced' && text.length > SHORT_BLOCK;
}

/** One line of those pieces that are to be told, with … where others are left out. */
export function quoteOf(pieces: readonly Piece[], isTold: (piece: Piece) => boolean): string {
  const parts = pieces.map((piece) => (isTold(piece) ? piece.text : '…'));
  return parts.filter((part, index) => part !== '…' || !parts[index - 1]?.endsWith('…')).join(' ');
}

interface Chunk {
  text: string;
  /** It was one word, and too long. */
  isCut: boolean;
  /** So much of the text comes after it. */
  left: number;
}

/** A text in parts of at most so many characters, cut between words; only a longer word loses something. */
export function* chunksOf(text: string, most: number): Generator<Chunk> {
  for (let from = 0; from < text.length; ) {
    const space = text.length - from <= most ? text.length : text.lastIndexOf(' ', from + most);
    const after = space > from ? space : text.indexOf(' ', from + 1);
    const end = after === -1 ? text.length : after;
    const part = text.slice(from, end);
    from = end + 1;
    yield { text: clip(part, most), isCut: part.length > most, left: Math.max(0, text.length - from) };
  }
}

interface Paragraph extends Piece {
  isHeading: boolean;
  lines: number;
}

const LIST = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;
const HEADING = /^\s*(?:#{1,6}\s|\*\*[^*]{1,80}\*\*:?\s*$)/;
const TABLE_RULE = /^\s*\|?[\s:|-]+\|[\s:|-]*$/;
const WORD = /[\p{L}\p{N}]/u;

function paragraphsOf(lines: readonly string[]): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  const blockEnd = blockEnds(lines);
  let open = false;
  for (let at = 0; at < lines.length; at++) {
    const end = blockEnd(at);
    if (end !== undefined) {
      addBlock(paragraphs, oneLine(lines.slice(at, end + 1).join('\n')));
      open = false;
      at = end;
      continue;
    }
    const whole = lines[at] ?? '';
    const line = whole.length > LONGEST_LINE ? `${whole.slice(0, LONGEST_LINE).toWellFormed()}…` : whole;
    const bare = oneLine(line);
    if (bare !== '') addLine(paragraphs, { line, bare, open });
    open = bare !== '' && !HEADING.test(line);
  }
  return paragraphs;
}

/** What stands in fences goes with the words that lead to it where it is short. */
function addBlock(paragraphs: Paragraph[], text: string): void {
  const last = paragraphs.at(-1);
  if (last !== undefined && text.length <= SHORT_BLOCK && leadsTo(last, text)) append(last, text);
  else paragraphs.push({ text, kind: 'fenced', isHeading: false, lines: 1 });
}

function addLine(paragraphs: Paragraph[], { line, bare, open }: { line: string; bare: string; open: boolean }): void {
  const last = paragraphs.at(-1);
  const isRow = bare.startsWith('|');
  const isHeading = HEADING.test(line);
  const isRule = line.length < 500 && TABLE_RULE.test(line);
  if (last !== undefined && isRule && open) {
    // The row above the rule only names the columns.
    if (last.lines === 1 && last.text.startsWith('|')) last.kind = 'frame';
    append(last, bare);
  } else if (last !== undefined && !isHeading && !isRow && goesOn(last, line, bare, open)) {
    append(last, bare);
  } else paragraphs.push({ text: bare, kind: WORD.test(bare) ? 'said' : 'frame', isHeading, lines: 1 });
}

function append(last: Paragraph, text: string): void {
  last.text = `${last.text} ${text}`;
  last.isHeading = false;
  last.lines++;
}

/** Whether a line belongs to the paragraph before it: wrapped lines do, and what a heading or a lead-in leads to. */
function goesOn(last: Paragraph, line: string, bare: string, open: boolean): boolean {
  const isWrapped = open && !LIST.test(line) && last.text.length < LONGEST_LINE && !last.text.startsWith('|');
  return (isWrapped && last.kind === 'said') || leadsTo(last, bare);
}

function leadsTo(last: Paragraph, text: string): boolean {
  const leads = last.kind === 'said' && (last.isHeading || last.text.endsWith(':'));
  return leads && last.text.length + text.length < LED;
}

const FENCE = /^\s*(`{3,}(?=[^`]*$)|~{3,})/;
// Clients wrap what they add to a message in tags such as <system-reminder>; on lines of their own they are like fences.
const TAG = /^\s*<([a-z]+[-_][a-z_-]+)(?:\s[^<>]*)?>/;
const CLOSING_TAG = /<\/([a-z]+[-_][a-z_-]+)>\s*$/;

/**
 * The last line of the block that opens at a line, where one does. A fence without an end is no fence: "```npm test```
 * fails" is said. Asked for each line once, in order: what was looked for in vain is not looked for again.
 */
function blockEnds(lines: readonly string[]): (at: number) => number | undefined {
  const missing = new Map<string, number>();
  const lastClosing = new Map(lines.map((line, at) => [CLOSING_TAG.exec(line.slice(-100))?.[1] ?? '', at]));
  return (at) => {
    const line = lines[at] ?? '';
    if (line.length > LONGEST_LINE) return undefined;
    const tag = TAG.exec(line)?.[1];
    const fence = FENCE.exec(line)?.[1];
    const opener = tag ?? fence?.[0];
    if (opener === undefined) return undefined;
    const length = fence?.length ?? 0;
    const isMissing =
      tag === undefined ? (missing.get(opener) ?? Infinity) <= length : (lastClosing.get(tag) ?? -1) < at;
    if (isMissing) return undefined;
    const closes = tag === undefined ? closesFence(opener, length) : closesTag(tag);
    for (let end = tag === undefined ? at + 1 : at; end < lines.length; end++) if (closes(lines[end] ?? '')) return end;
    missing.set(opener, length);
    return undefined;
  };
}

function closesFence(sign: string, length: number): (line: string) => boolean {
  return (line) => {
    const bare = line.trim();
    return bare.length >= length && bare.startsWith(sign) && bare === sign.repeat(bare.length);
  };
}

function closesTag(name: string): (line: string) => boolean {
  return (line) => CLOSING_TAG.exec(line.slice(-100))?.[1] === name;
}

const END = /(?:[.!?…]+["'”’)\]*_`]*\s+|[。！？]+)/g;
const ABBREVIATION = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|mr|mrs|dr|no|fig|incl|resp)|\b[A-Za-z]|^\d{1,3})\.\s+$/i;
/** A sentence that begins so leans on the one before it. */
const LEANS =
  /^(?:that|this|it|otherwise|therefore|hence|because|which|without|if not|so|the (?:reason|alternative))\b/i;

function splitSentences(paragraph: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const match of paragraph.matchAll(END)) {
    const to = match.index + match[0].length;
    const piece = paragraph.slice(from, to);
    if (ABBREVIATION.test(piece)) continue;
    pieces.push(piece.trim());
    from = to;
  }
  pieces.push(paragraph.slice(from).trim());
  return joined(pieces.filter((piece) => piece !== ''));
}

/** Short exclamations go with what follows, leaning sentences with what came before: alone they say nothing. */
function joined(pieces: string[]): string[] {
  const result: string[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    const belongs = last !== undefined && (last.length < 25 || LEANS.test(piece)) && last.length + piece.length < 360;
    if (belongs) result[result.length - 1] = `${last} ${piece}`;
    else result.push(piece);
  }
  return result;
}
