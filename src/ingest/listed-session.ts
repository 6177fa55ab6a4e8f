// What every list tells of a session, on the terminal and in the browser.

import type { SessionSummary } from '../schema/stream.ts';
import type { FoundFamily } from './home.ts';

export interface ListedFacts {
  id: string;
  agent: string;
  kind: string;
  title: string | null;
  project: string | null;
  started_at: string | null;
  ended_at: string | null;
  /** When it, or one of its subagents, was last used: the order of lists. */
  last_used: string | null;
  bytes: number;
  messages: number;
  turns: number;
  models: string[];
  subagents: number;
  parent: string | null;
  /** The agent has deleted it; it is read from what was kept. */
  kept: boolean;
  forked_from: string | null;
  cloned_from: string | null;
  /** Sessions in which it went on after a clear, where that is more than a guess. */
  goes_on_in: string[];
}

/** `isFirst`: it is the main session of its family. */
export function listedFacts(summary: SessionSummary, family: FoundFamily, isFirst: boolean): ListedFacts {
  const { id, agent, kind, title, project, started_at, ended_at, counts, models, lineage } = summary.session;
  const sure = summary.context_clears.filter(({ confidence }) => confidence !== 'low');
  return {
    id,
    agent,
    kind,
    title,
    project,
    started_at,
    ended_at,
    last_used: isFirst ? usedAt(family) : ended_at,
    bytes: ownBytes(summary),
    messages: counts.messages,
    turns: counts.turns,
    models,
    subagents: lineage.subagents.length,
    parent: lineage.parent?.session_id ?? null,
    kept: family.isKept,
    forked_from: lineage.forked_from,
    cloned_from: lineage.cloned_from,
    goes_on_in: sure.flatMap(({ next_session_id }) =>
      next_session_id === null || next_session_id === id ? [] : [next_session_id],
    ),
  };
}

/** When it was last used; where no row has a time, that of the file must do. */
export function usedAt(family: FoundFamily): string {
  return family.lastUsed() ?? new Date(writtenAt(family)).toISOString();
}

/** Never, where its files have gone since it was indexed. */
export function writtenAt({ files }: FoundFamily): number {
  return Math.max(0, ...files.map((file) => file.modified_ms));
}

/** The size of a session's own files: companions belong to many. */
export function ownBytes({ session }: Pick<SessionSummary, 'session'>): number {
  return session.source.files.reduce((sum, file) => sum + (file.role === 'companion' ? 0 : file.bytes), 0);
}
