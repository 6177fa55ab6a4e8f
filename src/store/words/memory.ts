// What lies where. What is never used takes no room.

/** What becomes of each byte: a small letter or digit, 0 between words, BEYOND where a letter begins that is no ASCII. */
export const ASCII: usize = 1024;
export const BEYOND: u32 = 255;
/** Which blocks of 256 letters are known; and of each letter what is kept of it, 0 between words, -1 for a mark that is left out. */
export const KNOWN: usize = 4096;
export const LETTERS: usize = 64 * 1024;
const BLOCKS: usize = 0x1100;

export const TEXT: usize = LETTERS + BLOCKS * 1024;
export const TEXT_BYTES: usize = 1024 * 1024;
/** The words of a text, folded, each filled up to eight bytes with at least one zero: of single letters that is four times as much. */
export const FOLDED: usize = TEXT + TEXT_BYTES + 64;
/** Where words are kept, by their hashes. */
export const SLOTS: usize = FOLDED + TEXT_BYTES * 4 + 64 * 1024;
export const MOST_SLOTS: u32 = 1 << 21;
/** Of each text where its words begin among all that were said, and its id. */
export const TEXTS: usize = SLOTS + <usize>MOST_SLOTS * 4;
export const MOST_TEXTS: u32 = 1 << 19;
/** All words as they were said, one after the other: where each is kept. One text may have as many as there is room for behind MANY_WORDS. */
export const SAID: usize = TEXTS + <usize>MOST_TEXTS * 8;
export const MANY_WORDS: u32 = 7 << 19;
/** The words that are kept; behind them what is needed to write them. */
export const KEPT: usize = SAID + (<usize>MANY_WORDS + TEXT_BYTES) * 4;
/** With those of one more text, of two million letters at most, they are fewer than there are slots, and lie where a slot can tell: see lists.ts. */
export const MANY_BYTES: usize = 16 * 1024 * 1024;

const PAGE_BITS: usize = 16;
/** Pages that are asked for at once. */
const MORE: i32 = 15;

export function room(end: usize): void {
  const pages = <i32>((end >> PAGE_BITS) + 1) - memory.size();
  if (pages > 0 && memory.grow(pages + MORE) < 0) unreachable();
}

/** Each begins at a multiple of eight. */
export function rounded(place: usize): usize {
  return (place + 7) & ~7;
}

// Numbers as SQLite writes them: seven bits a byte, the highest first, with the highest bit of a byte set where another follows.

export function numberBytes(value: u32): u32 {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5;
}

/** Gives where it ends. */
export function putNumber(at: usize, value: u32): usize {
  let to = at;
  for (let left = numberBytes(value) - 1; left > 0; left--) store<u8>(to++, 0x80 | ((value >> (left * 7)) & 0x7f));
  store<u8>(to, value & 0x7f);
  return to + 1;
}

export function numberAt(at: usize): u32 {
  let value: u32 = 0;
  let from = at;
  for (; load<u8>(from) >= 0x80; from++) value = (value << 7) | (load<u8>(from) & 0x7f);
  return (value << 7) | load<u8>(from);
}

/** Where the number that begins here ends. */
export function behindNumber(at: usize): usize {
  let from = at;
  while (load<u8>(from) >= 0x80) from++;
  return from + 1;
}
