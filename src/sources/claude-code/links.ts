// What ties sessions: /clear starts a new session id in every version (1.0.100 to 2.1.325), and so does a plan that is accepted with
// a cleared context (2.1.32 on); only companion files tell which session was cleared. A fork holds its parent's rows.

import { headRows } from '../head-rows.ts';
import { type JsonObject, stringAt } from '../json-access.ts';
import { lastTime, lastTimes } from '../last-times.ts';
import type { Family, FileInfo, Files, Link, LinkHead } from '../source.ts';
import { isAcceptedPlan, isClearHook } from './clears.ts';
import { forkLinks, type HeadsByFolder } from './forks.ts';
import { HISTORY_MS, type HistoryRow, historyOf } from './history.ts';
import { becomesMessage } from './records.ts';
import { begunAt, isCaveat, isTyped, ownCommandName, resultsIn, textOf, timeOf, userKind } from './rows.ts';

const CLEARING = new Set(['clear', 'reset', 'new']);
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
    // What a fork, or a copy of ours, holds of another session began that one.
    const isCopied = row.forkedFrom !== undefined;
    if (row.type === 'user' && row.isSidechain !== true && !isCaveat(row) && head.root === null) {
      head.root = stringAt(row, 'uuid') ?? null;
      if (isCopied) head.root_is_copy = true;
    }
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
  const byFolder = Map.groupBy(heads, (head) => folderOf(head.file.path));
  const known = {
    history,
    clears,
    ids: new Set(heads.map((head) => head.family.id)),
    byFolder,
    timesOf: timesOnce(port),
  };
  return [
    ...born.map((head) => clearLink(head, heads, known)),
    ...forkLinks(heads, byFolder, history, port),
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

/** What may tell which session was cleared. */
interface Known {
  history: HistoryRow[];
  /** The rows of it that clear the context. */
  clears: HistoryRow[];
  /** Of the sessions that are on disk. */
  ids: ReadonlySet<string>;
  byFolder: HeadsByFolder;
  timesOf: TimesOf;
}

type Found = Pick<Extract<Link, { kind: 'clear' }>, 'from' | 'basis' | 'confidence'> & { cited?: HistoryRow };

function clearLink(head: LinkHead, heads: LinkHead[], known: Known): Link {
  const found = byHistory(head, known) ?? byProcess(head, heads) ?? byTime(head, known);
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
function byHistory(head: LinkHead, { history, clears, ids }: Known): Found | undefined {
  const time = Date.parse(head.clear?.timestamp ?? '');
  const isHere = (row: HistoryRow) =>
    row.project === undefined || head.project === null || row.project === head.project;
  const rows = clears
    .filter((row) => isHere(row) && Math.abs(row.time - time) <= HISTORY_MS)
    .sort((a, b) => Math.abs(a.time - time) - Math.abs(b.time - time));
  const [nearest] = rows;
  const old = nearest?.session_id === head.family.id ? undefined : nearest;
  if (old?.session_id !== undefined)
    return onDisk(ids, { from: old.session_id, basis: 'recorded', confidence: 'high', cited: old });
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
    : onDisk(ids, { from: before.session_id, basis: 'inferred', confidence: 'medium', cited: before });
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
function byTime(head: LinkHead, { byFolder, timesOf }: Known): Found | undefined {
  const time = head.clear?.timestamp ?? null;
  if (time === null) return undefined;
  const candidates = (byFolder.get(folderOf(head.file.path)) ?? [])
    .filter((other) => other !== head && (other.started_at ?? time) < time)
    .map((other) => ({ id: other.family.id, last: lastTimeBefore(other.file, time, timesOf) }))
    .filter((other) => other.last !== null)
    .sort((a, b) => (a.last ?? '').localeCompare(b.last ?? ''));
  const nearest = candidates.at(-1);
  if (nearest?.last === undefined || nearest.last === null) return undefined;
  const minutes = (Date.parse(time) - Date.parse(nearest.last)) / 60_000;
  if (head.clear?.at_once === true && minutes > AT_ONCE_MINUTES) return undefined;
  return { from: nearest.id, basis: 'inferred', confidence: minutes < 30 ? 'medium' : 'low' };
}

/** Sessions of one project lie in one folder. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function lastTimeBefore(file: FileInfo, time: string, timesOf: TimesOf): string | null {
  return timesOf(file).findLast((candidate) => candidate <= time) ?? null;
}

/** A session that is not on disk is no predecessor that we could show. */
function onDisk(ids: ReadonlySet<string>, found: Found): Found {
  return ids.has(found.from ?? '') ? found : { ...found, from: null };
}

/** A `summary` row is the title of the session that its leaf lies in, often another file. */
function titleLinks(heads: LinkHead[]): Link[] {
  return heads.flatMap((head) => head.titles.map(({ leaf, title }): Link => ({ kind: 'title', leaf, title })));
}
