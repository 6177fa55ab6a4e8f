// How many lists of words FTS5 keeps, and merging them. Each time that it is written to it adds one, and merges some by itself; but while it merges
// large ones, small ones pile up, and at 2,000 it refuses every word, as if the disk were full.

import type { DatabaseSync } from 'node:sqlite';
import { listCountIn, type WordTable } from './list-record.ts';

/** More than this are merged, as many pages of them as there are lists: however large they are, there are then never as many as FTS5 can have. */
const MANY_LISTS = 200;

/** To be called in a transaction in which words were written, before it ends. */
export function mergeMany(database: DatabaseSync, table: WordTable): void {
  const count = listsIn(database, table);
  if (count > MANY_LISTS) merge(database, table, count);
}

/** How many there are; 0 where that cannot be understood. */
export function listsIn(database: DatabaseSync, table: WordTable): number {
  return listCountIn(database, table) ?? 0;
}

/** Merges lists of which a level has many, until about so many pages are written. */
export function merge(database: DatabaseSync, table: WordTable, pages: number): void {
  database.exec(`insert into ${table}(${table}, rank) values ('merge', ${pages})`);
}
