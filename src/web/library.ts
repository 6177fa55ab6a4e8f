// The sessions of homes as the page asks for them: the list, kept up to date while agents write, and each session opened.

import {
  type FoundFamily,
  foldThreads,
  type HomePlaces,
  type LiveFamily,
  type LiveHome,
  liveHome,
  openStoredHome,
  type Watching,
  watch,
} from '../index.ts';
import { type CurrentStore, currentStore, hasStore, pricesOfModels, pricesVersion } from '../reports.ts';
import type {
  Change,
  FoundAnswer,
  MessagesAnswer,
  PlaceAnswer,
  RawAnswer,
  SearchAnswer,
  SessionAnswer,
  SessionRow,
  SessionsAnswer,
  ThreadAnswer,
} from './api.ts';
import { findIn } from './find-in-session.ts';
import { firstMessages } from './first-messages.ts';
import { rawRows } from './raw-rows.ts';
import { type KnownRow, keyOf, readRows, unreadRow, writtenAt } from './rows.ts';
import { searchAll } from './search-all.ts';
import { Shelf } from './shelf.ts';
import { threadOf } from './thread.ts';

export interface LibraryOptions {
  places: HomePlaces;
  isSample: boolean;
  /** Where the index lies; null for none. */
  store: string | null;
  /** Read everything into the index, so that all can be searched and sorted. */
  index: boolean;
  threads: number;
}

/** Nothing of that name. */
export class NotThere extends Error {}

interface Entry {
  live: LiveFamily;
  family: FoundFamily;
  key: string;
  /** The main session first. */
  rows: KnownRow[];
}

/** Reads in slices of so many milliseconds, so that others are answered in between. */
const SLICE_MS = 30;
/** A large session that grows is told of less often: each time, it is read again. */
const WAIT_MS = 150;
const WAIT_PER_MB = 40;
const TIE_MS = 1000;
const QUIET_MS = 1500;

export class Library {
  private readonly options: LibraryOptions;
  private readonly tell: (change: Change) => void;
  private readonly trouble: (message: string) => void;
  private readonly watching: Watching;
  private readonly live: LiveHome;
  private readonly entries = new Map<string, Entry>();
  /** Key of the family that a session is in. */
  private readonly familyOf = new Map<string, string>();
  private readonly shelf = new Shelf((family, id) => this.sessionKey(family, id));
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  private order: Entry[] | null = null;
  private indexing: SessionsAnswer['indexing'] = null;
  private isIndexed = false;
  private isClosed = false;
  private askedAt = 0;
  private readonly said = new Set<string>();
  private tying: NodeJS.Timeout | undefined;

  constructor(options: LibraryOptions, tell: (change: Change) => void, trouble: (message: string) => void) {
    this.options = options;
    this.tell = tell;
    this.trouble = trouble;
    const early: (() => void)[] = [];
    let isReady = false;
    this.watching = watch(options.places, (changed) => {
      const take = () =>
        this.guarded(() => {
          this.changed(this.live.update(changed));
          this.tieSoon();
        });
      if (isReady) take();
      else early.push(take);
    });
    this.live = liveHome(options.places);
    for (const family of this.live.families()) this.take(family);
    isReady = true;
    for (const take of early) take();
  }

  /** Reads what the index holds, and then, if wanted, everything else into it. */
  async prepare(): Promise<void> {
    const { store, index, isSample } = this.options;
    if (isSample || store === null) return this.readAll();
    if (hasStore(store)) await this.fromStore({ most: LITTLE_BYTES });
    if (!this.isIndexed && index) await this.fromStore({ most: Number.POSITIVE_INFINITY });
    if (!this.isIndexed) await this.readAll();
  }

  /** Somebody asks: what can wait, waits. */
  asked(): void {
    this.askedAt = performance.now();
  }

  sessions({ from, count }: { from: number; count: number }): SessionsAnswer {
    const order = this.inOrder();
    const shown = order.slice(from, from + count);
    return {
      api_version: 1,
      rows: shown.flatMap(({ rows: [row] }) => (row === undefined ? [] : [shownRow(this.peeked(row))])),
      all: order.length,
      is_sample: this.options.isSample,
      homes: this.options.places.homes,
      indexing: this.indexing,
      has_index: this.isIndexed,
      diagnostics: this.live.diagnostics.filter(({ code }) => code !== 'foreign-file').map(({ message }) => message),
    };
  }

