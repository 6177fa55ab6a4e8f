// What lists hold of each session, and which sessions are wanted in them.

import {
  type EventKind,
  eventsOf,
  type FoundFamily,
  type ListedFacts,
  listedFacts,
  type SessionSummary,
  type ThreadRow,
} from '../index.ts';
import { type FilterOptions, sayUnread } from './choose.ts';

export interface ListFlags extends FilterOptions {
  flat?: boolean;
  event?: EventKind[];
  model?: string;
}

type EventCounts = Partial<Record<EventKind, number>>;

export interface ListedSession extends ListedFacts {
  cleared_from: string | null;
  events: EventCounts;
  /** Of the subagents that have no row of their own. */
  subagent_events: EventCounts;
  subagent_models: string[];
}

/** The sessions of a family that a list shows. */
export function listed(family: FoundFamily, flags: Pick<ListFlags, 'flat'> & { quiet?: boolean }): ListedSession[] {
  const all = family.summaries();
  const isShown = ({ session }: SessionSummary, i: number) => flags.flat === true || i === 0 || session.kind === 'main';
  const shown = all.filter(isShown);
  if (flags.quiet !== true) for (const session of shown) sayUnread(session);
  const folded = all.filter((session, i) => !isShown(session, i));
  return shown.map((summary, i) => ({
    ...listedFacts(summary, family, i === 0),
    cleared_from: summary.session.lineage.cleared_from,
    events: countsOf([summary]),
    subagent_events: i === 0 ? countsOf(folded) : {},
    subagent_models: i === 0 ? [...new Set(folded.flatMap(({ session }) => session.models))] : [],
  }));
}

function countsOf(summaries: SessionSummary[]): EventCounts {
  return summed(summaries.flatMap((summary) => eventsOf(summary).map(({ kind }) => ({ [kind]: 1 }))));
}

function summed(all: EventCounts[]): EventCounts {
  const sum: EventCounts = {};
  for (const counts of all)
    for (const [kind, count] of Object.entries(counts) as [EventKind, number][]) sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
}

/** What happened in all the sessions that a row stands for. */
export function eventsOfRow({ session, earlier, copies }: ThreadRow<ListedSession>): EventCounts {
  return summed([session, ...earlier, ...copies].flatMap((one) => [one.events, one.subagent_events]));
}

/** What can be told only when sessions were read: a row is wanted for whatever it stands for. */
export function isWanted(row: ThreadRow<ListedSession>, { event, model }: ListFlags): boolean {
  const events = eventsOfRow(row);
  if (event?.some((kind) => events[kind] === undefined) === true) return false;
  const models = [row.session, ...row.earlier, ...row.copies].flatMap((one) => [...one.models, ...one.subagent_models]);
  return model === undefined || models.some((name) => name.includes(model));
}

/** A row for one session alone. */
export function rowOf<Session>(session: Session): { session: Session; earlier: Session[]; copies: Session[] } {
  return { session, earlier: [], copies: [] };
}
