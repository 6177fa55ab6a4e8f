// A reply's Markdown as lines for a terminal. What is no Markdown stays as it was written, line by line.

import MarkdownIt, { type Token } from 'markdown-it';
import { printable } from './plain.ts';
import type { Paint, Tone } from './style.ts';
import { fit, type Span, widthOf, wrapSpans } from './width.ts';

export interface MarkdownOptions {
  /** Columns that may be used. */
  width: number;
  paint: Paint;
}

// No HTML: it is shown as the text that it is.
const parser = new MarkdownIt({ html: false, linkify: false });
// The text of a link as it was written: decoded, it could hold what steers a terminal.
parser.normalizeLinkText = (url: string) => url;

/** Long texts are data more often than prose, and parsing them would be slow. */
const LONGEST = 200_000;

export function markdownLines(text: string, options: MarkdownOptions): string[] {
  if (text.length > LONGEST) return text.split('\n');
  const lines: string[] = [];
  blocks(parser.parse(text, {}), options, lines);
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

interface Nest {
  /** What stands before the first line of the item, then before the others. */
  first: string;
  rest: string;
}

interface Place {
  /** Open lists and quotes. */
  nests: Nest[];
  /** Numbers of the open lists; null for those with bullets. */
  numbers: (number | null)[];
  isTight: boolean;
}

function blocks(tokens: Token[], options: MarkdownOptions, lines: string[]): void {
  const { paint } = options;
  const place: Place = { nests: [], numbers: [], isTight: false };
  const add = (made: string[]) => addLines(made, place, lines);
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined) continue;
    const width = options.width - widthOf(place.nests.map(({ rest }) => rest).join(''));
    switch (token.type) {
      case 'inline':
        add(inlineLines(token, tokens[i - 1], width, paint));
        break;
      case 'paragraph_open':
        place.isTight = token.hidden;
        break;
      case 'fence':
      case 'code_block':
        add(codeLines(token, paint));
        gap(lines);
        break;
      case 'hr':
        add([paint('dim', '─'.repeat(Math.min(width, 20)))]);
        gap(lines);
        break;
      case 'heading_close':
      case 'paragraph_close':
        if (!place.isTight) gap(lines);
        place.isTight = false;
        break;
      case 'bullet_list_open':
      case 'ordered_list_open':
        place.numbers.push(token.type === 'ordered_list_open' ? Number(token.attrGet('start') ?? 1) : null);
        break;
      case 'bullet_list_close':
      case 'ordered_list_close':
        place.numbers.pop();
        if (place.numbers.length === 0) gap(lines);
        break;
      case 'list_item_open':
        place.nests.push(itemNest(place));
        break;
      case 'list_item_close':
      case 'blockquote_close':
        place.nests.pop();
        if (token.type === 'blockquote_close') gap(lines);
        break;
      case 'blockquote_open':
        place.nests.push({ first: paint('dim', '▏ '), rest: paint('dim', '▏ ') });
        break;
      case 'table_open': {
        const end = tokens.findIndex((other, at) => at > i && other.type === 'table_close');
        add(tableLines(tokens.slice(i, end), width, paint));
        gap(lines);
        i = end;
        break;
      }
      default:
    }
  }
}

function itemNest(place: Place): Nest {
  const number = place.numbers.at(-1) ?? null;
  if (number === null) return { first: '• ', rest: '  ' };
  place.numbers[place.numbers.length - 1] = number + 1;
  return { first: `${number}. `, rest: ' '.repeat(`${number}. `.length) };
}

/** An empty line, never two. */
function gap(lines: string[]): void {
  if (lines.length > 0 && lines.at(-1) !== '') lines.push('');
}

/** Lines below the open lists and quotes: a bullet stands only before the first line of its item. */
function addLines(made: string[], place: Place, lines: string[]): void {
  for (const line of made) {
    const prefix = place.nests.map(({ first }) => first).join('');
    for (const nest of place.nests) nest.first = nest.rest;
    lines.push(`${prefix}${line}`.trimEnd());
  }
}

