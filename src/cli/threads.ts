// Sessions that are one piece of work: cleared and begun again, forked, cloned. A list shows the newest of them.

import type { ListedSession } from './commands/ls.ts';

export interface ThreadRow {
  /** The newest of the thread. */
  session: ListedSession;
  /** The others, newest first. */
  earlier: ListedSession[];
}

/** Newest first, as they come. A link that is only a guess folds nothing: it would hide a session. */
export function foldThreads(newestFirst: ListedSession[]): ThreadRow[] {
  const before = new Map<string, string[]>();
  const tie = (later: string, earlier: string | null) => {
    if (earlier !== null) before.set(later, [...(before.get(later) ?? []), earlier]);
  };
  for (const { id, goes_on_in, forked_from, cloned_from } of newestFirst) {
    for (const next of goes_on_in) tie(next, id);
    tie(id, forked_from);
    tie(id, cloned_from);
  }
  const byId = new Map(newestFirst.map((session) => [session.id, session]));
  const places = new Map(newestFirst.map(({ id }, place) => [id, place]));
  const folded = new Set<string>();
  return newestFirst.flatMap((session) => {
    if (folded.has(session.id)) return [];
    const thread = ancestorsOf(session.id, before).filter((id) => byId.has(id) && !folded.has(id));
    for (const id of [session.id, ...thread]) folded.add(id);
    const earlier = thread.flatMap((id) => byId.get(id) ?? []);
    return [{ session, earlier: earlier.sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0)) }];
  });
}

function ancestorsOf(id: string, before: ReadonlyMap<string, string[]>): string[] {
  const found = new Set<string>();
  const waiting = [...(before.get(id) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === id || found.has(next)) continue;
    found.add(next);
    waiting.push(...(before.get(next) ?? []));
  }
  return [...found];
}
