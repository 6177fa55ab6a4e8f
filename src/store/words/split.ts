// The words of a text, as unicode61 finds and folds them (fts5_tokenize.c): letters, digits and private letters of an old Unicode are in words, all else is
// between them; capitals become small, marks fall off. What it makes of letters beyond ASCII is asked, see letters.ts.

import { ASCII, BEYOND, FOLDED, KNOWN, LETTERS, TEXT, rounded } from './memory';

/** FTS5 cuts longer words. */
const LONGEST: usize = 32768;

/** Gives where its folded words end. Less than 0: the block of letters -1 - n must be known first. */
export function split(bytes: usize): isize {
  const end = TEXT + bytes;
  let from = TEXT;
  let to = FOLDED;
  while (from < end) {
    const begun = to;
    while (from < end) {
      const letter = kept(from);
      if (letter === 0) {
        if (to !== begun) break;
        from++;
        continue;
      }
      if (letter !== BEYOND) {
        store<u8>(to++, letter);
        from++;
        continue;
      }
      const code = codeAt(from);
      if (load<u8>(KNOWN + (code >> 8)) === 0) return -1 - <isize>(code >> 8);
      const folded = load<i32>(LETTERS + <usize>code * 4);
      if (folded === 0 && to !== begun) break;
      from += codeBytes(from);
      // A mark begins no word, and adds nothing to one.
      if (folded > 0) to = putCode(to, folded);
    }
    if (to === begun) break;
    if (to - begun > LONGEST) to = begun + LONGEST;
    store<u64>(to, 0);
    to = rounded(to + 1);
  }
  return to;
}

// @ts-ignore: an instruction to the compiler
@inline
function kept(at: usize): u32 {
  return load<u8>(ASCII + load<u8>(at));
}

function codeAt(at: usize): u32 {
  const first: u32 = load<u8>(at);
  const second: u32 = load<u8>(at, 1) & 63;
  if (first < 0xe0) return ((first & 31) << 6) | second;
  const third: u32 = load<u8>(at, 2) & 63;
  if (first < 0xf0) return ((first & 15) << 12) | (second << 6) | third;
  return ((first & 7) << 18) | (second << 12) | (third << 6) | (load<u8>(at, 3) & 63);
}

function codeBytes(at: usize): usize {
  const first: u32 = load<u8>(at);
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

function putCode(to: usize, code: u32): usize {
  if (code < 0x80) {
    store<u8>(to, code);
    return to + 1;
  }
  if (code < 0x800) {
    store<u8>(to, 0xc0 | (code >> 6));
    return putRest(to + 1, code, 1);
  }
  if (code < 0x10000) {
    store<u8>(to, 0xe0 | (code >> 12));
    return putRest(to + 1, code, 2);
  }
  store<u8>(to, 0xf0 | (code >> 18));
  return putRest(to + 1, code, 3);
}

function putRest(to: usize, code: u32, bytes: u32): usize {
  for (let i: u32 = 0; i < bytes; i++) store<u8>(to + i, 0x80 | ((code >> ((bytes - 1 - i) * 6)) & 63));
  return to + bytes;
}
