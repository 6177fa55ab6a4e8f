// The store as a command needs it: true to the files, or saying where it is not. What reads histories is loaded only if
// something has changed.

import { setTimeout } from 'node:timers/promises';
import { agentPlaces } from '../sources/places.ts';
import type { AgentPlace } from '../sources/source.ts';
import { isWhole } from '../store/heal.ts';
import {
  DamagedStore,
  hasStore,
  isDamage,
  memoryStore,
  NewerStore,
  OldStore,
  openStore,
  readStore,
  removeStore,
  type Store,
} from '../store/open.ts';
import type { Tier } from '../store/rows.ts';
import { sumAside } from '../store/sums-aside.ts';
import { sumsMark } from '../store/usage-sums.ts';
import { type AgentFolder, type AskBefore, agentFolders, type HomePlaces } from './agent-folder.ts';
import { isCurrent, listedIn, rootIn } from './listing.ts';
import { lockNow } from './lock.ts';
import { unreadIn } from './unread-files.ts';
import type { UpdateOptions } from './update.ts';

/** So long another process is waited for that makes the store. */
const WAIT_MS = 60_000;
const EVERY_MS = 100;

export interface StoreRequest extends Omit<UpdateOptions, 'tier'> {
  /** Where the store lies; null for one in memory. */
  folder: string | null;
  places: HomePlaces;
  /** How much of each session must have been read. */
  tier: Tier;
  /** False where nobody will ask for tokens and cost: then they may be by other prices where the store cannot be written. */
  needsSums?: boolean;
  /** For what a person should know: another process writes, the disk is full, the store was damaged. */
  say: (text: string) => void;
  /** Nothing is asked of it yet: where it cannot be written, no file is read in its place. */
  isOnlyWritten?: boolean;
}

export interface CurrentStore {
  store: Store;
  /** The agents' folders that were asked for, by their numbers in the store. */
  roots: number[];
  /** Which folder each of these is. */
  folders: ReadonlyMap<number, string>;
  /** It holds everything that is in the files now. */
  isCurrent: boolean;
  /** What was to be written into it could be; also where another process does that. */
  couldWrite: boolean;
  /** Folders and files that could not be read. */
  diagnostics: string[];
  close(): void;
}

export async function currentStore(request: StoreRequest): Promise<CurrentStore> {
  const before = readableNow(request);
  const { folders, diagnostics } = agentFolders(
    request.places,
    agentPlaces,
    before === undefined ? nothing : listedIn(before.main),
  );
  const unchanged = unlessChanged(before, request, folders);
  const { store, couldWrite, isComplete } =
    unchanged === undefined
      ? await updated(request, folders)
      : { store: unchanged, couldWrite: true, isComplete: true };
  const folderOf = new Map(
    folders.flatMap((folder) => {
      const root = rootIn(store.main, folder);
      return root === undefined ? [] : [[root.id, folder.real] as const];
    }),
  );
  const roots = [...folderOf.keys()];
  const unread = roots.flatMap((root) => unreadIn(store.main, root));
  return {
    store,
    roots,
    folders: folderOf,
    // A file that could not be opened may be open by now.
    isCurrent:
      (isComplete && unread.length === 0) || folders.every((folder) => isCurrent(store.main, folder, request.tier)),
    couldWrite,
    diagnostics: [
      ...diagnostics.map(({ message }) => message),
      ...unread.map(({ message }) => `${message}. Everything else was read.`),
    ],
    close: () => store.close(),
  };
}

type Folders = AgentFolder<AgentPlace>[];

/** The store as it is; undefined where there is none that can be read. */
function readableNow({ folder }: StoreRequest): Store | undefined {
  if (folder === null || !hasStore(folder)) return undefined;
  try {
    return readStore(folder);
  } catch (error) {
    if (error instanceof NewerStore) throw error;
    // Whatever else is wrong shows itself, and is mended, when it is written to.
    return undefined;
  }
}

/** Of folders that nobody has listed before. */
const nothing: AskBefore = () => undefined;

/** That store, if nothing has changed since it was written. */
function unlessChanged(store: Store | undefined, { tier, prices }: StoreRequest, folders: Folders): Store | undefined {
  if (store === undefined) return undefined;
  try {
    const { main } = store;
    const isAsked = areSumsOf(main, prices.version) && folders.every((found) => isCurrent(main, found, tier));
    // The words are opened now, where they will be needed: here it is known what to do if they cannot be.
    if (isAsked && (tier === 0 || isWhole(store))) return store;
  } catch (error) {
    if (error instanceof NewerStore) throw error;
    // As above.
  }
  store.close();
  return undefined;
}

