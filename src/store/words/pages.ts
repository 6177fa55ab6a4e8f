// The lists as FTS5 writes them (fts5_index.c: fts5FlushOneHash and what it calls). Words are in order. A page holds words with their lists, or goes on with a
// list; at its end it tells where words begin. The first word of each page is noted, for whoever looks for a word; and of a list of many pages, the ids with
// which they begin.

import { keptEnd, lengthOf, lettersOf, wordCount } from './lists';
import { behindNumber, numberAt, putNumber, room, rounded } from './memory';
import { beginPlaces, numberWords, putList } from './places';
import { mostPlaces, sortWords } from './sort';

/** What is to be written is noted: its kind (of a page of ids, its level, too), its number, where it lies, how long it is. */
const PAGE: u32 = 0;
const FIRST_WORD: u32 = 1;
const IDS: u32 = 2;
const NOTE_BYTES: usize = 16;

/** So much is written at once, and what one more word may take. */
const OUT_BYTES: usize = 1024 * 1024;
/** More than any page, with the longest word. */
const PAGE_ROOM: usize = 128 * 1024;
const HEADER: usize = 4;
/** The most that one place of a list can take: of a text an id, a size, and itself. */
const PLACE_BYTES: usize = 15;
/** With fewer pages behind its first, the ids of a list are not noted. */
const MANY_PAGES: u32 = 4;
const LEVELS: usize = 4;
/** Stands before every word: FTS5 has other lists for beginnings of words, which are not made here. */
const ALL_WORDS: u32 = 48;

let pageBytes: usize = 0;
let words: usize = 0;
let next: u32 = 0;
let isDone: bool = false;
let list: usize = 0;
let notes: usize = 0;
let note: usize = 0;
let out: usize = 0;
let outEnd: usize = 0;

let page: usize = 0;
let pageEnd: usize = 0;
/** Where words begin in it, each by how much that is farther. */
let begins: usize = 0;
let beginsEnd: usize = 0;
let lastBegin: usize = 0;
let number: u32 = 0;
let before: usize = 0;
let hasWord: bool = false;
let hasId: bool = false;

/** The page whose first word is to be noted, 0 for none; as many letters of it as tell it from the word before; pages behind it that have none. */
let notedPage: u32 = 0;
let notedWord: usize = 0;
let notedBytes: usize = 0;
let withoutWord: u32 = 0;

/** The ids with which pages of a list begin. Where they take more than a page, the first of each such page are a level above. */
let ids: usize = 0;
// Of each level: where it ends, the number of its page, the last id.
const LEVEL_END: usize = 0;
const LEVEL_PAGE: usize = 4;
const LEVEL_ID: usize = 8;
const LEVEL_IDS: usize = 16;

/** Sorts what is kept. Nothing can be added before lists are begun again. */
export function beginPages(bytes: usize): void {
  pageBytes = bytes;
  words = rounded(keptEnd());
  sortWords(words);
  list = rounded(beginPlaces(words, wordCount(), mostPlaces()));
  const longest = <usize>mostPlaces() * PLACE_BYTES;
  page = rounded(list + longest);
  begins = page + PAGE_ROOM;
  ids = begins + PAGE_ROOM;
  out = ids + LEVELS * PAGE_ROOM;
  // Pages are at least a quarter full.
  const most = OUT_BYTES + longest * 2 + PAGE_ROOM;
  notes = rounded(out + most);
  room(notes + (most / (bytes / 4) + 64) * NOTE_BYTES * 3);
  numberWords(words);
  next = 0;
  isDone = false;
  number = 1;
  before = 0;
  notedPage = 1;
  notedBytes = 0;
  withoutWord = 0;
  for (let level: usize = 0; level < LEVELS; level++) clear(level);
  beginPage();
}

/** Writes some of them. Gives how many notes there are of what to write; 0 when all is done. */
export function writePages(): u32 {
  note = notes;
  outEnd = out;
  const count = wordCount();
  while (next < count && outEnd - out < OUT_BYTES) {
    putWord(load<u32>(words + <usize>next * 4));
    putPages(list, putList(next, list));
    next++;
  }
  if (next === count && !isDone) {
    if (pageEnd - page > HEADER) endPage();
    if (number > 1) writeNoted();
    isDone = true;
  }
  return <u32>((note - notes) / NOTE_BYTES);
}