  /** These sessions, read if they have not been: the page asks for those that can be seen. */
  rows({ keys }: { keys: string[] }): { api_version: 1; rows: SessionRow[] } {
    const end = performance.now() + SLICE_MS * 4;
    const rows: SessionRow[] = [];
    for (const key of keys) {
      const entry = this.entries.get(this.familyOf.get(key) ?? '');
      if (entry === undefined) continue;
      // While everything is read anyhow, nobody waits for a large one.
      const isLater = this.indexing !== null && entry.family.bytes > LARGE_BYTES;
      if (performance.now() < end && !isLater) this.read(entry);
      rows.push(...entry.rows.filter((row) => row.key === key).map(shownRow));
    }
    return { api_version: 1, rows };
  }

  /** Of a large session the first messages, without reading the rest: something to look at meanwhile. None of a small one. */
  beginning({ key }: Asked): MessagesAnswer {
    const entry = this.entryOf(key);
    const family = entry.live.family ?? entry.family;
    const isWorth = key === entry.key && family.bytes > LARGE_BYTES && !this.shelf.has(entry.live.key);
    return { api_version: 1, messages: isWorth ? firstMessages(family) : [] };
  }

  session({ key }: Asked): SessionAnswer {
    return this.open(key).answer();
  }

  messages({ key, from, to }: Asked & { from: number; to: number }): MessagesAnswer {
    const { reader, shower } = this.open(key);
    const last = Math.min(to, reader.messageCount - 1, from + MOST_MESSAGES - 1);
    const messages = [];
    for (let index = Math.max(0, from); index <= last; index++) messages.push(shower.show(index, { whole: false }));
    return { api_version: 1, messages };
  }

  message({ key, index }: Asked & { index: number }): MessagesAnswer {
    return { api_version: 1, messages: [this.openAt(key, index).shower.show(index, { whole: true })] };
  }

  raw({ key, index }: Asked & { index: number }): RawAnswer {
    return rawRows(this.openAt(key, index).reader, index);
  }

  image({ key, index, number }: Asked & { index: number; number: number }): {
    type: string;
    bytes: Buffer<ArrayBuffer>;
  } {
    const image = this.openAt(key, index).shower.image(index, number);
    if (image === undefined) throw new NotThere('There is no such image, or it is too large to be shown.');
    return image;
  }

  find({ key, text }: Asked & { text: string }): FoundAnswer {
    return findIn(this.open(key), text);
  }

  place({ key, id }: Asked & { id: string }): PlaceAnswer {
    const index = this.open(key).reader.indexOf(id);
    if (index === undefined) throw new NotThere('There is no message of that id in this session.');
    return { api_version: 1, index };
  }

  thread({ key }: Asked): ThreadAnswer {
    const entry = this.entryOf(key);
    this.read(entry);
    return threadOf(
      key,
      [...this.entries.values()].flatMap(({ rows }) => rows),
    );
  }

