// `logs.json` in a project's folder: every prompt and command typed in a terminal, with the id that the process began with.

import type { SourceRef } from '../../schema/blocks.ts';
import { isObject, stringAt } from '../json-access.ts';
import { smallText } from '../small-files.ts';
import type { Files } from '../source.ts';
import { timeIn } from '../times.ts';

export interface TypedRow {
  session_id: string;
  text: string;
  time: string | null;
  /** A slash command. */
  command: boolean;
  clears: boolean;
  compresses: boolean;
  /** A context that was saved takes the place of the one at hand. */
  loads: boolean;
  ref: SourceRef;
}

const CLEARS = new Set(['/clear', '/new']);
const COMPRESSES = new Set(['/compress', '/summarize', '/compact']);
/** `/chat resume TAG`, by all its names (bundle of 0.61), and `/restore`, which goes back to before a call. */
const LOADS = /^\/(?:chat|resume)\s+(?:resume|load)\s+\S|^\/restore\s+\S/;

/** Homes that were migrated hold the list twice: each row once. */
export function typedRows(port: Files, paths: { path: string; file: number }[]): TypedRow[] {
  const seen = new Set<string>();
  const rows = paths
    .flatMap(({ path, file }) => rowsIn(port, path, file))
    .filter((row) => {
      const key = `${row.session_id} ${row.time} ${row.text}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
  return rows.sort((a, b) => ((a.time ?? '') < (b.time ?? '') ? -1 : (a.time ?? '') > (b.time ?? '') ? 1 : 0));
}

function rowsIn(port: Files, path: string, file: number): TypedRow[] {
  const text = smallText(port, path, 64 * 1024 * 1024) ?? '';
  const length = Buffer.byteLength(text);
  return (listIn(text) ?? []).flatMap((row, i): TypedRow[] => {
    if (!isObject(row)) return [];
    const [session_id, typed] = [stringAt(row, 'sessionId'), stringAt(row, 'message')];
    if (session_id === undefined || typed === undefined) return [];
    const [word = ''] = typed.trim().split(/\s/, 1);
    return [
      {
        session_id,
        text: typed,
        time: timeIn(row.timestamp),
        command: word.startsWith('/'),
        clears: CLEARS.has(word),
        compresses: COMPRESSES.has(word),
        loads: LOADS.test(typed.trim()),
        ref: { file, line: 1, offset: 0, length, pointer: `/${i}` },
      },
    ];
  });
}

/** The list is there, and cannot be read. */
export function isBroken(port: Files, path: string): boolean {
  return listIn(smallText(port, path, 64 * 1024 * 1024) ?? '') === undefined;
}

function listIn(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
