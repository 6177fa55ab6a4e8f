// Which sessions hold a request, by its key. Kept in buckets, each one value: when a session grows, only the buckets of its
// own keys are looked at, and only those of its new keys written; a cold run writes a thousand values and not a row for each request.

import type { DatabaseSync } from 'node:sqlite';
import { keysIn } from './packed-usage.ts';
import { SESSIONS_PER_FAMILY } from './tables.ts';

const BUCKETS = 1024;

/** The keys that a session held, or holds; none where there is no such session. */
export type KeysBySession = ReadonlyMap<number, Float64Array>;

export class RequestPlaces {
  private readonly main: DatabaseSync;
  private readonly root: number;
  private readonly sql;

  constructor(main: DatabaseSync, root: number) {
    this.main = main;
    this.root = root;
    this.sql = {
      read: main.prepare('select places from request_places where root = ? and bucket = ?'),
      write: main.prepare('insert or replace into request_places values (?, ?, ?)'),
      remove: main.prepare('delete from request_places where root = ? and bucket = ?'),
    };
  }

  /** Everything anew; gives the keys that stand in more than one place. `all`: those of all sessions, where somebody has gone through them already. */
  remake(all = this.gathered()): Set<number> {
    this.main.prepare('delete from request_places where root = ?').run(this.root);
    all.buckets.forEach((list, bucket) => {
      this.write(bucket, list);
    });
    return all.again;
  }

  /** These sessions held other keys before, or are new, or gone. */
  change(before: KeysBySession, after: KeysBySession): void {
    const sessions = new Set([...before.keys(), ...after.keys()]);
    const touched = new Map<number, number[]>();
    for (const session of sessions)
      for (const key of differing(before.get(session), after.get(session))) touched.set(bucketOf(key), []);
    for (const [session, keys] of after)
      for (const key of keys) if (key >= 0) touched.get(bucketOf(key))?.push(key, session);
    for (const [bucket, own] of touched) {
      const places = this.read(bucket);
      for (let i = 0; i < places.length; i += 2)
        if (!sessions.has(places[i + 1] ?? -1)) own.push(places[i] ?? -1, places[i + 1] ?? -1);
      this.write(bucket, own);
    }
  }

  /** The sessions that hold each of these keys, one as often as it holds it. */
  of(keys: Iterable<number>): Map<number, number[]> {
    const wanted = new Map<number, Set<number>>();
    for (const key of keys) {
      if (key < 0) continue;
      const bucket = wanted.get(bucketOf(key)) ?? new Set();
      wanted.set(bucketOf(key), bucket.add(key));
    }
    const found = new Map<number, number[]>();
    for (const [bucket, those] of wanted) {
      const places = this.read(bucket);
      for (let i = 0; i < places.length; i += 2) {
        const key = places[i] ?? -1;
        if (!those.has(key)) continue;
        const session = places[i + 1] ?? -1;
        const sessions = found.get(key);
        if (sessions === undefined) found.set(key, [session]);
        else sessions.push(session);
      }
    }
    return found;
  }

  /** The sessions that hold a request, for each that several hold. */
  *sharers(): Generator<Set<number>> {
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const holders = new Map<number, Set<number>>();
      const places = this.read(bucket);
      for (let i = 0; i < places.length; i += 2) {
        const key = places[i] ?? -1;
        holders.set(key, (holders.get(key) ?? new Set()).add(places[i + 1] ?? -1));
      }
      for (const sessions of holders.values()) if (sessions.size > 1) yield sessions;
    }
  }

  private read(bucket: number): Float64Array {
    const row = this.sql.read.get(this.root, bucket);
    return row === undefined ? new Float64Array() : new Float64Array((row.places as Uint8Array).slice().buffer);
  }

  private write(bucket: number, pairs: number[]): void {
    if (pairs.length === 0) this.sql.remove.run(this.root, bucket);
    else this.sql.write.run(this.root, bucket, new Uint8Array(Float64Array.from(pairs).buffer));
  }

  private gathered(): GatheredKeys {
    const all = new GatheredKeys();
    const rows = this.main.prepare(`select usage.session as session, keys from ${USAGE}`).iterate(this.root);
    for (const { session, keys } of rows) all.add(Number(session), keysIn(keys as Uint8Array));
    return all;
  }
}

/** The keys of many sessions, one session after the other. */
export class GatheredKeys {
  /** Of each bucket, keys and sessions by turns. */
  readonly buckets: number[][] = Array.from({ length: BUCKETS }, () => []);
  /** Keys that came more than once. */
  readonly again = new Set<number>();
  private readonly seen = new KeyTable();

  add(session: number, keys: Float64Array): void {
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] ?? -1;
      if (key < 0) continue;
      this.buckets[bucketOf(key)]?.push(key, session);
      if (!this.seen.add(key)) this.again.add(key);
    }
  }
}

const USAGE = `usage join families on families.id = usage.session / ${SESSIONS_PER_FAMILY} where root = ?`;

/** Keys that one of the lists has more often than the other. */
function differing(before: Float64Array = new Float64Array(), after: Float64Array = new Float64Array()): number[] {
  // A session that grew begins as it did.
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  const counts = new Map<number, number>();
  for (const key of before.subarray(same)) counts.set(key, (counts.get(key) ?? 0) - 1);
  for (const key of after.subarray(same)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].flatMap(([key, count]) => (key >= 0 && count !== 0 ? [key] : []));
}

function bucketOf(key: number): number {
  return (key >>> 0) % BUCKETS;
}

/** A set of numbers from zero on, in one block of memory: a set of a million numbers would take ten times as much. */
class KeyTable {
  private slots = new Float64Array(4096).fill(-1);
  private count = 0;

  /** False where it was there. */
  add(key: number): boolean {
    const slot = this.slotOf(key);
    if (this.slots[slot] === key) return false;
    this.slots[slot] = key;
    if (++this.count * 2 > this.slots.length) this.grow();
    return true;
  }

  private slotOf(key: number): number {
    const { slots } = this;
    const last = slots.length - 1;
    // As `key % slots.length`, which is slow for numbers of that size.
    let slot = (key >>> 0) & last;
    while (slots[slot] !== -1 && slots[slot] !== key) slot = slot === last ? 0 : slot + 1;
    return slot;
  }

  private grow(): void {
    const held = this.slots;
    this.slots = new Float64Array(held.length * 4).fill(-1);
    for (let i = 0; i < held.length; i++) {
      const key = held[i] ?? -1;
      if (key !== -1) this.slots[this.slotOf(key)] = key;
    }
  }
}
