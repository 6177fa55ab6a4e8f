// The places of each word: where it was said, one after the other, and of which text that is. From these its list is written as FTS5 has it: for each text by how
// much its id is higher than the last one's, twice the bytes that its places take, and its places, each by how much it is higher than the one before, and two more.
//
// Words have numbers here, in their order. The places of some words are found at a time: so they take little room, and lie near one another.

import { countOf, saidCount, setCount, textCount } from './lists';
import { SAID, TEXTS, numberBytes, putNumber } from './memory';

/** Places that are found at once, unless one word has more. */
const SOME: u32 = 512 * 1024;
/** The text of every so many words is noted, as a power of two; those between are found from there. */
const STEP_BITS: u32 = 5;

let words: u32 = 0;
/** Where the places of each word begin among all; and where the next one goes. */
let begins: usize = 0;
let ends: usize = 0;
let steps: usize = 0;
let places: usize = 0;
/** The words whose places were found, and where these begin among all. */
let foundFrom: u32 = 0;
let foundTo: u32 = 0;
let foundBegin: u32 = 0;

/** Numbers the words as they are sorted there, and gives where it may go on: `most` is how often one of them was said. */
export function beginPlaces(sorted: usize, count: u32, most: u32): usize {
  words = count;
  begins = sorted + <usize>count * 4;
  ends = begins + (<usize>count + 1) * 4;
  steps = ends + <usize>count * 4;
  places = steps + (<usize>(saidCount() >> STEP_BITS) + 1) * 4;
  foundFrom = 0;
  foundTo = 0;
  return places + <usize>max(SOME, most) * 4;
}

/** When there is room for it. */
export function numberWords(sorted: usize): void {
  let begin: u32 = 0;
  for (let i: u32 = 0; i < words; i++) {
    const word: usize = load<u32>(sorted + <usize>i * 4);
    store<u32>(begins + <usize>i * 4, begin);
    begin += countOf(word);
    setCount(word, i);
  }
  store<u32>(begins + <usize>words * 4, begin);
  for (let at = SAID; at < SAID + <usize>begin * 4; at += 4) store<u32>(at, countOf(load<u32>(at)));
  noteSteps();
}

function noteSteps(): void {
  // Behind the last text all words end.
  store<u32>(TEXTS + <usize>textCount() * 8, saidCount());
  let text: u32 = 0;
  for (let i: u32 = 0; i <= saidCount() >> STEP_BITS; i++) {
    while (text + 1 < textCount() && startOf(text + 1) <= i << STEP_BITS) text++;
    store<u32>(steps + <usize>i * 4, text);
  }
}

function beginOf(word: u32): u32 {
  return load<u32>(begins + <usize>word * 4);
}

/** Finds the places of this word, and of some behind it. */
function findPlaces(word: u32): void {
  foundFrom = word;
  foundBegin = beginOf(word);
  foundTo = word + 1;
  while (foundTo < words && beginOf(foundTo + 1) - foundBegin <= SOME) foundTo++;
  memory.copy(ends + <usize>foundFrom * 4, begins + <usize>foundFrom * 4, <usize>(foundTo - foundFrom) * 4);
  const said = saidCount();
  for (let i: u32 = 0; i < said; i++) {
    const word = load<u32>(SAID + <usize>i * 4);
    if (word - foundFrom >= foundTo - foundFrom) continue;
    const end = ends + <usize>word * 4;
    const place = load<u32>(end);
    store<u32>(end, place + 1);
    store<u32>(places + <usize>(place - foundBegin) * 4, i);
  }
}

function startOf(text: u32): u32 {
  return load<u32>(TEXTS + <usize>text * 8);
}

function idOf(text: u32): u32 {
  return load<u32>(TEXTS + <usize>text * 8, 4);
}

/** Writes the list of the word with this number; gives where it ends. */
export function putList(word: u32, to: usize): usize {
  if (word >= foundTo) findPlaces(word);
  let at = to;
  let id: u32 = 0;
  const end = places + <usize>(beginOf(word + 1) - foundBegin) * 4;
  for (let place = places + <usize>(beginOf(word) - foundBegin) * 4; place < end; ) {
    const text = textOf(load<u32>(place));
    const start = startOf(text);
    const textEnd = startOf(text + 1);
    let bytes: u32 = 0;
    let last = place;
    for (let before: u32 = 0; last < end; last += 4) {
      const said = load<u32>(last);
      if (said >= textEnd) break;
      bytes += numberBytes(said - start - before + 2);
      before = said - start;
    }
    at = put(put(at, idOf(text) - id), bytes * 2);
    id = idOf(text);
    for (let before: u32 = 0; place < last; place += 4) {
      const said = load<u32>(place) - start;
      at = put(at, said - before + 2);
      before = said;
    }
  }
  return at;
}

function textOf(said: u32): u32 {
  let text = load<u32>(steps + <usize>(said >> STEP_BITS) * 4);
  // Of texts without words the next one begins where they do.
  while (startOf(text + 1) <= said) text++;
  return text;
}

// @ts-ignore: an instruction to the compiler
@inline
function put(at: usize, value: u32): usize {
  if (value >= 0x80) return putNumber(at, value);
  store<u8>(at, value);
  return at + 1;
}
