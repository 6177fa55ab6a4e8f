// True facts about a history, each as soon as it is known.

import { type EventKind, eventsOf, type FoundFamily, type ListedEvent } from '../index.ts';

/** What there is. */
export interface Extent {
  agents: { agent: FoundFamily['agent']; sessions: number }[];
  sessions: number;
  bytes: number;
  first_used: string | null;
  last_used: string | null;
}

/** Of so many sessions the beginnings and ends can be read at once; of more, without an index, the times of the files must do. */
const FEW = 300;

export function extentOf(families: FoundFamily[]): Extent {
  return extentIn(families, timesOf(families));
}

/** The same at once. `isByFiles`: first and last tell when files were written, which may be long after sessions were used. */
export function quickExtentOf(families: FoundFamily[]): Extent & { isByFiles: boolean } {
  const isByFiles = families.filter(({ isStored }) => !isStored).length > FEW;
  return { ...extentIn(families, isByFiles ? fileTimesOf(families) : timesOf(families)), isByFiles };
}

function extentIn(families: FoundFamily[], { first, last }: Span): Extent {
  const counts = new Map<FoundFamily['agent'], number>();
  for (const { agent } of families) counts.set(agent, (counts.get(agent) ?? 0) + 1);
  return {
    agents: [...counts].map(([agent, sessions]) => ({ agent, sessions })),
    sessions: families.length,
    bytes: families.reduce((sum, family) => sum + family.bytes, 0),
    first_used: first,
    last_used: last,
  };
}

interface Span {
  first: string | null;
  last: string | null;
}

function timesOf(families: FoundFamily[]): Span {
  const times = families
    .flatMap((family) => [family.peek().started_at, family.lastUsed()])
    .filter((time) => time !== null)
    .sort();
  return { first: times[0] ?? null, last: times.at(-1) ?? null };
}

function fileTimesOf(families: FoundFamily[]): Span {
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const { files } of families)
    for (const { modified_ms } of files) [first, last] = [Math.min(first, modified_ms), Math.max(last, modified_ms)];
  return { first: new Date(first).toISOString(), last: new Date(last).toISOString() };
}

export interface Deletion {
  agent: FoundFamily['agent'];
  sessions: number;
  /** Whole days until the first of them goes; 0: at the agent's next start. */
  days: number;
  told: 'settings' | 'default';
}

/** Sessions that an agent is about to delete. */
export function deletionsOf(families: FoundFamily[], present: number, within_days: number): Deletion[] {
  const found = new Map<FoundFamily['agent'], Deletion>();
  for (const family of families) {
    const deleted = family.deletedAt();
    if (deleted === null || family.isKept) continue;
    const days = Math.max(0, Math.floor((deleted.time_ms - present) / 86_400_000));
    if (days > within_days) continue;
    const { agent } = family;
    const one = found.get(agent) ?? { agent, sessions: 0, days, told: deleted.told };
    found.set(agent, { ...one, sessions: one.sessions + 1, days: Math.min(one.days, days) });
  }
  return [...found.values()];
}

/** What was found in the sessions that were read. */
export interface Happenings {
  sessions_read: number;
  counts: Partial<Record<EventKind, number>>;
  most_refused: { tool: string; project: string | null; count: number } | null;
  /** Tokens that compactions took out of contexts, where both counts are recorded. */
  tokens_compacted: number;
  /** Compactions of which they are not. */
  compactions_unmeasured: number;
  last_compacted: string | null;
}

/** Reads the newest sessions, as many as the time allows. */
export function happeningsIn(
  newest: Iterable<FoundFamily>,
  { isTimeUp, largest }: { isTimeUp: () => boolean; largest: number },
): Happenings {
  const events: ListedEvent[] = [];
  let read = 0;
  for (const family of newest) {
    if (family.bytes > largest) continue;
    for (const session of family.summaries()) events.push(...eventsOf(session));
    read++;
    if (isTimeUp()) break;
  }
  const counts: Happenings['counts'] = {};
  for (const { kind } of events) counts[kind] = (counts[kind] ?? 0) + 1;
  const compactions = events.filter(({ kind }) => kind === 'compaction');
  return {
    sessions_read: read,
    counts,
    most_refused: mostRefused(events),
    tokens_compacted: compactions.reduce((sum, { event }) => sum + (tokensGone(event) ?? 0), 0),
    compactions_unmeasured: compactions.filter(({ event }) => tokensGone(event) === null).length,
    last_compacted:
      compactions.sort((a, b) => ((a.timestamp ?? '') < (b.timestamp ?? '') ? 1 : -1))[0]?.session_id ?? null,
  };
}

function tokensGone(event: ListedEvent['event']): number | null {
  if (!('pre_tokens' in event) || event.pre_tokens === null || event.post_tokens === null) return null;
  return Math.max(0, event.pre_tokens - event.post_tokens);
}

function mostRefused(events: ListedEvent[]): Happenings['most_refused'] {
  const counts = new Map<string, { tool: string; project: string | null; count: number }>();
  for (const { event, project, kind } of events) {
    if (kind !== 'rejection' || !('tool_name' in event) || event.tool_name === null) continue;
    const key = `${event.tool_name}\n${project}`;
    const one = counts.get(key) ?? { tool: event.tool_name, project, count: 0 };
    counts.set(key, { ...one, count: one.count + 1 });
  }
  const name = ({ tool, project }: { tool: string; project: string | null }) => `${tool}\n${project ?? ''}`;
  return [...counts.values()].sort((a, b) => b.count - a.count || (name(a) < name(b) ? -1 : 1))[0] ?? null;
}

/** Tokens in a context from which on a slimmer copy is worth a thought. */
export const FULL_TOKENS = 120_000;
