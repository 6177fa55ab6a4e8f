// The rows of a list, kept up to date while agents write: what has changed is read again, at a pace.

import {
  type FoundFamily,
  type HomePlaces,
  type LiveFamily,
  type LiveHome,
  liveHome,
  usedAt,
  type Watching,
  watch,
} from '../index.ts';
import { filtered, newestFirst, sayTrouble } from './choose.ts';
import type { LsFlags } from './commands/ls.ts';
import { descending } from './descending.ts';
import { isWanted, type ListedSession, listed, rowOf } from './listed.ts';
import { Paced } from './paced.ts';

/** A row, and whether all of it is as it is now. */
export interface WatchedSession extends ListedSession {
  /** False: only its size and when it was last used are; the rest is from the last reading, or not known yet. Another row follows. */
  counted: boolean;
}

/** What is other than before. */
export interface ListChange {
  sessions: WatchedSession[];
  gone: { id: string; agent: string }[];
}

interface Listeners {
  changed: (change: ListChange) => void;
  /** The system does not tell of all changes. */
  trouble: (message: string) => void;
  /** A bug: nothing more will be told. */
  failed: (error: unknown) => void;
}

/** More than this is not read at once while it grows. */
const LARGE_BYTES = 16 * 1024 * 1024;
const LARGE_WAIT_MS = 3000;
/** What comes by way of other sessions may come later. */
const SHARED_WAIT_MS = 1000;

interface Entry {
  sessions: WatchedSession[];
  /** The size of the family when its rows were made. */
  bytes: number;
}

export class WatchedList {
  private readonly flags: LsFlags;
  private readonly listeners: Listeners;
  private readonly watching: Watching;
  private readonly live: LiveHome;
  private readonly paced = new Paced();
  private readonly entries = new Map<string, Entry>();
  /** Keys of the families that the filters let through. */
  private readonly fitting: Set<string>;

  constructor(places: HomePlaces, flags: LsFlags, listeners: Listeners) {
    this.flags = flags;
    this.listeners = listeners;
    const { trouble } = listeners;
    this.watching = watch(places, (changed) => this.update(changed), { onTrouble: trouble });
    this.live = liveHome(places);
    sayTrouble(this.live);
    const families = this.live.families().filter(({ family }) => this.fits(family));
    this.fitting = new Set(families.map(({ key }) => key));
  }

  close(): void {
    this.watching.close();
    this.paced.close();
  }

  /** How many the filters let through, read or not. */
  get count(): number {
    return this.fitting.size;
  }

  /** The rows that were read, newest first. */
  sessions(): WatchedSession[] {
    return [...this.entries.values()]
      .flatMap(({ sessions }) => sessions)
      .sort((a, b) => descending(a.last_used ?? '', b.last_used ?? '') || descending(b.id, a.id));
  }

  /** Whatever is needed to read one session is there when the first one changes. */
  prepare(): void {
    this.live.tie();
  }

  /** Reads the newest one after the other. Keys and changes come through between them. */
  async load(limit: number, goesOn: () => boolean): Promise<void> {
    const found = new Map(this.live.families().map((one) => [one.family, one]));
    const families = [...found.keys()].filter((family) => this.fits(family));
    let count = 0;
    for (const family of newestFirst(families)) {
      const one = found.get(family);
      if (one === undefined || count >= limit) return;
      // One that has changed meanwhile was read.
      if (!this.entries.has(one.key)) this.read(one.key, family);
      count += this.entries.get(one.key)?.sessions.length === 0 ? 0 : 1;
      if (!goesOn()) return;
      await new Promise((next) => setImmediate(next));
    }
  }

