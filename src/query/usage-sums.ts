// What the store knows of tokens and cost, and of calls.

import type { CallCount, DaySum, UsageSum } from '../schema/usage-report.ts';
import type { AgentName } from '../schema/words.ts';
import type { Store } from '../store/open.ts';
import { RequestPlaces } from '../store/request-places.ts';
import { rowsOnce } from './statements.ts';

/** Sums by session, day and model, of these roots. */
export function usageSums({ main }: Store, roots: readonly number[]): UsageSum[] {
  const rows = rowsOnce(
    main,
    `select agent, ${COLUMNS}, sessions.native_id, title, project
     from usage_sums join sessions on sessions.id = usage_sums.session
     where root in (${roots.map(() => '?').join(', ')})`,
    ...roots,
  );
  return rows.map((row) => {
    const named = { session_id: row[14] as string, title: row[15] as string | null, project: row[16] as string | null };
    return { ...daySumFrom(row), ...named };
  });
}

/** In this order. */
const COLUMNS = `day, model, requests, input_tokens, cache_read_tokens, cache_write_5m_tokens, cache_write_1h_tokens, output_tokens,
  reasoning_tokens, web_searches, cost, unpriced, estimated`;

/** From an agent and these columns. Made here: the objects that SQLite makes of rows are of a kind that is four times as slow to go through. */
function daySumFrom(row: unknown[]): DaySum {
  return {
    agent: row[0] as AgentName,
    day: row[1] as string | null,
    model: row[2] as string | null,
    requests: row[3] as number,
    input_tokens: row[4] as number,
    cache_read_tokens: row[5] as number,
    cache_write_5m_tokens: row[6] as number,
    cache_write_1h_tokens: row[7] as number,
    output_tokens: row[8] as number,
    reasoning_tokens: row[9] as number,
    web_searches: row[10] as number,
    cost: row[11] as number,
    unpriced: row[12] as number,
    estimated: row[13] as number,
  };
}

/**
 * Do sessions of several projects hold the same request, of which it is not known yet what ties them? Then whose it is may be told
 * otherwise when that is known.
 */
export function isOwnerOpen({ main }: Store, roots: readonly number[]): boolean {
  const session = main.prepare(
    'select project, tier from sessions join families on families.id = family where sessions.id = ?',
  );
  return roots.some((root) =>
    new RequestPlaces(main, root).sharers().some((sessions) => {
      const holders = [...sessions].map((id) => session.get(id));
      return holders.some((one) => one?.tier === 0) && new Set(holders.map((one) => one?.project)).size > 1;
    }),
  );
}

/** Sums by day and model, of these roots: for reports that ask neither for sessions nor for projects. */
export function daySums({ main }: Store, roots: readonly number[]): DaySum[] {
  const rows = rowsOnce(
    main,
    `select agent, ${COLUMNS} from usage_days join roots on roots.id = root where root in (${roots.map(() => '?').join(', ')})`,
    ...roots,
  );
  return rows.map(daySumFrom);
}

/** What is asked of the session that a call was made in. */
interface CallingSession {
  agent: AgentName;
  project: string | null;
  /** When it, or one that lies with it, was last used; where no row has a time, that of the files must do, as in lists. */
  used_at: string;
  begun_at: string | null;
}

/** Calls of tools by tool and model, and how they ended, in the sessions that are wanted. */
export function callCounts(
  { main }: Store,
  roots: readonly number[],
  isWanted: (session: CallingSession) => boolean,
): CallCount[] {
  const rows = main
    .prepare(
      `select agent, project, last_used, calls,
         coalesce(json_extract(families.head, '$.started_at'),
           (select min(started_at) from sessions as any where any.family = families.id)) as begun_at,
         (select max(modified_ms) from family_files join files using (path)
           where family_files.family = families.id and files.root = families.root) as modified_ms
       from sessions join families on families.id = sessions.family
       where families.root in (${roots.map(() => '?').join(', ')})`,
    )
    .all(...roots) as unknown as CallingRow[];
  return rows
    .filter(({ last_used, modified_ms, ...session }) =>
      isWanted({ ...session, used_at: last_used ?? new Date(modified_ms ?? 0).toISOString() }),
    )
    .flatMap(({ calls }) => JSON.parse(calls) as PackedCount[])
    .map(([tool, model, all, rejected, interrupted, denied, failed]) => {
      return { tool, model, calls: all, rejected, interrupted, denied, failed };
    });
}

interface CallingRow extends Omit<CallingSession, 'used_at'> {
  last_used: string | null;
  modified_ms: number | null;
  calls: string;
}

type PackedCount = [string, string | null, number, number, number, number, number];
