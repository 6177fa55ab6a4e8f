// Messages from the newest on, as many as are asked for: a run is opened only when one of its messages may be the next.

import { byRank, type Found, foundAt } from './found.ts';
import type { NameOf } from './session-names.ts';
import type { KnownMessage, Run, ShardMessages } from './shard-messages.ts';

export interface TimedShard {
  messages: ShardMessages;
  /** The sessions that are wanted, as JSON; null for all. */
  sessions: string | null;
  isWanted: (message: KnownMessage, id: number, session: number) => boolean;
}

/** `since`: nothing older is wanted. */
export function* messagesByTime(
  shards: readonly TimedShard[],
  { since, nameOf }: { since: number | null; nameOf: NameOf },
): Generator<Found> {
  const runs = shards
    .flatMap((shard) => shard.messages.runsOfSessions(shard.sessions).map((run) => ({ shard, run })))
    .sort((a, b) => (a.run.newest < b.run.newest ? 1 : a.run.newest > b.run.newest ? -1 : 0));
  const waiting = new Heap(nameOf);
  for (const { shard, run } of runs) {
    if (since !== null && run.newest < since) break;
    for (let next = waiting.first; next !== undefined && next.time > run.newest; next = waiting.first)
      yield waiting.take() ?? next;
    for (const found of wantedIn(run, shard)) waiting.put(found);
  }
  for (let next = waiting.take(); next !== undefined; next = waiting.take()) yield next;
}

function* wantedIn(run: Run, { messages, isWanted }: TimedShard): Generator<Found> {
  const { shard } = messages;
  const { first, last, session, start } = run;
  for (let id = first; id <= last; id++) {
    const number = start + id - first;
    const message = messages.message(session, number);
    if (isWanted(message, id, session)) yield foundAt({ shard, session, number, score: 0 }, message);
  }
}

/** The foremost on top: a run may hold tens of thousands, of which few are asked for. */
class Heap {
  private readonly list: Found[] = [];
  private readonly nameOf: NameOf;

  constructor(nameOf: NameOf) {
    this.nameOf = nameOf;
  }

  get first(): Found | undefined {
    return this.list[0];
  }

  put(found: Found): void {
    const { list } = this;
    let at = list.push(found) - 1;
    for (let up = (at - 1) >> 1; at > 0 && this.isBefore(at, up); up = (at - 1) >> 1) {
      this.swap(at, up);
      at = up;
    }
  }

  take(): Found | undefined {
    const { list } = this;
    const [first, last] = [list[0], list.pop()];
    if (list.length === 0 || last === undefined) return first;
    list[0] = last;
    for (let at = 0; ; ) {
      const below = this.isBefore(at * 2 + 2, at * 2 + 1) ? at * 2 + 2 : at * 2 + 1;
      if (!this.isBefore(below, at)) return first;
      this.swap(at, below);
      at = below;
    }
  }

  private isBefore(a: number, b: number): boolean {
    const [one, other] = [this.list[a], this.list[b]];
    return one !== undefined && (other === undefined || byRank(one, other, this.nameOf) < 0);
  }

  private swap(a: number, b: number): void {
    const [one, other] = [this.list[a], this.list[b]];
    if (one !== undefined && other !== undefined) [this.list[a], this.list[b]] = [other, one];
  }
}
