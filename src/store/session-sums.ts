// The sums of a session by local day and model.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { localDay } from '../schema/local-day.ts';
import type { TokenCounts, Usage } from '../schema/message.ts';
import { addTokens, noTokens } from '../schema/tokens.ts';
import { StoredRequests } from './packed-usage.ts';

/** Dollars of one request; null where the model has no known price. */
export type CostOf = (request: { model: string | null; timestamp: string | null; usage: TokenCounts }) => number | null;

/** By row: what a request counts that stands in several places; null where it counts elsewhere. */
export type SettledRows = ReadonlyMap<number, Usage | null>;

export class SessionSums {
  private readonly requests: StatementSync;
  private readonly insert: StatementSync;

  constructor(main: DatabaseSync) {
    this.requests = main.prepare('select rows, models from usage where session = ?');
    this.insert = main.prepare('insert into usage_sums values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  }

  requestsOf(session: number): StoredRequests | undefined {
    const row = this.requests.get(session) as { rows: Uint8Array; models: string } | undefined;
    return row === undefined ? undefined : new StoredRequests(row);
  }

  /** Writes the sums of a session that has none; gives the days that it has requests of. */
  write(root: number, session: number, costOf: CostOf, settled?: SettledRows): (string | null)[] {
    const requests = this.requestsOf(session);
    if (requests === undefined) return [];
    return sumsOf(requests, costOf, settled).map((sum) => {
      const { day, model, requests: count, tokens, cost, unpriced, estimated } = sum;
      const { input_tokens, cache_read_tokens, cache_write_5m_tokens, cache_write_1h_tokens } = tokens;
      const { output_tokens, reasoning_tokens, web_searches } = tokens;
      // biome-ignore format: a row
      this.insert.run(root, session, day, model, count, input_tokens, cache_read_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
        output_tokens, reasoning_tokens, web_searches, cost, unpriced, estimated);
      return day;
    });
  }
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

function sumsOf(requests: StoredRequests, costOf: CostOf, settled: SettledRows | undefined): Sum[] {
  const sums: Sum[] = [];
  let sum: Sum | undefined;
  for (let row = 0; row < requests.count; row++) {
    const told = settled?.get(row);
    if (told === null) continue;
    const usage = told ?? requests.usageOf(row);
    const time = requests.timeOf(row);
    const model = requests.modelOf(row);
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
    day: localDay(date),
    // Where clocks are changed at midnight, a day may begin before the time that is called so.
    from: Math.max(start, Math.min(begin ?? start, time)),
    to: Math.min(stop, Math.max(end ?? stop, time + 1)),
    timestamp: new Date(start).toISOString(),
  };
}
