// What the word lists make of a letter: unicode61 folds case, takes marks off, and ends words by tables of its own, of an old
// Unicode. It is asked, so that what is marked as found is what was found.

import type { DatabaseSync } from 'node:sqlite';

/** Between words. */
export const GAP = 0;
/** In a word, but not kept: a mark that stands apart from its letter. */
export const MARK = -1;

/** The code point that is kept of a code point, GAP or MARK. */
export type Letters = (code: number) => number;

const BLOCK = 256;

/** Nobody has to be asked for these: nearly every letter of a history is one of them. */
const ASCII = Int32Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(letter) ? letter.charCodeAt(0) : GAP;
});

/** `database` is any; only its temporary tables are used. */
export function lettersOf(database: DatabaseSync): Letters {
  const blocks = new Map<number, Int32Array>();
  return (code) => {
    if (code < 128) return ASCII[code] ?? GAP;
    const number = Math.floor(code / BLOCK);
    const block = blocks.get(number) ?? blockOf(database, number);
    blocks.set(number, block);
    return block[code % BLOCK] ?? GAP;
  };
}

/** Every letter of the block between two others: one word comes back, or two. */
function blockOf(database: DatabaseSync, number: number): Int32Array {
  database.exec(`
    create virtual table if not exists temp.letters using fts5(text, tokenize='unicode61');
    create virtual table if not exists temp.letter_words using fts5vocab('temp', 'letters', 'instance')`);
  const codes = Array.from({ length: BLOCK }, (_, i) => number * BLOCK + i);
  // Halves of pairs are no letters: they are written as U+FFFD.
  const text = codes.map((code) => `a${String.fromCodePoint(code).toWellFormed().replace('\0', ' ')}b`).join(' ');
  database.prepare('insert into temp.letters (text) values (?)').run(text);
  const found = database.prepare('select term from temp.letter_words order by "offset"').all();
  const words = found.map(({ term }) => String(term));
  database.exec('delete from temp.letters');
  const block = new Int32Array(BLOCK);
  let at = 0;
  for (let i = 0; i < BLOCK; i++) {
    const word = words[at] ?? '';
    const isOne = word.length > 1;
    block[i] = isOne ? (word.length > 2 ? (word.codePointAt(1) ?? GAP) : MARK) : GAP;
    at += isOne ? 1 : 2;
  }
  return block;
}
