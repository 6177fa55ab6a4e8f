// All sessions of the homes by the names that they have in addresses: which family each is in, what is known of it, and in which
// order the list has them.

import { type FoundFamily, foldThreads, type LiveFamily, writtenAt } from '../index.ts';
import type { SessionRow } from './api.ts';
import { type KnownRow, keyOf, readRows, unreadRow } from './rows.ts';

export interface Entry {
  live: LiveFamily;
  /** As it is in its files, or in the index while that is read. */
  family: FoundFamily;
  /** That of its main session. */
  key: string;
  /** Sessions of the same name in several homes are numbered. */
  home: number;
  /** The main session first. */
  rows: KnownRow[];
}

/** Where a session is: in which family, and by which id; null for the main one. */
interface Place {
  family: string;
  id: string | null;
}

export class Catalogue {
  private readonly entries = new Map<string, Entry>();
  private readonly places = new Map<string, Place>();
  /** Keys by the agent's folder and the id in it. */
  private readonly keys = new Map<string, string>();
  private order: Entry[] | null = null;

  all(): Entry[] {
    return [...this.entries.values()];
  }

  /** By the name of the family. */
  entry(family: string): Entry | undefined {
    return this.entries.get(family);
  }

  /** By the key of any of its sessions. Of subagents without a file of their own it is known when their session has been read. */
  find(key: string): { entry: Entry; id: string | null } | undefined {
    const place = this.places.get(key);
    const entry = this.entries.get(place?.family ?? '');
    return place === undefined || entry === undefined ? undefined : { entry, id: place.id };
  }

  /** A family as it is now, or that is gone. */
  take(live: LiveFamily): void {
    this.order = null;
    const before = this.entries.get(live.key);
    if (live.family === null) {
      if (before !== undefined) this.forget(before);
      return;
    }
    const home = before?.home ?? this.freeHome(live);
    const key = keyOf(live.agent, live.id, home);
    const rows = before?.rows ?? [unreadRow(live.family, key)];
    const entry = { live, family: live.family, key, home, rows };
    this.entries.set(live.key, entry);
    this.register(entry);
  }

  /** Reads what the list shows of it, if that was not done before. */
  read(entry: Entry, { again }: { again: boolean } = { again: false }): void {
    if (entry.rows[0]?.is_read === true && !again) return;
    const rows = readRows(entry.family, (id) => this.keyIn(entry.live.key, id));
    const [main] = rows;
    // Where it stands is worked out for all together.
    if (main !== undefined) main.folded_under = entry.rows[0]?.folded_under ?? null;
    if (rows.length > 0) entry.rows = rows;
    this.register(entry);
    this.order = null;
  }

  /** The key of a session that a family speaks of by its id: a subagent, or what it went on in. It lies in the same home. */
  keyIn(family: string, id: string): string {
    const entry = this.entries.get(family);
    if (entry === undefined) return id;
    return this.keyAt(entry.live.folder, id) ?? keyOf(entry.family.agent, id, entry.home);
  }

  /** Of subagents without a file of their own it is known when their session has been read. */
  keyAt(folder: string, id: string): string | undefined {
    return this.keys.get(`${folder}\n${id}`);
  }

  /** Newest first; sessions of one piece of work under the newest of them. */
  inOrder(): Entry[] {
    if (this.order !== null) return this.order;
    const order = this.all().sort((a, b) => (usedAt(a) < usedAt(b) ? 1 : usedAt(a) > usedAt(b) ? -1 : 0));
    for (const entry of order) for (const row of entry.rows) row.folded_under = null;
    for (const [, same] of Map.groupBy(order, ({ live }) => live.folder))
      for (const { session, earlier, copies } of foldThreads(same.flatMap(({ rows: [row] }) => row ?? [])))
        for (const row of [...earlier, ...copies]) row.folded_under = session.key;
    this.order = order;
    return order;
  }

  /** Puts all in order again; gives the rows that stand under others than before. */
  refold(): SessionRow[] {
    const mains = () => this.all().flatMap(({ rows: [row] }) => row ?? []);
    const before = new Map(mains().map(({ key, folded_under }) => [key, folded_under]));
    this.order = null;
    this.inOrder();
    return mains()
      .filter(({ key, folded_under }) => before.get(key) !== folded_under)
      .map(shownRow);
  }

  private freeHome({ agent, id }: LiveFamily): number {
    let home = 0;
    while (this.places.has(keyOf(agent, id, home))) home++;
    return home;
  }

  private register({ live, family, rows }: Entry): void {
    const put = (key: string, id: string, isMain: boolean) => {
      this.places.set(key, { family: live.key, id: isMain ? null : id });
      this.keys.set(`${live.folder}\n${id}`, key);
    };
    rows.forEach(({ key, id }, i) => {
      put(key, id, i === 0);
    });
    for (const id of family.subagents) put(this.keyIn(live.key, id), id, false);
  }

  private forget({ live, family, rows }: Entry): void {
    for (const id of [...rows.map(({ id }) => id), ...family.subagents]) {
      this.places.delete(this.keyIn(live.key, id));
      this.keys.delete(`${live.folder}\n${id}`);
    }
    this.entries.delete(live.key);
  }
}

export function shownRow({
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