  async search({ text }: { text: string }): Promise<SearchAnswer> {
    const { store, isSample, places } = this.options;
    if (isSample || store === null || !this.isIndexed) return { api_version: 1, hits: [], trouble: NOT_INDEXED };
    const current = await this.store({ most: LITTLE_BYTES, isTold: false });
    try {
      return await searchAll(text, current, places.kept, (agent, id) => this.keyInList(agent, id));
    } finally {
      current.close();
    }
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.tying);
    for (const timer of this.waiting.values()) clearTimeout(timer);
    this.watching.close();
    this.shelf.close();
  }

  private take(live: LiveFamily): void {
    this.order = null;
    const before = this.entries.get(live.key);
    if (live.family === null) {
      for (const { key } of before?.rows ?? []) this.familyOf.delete(key);
      for (const id of before?.family.subagents ?? []) this.familyOf.delete(this.sessionKey(live.key, id));
      this.entries.delete(live.key);
      return;
    }
    const key = before?.key ?? this.freeKey(live);
    const entry = { live, family: live.family, key, rows: before?.rows ?? [unreadRow(live.family, key)] };
    this.entries.set(live.key, entry);
    this.register(entry);
  }

  private freeKey({ agent, id }: LiveFamily): string {
    let home = 0;
    while (this.familyOf.has(keyOf(agent, id, home))) home++;
    return keyOf(agent, id, home);
  }

  private register({ live, family, rows }: Entry): void {
    for (const { key } of rows) this.familyOf.set(key, live.key);
    for (const id of family.subagents) this.familyOf.set(this.sessionKey(live.key, id), live.key);
  }

  /** A session of the same family lies in the same home. */
  private sessionKey(familyKey: string, id: string): string {
    const entry = this.entries.get(familyKey);
    if (entry === undefined) return id;
    const [, home = ''] = /(~\d+)$/.exec(entry.key) ?? [];
    return `${entry.family.agent}:${id}${home}`;
  }

  private changed(families: LiveFamily[]): void {
    const gone = families.flatMap(({ key, family }) => (family === null ? [key] : []));
    const rows = gone.flatMap((key) => this.entries.get(key)?.rows.map((row) => row.key) ?? []);
    for (const live of families) {
      this.shelf.drop(live.key);
      this.take(live);
      if (live.family !== null) this.readSoon(live.key, live.family.bytes);
    }
    if (rows.length > 0) this.tell({ name: 'rows', rows: [], gone: rows });
  }

  /** A person should know, but not at every letter that is typed. */
  private sayOnce(message: string): void {
    if (!this.said.has(message)) this.trouble(message);
    this.said.add(message);
  }

  /** One session that cannot be read must not end the others. */
  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.trouble(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  }

  /** A clear or a fork ties sessions that were not tied before. That may look at all of them: it waits until it is quiet. */
  private tieSoon(): void {
    clearTimeout(this.tying);
    this.tying = setTimeout(() => this.guarded(() => this.changed(this.live.tie())), TIE_MS);
  }

  /** Rows that stand under others than before. */
  private refolded(): SessionRow[] {
    const mains = () => [...this.entries.values()].flatMap(({ rows: [row] }) => row ?? []);
    const before = new Map(mains().map(({ key, folded_under }) => [key, folded_under]));
    this.order = null;
    this.inOrder();
    return mains()
      .filter(({ key, folded_under }) => before.get(key) !== folded_under)
      .map(shownRow);
  }

  private readSoon(key: string, bytes: number): void {
    if (this.waiting.has(key)) return;
    const timer = setTimeout(
      () => {
        this.waiting.delete(key);
        const entry = this.entries.get(key);
        if (entry === undefined || this.isClosed) return;
        this.guarded(() => {
          this.read(entry, { again: true });
          const folded = this.refolded();
          this.tell({ name: 'rows', rows: [...folded, ...entry.rows.slice(0, 1).map(shownRow)], gone: [] });
        });
        for (const row of entry.rows) this.tell({ name: 'session', key: row.key });
      },
      WAIT_MS + (bytes / 1e6) * WAIT_PER_MB,
    );
    this.waiting.set(key, timer);
  }

  private read(entry: Entry, { again }: { again: boolean } = { again: false }): void {
    if (entry.rows[0]?.is_read === true && !again) return;
    const rows = readRows(entry.family, (id) => this.sessionKey(entry.live.key, id));
    const [main] = rows;
    // Where it stands is worked out for all together.
    if (main !== undefined) main.folded_under = entry.rows[0]?.folded_under ?? null;
    if (rows.length > 0) entry.rows = rows;
    this.register(entry);
    this.order = null;
  }

  /** Everything, newest first, in slices. */
  private async readAll(): Promise<void> {
    let slice = performance.now();
    let fresh: SessionRow[] = [];
    const order = this.inOrder();
    // What the index holds need not be read.
    const isLarge = ({ live, family }: Entry) => family === live.family && family.bytes > LARGE_BYTES;
    // Large ones last, and only while nobody asks for anything: each takes long enough to be felt.
    for (const entry of [...order.filter((one) => !isLarge(one)), ...order.filter(isLarge)]) {
      while (isLarge(entry) && !this.isClosed && performance.now() - this.askedAt < QUIET_MS)
        await new Promise((resolve) => setTimeout(resolve, 100));
      if (this.isClosed) return;
      if (entry.rows[0]?.is_read === true) continue;
      this.guarded(() => this.read(entry));
      fresh.push(...entry.rows.slice(0, 1).map(shownRow));
      if (performance.now() - slice < SLICE_MS) continue;
      this.tell({ name: 'rows', rows: fresh, gone: [] });
      fresh = [];
      await new Promise((resolve) => setImmediate(resolve));
      slice = performance.now();
    }
    this.tell({ name: 'rows', rows: [...fresh, ...this.refolded()], gone: [] });
  }

  private async fromStore({ most }: { most: number }): Promise<void> {
    const current = await this.store({ most, isTold: true });
    try {
      if (!current.isCurrent) return;
      this.isIndexed = true;
      const stored = openStoredHome(this.options.places, current.store).families;
      const byFiles = new Map(stored.map((family) => [filesOf(family), family]));
      for (const entry of this.entries.values()) entry.family = byFiles.get(filesOf(entry.family)) ?? entry.family;
      await this.readAll();
    } finally {
      for (const entry of this.entries.values()) if (entry.live.family !== null) entry.family = entry.live.family;
      current.close();
      this.indexing = null;
      this.tell({ name: 'indexing', indexing: null });
    }
  }

  private store({ most, isTold }: { most: number; isTold: boolean }): Promise<CurrentStore> {
    const { store, places, threads } = this.options;
    return currentStore({
      folder: store,
      places,
      tier: 1,
      most,
      workers: threads,
      say: (message) => this.sayOnce(message),
      prices: { version: pricesVersion(null), load: (models, known) => pricesOfModels(null, models, known) },
      progress: (done, all) => {
        if (!isTold) return;
        this.indexing = { done, all };
        this.tell({ name: 'indexing', indexing: this.indexing });
      },
      isStopped: () => this.isClosed,
    });
  }

  /** Newest first; sessions of one piece of work under the newest of them. */
  private inOrder(): Entry[] {
    if (this.order !== null) return this.order;
    const order = [...this.entries.values()].sort((a, b) =>
      usedAt(a) < usedAt(b) ? 1 : usedAt(a) > usedAt(b) ? -1 : 0,
    );
    for (const entry of order) for (const row of entry.rows) row.folded_under = null;
    const mains = order.flatMap(({ rows: [row] }) => row ?? []);
    for (const [, same] of Map.groupBy(mains, ({ agent }) => agent))
      for (const { session, earlier, copies } of foldThreads(same))
        for (const row of [...earlier, ...copies]) row.folded_under = session.key;
    this.order = order;
    return order;
  }

  /** The beginning of its file tells where and when, without reading all of it. */
  private peeked(row: KnownRow): KnownRow {
    const entry = this.entries.get(this.familyOf.get(row.key) ?? '');
    if (row.is_read || entry === undefined || row.project !== null || row.started_at !== null) return row;
    return Object.assign(row, entry.family.peek());
  }

  private entryOf(key: string): Entry {
    // Subagents that have no file of their own are known when their session has been read.
    const entry = this.entries.get(this.familyOf.get(key) ?? '');
    if (entry === undefined) throw new NotThere('There is no such session: it may have been deleted.');
    return entry;
  }

  private open(key: string) {
    const entry = this.entryOf(key);
    const id = key === entry.key ? null : key.slice(key.indexOf(':') + 1).replace(/~\d+$/, '');
    const open = this.shelf.open(entry.live.key, entry.live.family ?? entry.family, id);
    if (open === undefined) throw new NotThere('There is no such session in its file any more.');
    return open;
  }

  private openAt(key: string, index: number) {
    const open = this.open(key);
    if (!(index >= 0 && index < open.reader.messageCount)) throw new NotThere('There is no such message.');
    return open;
  }

  private keyInList(agent: string, id: string): string {
    return keyOf(agent, id, 0);
  }
}

interface Asked {
  key: string;
}

const MOST_MESSAGES = 200;
/** More than this takes long enough to be felt. */
const LARGE_BYTES = 4 * 1024 * 1024;
/** More than this is not read before somebody is answered. */
const LITTLE_BYTES = 64 * 1024 * 1024;
const NOT_INDEXED = 'What was said can be searched when the index is there.';

function shownRow({
  forked_from: _f,
  cloned_from: _c,
  cleared_from: _l,
  goes_on_in: _g,
  ...row
}: KnownRow): SessionRow {
  return row;
}

function usedAt({ rows: [row], family }: Entry): string {
  return row?.last_used ?? new Date(writtenAt(family)).toISOString();
}

function filesOf({ agent, id, files }: FoundFamily): string {
  return [agent, id, ...files.map(({ path, bytes, modified_ms }) => `${path} ${bytes} ${modified_ms}`)].join('\n');
}
