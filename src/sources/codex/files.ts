// Which files are one thread. A thread lies in one file, and in another for each time that it was rewound
// (`…-<thread>_<rollout>.jsonl`); a fork goes on from the middle of another thread's file; a subagent has a file of its own.

import type { Diagnostic } from '../../schema/session.ts';
import { headRows } from '../head-rows.ts';
import { type JsonObject, objectAt, stringAt } from '../json-access.ts';
import { smallJson } from '../small-files.ts';
import type { Family, FamilyFile, FileInfo, Files, Grouped } from '../source.ts';
import { isKnown } from './records.ts';
import { rowFrom } from './rows.ts';

const COMPANIONS = ['.codex/history.jsonl', '.codex/session_index.jsonl'];
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const NAME = new RegExp(`rollout-[0-9T-]+?-(${UUID})(?:_(${UUID}))?\\.jsonl?(?:\\.zst)?$`, 'i');
/** The TypeScript client wrote one document; some are long. */
export const DOCUMENT_BYTES = 64 * 1024 * 1024;

/** One file, and what its first line says. */
export interface Rollout {
  info: FileInfo;
  thread_id: string;
  /** Names the file among those of its thread: what `history_base` points at. */
  rollout_id: string;
  meta: JsonObject;
}

/** Grouping, linking and reading all ask, and a first line that was read does not change. */
const known = new WeakMap<FileInfo, Rollout>();

export function rolloutOf(info: FileInfo, port: Files): Rollout | undefined {
  const rollout = known.get(info) ?? rolloutIn(info, port);
  if (rollout?.meta.id !== undefined) known.set(info, rollout);
  return rollout;
}

function rolloutIn(info: FileInfo, port: Files): Rollout | undefined {
  const [, inName, reverted] = NAME.exec(info.path) ?? [];
  const found = metaOf(info.path, port);
  // A fork holds its parent's first line too: where its own was torn, the name tells.
  const meta = inName === undefined || found?.id === inName ? found : undefined;
  const thread_id = inName ?? stringAt(meta, 'id') ?? (isHeadless(info.path, port) ? stemOf(info.path) : undefined);
  if (thread_id === undefined) return undefined;
  return { info, thread_id, rollout_id: reverted ?? thread_id, meta: withoutInstructions(meta ?? {}) };
}

/** They are long, and the same in most files. */
function withoutInstructions({ base_instructions: _, instructions: __, ...meta }: JsonObject): JsonObject {
  return meta;
}

/** Lines of a thread whose first line is gone, in a file that somebody named. */
function isHeadless(path: string, port: Files): boolean {
  for (const { row: value, source } of headRows(port, path)) {
    const row = rowFrom(value, { file: 0, ...source });
    if (row !== undefined && row.pointer !== '' && isKnown(row)) return true;
  }
  return false;
}

function stemOf(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.jsonl?(\.zst)?$/, '');
}

/** The first line tells about the thread; a file may hold the first lines of its parents too. */
function metaOf(path: string, port: Files): JsonObject | undefined {
  if (path.endsWith('.json')) return objectAt(smallJson(port, path, DOCUMENT_BYTES), 'session');
  for (const { row: value, source } of headRows(port, path)) {
    const row = rowFrom(value, { file: 0, ...source });
    if (row?.type === 'session_meta') return row.payload;
  }
  return undefined;
}

/** A file given by its path stands alone: the names of others do not follow from its own. */
export function beside(): string[] {
  return [];
}

export function group(files: FileInfo[], port: Files): Grouped {
  const companions = files.filter((info) => COMPANIONS.includes(info.path));
  const diagnostics: Diagnostic[] = [];
  const rollouts: Rollout[] = [];
  for (const info of files) {
    if (companions.includes(info)) continue;
    const rollout = /\.jsonl?(\.zst)?$/.test(info.path) ? rolloutOf(info, port) : undefined;
    if (rollout !== undefined) rollouts.push(rollout);
    else
      diagnostics.push({
        code: 'foreign-file',
        message: `${info.path} is no Codex session; it was left alone.`,
        source: null,
      });
  }
  return { families: familiesOf(rollouts), companions, diagnostics };
}

