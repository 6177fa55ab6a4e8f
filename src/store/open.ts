// Opens the databases of a store, and says what is wrong with one that cannot be.

import { chmodSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { makeFolder } from './make-folder.ts';
import { type DatabaseKind, migrate, OLDEST_VERSION, versionOf } from './migrations.ts';
import { MAIN_TABLES, SHARD_TABLES, STORE_VERSION } from './tables.ts';

/** A store, open for reading or writing. */
export interface Store {
  /** Where it lies; null for one in memory. */
  folder: string | null;
  main: DatabaseSync;
  /** The words: opened when they are asked for. */
  readonly shards: DatabaseSync[];
  close(): void;
}

/** Made by a newer version of this program: nothing of it is touched. */
export class NewerStore extends Error {}

/** Its files are no databases, or damaged ones: it has to be made anew. */
export class DamagedStore extends Error {}

/** Made by a version of which nothing can be carried over. */
export class OldStore extends Error {}

const MAIN = 'main.db';
/** So much of each database is read without copying it. */
const MAPPED_BYTES = 1024 ** 3;
const TABLES: Record<DatabaseKind, string> = { main: MAIN_TABLES, shard: SHARD_TABLES };

export function hasStore(folder: string): boolean {
  return existsSync(join(folder, MAIN));
}

/** Opens a store for writing; makes it where there is none. */
export function openStore(folder: string): Store {
  makeFolder(folder);
  const isNew = !hasStore(folder);
  return careful(folder, () => {
    const main = databaseAt(join(folder, MAIN), 'main');
    const count = isNew ? Math.min(4, availableParallelism()) : Math.max(shardsIn(folder), shardsOf(main));
    const shards = Array.from({ length: Math.max(1, count) }, (_, i) => openShard(folder, i));
    return { ...storeOf(folder, main, shards), close: () => closeWritten(folder, main, shards) };
  });
}

/** Opens a store that is there, without any right to change it. */
export function readStore(folder: string): Store {
  const open = (name: string) => careful(folder, () => readDatabase(folder, name));
  const main = open(MAIN);
  const count = () => Math.max(shardsIn(folder), shardsOf(main));
  return storeOf(folder, main, () => Array.from({ length: count() }, (_, i) => open(shardName(i))));
}

function readDatabase(folder: string, name: string): DatabaseSync {
  const path = join(folder, name);
  const { database, version } = openedOrFixed(path);
  if (version > STORE_VERSION) throw newer(folder);
  if (version !== STORE_VERSION) throw new DamagedStore(`${name} is not of this version`);
  // A search looks at thousands of pages: to have them copied takes a third of its time.
  database.exec(`pragma mmap_size = ${MAPPED_BYTES}`);
  return database;
}

/** In a folder that cannot be written SQLite wants to make files, unless it is told that nobody changes the database. */
function openedOrFixed(path: string): { database: DatabaseSync; version: number } {
  const opened = (place: string | URL) => {
    const database = new DatabaseSync(place, { readOnly: true, timeout: 5000 });
    return { database, version: versionOf(database) };
  };
  try {
    return opened(path);
  } catch (error) {
    const code = Number((error as { errcode?: unknown }).errcode) & 0xff;
    // 8: SQLITE_READONLY, 14: SQLITE_CANTOPEN. What stands in a log beside the database would not be seen.
    if ((code !== 8 && code !== 14) || existsSync(`${path}-wal`) || !existsSync(path)) throw error;
    const fixed = pathToFileURL(path);
    fixed.searchParams.set('immutable', '1');
    return opened(fixed);
  }
}

/** A store that is gone when the process ends. */
export function memoryStore(): Store {
  const [main, shard] = [new DatabaseSync(':memory:'), new DatabaseSync(':memory:')];
  main.exec(TABLES.main);
  shard.exec(TABLES.shard);
  return storeOf(null, main, [shard]);
}

/** One of the databases that hold the words: a worker opens its own. */
export function openShard(folder: string, number: number): DatabaseSync {
  return databaseAt(join(folder, shardName(number)), 'shard');
}

/** The same with the right to write lists of words past FTS5: see new-lists.ts. */
export function openShardForLists(folder: string, number: number): DatabaseSync {
  return databaseAt(join(folder, shardName(number)), 'shard', { defensive: false });
}

/** Takes a store away, for it to be made anew. The agents' files are not touched. */
export function removeStore(folder: string): void {
  for (const name of readdirSync(folder))
    if (/^(main|words-\d+)\.db(-wal|-shm|-journal)?$/.test(name)) rmSync(join(folder, name));
}

type Shards = DatabaseSync[] | (() => DatabaseSync[]);

function storeOf(folder: string | null, main: DatabaseSync, shards: Shards): Store {
  let open = typeof shards === 'function' ? undefined : shards;
  return {
    folder,
    main,
    get shards() {
      open ??= typeof shards === 'function' ? shards() : shards;
      return open;
    },
    close: () => {
      for (const database of [main, ...(open ?? [])]) database.close();
    },
  };
}

/** So much may be left in a log, and so small a part of its database: then it is written to where it belongs. */
const LEFT_BYTES = 2 * 1024 * 1024;
const LEFT_PART = 1 / 8;

/**
 * Who closes a database last puts what is in its log to where it belongs, waits for the disk twice, and takes the log away; and the next one makes it
 * anew, and waits twice again. After a file grew that is a tenth of the time. A connection that may only read can do none of that: where it closes
 * last the log stays, as after a process that was killed, and is read by whoever comes next.
 */
function closeWritten(folder: string, main: DatabaseSync, shards: readonly DatabaseSync[]): void {
  const names = [MAIN, ...shards.map((_, i) => shardName(i))];
  const readers = names.flatMap((name) => readerOfShortLog(join(folder, name)) ?? []);
  for (const database of [main, ...shards, ...readers]) database.close();
}

function readerOfShortLog(path: string): DatabaseSync | undefined {
  let reader: DatabaseSync | undefined;
  try {
    const { size } = statSync(`${path}-wal`);
    if (size === 0 || size > Math.min(LEFT_BYTES, statSync(path).size * LEFT_PART)) return undefined;
    reader = new DatabaseSync(path, { readOnly: true });
    // Only who has read something holds the log.
    versionOf(reader);
    return reader;
  } catch {
    // There is no log, or somebody takes the files away: then the database is closed as ever.
    reader?.close();
    return undefined;
  }
}

function shardName(number: number): string {
  return `words-${number}.db`;
}

/** One of them may be missing: they are counted by their numbers. */
function shardsIn(folder: string): number {
  const numbers = readdirSync(folder).map((name) => Number(/^words-(\d+)\.db$/.exec(name)?.[1] ?? -1));
  return Math.max(-1, ...numbers) + 1;
}

/** As many as the main database knows of. */
function shardsOf(main: DatabaseSync): number {
  return Number(main.prepare('select max(shard) as last from families').get()?.last ?? -1) + 1;
}

/** Of a new database; those that are there keep theirs. Twice what SQLite takes: there are half as many to be written, once to the log and once more. */
export const PAGE_BYTES = 8192;
/** So much is in the log before it is written to where it belongs. */
const LOG_BYTES = 16 * 1024 * 1024;

function databaseAt(path: string, kind: DatabaseKind, rights: { defensive?: false } = {}): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 5000, ...rights });
  try {
    chmodSync(path, 0o600);
    database.exec(`
      pragma page_size = ${PAGE_BYTES};
      pragma journal_mode = wal;
      pragma synchronous = normal;
      pragma cache_size = -8192;
      pragma temp_store = memory;
      pragma wal_autocheckpoint = ${LOG_BYTES / PAGE_BYTES}`);
    const version = versionOf(database);
    if (version > STORE_VERSION) throw newer(path);
    if (version === 0) create(database, TABLES[kind]);
    else if (version < OLDEST_VERSION) throw new OldStore(`${path} was made by an earlier version of Palimpsest`);
    else migrate(database, kind);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** All tables or none: a store that was left in the middle of being made is made again. */
function create(database: DatabaseSync, tables: string): void {
  database.exec('begin immediate');
  // Another process may have made them by now.
  const made = versionOf(database) === 0 ? `${tables} pragma user_version = ${STORE_VERSION};` : '';
  database.exec(`${made} commit`);
}

function newer(path: string): NewerStore {
  return new NewerStore(
    `${path} was made by a newer version of Palimpsest. Update it, or give another folder with --store.`,
  );
}

/** SQLite's own words for a file that is no database, or whose pages do not fit together. */
export function isDamage(error: unknown): boolean {
  const code = (error as { errcode?: unknown }).errcode;
  // 11: SQLITE_CORRUPT, 26: SQLITE_NOTADB; the low byte of the longer codes.
  return typeof code === 'number' && [11, 26].includes(code & 0xff);
}

/** Is an error that came up while it was asked one of its own? Where SQLite does not say so, all of it is looked through. */
export function isBroken(folder: string, error: unknown): boolean {
  if (isDamage(error) || error instanceof DamagedStore) return true;
  if (/vtable constructor failed/.test(String((error as Error).message))) return true;
  try {
    const store = readStore(folder);
    try {
      return [store.main, ...store.shards].some((database) => {
        const [found] = Object.values(database.prepare('pragma quick_check(1)').get() ?? {});
        return found !== 'ok';
      });
    } finally {
      store.close();
    }
  } catch (trouble) {
    return trouble instanceof DamagedStore || isDamage(trouble);
  }
}

function careful<T>(folder: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (isDamage(error)) throw new DamagedStore(`the index in ${folder} is damaged`, { cause: error });
    throw error;
  }
}
