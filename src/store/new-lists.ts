// Makes the lists of words of many texts, and puts them into the tables of an FTS5 table, as FTS5 would have: byte for byte, see words/. It takes a little
// more than half of the processor time that FTS5 takes.
//
// FTS5 holds in memory what it knows of its lists, and looks at the record again only when another connection has written: so the connection to which lists are
// written here must not be used for anything else of that table. It must have been opened for that: FTS5's own tables are mostly guarded.

import type { DatabaseSync } from 'node:sqlite';
import { newWords, type Words } from './compiled-words.ts';
import { GAP, type Letters, lettersOf } from './letters.ts';
import {
  allLists,
  listRecordIn,
  numberBytes,
  putListRecord,
  putTotals,
  totalsIn,
  type WordTable,
} from './list-record.ts';

/** As FTS5 has it by default. */
const PAGE_BYTES = 4050;
/** What is noted of something to be written: its kind, its number, where it lies, how long it is. */
const NOTE_NUMBERS = 4;
const PAGE = 0;
const FIRST_WORD = 1;
const IDS = 2;
/** FTS5 numbers the pages of all lists in one table: by list, whether they are pages of ids, their level, and their number. */
const LIST = 2 ** 37;
const OF_IDS = 2 ** 36;
const LEVEL = 2 ** 31;

/** Sizes of texts are written so many at a time. */
const SIZES = 64;

interface Lists {
  add(id: number, text: string): void;
  write(): void;
}

/** Undefined where it cannot be done: then FTS5 has to. */
export function newLists(database: DatabaseSync, table: WordTable, pageBytes = PAGE_BYTES): Lists | undefined {
  const words = newWords();
  if (words === undefined || listRecordIn(database, table) === undefined) return undefined;
  return new NewLists(database, table, words, pageBytes);
}

class NewLists implements Lists {
  private readonly database: DatabaseSync;
  private readonly table: WordTable;
  private readonly words: Words;
  private readonly letters: Letters;
  private readonly pageBytes: number;
  private readonly sql;
  /** The memory of the words: another one whenever it grew. */
  private bytes = Buffer.alloc(0);
  private readonly ids: number[] = [];
  private readonly sizes: number[] = [];
  /** Texts for which there is no list yet. */
  private texts = 0;

  constructor(database: DatabaseSync, table: WordTable, words: Words, pageBytes: number) {
    this.database = database;
    this.table = table;
    this.words = words;
    this.pageBytes = pageBytes;
    this.letters = lettersOf(database);
    this.sql = {
      page: database.prepare(`insert into ${table}_data values (?, ?)`),
      firstWord: database.prepare(`insert into ${table}_idx values (?, ?, ?)`),
      size: database.prepare(`insert into ${table}_docsize values (?, ?, ?)`),
      sizes: database.prepare(`insert into ${table}_docsize values ${Array(SIZES).fill('(?, ?, ?)').join(', ')}`),
    };
    const ascii = this.memory().subarray(words.asciiPlace());
    for (let code = 0; code < 256; code++) ascii[code] = code < 128 ? this.letters(code) : 255;
    words.begin();
  }

  /** Ids must rise. */
  add(id: number, text: string): void {
    let size = 0;
    for (let at = 0; at === 0 || at < text.length; ) {
      const end = this.pieceEnd(text, at);
      size += this.addPiece(id, at === 0 && end === text.length ? text : text.slice(at, end), at > 0);
      at = Math.max(end, 1);
      // Of a word that is longer than that FTS5 keeps the beginning.
      while (at < text.length && !this.isGap(text, at - 1)) at++;
    }
    this.ids.push(id);
    this.sizes.push(size);
    this.texts++;
    if (this.words.isFull() !== 0) this.write();
  }

