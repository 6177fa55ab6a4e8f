// What may become of a block in a copy, as rules: the text is made when the copy is written.

import type { Block, Json, ResultPart, Text } from '../schema/blocks.ts';

/** How much of a long text stays: so many characters of its beginning and of its end. */
export interface Cut {
  head: number;
  tail: number;
}

export type BlockChange =
  /** It is left out. */
  | { to: 'nothing' }
  /** A line of ours stands in its place. */
  | { to: 'note'; text: string }
  /** Long texts of a call or a result are cut; images in a result become a line. */
  | { to: 'cut'; cut: Cut }
  /** Images in a result become a line, and what the client keeps beside the result for itself goes. */
  | { to: 'words' };

/** What a reader needs to find the original. */
export interface Origin {
  session_id: string;
  message_id: string;
}

/** A text is cut only where that saves more than the words that say so: so a cut text is never cut again. */
const WORTH = 240;

export function isLong(length: number, { head, tail }: Cut): boolean {
  return length > head + tail + WORTH;
}

/** The block as the copy has it; null where it is left out. */
export function changed(block: Block, change: BlockChange | null, origin: Origin): Block | null {
  if (change === null) return block;
  switch (change.to) {
    case 'nothing':
      return null;
    case 'note':
      return { type: 'text', text: change.text, source: block.source, cleared_by: null };
    case 'words':
      return block.type === 'tool_result'
        ? { ...block, details: null, content: block.content.map((part) => wordsOf(part, origin)) }
        : block;
    case 'cut':
      return cutBlock(block, change.cut, origin);
  }
}

function cutBlock(block: Block, cut: Cut, origin: Origin): Block {
  if (block.type === 'tool_use') return { ...block, input: cutJson(block.input, cut, origin) };
  if (block.type !== 'tool_result') return block;
  const content = block.content.map((part) => {
    const words = wordsOf(part, origin);
    return words.type === 'text' ? { ...words, text: cutText(words.text, cut, origin) } : words;
  });
  return { ...block, details: null, content };
}

function wordsOf(part: ResultPart, origin: Origin): ResultPart {
  return part.type === 'image' ? { type: 'text', text: imageNote(origin) } : part;
}

export function imageNote(origin: Origin): string {
  return `[An image was left out of this copy: ${whereIs(origin)}.]`;
}

/** Every long string in a call's input. */
function cutJson(value: Json, cut: Cut, origin: Origin): Json {
  if (typeof value === 'string') return isLong(value.length, cut) ? cutString(value, cut, origin) : value;
  if (isOmitted(value)) return omittedNote(value, origin);
  if (Array.isArray(value)) return value.map((entry) => cutJson(entry, cut, origin));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutJson(inner, cut, origin)]));
}

/** A string that was too long to read along has no text at hand to keep. */
function cutText(text: Text, cut: Cut, origin: Origin): Text {
  if (typeof text !== 'string') return omittedNote(text, origin);
  return isLong(text.length, cut) ? cutString(text, cut, origin) : text;
}

/** Of a string that was too long to read along. */
export function isOmitted(value: unknown): value is { omitted_bytes: number; offset: number } {
  return typeof value === 'object' && value !== null && 'omitted_bytes' in value && 'offset' in value;
}

function omittedNote({ omitted_bytes }: { omitted_bytes: number }, origin: Origin): string {
  return `[${omitted_bytes} bytes were left out of this copy: ${whereIs(origin)}.]`;
}

function cutString(text: string, { head, tail }: Cut, origin: Origin): string {
  const from = wholeCharacters(text, head);
  const to = wholeCharacters(text, text.length - tail);
  return `${text.slice(0, from)}\n[… ${to - from} characters were left out of this copy: ${whereIs(origin)} …]\n${text.slice(to)}`;
}

/** Not between the two halves of a character outside the basic plane. */
function wholeCharacters(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

/** Where the original stands, as `pal show` takes it. */
export function whereIs({ session_id, message_id }: Origin): string {
  return `session ${session_id}, message ${message_id}`;
}
