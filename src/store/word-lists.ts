// How many lists of words FTS5 keeps, and merging them. Each time that it is written to it adds one, and merges some by itself; but while it merges
// large ones, small ones pile up, and at 2,000 it refuses every word, as if the disk were full.

import type { DatabaseSync } from 'node:sqlite';

export type WordTable = 'prose' | 'tool_texts';

/** More than this are merged, as many pages of them as there are lists: however large they are, there are then never as many as FTS5 can have. */
const MANY_LISTS = 200;

/** To be called in a transaction in which words were written, before it ends. */
export function mergeMany(database: DatabaseSync, table: WordTable): void {
  const count = listsIn(database, table);
  if (count > MANY_LISTS) database.exec(`insert into ${table}(${table}, rank) values ('merge', ${count})`);
}

/** The record of an FTS5 table that tells of its lists. */
const STRUCTURE = 10;
/** In front of it: a number that changes with the settings; and what tells the newer form of it. */
const COOKIE_BYTES = 4;
const NEWER = 0xff000001;

/** How many there are, by the table's own record (`fts5_index.c`: cookie, levels, lists); 0 where it cannot be understood. */
export function listsIn(database: DatabaseSync, table: WordTable): number {
  const block = database.prepare(`select block from ${table}_data where id = ?`).get(STRUCTURE)?.block;
  if (!(block instanceof Uint8Array) || block.length <= 2 * COOKIE_BYTES) return 0;
  const isNewer = new DataView(block.buffer, block.byteOffset).getUint32(COOKIE_BYTES) === NEWER;
  const [, behindLevels] = numberAt(block, isNewer ? 2 * COOKIE_BYTES : COOKIE_BYTES);
  return numberAt(block, behindLevels)[0];
}

/** As SQLite writes numbers: seven bits a byte, the highest bit where another follows. And where it ends. */
function numberAt(bytes: Uint8Array, at: number): [number: number, behind: number] {
  let number = 0;
  let end = at;
  for (let byte = 0x80; (byte & 0x80) !== 0; end++) {
    byte = bytes[end] ?? 0;
    number = number * 128 + (byte & 0x7f);
  }
  return [number, end];
}
