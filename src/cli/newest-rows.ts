// The newest rows of a list, from as few sessions as can be: which of them share a row must be known before they are counted.

import { type FoundFamily, foldThreads, type ThreadRow } from '../index.ts';
import { newestFirst } from './choose.ts';
import { isWanted, type ListedSession, type ListFlags, listed, rowOf } from './listed.ts';
import { progress } from './progress.ts';

type Row = ThreadRow<ListedSession>;

interface NewestRows {
  rows: Row[];
  /** How many families had to be looked at. */
  looked: number;
}

/** As many as are wanted, newest first. */
export function newestRows(families: FoundFamily[], limit: number, flags: ListFlags & { json?: boolean }): NewestRows {
  const bytes = families.reduce((sum, family) => sum + family.bytes, 0);
  const shown = progress('reading', bytes);
  const read = (family: FoundFamily) => {
    shown.add(family.bytes);
    return listed(family, flags);
  };
  // Programs fold as they like.
  const isFolded = flags.flat !== true && flags.json !== true;
  const found = isFolded ? foldedRows(families, limit, flags, read) : singleRows(families, limit, flags, read);
  shown.end();
  return found;
}

type Read = (family: FoundFamily) => ListedSession[];

/** The limit is one of families: subagents come along. */
function singleRows(families: FoundFamily[], limit: number, flags: ListFlags, read: Read): NewestRows {
  const rows: Row[] = [];
  let [found, looked] = [0, 0];
  for (const family of newestFirst(families)) {
    if (found >= limit) break;
    const wanted = read(family)
      .map(rowOf)
      .filter((row) => isWanted(row, flags));
    rows.push(...wanted);
    found += wanted.length === 0 ? 0 : 1;
    looked++;
  }
  return { rows, looked };
}

function foldedRows(families: FoundFamily[], limit: number, flags: ListFlags, read: Read): NewestRows {
  const threads = new Threads(families, read);
  const wanted = () => threads.rows().filter((row) => isWanted(row, flags));
  let enough = limit;
  for (const family of newestFirst(families)) {
    if (threads.reached >= enough) {
      const missing = limit - wanted().length;
      if (missing <= 0) break;
      // To fold takes as long as there are sessions: not after every one that adds no row.
      enough += Math.max(missing, Math.floor(threads.reached / 8));
    }
    threads.reach(family);
  }
  return { rows: wanted().slice(0, limit), looked: threads.looked };
}

/** The sessions from the newest on, with those that they go on from, which may lie far behind. */
class Threads {
  reached = 0;
  private readonly read: Read;
  private readonly byId: ReadonlyMap<string, FoundFamily>;
  private readonly known = new Map<FoundFamily, ListedSession[]>();
  private readonly newest: ListedSession[] = [];

  constructor(families: FoundFamily[], read: Read) {
    this.read = read;
    this.byId = new Map(families.map((family) => [family.id, family]));
  }

  get looked(): number {
    return this.known.size;
  }

  reach(family: FoundFamily): void {
    this.reached++;
    this.newest.push(...this.sessionsOf(family));
    const waiting = [family];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      waiting.push(...this.sessionsOf(next).flatMap((session) => this.unreadOrigins(session)));
  }

  /** Those of sessions that were reached: what only one of them goes on from has its place further down. */
  rows(): Row[] {
    const reached = new Set(this.newest);
    const others = [...this.known.values()].flat().filter((session) => !reached.has(session));
    others.sort((a, b) => ((a.last_used ?? '') < (b.last_used ?? '') ? 1 : -1));
    return foldThreads([...this.newest, ...others]).filter(({ session }) => reached.has(session));
  }

  private sessionsOf(family: FoundFamily): ListedSession[] {
    const sessions = this.known.get(family) ?? this.read(family);
    this.known.set(family, sessions);
    return sessions;
  }

  private unreadOrigins({ forked_from, cloned_from, cleared_from }: ListedSession): FoundFamily[] {
    const origins = [forked_from, cloned_from, cleared_from].flatMap((id) => this.byId.get(id ?? '') ?? []);
    return origins.filter((family) => !this.known.has(family));
  }
}
