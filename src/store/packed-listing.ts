// The files of an agent's folder in two values, each in a table of its own: their names, and three numbers for each. Kept exactly, not as a hash: so it
// is also told which of them changed, and no library of hashes has to be loaded.

import type { DatabaseSync } from 'node:sqlite';
import { READING } from './tables.ts';

export interface ListedFile {
  path: string;
  bytes: number;
  modified_ms: number;
  kept?: boolean;
}

/** Names end with a zero byte, which no name holds; numbers are size, time and whether it is a kept copy, after how the files were read. */
export interface PackedListing {
  names: Uint8Array;
  numbers: Uint8Array;
}

const HEAD = 1;
const WIDTH = 3;

export function packListing(files: readonly ListedFile[]): PackedListing {
  const numbers = new Float64Array(HEAD + files.length * WIDTH);
  numbers[0] = READING;
  let names = '';
  let at = HEAD;
  for (const { path, bytes, modified_ms, kept } of files) {
    names += `${path}\0`;
    numbers[at++] = bytes;
    numbers[at++] = modified_ms;
    numbers[at++] = kept === true ? 1 : 0;
  }
  return { names: Buffer.from(names), numbers: new Uint8Array(numbers.buffer) };
}

export function listingIn(main: DatabaseSync, root: number): PackedListing | undefined {
  const found = main
    .prepare('select names, numbers from listings join listed_names using (root) where root = ?')
    .get(root) as PackedListing | undefined;
  // What was read otherwise counts as not read.
  return found !== undefined && numbersIn(found.numbers)[0] === READING ? found : undefined;
}

/** Names that stay are not written again. */
export function putListing(main: DatabaseSync, root: number, { names, numbers }: PackedListing): void {
  main
    .prepare(
      `insert into listed_names values (?, ?)
       on conflict (root) do update set names = excluded.names where names <> excluded.names`,
    )
    .run(root, names);
  main.prepare('insert or replace into listings values (?, ?)').run(root, numbers);
}

/** Until another is put, nobody knows what is there. The names stay: mostly they are those of the next one. */
export function forgetListing(main: DatabaseSync, root: number): void {
  main.prepare('delete from listings where root = ?').run(root);
}

export function isSameListing(a: PackedListing, b: PackedListing): boolean {
  return Buffer.compare(a.numbers, b.numbers) === 0 && Buffer.compare(a.names, b.names) === 0;
}

/** What is not as it was: files that came or changed, and the names of those that went. */
export interface ListingChanges<Info extends ListedFile> {
  changed: Info[];
  gone: string[];
}

export function listingChanges<Info extends ListedFile>(
  before: PackedListing | undefined,
  files: readonly Info[],
  now: PackedListing,
): ListingChanges<Info> {
  if (before === undefined) return { changed: [...files], gone: [] };
  const [old, numbers] = [numbersIn(before.numbers), numbersIn(now.numbers)];
  const isAsAt = (i: number, j: number) => {
    for (let n = HEAD; n < HEAD + WIDTH; n++) if (numbers[i * WIDTH + n] !== old[j * WIDTH + n]) return false;
    return true;
  };
  if (Buffer.compare(before.names, now.names) === 0) return { changed: changedAmong(files, old, numbers), gone: [] };
  const places = new Map(namesIn(before.names).map((path, place) => [path, place]));
  const changed = files.filter(({ path }, i) => {
    const place = places.get(path);
    places.delete(path);
    return place === undefined || !isAsAt(i, place);
  });
  return { changed, gone: [...places.keys()] };
}

/** Of files that are the same by name. In one loop: a call for each of thousands would show in a command that has just begun. */
function changedAmong<Info>(files: readonly Info[], old: Float64Array, numbers: Float64Array): Info[] {
  const changed = new Set<number>();
  for (let at = HEAD; at < numbers.length; at++)
    if (numbers[at] !== old[at]) changed.add(Math.floor((at - HEAD) / WIDTH));
  return [...changed].flatMap((place) => files[place] ?? []);
}

/** The names of those that are no kept copies. */
export function liveNames({ names, numbers }: PackedListing): string[] {
  const all = numbersIn(numbers);
  return namesIn(names).filter((_, i) => all[HEAD + i * WIDTH + WIDTH - 1] === 0);
}

function namesIn(names: Uint8Array): string[] {
  return Buffer.from(names.buffer, names.byteOffset, names.byteLength).toString().split('\0').slice(0, -1);
}

/** Copied: the bytes of a database need not begin where numbers can. */
function numbersIn(bytes: Uint8Array): Float64Array {
  return new Float64Array(bytes.slice().buffer);
}
