// A line that does not parse: objects whose line feed was lost (seen in the wild in both
// Claude Code and Codex files), an object that was cut by a crash and another after it,
// or NUL bytes from a crash of the machine. Finds the whole JSON objects in it.

import type { Json } from '../schema/blocks.ts';

export interface Piece {
  from: number;
  to: number;
  value: Json;
}

/** A torn object in front of a whole one: how many characters to walk at the most, over all places tried. */
const WALK_CHARACTERS = 50_000_000;

/** Pieces of a line given as its bytes, one character each: places are bytes, whatever the bytes mean. */
export function piecesOf(bytes: Buffer): Piece[] {
  const text = bytes.toString('latin1');
  const parse = (from: number, to: number): Json | undefined => parsed(bytes.toString('utf8', from, to));
  const end = text.trimEnd().length;
  const pieces = chainFrom(text, 0, parse);
  let at = pieces.at(-1)?.to ?? 0;
  if (at === end) return pieces;
  // What is left is cut somewhere. An object inside a cut object is no row: only what
  // stands whole up to the end of the line can have been written after the cut.
  for (let walked = 0; walked < WALK_CHARACTERS; walked += end - at) {
    at = text.indexOf('{"', at + 1);
    if (at === -1) break;
    const rest = chainFrom(text, at, parse);
    if (rest[0]?.from === at && rest.at(-1)?.to === end) return [...pieces, ...rest];
  }
  return pieces;
}

/** The objects that follow one another from `from` on, with nothing but space between. */
function chainFrom(text: string, from: number, parse: (from: number, to: number) => Json | undefined): Piece[] {
  const pieces: Piece[] = [];
  let at = from;
  for (;;) {
    while (text[at] === ' ') at++;
    if (text[at] !== '{') return pieces;
    const end = endOfObject(text, at);
    const value = end === -1 ? undefined : parse(at, end);
    if (value === undefined) return pieces;
    pieces.push({ from: at, to: end, value });
    at = end;
  }
}

/** Where the object that begins at `start` ends; -1 where it does not. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === 0x5c) i++;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x7b || char === 0x5b) depth++;
    else if (char === 0x7d || char === 0x5d) {
      depth--;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return text.includes('\0') ? withoutNuls(text) : undefined;
  }
}

function withoutNuls(text: string): Json | undefined {
  try {
    return JSON.parse(text.replaceAll('\0', ''));
  } catch {
    return undefined;
  }
}