export function notesPlace(): usize {
  return notes;
}

/** When all is done: how many pages there are. */
export function pageCount(): u32 {
  return number - 1;
}

function beginPage(): void {
  store<u32>(page, 0);
  pageEnd = page + HEADER;
  beginsEnd = begins;
  lastBegin = 0;
  hasWord = false;
  hasId = false;
}

/** Bytes of the page, with those that tell where words begin. */
function used(): usize {
  return pageEnd - page + (beginsEnd - begins);
}

function endPage(): void {
  putTwo(page + 2, pageEnd - page);
  if (hasWord) {
    memory.copy(pageEnd, begins, beginsEnd - begins);
    pageEnd += beginsEnd - begins;
  } else {
    // A page that only goes on with places of one text begins with no id.
    if (!hasId && endOf(0) > startOf(0)) setEnd(0, putNumber(endOf(0), 0));
    withoutWord++;
  }
  write(PAGE, number, page, pageEnd - page);
  number++;
  beginPage();
}

function putWord(word: usize): void {
  const length = lengthOf(word) + 1;
  if (used() + length + 2 >= pageBytes && pageEnd - page > HEADER) endPage();
  beginsEnd = putNumber(beginsEnd, <u32>(pageEnd - page - lastBegin));
  lastBegin = pageEnd - page;
  const same: usize = before === 0 ? 0 : sameLetters(before, word) + 1;
  if (!hasWord && number !== 1) noteFirst(word, same + 1);
  if (hasWord) pageEnd = putNumber(pageEnd, <u32>same);
  const first: usize = hasWord ? same : 0;
  pageEnd = putLetters(putNumber(pageEnd, <u32>(length - first)), word, first, length);
  before = word;
  hasWord = true;
  // The first id of its list is told in full.
  hasId = true;
  setPage(0, number);
}

/** From this letter to that one, of which the first is ALL_WORDS. */
function putLetters(to: usize, word: usize, from: usize, end: usize): usize {
  if (from === end) return to;
  let at = to;
  if (from === 0) store<u8>(at++, ALL_WORDS);
  const first: usize = from === 0 ? 0 : from - 1;
  memory.copy(at, lettersOf(word) + first, end - 1 - first);
  return at + (end - 1 - first);
}

function sameLetters(one: usize, other: usize): usize {
  const most = min(lengthOf(one), lengthOf(other));
  let same: usize = 0;
  while (same < most && load<u8>(lettersOf(one) + same) === load<u8>(lettersOf(other) + same)) same++;
  return same;
}

function noteFirst(word: usize, bytes: usize): void {
  writeNoted();
  notedPage = number;
  notedWord = word;
  notedBytes = bytes;
}

function writeNoted(): void {
  if (notedPage === 0) return;
  const hasIds = endOf(0) > startOf(0) && withoutWord >= MANY_PAGES;
  for (let level: usize = 0; level < LEVELS && endOf(level) > startOf(level); level++) {
    if (hasIds) write(IDS + <u32>level, pageOf(level), startOf(level), endOf(level) - startOf(level));
    clear(level);
  }
  withoutWord = 0;
  const end = putLetters(outEnd, notedWord, 0, notedBytes);
  writeNote(FIRST_WORD, notedPage * 2 + (hasIds ? 1 : 0), end - outEnd);
  notedPage = 0;
}

/** A list, on as many pages as it takes. */
function putPages(from: usize, end: usize): void {
  if (pageBytes >= used() + (end - from) + 1) {
    putBytes(from, end - from);
    return;
  }
  let id: u32 = 0;
  let at = from;
  while (at < end) {
    const more = numberAt(at);
    id += more;
    at = behindNumber(at);
    if (hasId) pageEnd = putNumber(pageEnd, more);
    else {
      putTwo(page, pageEnd - page);
      pageEnd = putNumber(pageEnd, id);
      hasId = true;
      noteId(id);
    }
    const places = behindNumber(at) + (numberAt(at) >> 1);
    if (used() + (places - at) <= pageBytes) putBytes(at, places - at);
    else putPlaces(at, places);
    at = places;
  }
}

