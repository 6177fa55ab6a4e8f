// Tokens and cost by session, day and model, each request of an agent's folder once: forks, resumed sessions and copies
// hold the requests of others again.

import type { DatabaseSync } from 'node:sqlite';
import type { TokenCounts, Usage } from '../schema/message.ts';
import { addTokens, noTokens } from '../schema/tokens.ts';
import { keysIn, StoredRequests } from './packed-usage.ts';
import { SESSIONS_PER_FAMILY } from './tables.ts';

/** Dollars of one request; null where the model has no known price. */
export type CostOf = (request: { model: string | null; timestamp: string | null; usage: TokenCounts }) => number | null;

/** What sums by day and their cost depend on, beside the requests: sums that were kept under another mark are worked out anew. */
export function sumsMark(prices: string): string {
  return JSON.stringify({ prices, zone: zoneHere() });
}

/** How far the clocks here are from Greenwich's, at a few times of these years: to ask for the name of the zone takes 20 ms. */
function zoneHere(): string {
  const months = [0, 3, 6, 9].flatMap((month) => [2024, 2026].map((year) => new Date(year, month, 1)));
  return months.map((date) => date.getTimezoneOffset()).join(' ');
}

/** What changed in a root: sessions, and the keys of requests that they held before. */
export interface ChangedUsage {
  sessions: Set<number>;
  before: Float64Array[];
}

/** Works out the sums of these sessions of one root anew, and of those that share requests with them, or did. */
export function writeSums(
  main: DatabaseSync,
  root: number,
  { sessions: changed, before }: ChangedUsage,
  costOf: CostOf,
): void {
  const { sessions, places } = allSharing(keysOf(main, root), changed, before);
  const requests = main.prepare('select rows, models from usage where session = ?');
  // The same subagent may lie with several sessions, where files were copied.
  const heads = main.prepare(
    "select sessions.native_id || ' ' || families.native_id as name from sessions join families on families.id = family where sessions.id = ?",
  );
  const clear = main.prepare('delete from usage_sums where session = ?');
  const insert = main.prepare('insert into usage_sums values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const read = (session: number): StoredRequests | undefined => {
    const row = requests.get(session) as { rows: Uint8Array; models: string } | undefined;
    return row === undefined ? undefined : new StoredRequests(row);
  };
  const settled = settledRequests(places, read, (session) => String(heads.get(session)?.name));
  const isThere = main.prepare('select 1 from sessions where id = ?');
  const hasSums = main.prepare('select 1 from usage_sums limit 1').get() !== undefined;
  for (const session of sessions) {
    if (hasSums) clear.run(session);
    const own = isThere.get(session) === undefined ? undefined : read(session);
    if (own === undefined) continue;
    for (const sum of sumsOf(own, settled.get(session), costOf)) {
      const { day, model, requests: count, tokens, cost, unpriced, estimated } = sum;
      const { input_tokens, cache_read_tokens, cache_write_5m_tokens, cache_write_1h_tokens } = tokens;
      const { output_tokens, reasoning_tokens, web_searches } = tokens;
      // biome-ignore format: a row
      insert.run(session, day, model, count, input_tokens, cache_read_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
        output_tokens, reasoning_tokens, web_searches, cost, unpriced, estimated);
    }
  }
}

/** The keys of the requests of a family, as the store has them. */
export function familyKeys(main: DatabaseSync, family: number): Float64Array[] {
  const first = family * SESSIONS_PER_FAMILY;
  return main
    .prepare('select keys from usage where session between ? and ?')
    .all(first, first + SESSIONS_PER_FAMILY - 1)
    .map(({ keys }) => keysIn(keys as Uint8Array));
}

function keysOf(main: DatabaseSync, root: number): Map<number, Float64Array> {
  const rows = main
    .prepare(
      `select usage.session as session, keys from usage
       join families on families.id = usage.session / ${SESSIONS_PER_FAMILY} where root = ?`,
    )
    .iterate(root);
  const keys = new Map<number, Float64Array>();
  for (const { session, keys: bytes } of rows) keys.set(Number(session), keysIn(bytes as Uint8Array));
  return keys;
}

interface Place {
  session: number;
  row: number;
}

interface Sharing {
  sessions: Set<number>;
  /** Every place of each request that stands in more than one. */
  places: Place[][];
}

/** With those that share requests come those that share others with them. */
function allSharing(
  keys: ReadonlyMap<number, Float64Array>,
  changed: ReadonlySet<number>,
  before: readonly Float64Array[],
): Sharing {
  let sessions = new Set(changed);
  for (;;) {
    const sharing = sessionsSharing(keys, sessions, before);
    const all = new Set([...sessions, ...sharing.sessions]);
    if (all.size === sessions.size) return { sessions, places: sharing.places };
    sessions = all;
  }
}

/** Requests of the changed sessions that others hold too, or that they hold twice, or that they held and others still do. */
function sessionsSharing(
  keys: ReadonlyMap<number, Float64Array>,
  changed: ReadonlySet<number>,
  before: readonly Float64Array[],
): Sharing {
  const count = (lists: Iterable<Float64Array | undefined>) =>
    [...lists].reduce((sum, list) => sum + (list?.length ?? 0), 0);
  const own = [...changed].map((session) => keys.get(session));
  const wanted = new KeyTable(count([...own, ...before]));
  const again = new Set<number>();
  for (const list of own) for (const key of list ?? []) if (key >= 0 && !wanted.add(key)) again.add(key);
  for (const list of before) for (const key of list) if (key >= 0) wanted.add(key);
  for (const [session, others] of keys) {
    if (changed.has(session)) continue;
    for (const key of others) if (wanted.has(key)) again.add(key);
  }
  if (again.size === 0) return { sessions: new Set(), places: [] };
  const places = new Map<number, Place[]>([...again].map((key) => [key, []]));
  for (const [session, own] of keys)
    own.forEach((key, row) => {
      places.get(key)?.push({ session, row });
    });
  const found = [...places.values()];
  return { sessions: new Set(found.flat().map(({ session }) => session)), places: found };
}