  /** Writes what was added. In a transaction. */
  write(): void {
    if (this.ids.length === 0) return;
    const record = listRecordIn(this.database, this.table);
    if (record === undefined) throw new Error(`the record of ${this.table} was understood before`);
    const lists = allLists(record);
    const id = firstFree(lists.map((list) => list.id));
    const origin = Math.max(0, ...lists.map(({ last_origin }) => last_origin)) + 1;
    const pages = this.writePages(id);
    this.writeSizes(origin);
    // Texts without words make no list: they count with the next one.
    if (pages > 0) {
      const [lowest = { merging: 0, lists: [] }, ...others] = record.levels;
      const list = {
        ...{ id, first_page: 1, last_page: pages, first_origin: origin, last_origin: origin },
        ...{ deleted_pages: 0, deleted: 0, texts: this.texts },
      };
      this.texts = 0;
      const levels = [{ ...lowest, lists: [...lowest.lists, list] }, ...others];
      putListRecord(this.database, this.table, { ...record, written: record.written + pages, levels });
    }
    const [texts, words] = totalsIn(this.database, this.table);
    const added = this.sizes.reduce((sum, size) => sum + size, 0);
    putTotals(this.database, this.table, texts + this.ids.length, words + added);
    this.ids.length = 0;
    this.sizes.length = 0;
    this.words.begin();
  }

  private memory(): Buffer {
    const { buffer } = this.words.memory;
    if (this.bytes.buffer !== buffer) this.bytes = Buffer.from(buffer);
    return this.bytes;
  }

  private addPiece(id: number, piece: string, isMore: boolean): number {
    const { words } = this;
    const bytes = this.memory().write(piece, words.textPlace(), words.mostBytes());
    let size = words.add(id, bytes, isMore);
    for (; size < 0; size = words.add(id, bytes, isMore)) this.know(-1 - size);
    return size;
  }

  private know(block: number): void {
    const codes = new Int32Array(this.words.memory.buffer, this.words.lettersPlace(block), 256);
    for (let i = 0; i < codes.length; i++) codes[i] = this.letters(block * codes.length + i);
  }

  /** As much of a text as there is room for, up to the end of a word. */
  private pieceEnd(text: string, from: number): number {
    // No letter of JavaScript's takes more than three bytes.
    const most = from + Math.floor(this.words.mostBytes() / 3);
    if (most >= text.length) return text.length;
    let end = most;
    while (end > from && !this.isGap(text, end - 1)) end--;
    return end === from ? most : end;
  }

  private isGap(text: string, at: number): boolean {
    const code = text.charCodeAt(at);
    // Halves of letters are not looked at.
    return (code < 0xd800 || code > 0xdfff) && this.letters(code) === GAP;
  }

  private writePages(list: number): number {
    const { words, sql } = this;
    words.beginPages(this.pageBytes);
    for (let count = words.writePages(); count > 0; count = words.writePages()) {
      const bytes = this.memory();
      const notes = new Int32Array(words.memory.buffer, words.notesPlace(), count * NOTE_NUMBERS);
      for (let i = 0; i < notes.length; i += NOTE_NUMBERS) {
        const [kind = 0, number = 0, at = 0, length = 0] = notes.subarray(i, i + NOTE_NUMBERS);
        const block = bytes.subarray(at, at + length);
        if (kind === PAGE) sql.page.run(list * LIST + number, block);
        else if (kind === FIRST_WORD) sql.firstWord.run(list, block, number);
        else sql.page.run(list * LIST + OF_IDS + (kind - IDS) * LEVEL + number, block);
      }
    }
    return words.pageCount();
  }

  private writeSizes(origin: number): void {
    const { ids, sizes, sql } = this;
    const whole = ids.length - (ids.length % SIZES);
    for (let from = 0; from < whole; from += SIZES) {
      const values: (number | Uint8Array)[] = [];
      for (let i = from; i < from + SIZES; i++) values.push(ids[i] ?? 0, sizeBytes(sizes[i] ?? 0), origin);
      sql.sizes.run(...values);
    }
    for (let i = whole; i < ids.length; i++) sql.size.run(ids[i] ?? 0, sizeBytes(sizes[i] ?? 0), origin);
  }
}

function sizeBytes(size: number): Uint8Array {
  return Uint8Array.from(numberBytes(size));
}

function firstFree(taken: number[]): number {
  let free = 1;
  while (taken.includes(free)) free++;
  return free;
}
