// What the page asks for: the list of sessions, and each of them opened.

import type { LiveFamily } from '../index.ts';
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
import { Catalogue, type Entry, shownRow } from './catalogue.ts';
import { type Chosen, fits, isAny } from './facets.ts';
import { findIn } from './find-in-session.ts';
import { firstMessages } from './first-messages.ts';
import { rawRows } from './raw-rows.ts';
import type { KnownRow } from './rows.ts';
import { searchAll } from './search-all.ts';
import { Shelf } from './shelf.ts';
import { threadOf } from './thread.ts';
import { LARGE_BYTES, type LibraryOptions, SLICE_MS, Upkeep } from './upkeep.ts';

/** Nothing of that name. */
export class NotThere extends Error {}

interface Asked {
  key: string;
}

const MOST_MESSAGES = 200;
const NO_SESSION = 'There is no such session: it may have been deleted.';
const NOT_READ = 'There is no such session among those that have been read so far. The others are being read.';
const NOT_INDEXED = 'What was said can be searched when the index is there.';

export class Library {
  private readonly options: LibraryOptions;
  private readonly catalogue = new Catalogue();
  private readonly shelf = new Shelf((family, id) => this.catalogue.keyIn(family, id));
  private readonly upkeep: Upkeep;

  constructor(options: LibraryOptions, tell: (change: Change) => void, trouble: (message: string) => void) {
    this.options = options;
    const changed = (family: string) => this.shelf.drop(family);
    this.upkeep = new Upkeep(options, this.catalogue, { tell, trouble, changed });
  }

  /** Reads everything, as far as that is wanted. */
  prepare(): Promise<void> {
    return this.upkeep.prepare();
  }

  /** Somebody asks: what can wait, waits. */
  asked(): void {
    this.upkeep.asked();
  }

  sessions({ from, count }: { from: number; count: number }): SessionsAnswer {
    const order = this.catalogue.inOrder();
    const shown = order.slice(from, from + count);
    return {
      api_version: 1,
      rows: shown.flatMap((entry) => entry.rows.slice(0, 1).map((row) => shownRow(this.peeked(row, entry)))),
      all: order.length,
      is_sample: this.options.isSample,
      homes: this.options.places.homes,
      indexing: this.upkeep.indexing,
      has_index: this.upkeep.isIndexed,
      diagnostics: this.upkeep.diagnostics,
    };
  }

  /** These sessions, read if they have not been: the page asks for those that can be seen. */
  rows({ keys }: { keys: string[] }): { api_version: 1; rows: SessionRow[] } {
    const end = performance.now() + SLICE_MS * 4;
    const rows: SessionRow[] = [];
    for (const key of keys) {
      const entry = this.catalogue.find(key)?.entry;
      if (entry === undefined) continue;
      // While everything is read anyhow, nobody waits for a large one.
      const isLater = this.upkeep.indexing !== null && entry.family.bytes > LARGE_BYTES;
      if (performance.now() < end && !isLater) this.catalogue.read(entry);
      rows.push(...entry.rows.filter((row) => row.key === key).map(shownRow));
    }
    return { api_version: 1, rows };
  }

  /** Of a large session the first messages, without reading the rest: something to look at meanwhile. None of a small one. */
  beginning({ key }: Asked): MessagesAnswer {
    const { entry } = this.there(key);
    const family = entry.live.family ?? entry.family;
    const isWorth = key === entry.key && family.bytes > LARGE_BYTES && !this.shelf.has(entry.live.key);
    const keyOfId = (id: string) => this.catalogue.keyIn(entry.live.key, id);
    return { api_version: 1, messages: isWorth ? firstMessages(family, keyOfId) : [] };
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
    const { entry } = this.there(key);
    this.catalogue.read(entry);
    // Ids are the agent's own: another home may have the same ones.
    const beside = this.catalogue.all().filter(({ live }) => live.folder === entry.live.folder);
    return threadOf(
      key,
      beside.flatMap(({ rows }) => rows),
    );
  }

  async search({ text, chosen }: { text: string; chosen: Chosen }): Promise<SearchAnswer> {
    const { store, isSample, places } = this.options;
    if (isSample || store === null || !this.upkeep.isIndexed)
      return { api_version: 1, hits: [], more: false, is_current: false, trouble: NOT_INDEXED };
    const current = await this.upkeep.index();
    try {
      return await searchAll(text, current, {
        kept: places.kept,
        families: isAny(chosen) ? undefined : this.fitting(chosen),
        keyAt: (folder, id) => this.catalogue.keyAt(folder, id),
      });
    } finally {
      current.close();
    }
  }

  /** Reads a session anew when it is asked for next; tells whether it was open. */
  forget({ key }: Partial<Asked>): boolean {
    const family = key === undefined ? undefined : this.catalogue.find(key)?.entry.live.key;
    const wasOpen = family !== undefined && this.shelf.has(family);
    if (wasOpen) this.shelf.drop(family);
    return wasOpen;
  }

  close(): void {
    this.upkeep.close();
    this.shelf.close();
  }

  /** The beginning of its file tells where and when, without reading all of it. */
  private peeked(row: KnownRow, { family }: Entry): KnownRow {
    if (row.is_read || row.project !== null || row.started_at !== null) return row;
    return Object.assign(row, family.peek());
  }

  /** The sessions that the list has when it is narrowed so. */
  private fitting(chosen: Chosen): LiveFamily[] {
    const now = Date.now();
    return this.catalogue.all().flatMap(({ live, rows: [row] }) => (row && fits(row, chosen, now) ? [live] : []));
  }

  private there(key: string): { entry: Entry; id: string | null } {
    const found = this.catalogue.find(key);
    if (found !== undefined) return found;
    const isAllRead = this.catalogue.all().every(({ rows: [row] }) => row?.is_read === true);
    throw new NotThere(isAllRead ? NO_SESSION : NOT_READ);
  }

  private open(key: string) {
    const { entry, id } = this.there(key);
    const open = this.shelf.open(entry.live.key, entry.live.family ?? entry.family, id);
    if (open === undefined) throw new NotThere('There is no such session in its file any more.');
    return open;
  }

  private openAt(key: string, index: number) {
    const open = this.open(key);
    if (!(index >= 0 && index < open.reader.messageCount)) throw new NotThere('There is no such message.');
    return open;
  }
}