/** On as many pages as they take; no number is torn. */
function putPlaces(from: usize, end: usize): void {
  for (let at = from; at < end; ) {
    // More may be on the page than is meant to be.
    const left = <isize>pageBytes - <isize>used();
    const bytes = <isize>(end - at) <= left ? end - at : wholeNumbers(at, left);
    putBytes(at, bytes);
    at += bytes;
    if (used() >= pageBytes) endPage();
  }
}

/** Bytes of as many numbers as there is room for, of one at least. */
function wholeNumbers(from: usize, most: isize): usize {
  let end = behindNumber(from);
  while (<isize>(behindNumber(end) - from) <= most) end = behindNumber(end);
  return end - from;
}

function putBytes(from: usize, bytes: usize): void {
  memory.copy(pageEnd, from, bytes);
  pageEnd += bytes;
}

/** Notes the id with which a page begins, and what has to be on the levels above. */
function noteId(id: u32): void {
  let isFull = true;
  for (let level: usize = 0; isFull; level++) {
    isFull = endOf(level) - startOf(level) >= pageBytes;
    if (isFull) {
      if (level + 1 === LEVELS) unreachable();
      store<u8>(startOf(level), 1);
      write(IDS + <u32>level, pageOf(level), startOf(level), endOf(level) - startOf(level));
      if (endOf(level + 1) === startOf(level + 1)) {
        setPage(level + 1, pageOf(level));
        beginLevel(level + 1, false, pageOf(level), firstId(level));
      }
      clear(level);
      setPage(level, pageOf(level) + 1);
    }
    if (endOf(level) > startOf(level)) setEnd(level, putNumber(endOf(level), id - lastId(level)));
    else beginLevel(level, isFull, level === 0 ? number : pageOf(level - 1), id);
    setId(level, id);
  }
}

function beginLevel(level: usize, isInner: bool, below: u32, id: u32): void {
  setEnd(level, putNumber(putNumber(putNumber(startOf(level), isInner ? 1 : 0), below), id));
  setId(level, id);
}

function firstId(level: usize): u32 {
  return numberAt(behindNumber(startOf(level) + 1));
}

function startOf(level: usize): usize {
  return ids + level * PAGE_ROOM + LEVEL_IDS;
}

function endOf(level: usize): usize {
  return load<u32>(ids + level * PAGE_ROOM, LEVEL_END);
}

function setEnd(level: usize, end: usize): void {
  store<u32>(ids + level * PAGE_ROOM, <u32>end, LEVEL_END);
}

function pageOf(level: usize): u32 {
  return load<u32>(ids + level * PAGE_ROOM, LEVEL_PAGE);
}

function setPage(level: usize, number: u32): void {
  store<u32>(ids + level * PAGE_ROOM, number, LEVEL_PAGE);
}

function lastId(level: usize): u32 {
  return load<u32>(ids + level * PAGE_ROOM, LEVEL_ID);
}

function setId(level: usize, id: u32): void {
  store<u32>(ids + level * PAGE_ROOM, id, LEVEL_ID);
}

function clear(level: usize): void {
  setEnd(level, startOf(level));
}

function putTwo(at: usize, value: usize): void {
  store<u8>(at, <u32>value >> 8);
  store<u8>(at, <u32>value, 1);
}

function write(kind: u32, number: u32, from: usize, bytes: usize): void {
  memory.copy(outEnd, from, bytes);
  writeNote(kind, number, bytes);
}

/** Of what was put at the end. */
function writeNote(kind: u32, number: u32, bytes: usize): void {
  store<u32>(note, kind);
  store<u32>(note, number, 4);
  store<u32>(note, <u32>outEnd, 8);
  store<u32>(note, <u32>bytes, 12);
  outEnd += bytes;
  note += NOTE_BYTES;
}
