// What ties threads. /clear and /new start a new thread, and no file says so: only time and place can tell, and only in a
// terminal. Names of threads stand in a file of their own.

import type { SourceRef } from '../../schema/blocks.ts';
import { headRows, openedOrNot } from '../head-rows.ts';
import { isObject, type JsonObject, stringAt } from '../json-access.ts';
import { readRows } from '../jsonl.ts';
import { lastTime, lastTimes } from '../last-times.ts';
import type { Family, FileInfo, Files, Link, LinkHead } from '../source.ts';
import { timeIn } from '../times.ts';
import { parentOf, rolloutOf } from './files.ts';

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

/** Begun in a terminal, out of nothing: no fork, no subagent. `codex_cli_rs` without a source (0.36) may be either. */
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
  const times = family.files.filter((file) => file.role !== 'base').map((file) => lastTime(port, file.info.path));
  return times.reduce((most, time) => ((time ?? '') > (most ?? '') ? time : most), null);
}

export function link(heads: LinkHead[], companions: FileInfo[], port: Files): Link[] {
  return [...clearLinks(heads, typedIn(companions, port), port), ...nameLinks(companions, port)];
}

/** The first prompt that was typed in each session: `history.jsonl` holds those of terminals only. */
type Typed = Map<string, Evidence>;
type Evidence = Extract<Link, { kind: 'clear' }>['evidence'][number];

function typedIn(companions: FileInfo[], port: Files): Typed | undefined {
  const histories = companions.filter((file) => file.path.endsWith('/history.jsonl'));
  if (histories.length === 0) return undefined;
  const typed: Typed = new Map();
  for (const file of histories) {
    eachRow(port, file, (row, source) => {
      const id = stringAt(row, 'session_id');
      if (id !== undefined && !typed.has(id)) typed.set(id, { file, source });
    });
  }
  return typed;
}

/** A terminal session that begins right after another one in the same folder has ended. */
function clearLinks(heads: LinkHead[], typed: Typed | undefined, port: Files): Link[] {
  const isTyped = (head: LinkHead) => typed === undefined || typed.has(head.family.id);
  const byProject = new Map<string, LinkHead[]>();
  for (const head of heads) {
    if (head.clear === null || head.started_at === null || head.project === null || !isTyped(head)) continue;
    byProject.set(head.project, [...(byProject.get(head.project) ?? []), head]);
  }
  return [...byProject.values()].flatMap((near) => {
    const ordered = near.sort((a, b) => ((a.started_at ?? '') < (b.started_at ?? '') ? -1 : 1));
    return ordered.slice(1).flatMap((head, i) => clearAfter(ordered[i], head, typed, port));
  });
}

function clearAfter(before: LinkHead | undefined, head: LinkHead, typed: Typed | undefined, port: Files): Link[] {
  if (before === undefined || head.clear === null || isLongBefore(before, head)) return [];
  const gap = Date.parse(head.started_at ?? '') - Date.parse(usedBefore(before, head, port) ?? '');
  if (!(gap >= 0 && gap <= CLEAR_MS)) return [];
  const prompt = typed?.get(head.family.id);
  return [
    {
      kind: 'clear',
      from: before.family.id,
      to: head.family.id,
      timestamp: head.started_at,
      basis: 'inferred',
      confidence: 'low',
      evidence: [{ file: head.file, source: head.clear.source }, ...(prompt === undefined ? [] : [prompt])],
    },
  ];
}

/**
 * When a session was last used before the other began. It may have been resumed since: then the other was over. Where both were
 * used by turns, they stood side by side in two terminals.
 */
function usedBefore({ family }: LinkHead, { family: other, started_at }: LinkHead, port: Files): string | null {
  const last = lastUsedOnce(family, port);
  if (last === null || started_at === null || last <= started_at) return last;
  const { before, after } = timesAround(family, started_at, port);
  return after !== null && after > (lastUsedOnce(other, port) ?? '') ? before : null;
}

/** So much of a file is looked through for a time in its middle. */
const FAR_BYTES = 16 * 1024 * 1024;
const STEP_BYTES = 256 * 1024;
/** Longer than a time with its name: one may stand on the edge of two steps. */
const EDGE_BYTES = 64;

interface Around {
  before: string | null;
  after: string | null;
}

/** As the ends of sessions: found once. */
const middles = new WeakMap<Family, { time: string; around: Around }>();

/** The last time before this one in the files of a session, and the first after it. */
function timesAround(family: Family, time: string, port: Files): Around {
  const known = middles.get(family);
  if (known?.time === time) return known.around;
  const around: Around = { before: null, after: null };
  for (const { role, info } of family.files) {
    if (role === 'base') continue;
    for (const found of timesFromEnd(info.path, time, port)) {
      if (found <= time && found > (around.before ?? '')) around.before = found;
      if (found > time && (around.after === null || found < around.after)) around.after = found;
    }
  }
  middles.set(family, { time, around });
  return around;
}

/** The times of a file, from its end on until one is not later than the given one. */
function timesFromEnd(path: string, time: string, port: Files): string[] {
  const size = sizeOf(port, path);
  const times: string[] = [];
  for (let to = size; to > 0 && size - to < FAR_BYTES; to -= STEP_BYTES) {
    const found = lastTimes(port, path, Math.max(0, to - STEP_BYTES), Math.min(size, to + EDGE_BYTES));
    times.push(...found);
    if (found.some((one) => one <= time)) break;
  }
  return times;
}

function sizeOf(port: Files, path: string): number {
  const open = openedOrNot(port, path);
  open?.close();
  return open?.size ?? 0;
}

/** Ties are worked out again whenever a session has gone on: the ends of all others are as they were. */
const ends = new WeakMap<Family, string | null>();

function lastUsedOnce(family: Family, port: Files): string | null {
  const known = ends.get(family);
  if (known !== undefined) return known;
  const time = lastUsed(family, port);
  ends.set(family, time);
  return time;
}

/** A row's time may be a little later than the file's: clocks of two machines, file systems that round. */
const SLACK_MS = 120_000;

/** Nothing stands in a file that came after the file was last written: most ends need not be looked at. */
function isLongBefore({ family }: LinkHead, head: LinkHead): boolean {
  const written = Math.max(...family.files.map(({ info }) => info.modified_ms));
  return Date.parse(head.started_at ?? '') - written > CLEAR_MS + SLACK_MS;
}

/** `session_index.jsonl` (0.93 on): names that were given, the last one counts. */
function nameLinks(companions: FileInfo[], port: Files): Link[] {
  const names = new Map<string, string>();
  for (const file of companions.filter((candidate) => candidate.path.endsWith('/session_index.jsonl'))) {
    eachRow(port, file, (row) => {
      const [id, name] = [stringAt(row, 'id'), stringAt(row, 'thread_name')];
      if (id !== undefined && name !== undefined && name !== '') names.set(id, name);
    });
  }
  return [...names].map(([to, title]): Link => ({ kind: 'name', to, title }));
}

function eachRow(port: Files, file: FileInfo, take: (row: JsonObject, source: Omit<SourceRef, 'file'>) => void): void {
  readRows(port, file.path, 0, {
    row: (row, { line, offset, length, pointer }) => {
      if (isObject(row)) take(row, { line, offset, length, pointer });
    },
    bad: () => {},
    blank: () => {},
    trouble: () => {},
  });
}
