// The long strings of a line, found in its bytes.

import { newWalks, TABLE_BYTES, type WalkMemory } from './compiled-walks.ts';
import { endOfString, QUOTE } from './json-bytes.ts';
import { Odd, unless } from './odd.ts';

const LINE = 64 * 1024;
/** Longer ones are looked at in the other way: none is held, see jsonl.ts. */
const LINE_BYTES = 8 * 1024 * 1024;

let memory: (WalkMemory & { bytes: Uint8Array; notes: Int32Array }) | undefined;

function opened() {
  const { buffer, walks } = newWalks(LINE + LINE_BYTES);
  return { buffer, walks, bytes: new Uint8Array(buffer), notes: new Int32Array(buffer, 0, walks ? LINE / 4 : 0) };
}

/** Where strings of more bytes than this begin and end, one after the other; none where a string has no end, or is none. */
export function longStrings(line: Uint8Array, longest: number): ArrayLike<number> {
  memory ??= opened();
  const { walks, bytes, notes } = memory;
  if (walks === undefined || line.length > LINE_BYTES) return longStringsLookedFor(line, longest);
  bytes.set(line, LINE);
  // What was in the memory before goes on no string.
  bytes[LINE + line.length] = 0;
  const end = walks.long(LINE, LINE + line.length, longest, TABLE_BYTES, LINE);
  if (end === -1) return [];
  const found = notes.subarray(TABLE_BYTES / 4, end / 4);
  for (let i = 0; i < found.length; i++) found[i] = (found[i] ?? 0) - LINE;
  return found;
}

/** The same without compiled code. */
export function longStringsLookedFor(line: Uint8Array, longest: number): number[] {
  const found: number[] = [];
  // The end of a line ends what was cut in it.
  const bytes = Buffer.concat([line, Buffer.from('\n')]);
  const isWhole = unless(Odd, () => {
    for (let quote = bytes.indexOf(QUOTE); quote !== -1; ) {
      const end = endOfString(bytes, quote + 1);
      if (end - quote - 2 > longest) found.push(quote + 1, end - 1);
      quote = bytes.indexOf(QUOTE, end);
    }
    return true;
  });
  return isWhole === true ? found : [];
}
