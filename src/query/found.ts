// What was found, before anything is said about it: kept in order, and no more of it than is asked for.

import type { NameOf } from './session-names.ts';
import type { KnownMessage } from './shard-messages.ts';

/** A message that fits. */
export interface Found {
  shard: number;
  session: number;
  /** Of the message in the session's outline. */
  number: number;
  /** Minus infinity where none was recorded. */
  time: number;
  /** The less, the better; 0 where nothing is ranked. */
  score: number;
}

export function foundAt(place: Omit<Found, 'time'>, { outline, at }: KnownMessage): Found {
  const time = outline.times[at] ?? Number.NaN;
  return { ...place, time: Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time };
}

/** The best first, then the newest; of what was written at the same moment, session by session, the last message first. */
export function byRank(a: Found, b: Found, nameOf: NameOf): number {
  if (a.score !== b.score) return a.score - b.score;
  if (a.time !== b.time) return a.time < b.time ? 1 : -1;
  if (a.session === b.session) return b.number - a.number || a.shard - b.shard;
  const [one, other] = [nameOf(a.session), nameOf(b.session)];
  return one < other ? -1 : one > other ? 1 : a.session - b.session;
}

/** The first so many of all that are put in. */
export class Foremost {
  private readonly most: number;
  private readonly nameOf: NameOf;
  private readonly list: Found[] = [];
  private readonly known = new Map<string, Found>();

  constructor(most: number, nameOf: NameOf) {
    this.most = most;
    this.nameOf = nameOf;
  }

  put(found: Found): void {
    const { list, known } = this;
    const last = list.at(-1);
    if (this.isFull && last !== undefined && this.compare(found, last) >= 0) return;
    // A message that was found in both of its texts is one.
    const key = keyOf(found);
    const other = known.get(key);
    if (other !== undefined && this.compare(other, found) <= 0) return;
    if (other !== undefined) list.splice(this.placeOf(other), 1);
    list.splice(this.placeOf(found), 0, found);
    known.set(key, found);
    const gone = list.length > this.most ? list.pop() : undefined;
    if (gone !== undefined) known.delete(keyOf(gone));
  }

  get isFull(): boolean {
    return this.list.length >= this.most;
  }

  /** What something must be as new as to get in. */
  get oldest(): number {
    return this.isFull ? (this.list.at(-1)?.time ?? Number.NEGATIVE_INFINITY) : Number.NEGATIVE_INFINITY;
  }

  inOrder(): Found[] {
    return [...this.list];
  }

  private compare(a: Found, b: Found): number {
    return byRank(a, b, this.nameOf);
  }

  /** Where it stands, or would stand. */
  private placeOf(found: Found): number {
    let [low, high] = [0, this.list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.list[middle];
      if (other !== undefined && this.compare(other, found) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function keyOf({ shard, session, number }: Found): string {
  return `${shard} ${session} ${number}`;
}
