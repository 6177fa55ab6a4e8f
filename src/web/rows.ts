// What the list shows of a session: as much as is known of it.

import { EVENT_KINDS, eventsOf, type FoundFamily, type SessionSummary } from '../index.ts';
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
  return family.summaries().map((summary, i) => ({
    ...readRow(summary, family, keyOfId),
    last_used: i === 0 ? usedAt(family) : summary.session.ended_at,
  }));
}

function readRow(summary: SessionSummary, family: FoundFamily, keyOfId: (id: string) => string): KnownRow {
  const { id, agent, kind, title, project, started_at, ended_at, counts, models, lineage, source } = summary.session;
  const sure = summary.context_clears.filter(({ confidence }) => confidence !== 'low');
  return {
    key: keyOfId(id),
    id,
    agent,
    kind,
    title: title === null ? null : title.slice(0, 300),
    project,
    started_at,
    last_used: ended_at,
    bytes: source.files.reduce((sum, file) => sum + (file.role === 'companion' ? 0 : file.bytes), 0),
    is_read: true,
    messages: counts.messages,
    turns: counts.turns,
    models,
    marks: marksOf(summary, counts.messages),
    subagents: lineage.subagents.length,
    kept: family.isKept,
    parent: lineage.parent === null ? null : keyOfId(lineage.parent.session_id),
    folded_under: null,
    forked_from: lineage.forked_from,
    cloned_from: lineage.cloned_from,
    cleared_from: lineage.cleared_from,
    goes_on_in: sure.flatMap(({ next_session_id }) =>
      next_session_id === null || next_session_id === id ? [] : [next_session_id],
    ),
  };
}

/** More than this nobody can tell apart in a strip of the list. */
const MOST_MARKS = 60;

function marksOf(summary: SessionSummary, messages: number): SessionRow['marks'] {
  const events = eventsOf(summary);
  const step = Math.max(1, Math.ceil(events.length / MOST_MARKS));
  return events
    .filter((_, i) => i % step === 0)
    .map(({ kind, after_message_index }) => [
      EVENT_KINDS.indexOf(kind),
      messages === 0 ? 0 : Math.min(1000, Math.round((((after_message_index ?? -1) + 1) / messages) * 1000)),
    ]);
}

function usedAt(family: FoundFamily): string {
  return family.lastUsed() ?? new Date(writtenAt(family)).toISOString();
}

export function writtenAt({ files }: FoundFamily): number {
  return Math.max(...files.map((file) => file.modified_ms));
}