function inlineLines(token: Token, before: Token | undefined, width: number, paint: Paint): string[] {
  const tone: Tone | null = before?.type === 'heading_open' ? 'heading' : null;
  return wrapSpans(safeSpans(token, tone, paint), width).map((line) => painted(line, paint));
}

/** Entities become letters only here: what must not reach a terminal is taken out after that. */
function safeSpans(token: Token, tone: Tone | null, paint: Paint): Span<Tone>[] {
  return spansOf(token.children ?? [], tone, paint).map((span) => ({ ...span, text: printable(span.text) }));
}

function painted(line: Span<Tone>[], paint: Paint): string {
  return line.map(({ text, tone }) => (tone === null ? text : paint(tone, text))).join('');
}

function spansOf(tokens: Token[], base: Tone | null, paint: Paint): Span<Tone>[] {
  // Without colours the marks stay: they tell code from words.
  const isColoured = paint('code', 'x') !== 'x';
  const open: (Tone | null)[] = [base];
  const links: string[] = [];
  const spans: Span<Tone>[] = [];
  const now = () => open.at(-1) ?? null;
  for (const token of tokens) {
    switch (token.type) {
      case 'code_inline':
        spans.push({ text: isColoured ? token.content : `\`${token.content}\``, tone: 'code' });
        break;
      case 'softbreak':
      case 'hardbreak':
        spans.push({ text: '\n', tone: null });
        break;
      case 'strong_open':
        open.push(base ?? 'strong');
        break;
      case 'em_open':
        open.push(base ?? 'emphasis');
        break;
      case 'link_open':
        links.push(String(token.attrGet('href') ?? ''));
        open.push('link');
        break;
      case 'strong_close':
      case 'em_close':
        open.pop();
        break;
      case 'link_close': {
        open.pop();
        const href = links.pop() ?? '';
        if (spans.at(-1)?.text !== href) spans.push({ text: ` (${href})`, tone: 'dim' });
        break;
      }
      case 'image':
        spans.push({ text: `(image: ${token.content || String(token.attrGet('src') ?? '')})`, tone: 'dim' });
        break;
      case 's_open':
      case 's_close':
        spans.push({ text: token.markup, tone: null });
        break;
      default:
        spans.push({ text: token.content, tone: now() });
    }
  }
  return spans;
}

/** Code is never broken into lines: what is copied from a terminal should run. */
function codeLines(token: Token, paint: Paint): string[] {
  const bar = paint('dim', '│ ');
  return token.content
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${bar}${paint('code', line)}`);
}

function tableLines(tokens: Token[], width: number, paint: Paint): string[] {
  const rows: string[][] = [];
  for (const token of tokens) {
    if (token.type === 'tr_open') rows.push([]);
    if (token.type === 'inline')
      rows.at(-1)?.push(
        safeSpans(token, null, paint)
          .map(({ text }) => text)
          .join(''),
      );
  }
  const count = Math.max(0, ...rows.map((row) => row.length));
  const natural = Array.from({ length: count }, (_, i) => Math.max(...rows.map((row) => widthOf(row[i] ?? ''))));
  const widths = shrunk(natural, width - 3 * (count - 1));
  return rows.map((row, i) => {
    const line = widths.map((columns, at) => fit(row[at] ?? '', columns)).join(' │ ');
    return i === 0 ? paint('strong', line) : line;
  });
}

/** The widest columns give way first. */
function shrunk(widths: number[], room: number): number[] {
  const now = [...widths];
  let left = now.reduce((sum, width) => sum + width, 0) - room;
  while (left > 0 && Math.max(...now) > 6) {
    const widest = now.indexOf(Math.max(...now));
    now[widest] = (now[widest] ?? 0) - 1;
    left--;
  }
  return now;
}
