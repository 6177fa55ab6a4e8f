// Tokens and cost by session, day and model, each request of an agent's folder once: forks, resumed sessions and copies
// hold the requests of others again.

import { readlinkSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Usage } from '../schema/message.ts';
import type { EarlySums } from './early-sums.ts';
import { keysIn, type StoredRequests } from './packed-usage.ts';
import { RequestPlaces } from './request-places.ts';
import { type CostOf, SessionSums } from './session-sums.ts';
import { SESSIONS_PER_FAMILY } from './tables.ts';

/** What sums by day and their cost depend on, beside the requests: sums that were kept under another mark are worked out anew. */
export function sumsMark(prices: string): string {
  return JSON.stringify({ prices, zone: zoneHere() });
}

/** By which rules days are told here. To ask for the zone, or for any time in it, takes up to 20 ms: so where it is set is looked at. */
function zoneHere(): string {
  return `${process.versions.tz} ${process.env.TZ ?? localTime()}`;
}

function localTime(): string {
  try {
    return readlinkSync('/etc/localtime');
  } catch {
    return offsets();
  }
}

/** How far the clocks here are from Greenwich's, at a few times of these years. */
function offsets(): string {
  const months = [0, 3, 6, 9].flatMap((month) => [2024, 2026].map((year) => new Date(year, month, 1)));
  return months.map((date) => date.getTimezoneOffset()).join(' ');
}

/** What changed in a root: sessions that were written, the keys of the requests that they and others that are gone held before, and days that had some. */
export interface ChangedUsage {
  sessions: Set<number>;
  before: Map<number, Float64Array>;
  days: Set<string | null>;
}

export function noChange(): ChangedUsage {
  return { sessions: new Set(), before: new Map(), days: new Set() };
}

/** To be called before anything of a family is changed. */
export function noteUsage(main: DatabaseSync, family: number, to: ChangedUsage): void {
  const first = family * SESSIONS_PER_FAMILY;
  const range = [first, first + SESSIONS_PER_FAMILY - 1];
  for (const { session, keys } of main
    .prepare('select session, keys from usage where session between ? and ?')
    .all(...range))
    to.before.set(Number(session), keysIn(keys as Uint8Array));
  for (const { day } of main.prepare('select distinct day from usage_sums where session between ? and ?').all(...range))
    to.days.add(day as string | null);
}

/** Sums of one root that are to be worked out anew. */
export interface SumsPlan {
  root: number;
  sessions: Set<number>;
  /** Every place of each request that stands in more than one. */
  places: Place[][];
  /** Null for all of them. */
  days: Set<string | null> | null;
}

/** All sums of a root. Those that `early` has made stay, but of sessions that share requests. */
export function planAllSums(main: DatabaseSync, root: number, early?: EarlySums): SumsPlan {
  const held = new RequestPlaces(main, root);
  const shared = held.of(held.remake(early?.keysOf(root)));
  const sharing = new Set([...shared.values()].flat());
  const all = sessionsIn(main, root);
  const sessions = all.filter((session) => sharing.has(session) || early?.has(session) !== true);
  return { root, sessions: new Set(sessions), places: rowsOf(main, shared), days: null };
}

/** Those of sessions that have changed, and of those that share requests with them, or did. */
export function planSums(main: DatabaseSync, root: number, changed: ChangedUsage): SumsPlan {
  const held = new RequestPlaces(main, root);
  const now = keysOf(main, [...changed.sessions, ...changed.before.keys()]);
  held.change(changed.before, now);
  const keys = new Set([...changed.before.values(), ...now.values()].flatMap((list) => [...list]));
  const { sessions, shared } = allSharing(main, held, changed.sessions, keys);
  return { root, sessions, places: rowsOf(main, shared), days: changed.days };
}

/** Models of the requests of these sessions. */
export function modelsIn(main: DatabaseSync, sessions: Iterable<number>): Set<string> {
  const models = main.prepare('select models from usage where session = ?');
  const lists = new Set<string>();
  for (const session of sessions) lists.add(String(models.get(session)?.models ?? '[]'));
  return new Set([...lists].flatMap((list) => JSON.parse(list) as string[]));
}