function familiesOf(rollouts: Rollout[]): Family[] {
  const threads = new Map<string, Rollout[]>();
  for (const rollout of rollouts) threads.set(rollout.thread_id, [...(threads.get(rollout.thread_id) ?? []), rollout]);
  // Of a file that lies there twice, the plain one.
  const plainLast = [...rollouts].sort(
    (a, b) => Number(b.info.path.endsWith('.zst')) - Number(a.info.path.endsWith('.zst')),
  );
  const byRollout = new Map(plainLast.map((rollout) => [rollout.rollout_id, rollout]));
  const families = new Map<string, Family>();
  for (const [id, own] of threads) {
    const root = rootOf(id, threads);
    const family = families.get(root) ?? { id: root, files: [] };
    family.files.push(...filesOf(id, own, byRollout, root === id ? 'main' : 'subagent'));
    families.set(root, family);
  }
  for (const family of families.values())
    family.files.sort((a, b) => Number(isSubagents(a, family)) - Number(isSubagents(b, family)));
  return [...families.values()];
}

function isSubagents(file: FamilyFile, family: Family): boolean {
  return file.role !== 'base' && file.session_id !== family.id;
}

function fileOf({ info, thread_id }: Rollout, role: FamilyFile['role']): FamilyFile {
  return { info, role, session_id: thread_id };
}

/** The thread that a subagent works for in the end, also where that one is not here. */
function rootOf(id: string, threads: Map<string, Rollout[]>): string {
  let at = id;
  for (let steps = 0; steps < 100; steps++) {
    const parent = parentOf(threads.get(at)?.[0]?.meta);
    if (parent === undefined || parent === at) return at;
    at = parent;
  }
  return at;
}

/** Who started a subagent; undefined for threads of people. Forks name a parent too: they are none. */
export function parentOf(meta: JsonObject | undefined): string | undefined {
  const spawned = objectAt(objectAt(objectAt(meta, 'source'), 'subagent'), 'thread_spawn');
  return (
    stringAt(spawned, 'parent_thread_id') ??
    (meta?.thread_source === 'subagent' ? stringAt(meta, 'parent_thread_id') : undefined)
  );
}

/** A thread's own files in the order of their beginning, and the files of others that it goes on from. */
function filesOf(
  id: string,
  own: Rollout[],
  byRollout: Map<string, Rollout>,
  first: 'main' | 'subagent',
): FamilyFile[] {
  const ordered = own.sort(
    (a, b) => rank(a, id) - rank(b, id) || compare(startOf(a), startOf(b)) || b.info.bytes - a.info.bytes,
  );
  const seen = new Set<string>();
  const files = ordered.map((rollout) => {
    const again = seen.has(rollout.rollout_id);
    seen.add(rollout.rollout_id);
    return fileOf(rollout, again ? 'copy' : rollout.rollout_id === id ? first : 'revert');
  });
  if (!files.some((file) => file.role === first) && files[0] !== undefined) files[0].role = first;
  return first === 'subagent' ? files : [...files, ...basesOf(id, own, byRollout)];
}

function basesOf(id: string, own: Rollout[], byRollout: Map<string, Rollout>): FamilyFile[] {
  const bases: FamilyFile[] = [];
  let at = own.find((rollout) => rollout.rollout_id === id)?.meta;
  for (let steps = 0; at !== undefined && steps < 100; steps++) {
    const base = byRollout.get(
      stringAt(objectAt(at, 'history_base'), 'thread_id') ?? stringAt(at, 'forked_from_id') ?? '',
    );
    if (base === undefined || base.thread_id === id || bases.some((file) => file.info === base.info)) break;
    bases.push(fileOf(base, 'base'));
    at = base.meta;
  }
  return bases;
}

/** The file that the thread began with comes first; copies of it are told by their size: the longest was written to last. */
function rank(rollout: Rollout, id: string): number {
  return rollout.rollout_id === id ? 0 : 1;
}

function startOf(rollout: Rollout): string {
  return rollout.rollout_id === rollout.thread_id ? '' : (stringAt(rollout.meta, 'timestamp') ?? '');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