function areSumsOf(main: Store['main'], prices: string): boolean {
  const told = main.prepare("select value from meta where name = 'sums'").get()?.value;
  return told !== undefined && told === sumsMark(prices);
}

interface Updated extends Pick<CurrentStore, 'store' | 'couldWrite'> {
  /** All that was to be read was, here and now, but for files that cannot be opened. */
  isComplete: boolean;
}

async function updated(request: StoreRequest, folders: Folders): Promise<Updated> {
  const { folder } = request;
  if (folder === null) return { ...(await filled(memoryStore(), request, folders)), couldWrite: true };
  const opened = openedForWriting(folder, request.say);
  if (opened === undefined) {
    const store = await readableAtLeast(folder, request, folders);
    return store === undefined
      ? { ...(await inMemory(request, folders)), couldWrite: false }
      : { store, couldWrite: false, isComplete: false };
  }
  const lock = lockOrSay(folder) ?? (await lockAfterFirst(folder, opened, folders, request));
  if (lock === undefined) {
    request.say('Another process is bringing the index up to date: this is what it holds so far.');
    opened.close();
    return { store: await withSums(readStore(folder), request), couldWrite: true, isComplete: false };
  }
  try {
    return { ...(await filled(opened, request, folders)), couldWrite: true };
  } catch (error) {
    return await afterTrouble(error, opened, request, folders);
  } finally {
    lock.release();
  }
}

type Filled = Omit<Updated, 'couldWrite'>;

async function filled(store: Store, { places, ...options }: StoreRequest, folders: Folders): Promise<Filled> {
  const { updateFolders } = await import('./update.ts');
  const { complete } = await updateFolders(store, folders, places.kept, options);
  if (!complete && options.isStopped?.() === true)
    options.say(
      store.folder === null
        ? 'Stopped: this is what was read until then.'
        : 'Stopped: the index holds what was read until then, and goes on from there the next time.',
    );
  return { store, isComplete: complete };
}

/** In place of a store that cannot be written. */
async function inMemory(request: StoreRequest, folders: Folders): Promise<Filled> {
  return request.isOnlyWritten === true
    ? { store: memoryStore(), isComplete: false }
    : filled(memoryStore(), request, folders);
}

/** A store that cannot be written is none, and the work goes on in memory; one that is damaged is made anew. */
function openedForWriting(folder: string, say: (text: string) => void): Store | undefined {
  try {
    return openStore(folder);
  } catch (error) {
    if (error instanceof NewerStore) throw error;
    if (error instanceof OldStore) return madeAnew(folder, say, 'was made by an earlier version');
    if (error instanceof DamagedStore) return madeAnew(folder, say, 'was damaged');
    say(`Cannot write the index in ${folder}: ${reasonOf(error)}.`);
    return undefined;
  }
}

/** What cannot be written can perhaps be read, and is right about everything that has not changed since. */
async function readableAtLeast(folder: string, request: StoreRequest, folders: Folders): Promise<Store | undefined> {
  const { say, tier, isOnlyWritten } = request;
  const store = readableWords(folder);
  if (store === undefined || !folders.every((found) => isReadSoFar(store.main, found, tier))) {
    store?.close();
    if (isOnlyWritten !== true) say('The files are read instead, and nothing is kept.');
    return undefined;
  }
  say('It is read as it was written last: what changed since then is not in it.');
  return withSums(store, request);
}

function readableWords(folder: string): Store | undefined {
  let store: Store | undefined;
  try {
    store = readStore(folder);
    // Opened now: here it is known what to do if they cannot be.
    if (store.shards.length > 0) return store;
  } catch {
    // What is wrong with it was said when it was opened for writing.
  }
  store?.close();
  return undefined;
}

/** Is anything known of what is asked for? Where only tokens were read, nobody was heard. That tools' texts are missing is told with the answer. */
function isReadSoFar(main: Store['main'], folder: Folders[number], tier: Tier): boolean {
  const root = rootIn(main, folder);
  if (root === undefined) return folder.files.length === 0;
  const least = main.prepare('select min(tier) as tier from families where root = ?').get(root.id)?.tier ?? tier;
  return Number(least) >= Math.min(tier, 1);
}

