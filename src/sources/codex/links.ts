// What ties threads. /clear and /new start a new thread, and no file says so: only time and place can tell, and only in a
// terminal. Names of threads stand in a file of their own.

import { headRows } from '../head-rows.ts';
import { isObject, stringAt } from '../json-access.ts';
import { readRows } from '../jsonl.ts';
import { lastTimes } from '../last-times.ts';
import type { Family, FileInfo, Files, Link, LinkHead } from '../source.ts';
import { parentOf, rolloutOf } from './files.ts';
import { timeIn } from './rows.ts';

/** Longer after the last line of a session, a new one in the same folder tells nothing: it may be a new start. */
const CLEAR_MS = 30_000;

export function linkHead(family: Family, port: Files): LinkHead | null {
  const file = family.files.find((candidate) => candidate.role === 'main')?.info;
  if (file === undefined) return null;
  const meta = rolloutOf(file, port)?.meta ?? {};
  const started_at = timeIn(meta.timestamp) ?? firstTime(file, port);
  return {
    family,
    file,
    project: stringAt(meta, 'cwd') ?? null,
    root: null,
    file_started_at: started_at,
    started_at,
    clear: isFreshTerminal(meta) ? { timestamp: started_at, source: firstPlace(file, port) } : null,
    process_id: null,
    titles: [],
  };
}

/** Begun in a terminal, out of nothing: no fork, no subagent. `codex_cli_rs` was every client's name up to 0.36. */
function isFreshTerminal(meta: NonNullable<ReturnType<typeof rolloutOf>>['meta']): boolean {
  const originator = stringAt(meta, 'originator');
  const isTerminal = originator === 'codex-tui' || (originator === 'codex_cli_rs' && meta.source === 'cli');
  return isTerminal && meta.forked_from_id == null && meta.history_base == null && parentOf(meta) === undefined;
}

function firstTime(file: FileInfo, port: Files): string | null {
  for (const { row } of headRows(port, file.path)) {
    const time = timeIn(row.timestamp);
    if (time !== null) return time;
  }
  return null;
}

function firstPlace(file: FileInfo, port: Files) {
  for (const { source } of headRows(port, file.path)) return source;
  return { line: 1, offset: 0, length: 0, pointer: null };
}

/** When a thread was last used, from the end of its files. */
export function lastUsed(family: Family, port: Files): string | null {
  const times = family.files.filter((file) => file.role !== 'base').flatMap((file) => lastTimes(port, file.info.path));
  return times.reduce<string | null>((most, time) => (most === null || time > most ? time : most), null);
}

export function link(heads: LinkHead[], companions: FileInfo[], port: Files): Link[] {
  return [...clearLinks(heads, port), ...nameLinks(companions, port)];
}

/** A terminal session that begins right after another one in the same folder has ended. */
function clearLinks(heads: LinkHead[], port: Files): Link[] {
  const terminal = heads.filter((head) => head.clear !== null && head.started_at !== null && head.project !== null);
  const byProject = new Map<string, LinkHead[]>();
  for (const head of terminal) byProject.set(head.project ?? '', [...(byProject.get(head.project ?? '') ?? []), head]);
  const ends = new Map<LinkHead, number>();
  const endOf = (head: LinkHead): number => {
    const known = ends.get(head) ?? Date.parse(lastUsed(head.family, port) ?? '');
    ends.set(head, known);
    return known;
  };
  return [...byProject.values()].flatMap((near) => {
    const ordered = near.sort((a, b) => ((a.started_at ?? '') < (b.started_at ?? '') ? -1 : 1));
    return ordered.slice(1).flatMap((head, i): Link[] => {
      const before = ordered[i];
      const gap = before === undefined ? Number.NaN : Date.parse(head.started_at ?? '') - endOf(before);
      if (before === undefined || !(gap >= 0 && gap <= CLEAR_MS) || head.clear === null) return [];
      return [
        {
          kind: 'clear',
          from: before.family.id,
          to: head.family.id,
          timestamp: head.started_at,
          basis: 'inferred',
          confidence: 'low',
          evidence: [{ file: head.file, source: head.clear.source }],
        },
      ];
    });
  });
}

/** `session_index.jsonl` (0.93 on): names that were given, the last one counts. */
function nameLinks(companions: FileInfo[], port: Files): Link[] {
  const names = new Map<string, string>();
  for (const file of companions.filter((candidate) => candidate.path.endsWith('/session_index.jsonl'))) {
    readRows(port, file.path, 0, {
      row: (row) => {
        const [id, name] = isObject(row) ? [stringAt(row, 'id'), stringAt(row, 'thread_name')] : [];
        if (id !== undefined && name !== undefined && name !== '') names.set(id, name);
      },
      bad: () => {},
      blank: () => {},
      trouble: () => {},
    });
  }
  return [...names].map(([to, title]): Link => ({ kind: 'name', to, title }));
}
