// A fork holds its parent's rows, and no row tells whose they are.

import type { Files, Link, LinkHead } from '../source.ts';
import { idsAmong, idsIn } from './file-head.ts';
import { HISTORY_MS, type HistoryRow } from './history.ts';

/** Sessions of one project lie in one folder. */
export type HeadsByFolder = ReadonlyMap<string, LinkHead[]>;

/** Sessions that begin with the same row, or with a row that stands in the middle of another: one was copied from the other. */
export function forkLinks(heads: LinkHead[], byFolder: HeadsByFolder, history: HistoryRow[], port: Files): Link[] {
  const byRoot = Map.groupBy(
    heads.filter(({ root }) => root !== null),
    ({ root }) => root,
  );
  for (const near of byFolder.values()) {
    // What was live was copied: of a compacted session that begins with the summary.
    const alone = near.filter((head) => byRoot.get(head.root)?.length === 1 && isLate(head));
    for (const [root, parent] of parentsOf(alone, near, port)) byRoot.get(root)?.push(parent);
  }
  const typed = Map.groupBy(history, (row) => row.session_id);
  const shared = [...byRoot.values()].filter((sharers) => sharers.length > 1);
  return shared.flatMap((sharers) => forksAmong(sharers, typed, port));
}

/** By the row that a session begins with, the first of the others that has it too. The files are looked through once, however many ask. */
function parentsOf(sessions: LinkHead[], near: LinkHead[], port: Files): Map<string, LinkHead> {
  const parents = new Map<string, LinkHead>();
  const wanted = new Map(sessions.map((head) => [head.root ?? '', head]));
  for (const other of near) {
    if (wanted.size === 0) break;
    for (const root of idsAmong(port, other.file.path, wanted)) {
      if (wanted.get(root) === other) continue;
      parents.set(root, other);
      wanted.delete(root);
    }
  }
  return parents;
}

/** A copy's file begins later than the message it begins with. */
export function isLate(head: LinkHead): boolean {
  return Date.parse(head.file_started_at ?? '') - Date.parse(head.started_at ?? '') > 500;
}

/** What was typed, by the session it was typed in. */
type TypedIn = ReadonlyMap<string | undefined, HistoryRow[]>;

interface Sharer {
  id: string;
  ids: Set<string>;
  rank: number[];
}

function forksAmong(sharers: LinkHead[], typed: TypedIn, port: Files): Link[] {
  const ordered = sharers
    .map((head): Sharer => {
      const { ids, others } = idsIn(port, head.file.path);
      return { id: head.family.id, ids, rank: originality(head, others, typed) };
    })
    .sort((a, b) => compareRanks(a.rank, b.rank) || (a.id < b.id ? -1 : 1));
  return ordered.slice(1).flatMap((child, i): Link[] => {
    const parents = ordered
      .slice(0, i + 1)
      .map(({ id, ids }) => ({ id, shared: [...child.ids].filter((row) => ids.has(row)) }));
    const best = parents.reduce((most, next) => (next.shared.length > most.shared.length ? next : most));
    return [{ kind: 'fork', from: best.id, to: child.id, shared: best.shared }];
  });
}

/**
 * Which of several sessions with the same rows was first? One that does not say otherwise; the one in which the first prompt was
 * typed; a copy's file begins later than the message it begins with; and only rows of messages
 * are copied, so the original has more other rows between them.
 */
function originality(head: LinkHead, others: number, typed: TypedIn): number[] {
  const begun = Date.parse(head.started_at ?? '');
  const isTyped = typed.get(head.family.id)?.some((row) => Math.abs(row.time - begun) <= HISTORY_MS) === true;
  return [
    head.root_is_copy === true ? 1 : 0,
    isTyped ? 0 : 1,
    isLate(head) ? 1 : 0,
    Date.parse(head.file_started_at ?? '') || 0,
    -others,
  ];
}

function compareRanks(a: number[], b: number[]): number {
  for (const [i, rank] of a.entries()) if (rank !== b[i]) return rank - (b[i] ?? 0);
  return 0;
}
