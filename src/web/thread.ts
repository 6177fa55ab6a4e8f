// Sessions that are one piece of work: what came from what, by clears, forks, clones and subagents.

import type { ThreadAnswer, ThreadNode } from './api.ts';
import type { KnownRow } from './rows.ts';

/** All that hang together with this one among those of its agent's folder, as far as they have been read; each after the one that it came from. */
export function threadOf(key: string, rows: KnownRow[]): ThreadAnswer {
  const origins = originsIn(rows);
  const children = Map.groupBy(rows, (row) => origins.get(row.key)?.from);
  const byKey = new Map(rows.map((row) => [row.key, row]));
  let first = byKey.get(key);
  const seen = new Set<string>();
  for (let from = origins.get(key)?.from; from !== undefined && !seen.has(from); from = origins.get(from)?.from) {
    seen.add(from);
    first = byKey.get(from) ?? first;
  }
  const nodes: ThreadNode[] = [];
  const added = new Set<string>();
  const add = (row: KnownRow) => {
    if (added.has(row.key)) return;
    added.add(row.key);
    nodes.push(nodeOf(row, origins.get(row.key)));
    for (const child of children.get(row.key) ?? []) add(child);
  };
  if (first !== undefined) add(first);
  // Files that name one another in a circle begin somewhere, too.
  const [beginning] = nodes;
  if (beginning !== undefined) Object.assign(beginning, { by: null, from: null });
  return { api_version: 1, nodes };
}

interface Origin {
  from: string;
  by: NonNullable<ThreadNode['by']>;
}

/** Where each session came from. */
function originsIn(rows: KnownRow[]): Map<string, Origin> {
  const keys = new Map(rows.map((row) => [row.id, row.key]));
  const origins = new Map<string, Origin>();
  for (const row of rows) {
    const keyOfId = (id: string | null) => (id === null ? undefined : keys.get(id));
    const tie = (to: string | undefined, from: string | undefined, by: Origin['by']) => {
      if (to !== undefined && from !== undefined && to !== from && !origins.has(to)) origins.set(to, { from, by });
    };
    tie(row.key, row.parent ?? undefined, 'subagent');
    tie(row.key, keyOfId(row.cloned_from), 'clone');
    tie(row.key, keyOfId(row.forked_from), 'fork');
    tie(row.key, keyOfId(row.cleared_from), 'clear');
    for (const next of row.goes_on_in) tie(keyOfId(next), row.key, 'clear');
  }
  return origins;
}

function nodeOf({ key, title, kind, started_at, messages }: KnownRow, origin: Origin | undefined): ThreadNode {
  return { key, title, kind, started_at, messages, by: origin?.by ?? null, from: origin?.from ?? null };
}
