// Keeps the catalogue true to the files: everything is read in the background, from the index where there is one, and what agents
// write meanwhile is read again.

import {
  type FoundFamily,
  type HomePlaces,
  type LiveFamily,
  type LiveHome,
  liveHome,
  openStoredHome,
  type Watching,
  watch,
} from '../index.ts';
import { type CurrentStore, currentStore, hasStore, storePrices } from '../reports.ts';
import type { Change, SessionRow, SessionsAnswer } from './api.ts';
import { type Catalogue, type Entry, shownRow } from './catalogue.ts';

export interface LibraryOptions {
  places: HomePlaces;
  isSample: boolean;
  /** Where the index lies; null for none. */
  store: string | null;
  /** Read everything into the index, so that all can be searched and sorted. */
  index: boolean;
  threads: number;
}

interface Told {
  /** What the page should know. */
  tell: (change: Change) => void;
  /** What the person at the terminal should know. */
  trouble: (message: string) => void;
  /** What was read of a family is no longer so. */
  changed: (family: string) => void;
}

/** Reads in slices of so many milliseconds, so that others are answered in between. */
export const SLICE_MS = 30;
/** More than this takes long enough to be felt. */
export const LARGE_BYTES = 4 * 1024 * 1024;
/** More than this is not read before somebody is answered. */
const LITTLE_BYTES = 64 * 1024 * 1024;
/** A large session that grows is told of less often: each time, it is read again. */
const WAIT_MS = 150;
const WAIT_PER_MB = 40;
const TIE_MS = 1000;
const QUIET_MS = 1500;

export class Upkeep {
  /** Of what is read into the index; null when nothing is. */
  indexing: SessionsAnswer['indexing'] = null;
  /** Everything is in the index. */
  isIndexed = false;
  private readonly options: LibraryOptions;
  private readonly catalogue: Catalogue;
  private readonly told: Told;
  private readonly watching: Watching;
  private readonly live: LiveHome;
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  private readonly said = new Set<string>();
  private tying: NodeJS.Timeout | undefined;
  private askedAt = 0;
  private isClosed = false;

  constructor(options: LibraryOptions, catalogue: Catalogue, told: Told) {
    this.options = options;
    this.catalogue = catalogue;
    this.told = told;
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
    for (const family of this.live.families()) catalogue.take(family);
    isReady = true;
    for (const take of early) take();
  }

  get diagnostics(): string[] {
    return this.live.diagnostics.filter(({ code }) => code !== 'foreign-file').map(({ message }) => message);
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

  /** The index, with what changed since it was read last, if that is little. */
  index(): Promise<CurrentStore> {
    return this.store({ most: LITTLE_BYTES, isTold: false });
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.tying);
    for (const timer of this.waiting.values()) clearTimeout(timer);
    this.watching.close();
  }

  private changed(families: LiveFamily[]): void {
    const gone = families.flatMap(({ key, family }) => (family === null ? [key] : []));
    const rows = gone.flatMap((key) => this.catalogue.entry(key)?.rows.map((row) => row.key) ?? []);
    for (const live of families) {
      // Who reads a session that grows goes on in it as it was, until it is read again: each time, that takes long.
      if (!hasOnlyGrown(this.catalogue.entry(live.key)?.family, live.family)) this.told.changed(live.key);
      this.catalogue.take(live);
      if (live.family !== null) this.readSoon(live.key, live.family.bytes);
    }
    if (rows.length > 0) this.told.tell({ name: 'rows', rows: [], gone: rows });
  }

  /** A clear or a fork ties sessions that were not tied before. That may look at all of them: it waits until it is quiet. */
  private tieSoon(): void {
    clearTimeout(this.tying);
    this.tying = setTimeout(() => this.guarded(() => this.changed(this.live.tie())), TIE_MS);
  }