/** By session and row: what a request counts that stands in several places; null where it counts elsewhere. */
type Settled = Map<number, Map<number, Usage | null>>;

/**
 * Of a request that stands in several places one counts, in a session that did not inherit it, with what the place tells that saw most
 * of it: a file may have been copied while a reply was being written.
 */
function settledRequests(
  places: readonly Place[][],
  read: (session: number) => StoredRequests | undefined,
  nameOf: (session: number) => string,
): Settled {
  const known = new Map<number, StoredRequests | undefined>();
  const requestsOf = (session: number) => {
    if (!known.has(session)) known.set(session, read(session));
    return known.get(session);
  };
  const settled: Settled = new Map();
  for (const same of places) {
    const all = same.flatMap(({ session, row }) => {
      const requests = requestsOf(session);
      if (requests === undefined || row >= requests.count) return [];
      return [{ session, row, usage: requests.usageOf(row), isOwn: !requests.isInherited(row), name: nameOf(session) }];
    });
    const fullest = all.reduce((most, one) => (outputOf(one) > outputOf(most) ? one : most), all[0] as (typeof all)[0]);
    const [owner] = all
      .filter(({ isOwn }) => isOwn)
      .sort((a, b) => outputOf(b) - outputOf(a) || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.row - b.row));
    for (const place of all) {
      const rows = settled.get(place.session) ?? new Map<number, Usage | null>();
      settled.set(place.session, rows.set(place.row, place === owner ? fullest.usage : null));
    }
  }
  return settled;
}

function outputOf({ usage }: { usage: Usage }): number {
  return usage.output_tokens;
}

interface Sum {
  day: string | null;
  model: string | null;
  requests: number;
  tokens: TokenCounts;
  cost: number;
  unpriced: number;
  estimated: number;
}

function sumsOf(
  requests: StoredRequests,
  settled: ReadonlyMap<number, Usage | null> | undefined,
  costOf: CostOf,
): Sum[] {
  const sums: Sum[] = [];
  let sum: Sum | undefined;
  for (let row = 0; row < requests.count; row++) {
    const told = settled?.get(row);
    if (told === null || (told === undefined && requests.isInherited(row))) continue;
    const usage = told ?? requests.usageOf(row);
    const [time, model] = [requests.timeOf(row), requests.modelOf(row)];
    const { day, timestamp } = time === null ? NO_TIME : dayAt(time);
    // Mostly the one before.
    if (sum === undefined || sum.day !== day || sum.model !== model)
      sum = sums.find((known) => known.day === day && known.model === model);
    if (sum === undefined) {
      sum = { day, model, requests: 0, tokens: noTokens(), cost: 0, unpriced: 0, estimated: 0 };
      sums.push(sum);
    }
    const cost = costOf({ model, timestamp, usage });
    sum.requests++;
    addTokens(sum.tokens, usage);
    sum.cost += cost ?? 0;
    if (cost === null) sum.unpriced++;
    if (usage.estimated) sum.estimated++;
  }
  return sums;
}

const NO_TIME = { day: null, timestamp: null };
const DAY_MS = 24 * 60 * 60_000;

/** A day here: its name, when it begins and ends, and a time in it for prices, which change with a day. */
interface Day {
  day: string;
  from: number;
  to: number;
  timestamp: string;
}

/** By days of Greenwich: each lies in two days of any other place. */
const days = new Map<number, Day[]>();
let lastDay: Day = { day: '', from: 0, to: 0, timestamp: '' };

/** The day here, as a person counts days. Most requests are of the day of the one before. */
function dayAt(time: number): Day {
  if (time >= lastDay.from && time < lastDay.to) return lastDay;
  const number = Math.floor(time / DAY_MS);
  const known = days.get(number) ?? [];
  days.set(number, known);
  const found = known.find(({ from, to }) => time >= from && time < to);
  lastDay = found ?? newDay(number, time);
  if (found === undefined) known.push(lastDay);
  return lastDay;
}

/** The part of a day here that is one day in Greenwich, too. */
function newDay(number: number, time: number): Day {
  const date = new Date(time);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  const [begin, end] = [day, day + 1].map((at) => new Date(year, month, at).getTime());
  const [start, stop] = [number * DAY_MS, (number + 1) * DAY_MS];
  return {
    day: `${year}-${String(month + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`,
    // Where clocks are changed at midnight, a day may begin before the time that is called so.
    from: Math.max(start, Math.min(begin ?? start, time)),
    to: Math.min(stop, Math.max(end ?? stop, time + 1)),
    timestamp: new Date(start).toISOString(),
  };
}

/** A set of numbers from zero on, in one block of memory: a set of a million numbers would take ten times as much. */
class KeyTable {
  private readonly slots: Float64Array;

  constructor(count: number) {
    this.slots = new Float64Array(2 ** Math.ceil(Math.log2(count * 2 + 2))).fill(-1);
  }

  /** False where it was there. */
  add(key: number): boolean {
    const slot = this.slotOf(key);
    if (this.slots[slot] === key) return false;
    this.slots[slot] = key;
    return true;
  }

  has(key: number): boolean {
    return key >= 0 && this.slots[this.slotOf(key)] === key;
  }

  private slotOf(key: number): number {
    const last = this.slots.length - 1;
    let slot = key % this.slots.length;
    while (this.slots[slot] !== -1 && this.slots[slot] !== key) slot = slot === last ? 0 : slot + 1;
    return slot;
  }
}
