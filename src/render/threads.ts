// Sessions that are one piece of work: cleared and begun again, forked, cloned. A list shows the newest of them.

/** What ties a session to others. */
interface Tied {
  id: string;
  turns: number;
  forked_from: string | null;
  cloned_from: string | null;
  /** Sessions in which it went on after a clear, where that is more than a guess. */
  goes_on_in: string[];
}

export interface ThreadRow<Session extends Tied> {
  /** The newest of the thread. */
  session: Session;
  /** The others, newest first. */
  earlier: Session[];
  /** Copies of it that nobody has gone on with. */
  copies: Session[];
}

/** Newest first, as they come. A link that is only a guess folds nothing: it would hide a session. */
export function foldThreads<Session extends Tied>(newestFirst: Session[]): ThreadRow<Session>[] {
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
  const unused = newestFirst.filter((session) => isUnusedCopy(session) && byId.has(originOf(session, byId)));
  const copiesOf = Map.groupBy(unused, (copy) => originOf(copy, byId));
  const folded = new Set(unused.map(({ id }) => id));
  return newestFirst.flatMap((session) => {
    if (folded.has(session.id)) return [];
    const thread = ancestorsOf(session.id, before).filter((id) => byId.has(id) && !folded.has(id));
    for (const id of [session.id, ...thread]) folded.add(id);
    const earlier = thread.flatMap((id) => byId.get(id) ?? []);
    const copies = [session, ...earlier].flatMap(({ id }) => copiesOf.get(id) ?? []);
    return [{ session, copies, earlier: earlier.sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0)) }];
  });
}

/** A copy takes the place of its origin in the list when somebody goes on with it, not before. */
function isUnusedCopy({ cloned_from, turns }: Tied): boolean {
  return cloned_from !== null && turns === 0;
}

/** The session that a copy, or a copy of a copy, was made of. */
function originOf(copy: Tied, byId: ReadonlyMap<string, Tied>): string {
  const seen = new Set([copy.id]);
  let origin = copy.cloned_from ?? '';
  for (let at = byId.get(origin); at !== undefined && isUnusedCopy(at) && !seen.has(at.id); at = byId.get(origin)) {
    seen.add(at.id);
    origin = at.cloned_from ?? '';
  }
  // Files that name one another in a circle are copies of nothing.
  return seen.has(origin) ? '' : origin;
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
