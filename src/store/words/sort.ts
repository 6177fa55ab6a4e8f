// The words that are kept, in the order of their bytes: by the first two first, and what begins alike by the rest.

import { countOf, firstWord, keptEnd, lettersOf, nextWord, wordCount } from './lists';
import { room } from './memory';

// A word to be sorted: its first eight letters as a number, and where it is kept.
const FIRST: usize = 0;
const WORD: usize = 8;
const BYTES: usize = 16;

const BEGINNINGS: u32 = 1 << 16;

let mostSaid: u32 = 0;

/** How often the word was said that was said most. */
export function mostPlaces(): u32 {
  return mostSaid;
}

/** Sorts them at this place: a number for each, where it is kept. */
export function sortWords(place: usize): void {
  const count: usize = wordCount();
  const ends = place + count * BYTES;
  const all = ends + <usize>(BEGINNINGS + 1) * 4;
  const sorted = all + count * BYTES;
  room(sorted + count * BYTES);
  memory.fill(ends, 0, <usize>(BEGINNINGS + 1) * 4);
  mostSaid = 0;
  let at = all;
  for (let word = firstWord(); word < keptEnd(); word = nextWord(word)) {
    const first = bswap(load<u64>(lettersOf(word)));
    const begin = ends + <usize>(first >> 48) * 4;
    store<u32>(begin, load<u32>(begin, 4) + 1, 4);
    store<u64>(at, first, FIRST);
    store<u32>(at, <u32>word, WORD);
    at += BYTES;
    mostSaid = max(mostSaid, countOf(word));
  }
  inBeginnings(all, sorted, ends, count);
  for (let i: u32 = 0, from: usize = 0; i < BEGINNINGS; i++) {
    const to: usize = load<u32>(ends + <usize>i * 4);
    if (to - from > 1) merge(sorted + from * BYTES, all + from * BYTES, to - from);
    from = to;
  }
  for (let i: usize = 0; i < count; i++) store<u32>(place + i * 4, load<u32>(sorted + i * BYTES, WORD));
}

/** Puts each behind those that begin with less. From then on `ends` tells where each beginning ends. */
function inBeginnings(all: usize, sorted: usize, ends: usize, count: usize): void {
  for (let i: usize = 1; i <= BEGINNINGS; i++) store<u32>(ends + i * 4, load<u32>(ends + i * 4) + load<u32>(ends + i * 4 - 4));
  for (let i: usize = 0; i < count; i++) {
    const from = all + i * BYTES;
    const end = ends + <usize>(load<u64>(from, FIRST) >> 48) * 4;
    const place: usize = load<u32>(end);
    store<u32>(end, <u32>place + 1);
    copy(sorted + place * BYTES, from);
  }
}

/** Sorts so many at this place; `other` is as much room. */
function merge(place: usize, other: usize, count: usize): void {
  let from = place;
  let to = other;
  for (let width: usize = 1; width < count; width *= 2) {
    for (let start: usize = 0; start < count; start += width * 2) {
      const middle = min(start + width, count);
      mergeTwo(from, to, start, middle, min(middle + width, count));
    }
    const swapped = from;
    from = to;
    to = swapped;
  }
  if (from !== place) memory.copy(place, from, count * BYTES);
}

function mergeTwo(from: usize, to: usize, start: usize, middle: usize, end: usize): void {
  let left = from + start * BYTES;
  let right = from + middle * BYTES;
  const leftEnd = right;
  const rightEnd = from + end * BYTES;
  for (let at = to + start * BYTES; at < to + end * BYTES; at += BYTES) {
    const isLeft = right === rightEnd || (left !== leftEnd && isLess(left, right));
    copy(at, isLeft ? left : right);
    if (isLeft) left += BYTES;
    else right += BYTES;
  }
}

function copy(to: usize, from: usize): void {
  store<u64>(to, load<u64>(from, FIRST), FIRST);
  store<u64>(to, load<u64>(from, WORD), WORD);
}

function isLess(one: usize, other: usize): bool {
  const first = load<u64>(one, FIRST);
  const second = load<u64>(other, FIRST);
  if (first !== second) return first < second;
  // The longer of two goes on where the other has zeros; no two are the same.
  const letters = lettersOf(load<u32>(one, WORD));
  const others = lettersOf(load<u32>(other, WORD));
  let i: usize = 8;
  while (load<u64>(letters + i) === load<u64>(others + i)) i += 8;
  return bswap(load<u64>(letters + i)) < bswap(load<u64>(others + i));
}
