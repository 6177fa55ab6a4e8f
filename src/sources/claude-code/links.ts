// What ties sessions: /clear starts a new session id in every version (1.0.100 to 2.1.325), and so does a plan that is accepted with
// a cleared context (2.1.32 on); only companion files tell which session was cleared. A fork holds its parent's rows.

import type { SourceRef } from '../../schema/blocks.ts';
import { headRows } from '../head-rows.ts';
import { isObject, type JsonObject, stringAt } from '../json-access.ts';
import { readRows } from '../jsonl.ts';
import { lastTime, lastTimes } from '../last-times.ts';
import type { Family, FileInfo, Files, Link, LinkHead } from '../source.ts';
import { isAcceptedPlan, isClearHook } from './clears.ts';
import { idsIn } from './file-head.ts';
import { becomesMessage } from './records.ts';
import { begunAt, isCaveat, isTyped, ownCommandName, resultsIn, textOf, timeOf, userKind } from './rows.ts';

const CLEARING = new Set(['clear', 'reset', 'new']);
/** 2.0.42 stamps `/clear` 270 to 400 ms late, and writes it three or four times. */
const HISTORY_MS = 3000;
/** A plan is accepted in the session that made it: so long after its last row, hooks included. */
const AT_ONCE_MINUTES = 2;

/** Reads no further than to the first words of the session. */
export function linkHead(family: Family, port: Files): LinkHead | null {
  const file = family.files.find((candidate) => candidate.role === 'main')?.info;
  if (file === undefined) return null;
  const head: LinkHead = {
    family,
    file,
    project: null,
    root: null,
    file_started_at: null,
    started_at: null,
    clear: null,
    process_id: null,
    titles: [],
  };
  let caveat: string | null = null;
  /** A clear that nobody typed. */
  let told: LinkHead['clear'] = null;
  for (const { row, source } of headRows(port, file.path)) {
    const time = timeOf(row);
    if (isCaveat(row)) caveat ??= time;
    else head.file_started_at ??= begunAt(caveat, time);
    head.project ??= stringAt(row, 'cwd') ?? null;
    if (row.type === 'summary')
      head.titles.push({ leaf: stringAt(row, 'leafUuid') ?? '', title: stringAt(row, 'summary') ?? '' });
    const process = stringAt(row, 'session_id');
    if (process !== undefined && process !== family.id) head.process_id = process;
    if (row.isSidechain !== true && becomesMessage(row) && !isCaveat(row)) head.started_at ??= begunAt(caveat, time);
    if (row.type === 'user' && row.isSidechain !== true && !isCaveat(row)) head.root ??= stringAt(row, 'uuid') ?? null;
    // What a fork, or a copy of ours, holds of another session began that one.
    const isCopied = row.forkedFrom !== undefined;
    if (!isCopied && (isClearHook(row) || isAcceptedPlan(row))) told ??= { timestamp: time, source, at_once: true };
    if (head.clear !== null ? head.process_id !== null : isFirstWord(row)) break;
    if (row.type !== 'user' || row.isSidechain === true || isCopied) continue;
    if (!isTyped(row) && CLEARING.has(ownCommandName(textOf(row)) ?? '')) head.clear ??= { timestamp: time, source };
  }
  head.clear ??= told;
  return head;
}

function isFirstWord(row: JsonObject): boolean {
  if (row.isSidechain === true) return false;
  return (
    row.type === 'assistant' || (row.type === 'user' && userKind(row, resultsIn(row), textOf(row)).kind === 'prompt')
  );
}

/** When a session was last used, from the end of its file. */
export function lastUsed(family: Family, port: Files): string | null {
  const files = family.files.filter((file) => file.role === 'main' || file.role === 'copy' || file.role === 'subagent');
  const times = files.map((file) => lastTime(port, file.info.path));
  return times.reduce((most, time) => ((time ?? '') > (most ?? '') ? time : most), null);
}

export function link(heads: LinkHead[], companions: FileInfo[], port: Files): Link[] {
  const history = companions.flatMap((file) => historyOf(file, port));
  const clears = history.filter((row) => CLEARING.has(row.command.slice(1)));
  const born = heads.filter((head) => head.clear !== null);
  const timesOf = timesOnce(port);
  return [
    ...born.map((head) => clearLink(head, heads, { history, clears }, timesOf)),
    ...forkLinks(heads, history, port),
    ...titleLinks(heads),
  ];
}

