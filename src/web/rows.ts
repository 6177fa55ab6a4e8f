// What the list shows of a session: as much as is known of it.

import { EVENT_KINDS, eventsOf, type FoundFamily, type ListedEvent, listedFacts, writtenAt } from '../index.ts';
import type { SessionRow } from './api.ts';

/** A row, and what ties its session to others. */
export interface KnownRow extends SessionRow {
  forked_from: string | null;
  cloned_from: string | null;
  cleared_from: string | null;
  goes_on_in: string[];
}

export function keyOf(agent: string, id: string, home: number): string {
  return home === 0 ? `${agent}:${id}` : `${agent}:${id}~${home}`;
}

/** A session that has not been read: what lists need at once, without opening its file. */
export function unreadRow(family: FoundFamily, key: string): KnownRow {
  return {
    key,
    id: family.id,
    agent: family.agent,
    kind: 'main',
    title: null,
    project: null,
    started_at: null,
    last_used: new Date(writtenAt(family)).toISOString(),
    bytes: family.bytes,
    is_read: false,
    messages: 0,
    turns: 0,
    models: [],
    events: EVENT_KINDS.map(() => 0),
    marks: [],
    subagents: family.subagents.length,
    kept: family.isKept,
    parent: null,
    folded_under: null,
    forked_from: null,
    cloned_from: null,
    cleared_from: null,
    goes_on_in: [],
  };
}

/** All sessions of a family: the main one first. */
export function readRows(family: FoundFamily, keyOfId: (id: string) => string): KnownRow[] {
  return family.summaries().map((summary, i) => {
    const { ended_at: _, ...facts } = listedFacts(summary, family, i === 0);
    const events = eventsOf(summary);
    return {
      ...facts,
      key: keyOfId(facts.id),
      title: facts.title === null ? null : facts.title.slice(0, 300),
      is_read: true,
      events: EVENT_KINDS.map((kind) => events.filter((event) => event.kind === kind).length),
      marks: marksOf(events, facts.messages),
      parent: facts.parent === null ? null : keyOfId(facts.parent),
      folded_under: null,
      cleared_from: summary.session.lineage.cleared_from,
    };
  });
}

/** More than this nobody can tell apart in a strip of the list. */
const MOST_MARKS = 60;

/** Of a kind that is seldom among very many others, the first is always there. */
function marksOf(events: readonly ListedEvent[], messages: number): SessionRow['marks'] {
  const step = Math.max(1, Math.ceil(events.length / MOST_MARKS));
  return events
    .filter(({ kind }, i) => i % step === 0 || events.findIndex((event) => event.kind === kind) === i)
    .map(({ kind, after_message_index }) => [
      EVENT_KINDS.indexOf(kind),
      messages === 0 ? 0 : Math.min(1000, Math.round((((after_message_index ?? -1) + 1) / messages) * 1000)),
    ]);
}
