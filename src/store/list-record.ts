// FTS5's own records of a table (fts5_index.c, fts5_storage.c): which lists of words there are, and how many texts and words they are of.

import type { DatabaseSync } from 'node:sqlite';

export const WORD_TABLES = ['prose', 'tool_texts'] as const;

export type WordTable = (typeof WORD_TABLES)[number];

/** A list of words. Of "origins", the first and the last of those it was merged from; texts that were deleted are noted on pages of their own. */
export interface WordList {
  id: number;
  first_page: number;
  last_page: number;
  first_origin: number;
  last_origin: number;
  deleted_pages: number;
  deleted: number;
  texts: number;
}

export interface ListRecord {
  /** Changes with the settings. */
  cookie: Uint8Array;
  /** Pages that were ever written. */
  written: number;
  /** On each level, how many of its lists are being merged, and all of them. */
  levels: { merging: number; lists: WordList[] }[];
}

const RECORD = 10;
const COOKIE_BYTES = 4;
/** Tells the newer form of it, with origins. */
const NEWER = [0xff, 0, 0, 1];
const FIELDS = [
  'id',
  'first_page',
  'last_page',
  'first_origin',
  'last_origin',
  'deleted_pages',
  'deleted',
  'texts',
] as const;

/** How many lists there are; undefined where that cannot be understood. Asked with every commit: of the rest nothing is made. */
export function listCountIn(database: DatabaseSync, table: WordTable): number | undefined {
  const [, lists] = numbersIn(behindHeader(blockOf(database, table, RECORD)), 2);
  return lists;
}

/** Undefined where it cannot be understood. */
export function listRecordIn(database: DatabaseSync, table: WordTable): ListRecord | undefined {
  const block = blockOf(database, table, RECORD);
  const numbers = numbersIn(behindHeader(block));
  if (numbers.length === 0) return undefined;
  let at = 0;
  const next = () => numbers[at++] ?? 0;
  const [levels, , written] = [next(), next(), next()];
  return {
    cookie: block.subarray(0, COOKIE_BYTES),
    written,
    levels: Array.from({ length: levels }, () => {
      const [merging, lists] = [next(), next()];
      return { merging, lists: Array.from({ length: lists }, () => listOf(FIELDS.map(next))) };
    }),
  };
}

/** Nothing where it is of another form. */
function behindHeader(block: Uint8Array): Uint8Array {
  const isNewer = NEWER.every((byte, i) => block[COOKIE_BYTES + i] === byte);
  return isNewer ? block.subarray(COOKIE_BYTES + NEWER.length) : new Uint8Array();
}

function listOf(numbers: number[]): WordList {
  return Object.fromEntries(FIELDS.map((field, i) => [field, numbers[i] ?? 0])) as unknown as WordList;
}

export function putListRecord(database: DatabaseSync, table: WordTable, record: ListRecord): void {
  const { cookie, written, levels } = record;
  const numbers = [
    ...[levels.length, allLists(record).length, written],
    ...levels.flatMap(({ merging, lists }) => [
      ...[merging, lists.length],
      ...lists.flatMap((list) => FIELDS.map((field) => list[field])),
    ]),
  ];
  putBlock(database, table, RECORD, [...cookie, ...NEWER, ...numbers.flatMap(numberBytes)]);
}

export function allLists({ levels }: ListRecord): WordList[] {
  return levels.flatMap(({ lists }) => lists);
}

const TOTALS = 1;

/** How many texts there are, and how many words they have. */
export function totalsIn(database: DatabaseSync, table: WordTable): [texts: number, words: number] {
  const [texts = 0, words = 0] = numbersIn(blockOf(database, table, TOTALS));
  return [texts, words];
}

export function putTotals(database: DatabaseSync, table: WordTable, texts: number, words: number): void {
  putBlock(database, table, TOTALS, [...numberBytes(texts), ...numberBytes(words)]);
}

function blockOf(database: DatabaseSync, table: WordTable, id: number): Uint8Array {
  const block = database.prepare(`select block from ${table}_data where id = ?`).get(id)?.block;
  return block instanceof Uint8Array ? block : new Uint8Array();
}

function putBlock(database: DatabaseSync, table: WordTable, id: number, bytes: number[]): void {
  database.prepare(`update ${table}_data set block = ? where id = ?`).run(Uint8Array.from(bytes), id);
}

// Numbers as SQLite writes them: seven bits a byte, the highest bit where another follows.

function numbersIn(bytes: Uint8Array, most = Number.POSITIVE_INFINITY): number[] {
  const numbers: number[] = [];
  let number = 0;
  for (let at = 0; at < bytes.length && numbers.length < most; at++) {
    const byte = bytes[at] ?? 0;
    number = number * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(number);
    number = 0;
  }
  return numbers;
}

export function numberBytes(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(128 + (rest % 128));
  return bytes;
}