/** The times at the end of a file, read once however often they are asked for. */
type TimesOf = (file: FileInfo) => string[];

function timesOnce(port: Files): TimesOf {
  const known = new Map<string, string[]>();
  return (file) => {
    const times = known.get(file.path) ?? lastTimes(port, file.path);
    known.set(file.path, times);
    return times;
  };
}

interface Typed {
  history: HistoryRow[];
  /** The rows of it that clear the context. */
  clears: HistoryRow[];
}

interface HistoryRow {
  file: FileInfo;
  source: Omit<SourceRef, 'file'>;
  command: string;
  time: number;
  project: string | undefined;
  session_id: string | undefined;
}

/** `history.jsonl` holds every prompt and command typed, with the session it was typed in. */
function historyOf(file: FileInfo, port: Files): HistoryRow[] {
  const rows: HistoryRow[] = [];
  readRows(port, file.path, 0, {
    row: (row, ref) => {
      if (!isObject(row) || typeof row.timestamp !== 'number') return;
      const [command = ''] = (stringAt(row, 'display') ?? '').trim().split(/\s/, 1);
      const { line, offset, length, pointer } = ref;
      rows.push({
        file,
        source: { line, offset, length, pointer },
        command,
        time: row.timestamp,
        project: stringAt(row, 'project'),
        session_id: stringAt(row, 'sessionId'),
      });
    },
    bad: () => {},
    blank: () => {},
    trouble: () => {},
  });
  return rows;
}

type Found = Pick<Extract<Link, { kind: 'clear' }>, 'from' | 'basis' | 'confidence'> & { cited?: HistoryRow };

function clearLink(head: LinkHead, heads: LinkHead[], typed: Typed, timesOf: TimesOf): Link {
  const found = byHistory(head, heads, typed) ?? byProcess(head, heads) ?? byTime(head, heads, timesOf);
  const evidence = [
    { file: head.file, source: head.clear?.source ?? { line: 1, offset: 0, length: 0, pointer: null } },
  ];
  if (found?.cited !== undefined) evidence.push({ file: found.cited.file, source: found.cited.source });
  return {
    kind: 'clear',
    from: found?.from ?? null,
    to: head.family.id,
    timestamp: head.clear?.timestamp ?? null,
    basis: found?.basis ?? 'recorded',
    confidence: found?.confidence ?? 'high',
    evidence,
  };
}

/** The `/clear` row names the old session (2.1.x), or the new one (2.0.42): then the row typed before it names the old. */
function byHistory(head: LinkHead, heads: LinkHead[], { history, clears }: Typed): Found | undefined {
  const time = Date.parse(head.clear?.timestamp ?? '');
  const isHere = (row: HistoryRow) =>
    row.project === undefined || head.project === null || row.project === head.project;
  const rows = clears
    .filter((row) => isHere(row) && Math.abs(row.time - time) <= HISTORY_MS)
    .sort((a, b) => Math.abs(a.time - time) - Math.abs(b.time - time));
  const [nearest] = rows;
  const old = nearest?.session_id === head.family.id ? undefined : nearest;
  if (old?.session_id !== undefined)
    return known(heads, { from: old.session_id, basis: 'recorded', confidence: 'high', cited: old });
  const [fresh] = rows;
  if (fresh === undefined) return undefined;
  const before = history.findLast(
    (row) =>
      row.time <= fresh.time &&
      row.project === fresh.project &&
      row.session_id !== undefined &&
      row.session_id !== head.family.id,
  );
  return before?.session_id === undefined
    ? undefined
    : known(heads, { from: before.session_id, basis: 'inferred', confidence: 'medium', cited: before });
}

/** `session_id` stays the id that the process first had: the last of its sessions begun before this one. */
function byProcess(head: LinkHead, heads: LinkHead[]): Found | undefined {
  if (head.process_id === null) return undefined;
  const earlier = heads
    .filter((other) => other !== head && (other.family.id === head.process_id || other.process_id === head.process_id))
    .filter((other) => (other.started_at ?? '') < (head.clear?.timestamp ?? head.started_at ?? ''))
    .sort((a, b) => (a.started_at ?? '').localeCompare(b.started_at ?? ''));
  const last = earlier.at(-1);
  return last === undefined ? undefined : { from: last.family.id, basis: 'recorded', confidence: 'high' };
}