export function writeSums(main: DatabaseSync, { root, sessions, places, days }: SumsPlan, costOf: CostOf): void {
  // The same subagent may lie with several sessions, where files were copied.
  const heads = main.prepare(
    "select sessions.native_id || ' ' || families.native_id as name from sessions join families on families.id = family where sessions.id = ?",
  );
  const daysOf = main.prepare('select distinct day from usage_sums where session = ?');
  const clear = main.prepare('delete from usage_sums where session = ?');
  const sums = new SessionSums(main);
  const settled = settledRequests(
    places,
    (session) => sums.requestsOf(session),
    (session) => String(heads.get(session)?.name),
  );
  const isThere = main.prepare('select 1 from sessions where id = ?');
  const hasSums = main.prepare('select 1 from usage_sums limit 1').get() !== undefined;
  for (const session of sessions) {
    for (const { day } of days === null ? [] : daysOf.all(session)) days?.add(day as string | null);
    if (hasSums) clear.run(session);
    if (isThere.get(session) === undefined) continue;
    for (const day of sums.write(root, session, costOf, settled.get(session))) days?.add(day);
  }
  if (days === null) addDays(main, 'root = ?', [root]);
  else for (const day of days) addDays(main, 'root = ? and day is ?', [root, day]);
}

/** Added anew from what the sessions have: to take away and to add would leave noise behind. */
function addDays(main: DatabaseSync, which: string, values: (number | string | null)[]): void {
  main.prepare(`delete from usage_days where ${which}`).run(...values);
  main
    .prepare(
      `insert into usage_days select root, day, model, sum(requests), sum(input_tokens), sum(cache_read_tokens),
         sum(cache_write_5m_tokens), sum(cache_write_1h_tokens), sum(output_tokens), sum(reasoning_tokens), sum(web_searches),
         total(cost), sum(unpriced), sum(estimated) from usage_sums where ${which} group by day, model`,
    )
    .run(...values);
}

function sessionsIn(main: DatabaseSync, root: number): number[] {
  const rows = main
    .prepare(
      `select session from usage join families on families.id = session / ${SESSIONS_PER_FAMILY} where root = ?
       union select session from usage_sums where root = ?`,
    )
    .all(root, root);
  return rows.map(({ session }) => Number(session));
}

function keysOf(main: DatabaseSync, sessions: Iterable<number>): Map<number, Float64Array> {
  const keys = main.prepare('select keys from usage where session = ?');
  const found = new Map<number, Float64Array>();
  for (const session of sessions) {
    const row = keys.get(session);
    if (row !== undefined) found.set(session, keysIn(row.keys as Uint8Array));
  }
  return found;
}

interface Place {
  session: number;
  row: number;
}

/** With those that share requests come those that share others with them. */
function allSharing(main: DatabaseSync, held: RequestPlaces, changed: ReadonlySet<number>, keys: Set<number>) {
  const sessions = new Set(changed);
  const shared = new Map<number, number[]>();
  let next = keys;
  while (next.size > 0) {
    const found = [...held.of(next)].filter(([, holders]) => holders.length > 1 || !sessions.has(holders[0] ?? -1));
    const others = new Set(found.flatMap(([, holders]) => holders).filter((session) => !sessions.has(session)));
    for (const [key, holders] of found) shared.set(key, holders);
    for (const session of others) sessions.add(session);
    const more = [...keysOf(main, others).values()].flatMap((list) => [...list]);
    next = new Set(more.filter((key) => !keys.has(key)));
    for (const key of next) keys.add(key);
  }
  return { sessions, shared };
}

/** Where in their sessions these requests stand. */
function rowsOf(main: DatabaseSync, shared: ReadonlyMap<number, number[]>): Place[][] {
  const places = new Map<number, Place[]>([...shared.keys()].map((key) => [key, []]));
  for (const [session, keys] of keysOf(main, new Set([...shared.values()].flat())))
    keys.forEach((key, row) => {
      places.get(key)?.push({ session, row });
    });
  return [...places.values()];
}

/** By session and row: what a request counts that stands in several places; null where it counts elsewhere. */
type Settled = Map<number, Map<number, Usage | null>>;

/**
 * Of a request that stands in several places one counts, in a session that did not inherit it if that is there, with what the place tells that saw most
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
    const [owner] = all.sort(
      (a, b) =>
        Number(b.isOwn) - Number(a.isOwn) ||
        outputOf(b) - outputOf(a) ||
        (a.name < b.name ? -1 : a.name > b.name ? 1 : a.row - b.row),
    );
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
