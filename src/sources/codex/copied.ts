// What a thread's own file tells of its parent: forks up to 0.144 copy the parent's lines, with new times; the file of a
// subagent begins with a copy too, and with a made-up end of the parent's turn.

import type { Json } from '../../schema/blocks.ts';
import { jsonText } from '../../schema/json-text.ts';
import { hashOf } from '../../schema/text-hash.ts';
import { headRows } from '../head-rows.ts';
import { readRows } from '../jsonl.ts';
import type { Files } from '../source.ts';
import { passthroughOf, type Row, rowFrom, textOf } from './rows.ts';

/** Lines before the start of a subagent's own history are copies, but for those that were written for it: they name no turn. */
export function isCopiedForSubagent(row: Row, start: number): boolean {
  if (row.ordinal === null || row.ordinal === 0 || row.ordinal >= start) return false;
  if (row.type !== 'response_item') return true;
  return passthroughOf(row.payload).turn_id !== null || row.metadata?.inherited_user_message === true;
}

/** Copies are written at once; nobody answers within this time. */
const BURST_MS = 1000;

/** Number of the last copied line; 0 where nothing was copied. The second line of such a file is the parent's first. */
export function copiedLines(
  port: Files,
  path: string,
  parentPath: string | undefined,
  parent: string,
  kind: 'fork' | 'subagent',
): number {
  const second = [...firstRows(port, path, 2)][1];
  if (second?.type !== 'session_meta' || second.payload.id !== parent) return 0;
  const equal = parentPath === undefined ? 0 : lastEqual(port, path, parentPath);
  return equal > 2 ? equal : lastOfBurst(port, path, kind);
}

function* firstRows(port: Files, path: string, count: number): Generator<Row> {
  let given = 0;
  for (const { row: value, source } of headRows(port, path)) {
    const row = rowFrom(value, { file: 0, ...source });
    if (row !== undefined) yield row;
    given++;
    if (given === count) return;
  }
}

/** Row n of the fork is row n - 1 of the parent, but for its time. Lines need not be: what is broken, blank or glued in the parent is not copied so. */
function lastEqual(port: Files, path: string, parentPath: string): number {
  const parent = saidIn(port, parentPath);
  const own = saidIn(port, path);
  let row = 1;
  while (row < own.length && row <= parent.length && own[row]?.said === parent[row - 1]?.said) row++;
  return own[row - 1]?.line ?? 1;
}

interface SaidRow {
  line: number;
  /** What it says, as a number that hardly ever repeats: rows are long. */
  said: number;
}

function saidIn(port: Files, path: string): SaidRow[] {
  const rows: SaidRow[] = [];
  const take = (value: Json, line: number) => {
    const row = rowFrom(value, { file: 0, line, offset: 0, length: 0, pointer: null });
    const said = row === undefined ? -1 : hashOf(`${row.type} ${jsonText(row.payload)}`);
    rows.push({ line, said });
  };
  readRows(port, path, 0, {
    row: (value, ref) => take(value, ref.line),
    bad: () => {},
    blank: () => {},
    trouble: () => {},
  });
  return rows;
}

/**
 * The parent is not here. What was copied into a fork goes up to the last end of anything that is as old as the file; what
 * was copied into a subagent, up to the beginning of its own turn, but for the words that it was greeted with.
 */
function lastOfBurst(port: Files, path: string, kind: 'fork' | 'subagent'): number {
  let began = Number.NaN;
  let lastEnd = 0;
  let lastStart = 0;
  let greeting = 0;
  readRows(port, path, 0, {
    row: (value, ref) => {
      const row = rowFrom(value, ref);
      const time = Date.parse(row?.time ?? '');
      if (Number.isNaN(began)) began = time;
      if (row === undefined || !(time - began <= BURST_MS)) return;
      const type = row.type === 'event_msg' ? String(row.payload.type) : '';
      if (ENDS.has(type)) lastEnd = ref.line;
      if (STARTS.has(type)) lastStart = ref.line;
      if (textOf(row.payload.output).startsWith(GREETING)) greeting = ref.line;
    },
    bad: () => {},
    blank: () => {},
    trouble: () => {},
  });
  if (kind === 'fork' || lastStart <= 2) return lastEnd;
  return greeting === lastStart - 1 ? greeting - 1 : lastStart - 1;
}

const ENDS = new Set(['task_complete', 'turn_complete', 'turn_aborted', 'token_count', 'agent_message']);
const STARTS = new Set(['task_started', 'turn_started']);
/** The output of the parent's call, as the child sees it (0.118, wild). */
const GREETING = 'You are the newly spawned agent';