/** Sums that were made with other prices, or are being made, are worked out beside the store. */
async function withSums(store: Store, { prices, needsSums = true }: StoreRequest): Promise<Store> {
  if (needsSums && !areSumsOf(store.main, prices.version)) await sumAside(store.main, prices);
  return store;
}

function madeAnew(folder: string, say: (text: string) => void, why: string): Store {
  discard(folder, say, why);
  return openStore(folder);
}

/** Takes a store away that cannot be used. */
export function discard(folder: string, say: (text: string) => void, why: string): void {
  say(`The index in ${folder} ${why}. It is made anew; nothing is lost, since all of it comes from the agents' files.`);
  removeStore(folder);
}

function lockOrSay(folder: string): { release: () => void } | undefined {
  try {
    return lockNow(folder);
  } catch {
    // A folder in which no lock can be made, but whose databases can be written: nobody else writes there either.
    return { release: () => {} };
  }
}

/**
 * Who brings a store up to date for the first time has nothing to show yet: to wait for it is better than to find nothing. Of one that
 * was whole before, what it holds is told at once.
 */
async function lockAfterFirst(folder: string, { main }: Store, folders: Folders, request: StoreRequest) {
  const { say, isStopped, tier } = request;
  const tokensOnly = main.prepare('select 1 from families where root = ? and tier = 0 limit 1');
  const lacksWords = tier > 0 && folders.some((found) => tokensOnly.get(rootIn(main, found)?.id ?? -1) !== undefined);
  if (wasWhole(main, folders) && !lacksWords) return undefined;
  say('Another process is making the index: waiting for it.');
  for (let waited = 0; waited < WAIT_MS && isStopped?.() !== true; waited += EVERY_MS) {
    await setTimeout(EVERY_MS);
    const lock = lockOrSay(folder);
    if (lock !== undefined) return lock;
  }
  return undefined;
}

/** It was brought up to date before, whatever has changed since. */
function wasWhole(main: Store['main'], folders: Folders): boolean {
  // Files are written down when all of them have been read.
  const known = main.prepare('select 1 from files where root = ? limit 1');
  return folders.every((found) => found.files.length === 0 || known.get(rootIn(main, found)?.id ?? -1) !== undefined);
}

async function afterTrouble(error: unknown, store: Store, request: StoreRequest, folders: Folders): Promise<Updated> {
  const { folder, say } = request;
  if (folder !== null && isDamage(error)) {
    store.close();
    return { ...(await filled(madeAnew(folder, say, 'was damaged'), request, folders)), couldWrite: true };
  }
  if (!isFull(error)) throw error;
  say(
    `The index in ${folder} could not be written to the end: ${reasonOf(error)}. It holds what was written until then.`,
  );
  if (request.isOnlyWritten === true || holdsEnough(store, folders, request.tier))
    return { store, couldWrite: false, isComplete: false };
  store.close();
  say('That is not enough to answer from, so the files are read. Make room, or give another folder with --store.');
  return { ...(await inMemory(request, folders)), couldWrite: false };
}

/** It was whole before, and all that it holds was read as far as is asked for: then it is only late. */
function holdsEnough({ main }: Store, folders: Folders, tier: Tier): boolean {
  const lower = main.prepare('select 1 from families where root = ? and tier between 0 and ? limit 1');
  const isLower = folders.some((found) => lower.get(rootIn(main, found)?.id ?? -1, tier - 1) !== undefined);
  return wasWhole(main, folders) && !isLower;
}

/** 13: SQLITE_FULL, 10: SQLITE_IOERR, 8: SQLITE_READONLY. */
function isFull(error: unknown): boolean {
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === 'number' && [8, 10, 13].includes(code & 0xff);
}

function reasonOf(error: unknown): string {
  const { errcode, code } = error as { errcode?: number; code?: string };
  const known: Record<string, string> = {
    13: 'the disk is full',
    10: 'reading or writing failed',
    8: 'it is read-only',
    14: 'it cannot be opened',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'it is read-only',
    ENOSPC: 'the disk is full',
    ENOTDIR: 'it is no folder',
    ENOENT: 'there is no such folder',
    EEXIST: 'there is a file of that name',
  };
  return known[String(errcode === undefined ? code : errcode & 0xff)] ?? (error as Error).message;
}