  private readSoon(key: string, bytes: number): void {
    if (this.waiting.has(key)) return;
    const timer = setTimeout(
      () => {
        this.waiting.delete(key);
        const entry = this.catalogue.entry(key);
        if (entry === undefined || this.isClosed) return;
        this.guarded(() => {
          this.told.changed(key);
          this.catalogue.read(entry, { again: true });
          const folded = this.catalogue.refold();
          this.told.tell({ name: 'rows', rows: [...folded, ...entry.rows.slice(0, 1).map(shownRow)], gone: [] });
        });
        for (const row of entry.rows) this.told.tell({ name: 'session', key: row.key });
      },
      WAIT_MS + (bytes / 1e6) * WAIT_PER_MB,
    );
    this.waiting.set(key, timer);
  }

  /** Everything, newest first, in slices. */
  private async readAll(): Promise<void> {
    let slice = performance.now();
    let fresh: SessionRow[] = [];
    const order = this.catalogue.inOrder();
    // What the index holds need not be read.
    const isLarge = ({ live, family }: Entry) => family === live.family && family.bytes > LARGE_BYTES;
    // Large ones last, and only while nobody asks for anything: each takes long enough to be felt.
    for (const entry of [...order.filter((one) => !isLarge(one)), ...order.filter(isLarge)]) {
      while (isLarge(entry) && !this.isClosed && performance.now() - this.askedAt < QUIET_MS)
        await new Promise((resolve) => setTimeout(resolve, 100));
      if (this.isClosed) return;
      if (entry.rows[0]?.is_read === true) continue;
      this.guarded(() => this.catalogue.read(entry));
      fresh.push(...entry.rows.slice(0, 1).map(shownRow));
      if (performance.now() - slice < SLICE_MS) continue;
      this.told.tell({ name: 'rows', rows: fresh, gone: [] });
      fresh = [];
      await new Promise((resolve) => setImmediate(resolve));
      slice = performance.now();
    }
    this.told.tell({ name: 'rows', rows: [...fresh, ...this.catalogue.refold()], gone: [] });
  }

  private async fromStore({ most }: { most: number }): Promise<void> {
    const current = await this.store({ most, isTold: true });
    try {
      if (!current.isCurrent) return;
      this.isIndexed = true;
      const stored = openStoredHome(this.options.places, current.store).families;
      const byFiles = new Map(stored.map((family) => [filesOf(family), family]));
      for (const entry of this.catalogue.all()) entry.family = byFiles.get(filesOf(entry.family)) ?? entry.family;
      await this.readAll();
    } finally {
      for (const entry of this.catalogue.all()) if (entry.live.family !== null) entry.family = entry.live.family;
      current.close();
      this.indexing = null;
      this.told.tell({ name: 'indexing', indexing: null });
    }
  }

  private store({ most, isTold }: { most: number; isTold: boolean }): Promise<CurrentStore> {
    const { store, places, threads } = this.options;
    return currentStore({
      folder: store,
      places,
      tier: 1,
      most,
      needsSums: false,
      workers: threads,
      say: (message) => this.sayOnce(message),
      prices: storePrices(null),
      progress: (done, all) => {
        if (!isTold) return;
        this.indexing = { done, all };
        this.told.tell({ name: 'indexing', indexing: this.indexing });
      },
      isStopped: () => this.isClosed,
    });
  }

  /** A person should know, but not at every letter that is typed. */
  private sayOnce(message: string): void {
    if (!this.said.has(message)) this.told.trouble(message);
    this.said.add(message);
  }

  /** One session that cannot be read must not end the others. */
  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.told.trouble(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  }
}

function hasOnlyGrown(before: FoundFamily | undefined, now: FoundFamily | null): boolean {
  const sizes = new Map(now?.files.map(({ path, bytes }) => [path, bytes]));
  return before?.files.every(({ path, bytes }) => (sizes.get(path) ?? -1) >= bytes) === true;
}

function filesOf({ agent, id, files }: FoundFamily): string {
  return [agent, id, ...files.map(({ path, bytes, modified_ms }) => `${path} ${bytes} ${modified_ms}`)].join('\n');
}