/** 1.0.100 keeps no history, and of a plan that was accepted nothing is typed: the session of the same project that was used last before. */
function byTime(head: LinkHead, heads: LinkHead[], timesOf: TimesOf): Found | undefined {
  const time = head.clear?.timestamp ?? null;
  if (time === null) return undefined;
  const folder = folderOf(head.file);
  const candidates = heads
    .filter((other) => other !== head && folderOf(other.file) === folder && (other.started_at ?? time) < time)
    .map((other) => ({ id: other.family.id, last: lastTimeBefore(other.file, time, timesOf) }))
    .filter((other) => other.last !== null)
    .sort((a, b) => (a.last ?? '').localeCompare(b.last ?? ''));
  const nearest = candidates.at(-1);
  if (nearest?.last === undefined || nearest.last === null) return undefined;
  const minutes = (Date.parse(time) - Date.parse(nearest.last)) / 60_000;
  if (head.clear?.at_once === true && minutes > AT_ONCE_MINUTES) return undefined;
  return { from: nearest.id, basis: 'inferred', confidence: minutes < 30 ? 'medium' : 'low' };
}

function folderOf(file: FileInfo): string {
  return file.path.slice(0, file.path.lastIndexOf('/'));
}

function lastTimeBefore(file: FileInfo, time: string, timesOf: TimesOf): string | null {
  return timesOf(file).findLast((candidate) => candidate <= time) ?? null;
}

/** A session that is not on disk is no predecessor that we could show. */
function known(heads: LinkHead[], found: Found): Found {
  return heads.some((head) => head.family.id === found.from) ? found : { ...found, from: null };
}

/** Sessions that begin with the same row, or with a row that stands in the middle of another: one was copied from the other. */
function forkLinks(heads: LinkHead[], history: HistoryRow[], port: Files): Link[] {
  const byRoot = new Map<string, LinkHead[]>();
  for (const head of heads) if (head.root !== null) byRoot.set(head.root, [...(byRoot.get(head.root) ?? []), head]);
  for (const head of heads) {
    const sharers = byRoot.get(head.root ?? '');
    // What was live was copied: of a compacted session that begins with the summary.
    if (head.root === null || sharers === undefined || sharers.length > 1 || !isLate(head)) continue;
    const { root } = head;
    const near = heads.filter((other) => other !== head && folderOf(other.file) === folderOf(head.file));
    const parent = near.find((other) => idsIn(port, other.file.path).ids.has(root));
    if (parent !== undefined) sharers.push(parent);
  }
  const shared = [...byRoot.values()].filter((sharers) => sharers.length > 1);
  return shared.flatMap((sharers) => forksAmong(sharers, history, port));
}

/** A copy's file begins later than the message it begins with. */
function isLate(head: LinkHead): boolean {
  return Date.parse(head.file_started_at ?? '') - Date.parse(head.started_at ?? '') > 500;
}

interface Sharer {
  id: string;
  ids: Set<string>;
  rank: number[];
}

function forksAmong(sharers: LinkHead[], history: HistoryRow[], port: Files): Link[] {
  const ordered = sharers
    .map((head): Sharer => {
      const { ids, others } = idsIn(port, head.file.path);
      return { id: head.family.id, ids, rank: originality(head, others, history) };
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
 * Which of several sessions with the same rows was first? The one in which the first prompt was
 * typed; a copy's file begins later than the message it begins with; and only rows of messages
 * are copied, so the original has more other rows between them.
 */
function originality(head: LinkHead, others: number, history: HistoryRow[]): number[] {
  const begun = Date.parse(head.started_at ?? '');
  const typed = history.some((row) => row.session_id === head.family.id && Math.abs(row.time - begun) <= HISTORY_MS);
  return [typed ? 0 : 1, isLate(head) ? 1 : 0, Date.parse(head.file_started_at ?? '') || 0, -others];
}

function compareRanks(a: number[], b: number[]): number {
  for (const [i, rank] of a.entries()) if (rank !== b[i]) return rank - (b[i] ?? 0);
  return 0;
}

/** A `summary` row is the title of the session that its leaf lies in, often another file. */
function titleLinks(heads: LinkHead[]): Link[] {
  return heads.flatMap((head) => head.titles.map(({ leaf, title }): Link => ({ kind: 'title', leaf, title })));
}