  private update(changed: Parameters<LiveHome['update']>[0]): void {
    this.guarded(() => this.take(this.live.update(changed)));
    this.later('ties', SHARED_WAIT_MS, () => this.take(this.live.tie()));
  }

  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.listeners.failed(error);
    }
  }

  private later(key: string, wait_ms: number, work: () => void): void {
    this.paced.doLater(key, wait_ms, () => this.guarded(work));
  }

  private take(families: LiveFamily[]): void {
    for (const one of families) {
      if (one.family === null) this.remove(one);
      else if (this.fits(one.family)) this.takeChanged(one.key, one.family, one);
    }
  }

  private remove({ key, id, agent }: LiveFamily): void {
    const listed = this.fitting.has(key) ? this.listedIds(key, id) : [];
    this.entries.delete(key);
    this.fitting.delete(key);
    if (listed.length > 0) this.listeners.changed({ sessions: [], gone: listed.map((one) => ({ id: one, agent })) });
  }

  /** The ids of a family's rows; of one that was not read yet, that of its session. */
  private listedIds(key: string, id: string): string[] {
    const entry = this.entries.get(key);
    if (entry !== undefined) return entry.sessions.map((session) => session.id);
    return this.mustRead() ? [] : [id];
  }

  private takeChanged(key: string, family: FoundFamily, { isOwn }: LiveFamily): void {
    const wasThere = this.fitting.has(key);
    this.fitting.add(key);
    const isLarge = family.bytes > LARGE_BYTES;
    if (!isOwn && !this.entries.has(key)) return;
    if (isOwn && !isLarge && this.paced.isRested(key)) {
      this.paced.do(key, () => this.tellRead(key, family, wasThere));
      return;
    }
    if (isOwn) this.tell(this.glance(key, family));
    const wait = isOwn ? (isLarge ? LARGE_WAIT_MS : 0) : SHARED_WAIT_MS;
    this.later(key, wait, () => {
      // It may have gone while that was waited for.
      if (this.fitting.has(key)) this.tellRead(key, family, wasThere);
    });
  }

  /** Rows may go while their family stays: that of a session of which only subagents are left, and theirs when it is back. */
  private tellRead(key: string, family: FoundFamily, wasThere: boolean): void {
    const { agent } = family;
    const listed = wasThere || this.entries.has(key) ? this.listedIds(key, family.id) : [];
    const sessions = this.read(key, family);
    const now = new Set(this.entries.get(key)?.sessions.map(({ id }) => id));
    const gone = listed.filter((id) => !now.has(id)).map((id) => ({ id, agent }));
    if (sessions.length + gone.length > 0) this.listeners.changed({ sessions, gone });
  }

  private tell(sessions: WatchedSession[]): void {
    if (sessions.length > 0) this.listeners.changed({ sessions, gone: [] });
  }

  /** Gives the rows that are other than before. */
  private read(key: string, family: FoundFamily): WatchedSession[] {
    const before = new Map(this.entries.get(key)?.sessions.map((session) => [session.id, JSON.stringify(session)]));
    const sessions = listed(family, { flat: this.flags.flat === true, quiet: true })
      .filter((session) => isWanted(rowOf(session), this.flags))
      .map((session): WatchedSession => ({ ...session, counted: true }));
    this.entries.set(key, { sessions, bytes: family.bytes });
    return sessions.filter((session) => before.get(session.id) !== JSON.stringify(session));
  }

  /** What the size and the end of its files tell. */
  private glance(key: string, family: FoundFamily): WatchedSession[] {
    const entry = this.entries.get(key);
    if (entry === undefined && this.mustRead()) return [];
    const [first = unread(family), ...others] = entry?.sessions ?? [];
    if (entry?.sessions.length === 0) return [];
    // The main session's row: who wrote, it or a subagent, is told by reading.
    const bytes = first.bytes + family.bytes - (entry?.bytes ?? family.bytes);
    const row = { ...first, bytes, last_used: usedAt(family), counted: false };
    this.entries.set(key, { sessions: [row, ...others], bytes: family.bytes });
    return [row];
  }

  /** Only reading tells whether these filters let a session through. */
  private mustRead(): boolean {
    return this.flags.event !== undefined || this.flags.model !== undefined;
  }

  private fits(family: FoundFamily | null): family is FoundFamily {
    return family !== null && filtered([family], this.flags).length > 0;
  }
}

/** A row of which hardly anything is known. */
function unread(family: FoundFamily): WatchedSession {
  return {
    id: family.id,
    agent: family.agent,
    kind: 'main',
    title: null,
    ...family.peek(),
    ended_at: null,
    last_used: null,
    bytes: family.bytes,
    messages: 0,
    turns: 0,
    events: {},
    subagent_events: {},
    models: [],
    subagent_models: [],
    subagents: family.subagents.length,
    parent: null,
    kept: family.isKept,
    forked_from: null,
    cloned_from: null,
    cleared_from: null,
    goes_on_in: [],
    counted: false,
  };
}
