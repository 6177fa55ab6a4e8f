// Makes the word lists of many texts at once, as FTS5 would: what lies in its tables is the same, byte for byte, as if it had been given the texts one by one.
// In AssemblyScript; scripts/compile-words.ts makes words-code.ts of it.
//
// Loops that do little are faster than one that does all: FTS5 finds a word, looks it up and adds to its list, and waits for memory each time. Here, the words of a
// text are found, then looked up; and their lists are written when all texts are there.

import { addText, keptEnd, saidCount, textCount } from './lists';
import { ASCII, KEPT, KNOWN, LETTERS, MANY_BYTES, MANY_WORDS, MOST_TEXTS, TEXT, TEXT_BYTES } from './memory';
import { split } from './split';

export { beginLists as begin } from './lists';
export { beginPages, notesPlace, pageCount, writePages } from './pages';

export function textPlace(): usize {
  return TEXT;
}

export function mostBytes(): usize {
  return TEXT_BYTES;
}

export function asciiPlace(): usize {
  return ASCII;
}

/** Where to put what becomes of 256 letters, a number for each. */
export function lettersPlace(block: u32): usize {
  store<u8>(KNOWN + block, 1);
  return LETTERS + <usize>block * 1024;
}

/** No other text should be added. */
export function isFull(): bool {
  return saidCount() > MANY_WORDS || keptEnd() > KEPT + MANY_BYTES || textCount() + 2 > MOST_TEXTS;
}

/** Adds a text of so many bytes, or more of the last one, and gives how many words it has. Less than 0: nothing was added, block -1 - n of letters must be known first. */
export function add(id: u32, bytes: usize, isMore: bool): i32 {
  const end = split(bytes);
  return end < 0 ? <i32>end : <i32>addText(id, end, isMore);
}
