// The words of all texts, in the order in which they were said; and each of them, kept once. A word that is kept lies behind a number: as often as it was said, and
// when lists are written, its own, in the order of words.

import { FOLDED, KEPT, MOST_SLOTS, SAID, SLOTS, TEXTS, room } from './memory';

const LETTERS: usize = 8;
const FEW_SLOTS: u32 = 1 << 15;
/** A slot tells where a word is kept, in eights of bytes, and has some bits of its hash: others are seldom looked at in vain. */
const PLACE_BITS: u32 = 22;
const PLACE: u32 = (1 << PLACE_BITS) - 1;

let slots: u32 = 0;
let words: u32 = 0;
let keptTo: usize = KEPT;
let texts: u32 = 0;
let said: u32 = 0;

export function beginLists(): void {
  slots = FEW_SLOTS;
  memory.fill(SLOTS, 0, <usize>slots * 4);
  words = 0;
  // No word is kept at 0, which means none.
  keptTo = KEPT + 8;
  texts = 0;
  said = 0;
}

/** Where what is kept ends. */
export function keptEnd(): usize {
  return keptTo;
}

export function wordCount(): u32 {
  return words;
}

export function firstWord(): usize {
  return KEPT + 8;
}

export function nextWord(word: usize): usize {
  return wordEnd(lettersOf(word));
}

export function textCount(): u32 {
  return texts;
}

export function saidCount(): u32 {
  return said;
}

export function lettersOf(word: usize): usize {
  return word + LETTERS;
}

export function lengthOf(word: usize): usize {
  const end = nextWord(word);
  return end - lettersOf(word) - (<usize>clz(load<u64>(end - 8)) >> 3);
}

export function countOf(word: usize): u32 {
  return load<u32>(word);
}

export function setCount(word: usize, count: u32): void {
  store<u32>(word, count);
}

/** Another text, or more of the last one: its folded words end there. Gives how many they are. */
export function addText(id: u32, end: usize, isMore: bool): u32 {
  const before = said;
  if (!isMore) {
    store<u32>(TEXTS + <usize>texts * 8, said);
    store<u32>(TEXTS + <usize>texts * 8, id, 4);
    texts++;
  }
  for (let at = FOLDED; at < end; ) {
    let eight = load<u64>(at);
    let hash = mixed(eight);
    let last = at;
    while (!isEnd(eight)) {
      last += 8;
      eight = load<u64>(last);
      hash = mixed(hash ^ eight);
    }
    const word = lookedUp(at, last + 8, hash);
    store<u32>(word, load<u32>(word) + 1);
    store<u32>(SAID + <usize>said * 4, <u32>word);
    said++;
    at = last + 8;
  }
  return said - before;
}

// @ts-ignore: an instruction to the compiler
@inline
function lookedUp(folded: usize, end: usize, hash: u64): usize {
  const bits = <u32>hash & ~PLACE;
  let slot = <u32>(hash >> 32) & (slots - 1);
  while (true) {
    const found = load<u32>(SLOTS + <usize>slot * 4);
    if (found === 0) break;
    const word = KEPT + (<usize>(found & PLACE) << 3);
    if ((found & ~PLACE) === bits && isSame(lettersOf(word), folded, end)) return word;
    slot = (slot + 1) & (slots - 1);
  }
  const word = keep(folded, end);
  store<u32>(SLOTS + <usize>slot * 4, slotOf(word, hash));
  if (++words * 2 > slots && slots < MOST_SLOTS) moreSlots();
  return word;
}

function slotOf(word: usize, hash: u64): u32 {
  return (<u32>hash & ~PLACE) | <u32>((word - KEPT) >> 3);
}

// Eight letters at a time: the last eight of a word, and no others, end with a zero.

// @ts-ignore: an instruction to the compiler
@inline
function isEnd(eight: u64): bool {
  return eight >> 56 === 0;
}

// @ts-ignore: an instruction to the compiler
@inline
function mixed(value: u64): u64 {
  const product = value * 0x9e3779b97f4a7c15;
  return product ^ (product >> 32);
}

// @ts-ignore: an instruction to the compiler
@inline
function isSame(letters: usize, folded: usize, end: usize): bool {
  let at = folded;
  let other = letters;
  while (at < end && load<u64>(at) === load<u64>(other)) {
    at += 8;
    other += 8;
  }
  return at === end;
}

function wordEnd(letters: usize): usize {
  let at = letters;
  while (!isEnd(load<u64>(at))) at += 8;
  return at + 8;
}

function keep(folded: usize, end: usize): usize {
  const word = keptTo;
  keptTo += LETTERS + (end - folded);
  room(keptTo);
  store<u64>(word, 0);
  memory.copy(lettersOf(word), folded, end - folded);
  return word;
}

function moreSlots(): void {
  slots *= 2;
  memory.fill(SLOTS, 0, <usize>slots * 4);
  for (let word = firstWord(); word < keptTo; word = nextWord(word)) {
    const hash = hashOf(lettersOf(word));
    let slot = <u32>(hash >> 32) & (slots - 1);
    while (load<u32>(SLOTS + <usize>slot * 4) !== 0) slot = (slot + 1) & (slots - 1);
    store<u32>(SLOTS + <usize>slot * 4, slotOf(word, hash));
  }
}

function hashOf(letters: usize): u64 {
  const end = wordEnd(letters);
  let hash: u64 = 0;
  for (let at = letters; at < end; at += 8) hash = mixed(hash ^ load<u64>(at));
  return hash;
}
