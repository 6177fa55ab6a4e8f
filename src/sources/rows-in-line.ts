// The rows of a line, in its bytes: nearly always one. Of a damaged line, those that the full reader recovers: see jsonl.ts.

import { behindSpace } from './json-bytes.ts';
import type { Fields } from './json-fields.ts';
import { Odd } from './odd.ts';
import { piecesOf } from './pieces.ts';

/** Looks for the fields in every row of the line that ends before the line feed at `to`; `take` is called for each. */
export function eachRowIn(bytes: Buffer, from: number, to: number, fields: Fields, take: () => void): void {
  if (behindSpace(bytes, from) === to) return;
  if (fields.areIn(bytes, from, to)) {
    take();
    return;
  }
  const line = bytes.subarray(from, to);
  if (line.includes(0)) throw new Odd('NUL bytes');
  if (isJson(line)) throw new Odd('a value that is no object');
  for (const piece of piecesOf(line)) {
    if (!fields.areIn(bytes, from + piece.from, from + piece.to)) throw new Odd('a row that was not recovered');
    take();
  }
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}
