// What makes a session big: the bytes of its rows by what they are.

import type { SessionReader } from '../ingest/session-reader.ts';
import type { Json, SourceRef } from '../schema/blocks.ts';
import { jsonText } from '../schema/json-text.ts';
import { valueAt } from '../sources/json-access.ts';

/** A part of a session's bytes. */
export interface Share {
  name: string;
  bytes: number;
}

/** A row, and what stands in it: of a document that is one value, all of it. */
interface Row {
  ref: SourceRef;
  /** What it is, by where it stands. */
  parts: Map<string, string>;
}

/** Larger rows are not divided: they are taken for what is found in them first. */
const LARGEST_BYTES = 8 * 1024 * 1024;

const AGAIN = 'written again';

/** Messages by their kind, everything else by its own name; the largest first. */
export function sharesOf(sessions: SessionReader[]): Share[] {
  const bytes = new Map<string, number>();
  const mainFiles = new Set(sessions[0]?.document.session.source.files.map(({ path }) => path));
  for (const [i, session] of sessions.entries()) {
    const { files } = session.document.session.source;
    // Subagents that stand in the session's own file are counted there.
    if (i > 0 && files.every(({ path }) => mainFiles.has(path))) continue;
    for (const row of rowsOf(session))
      for (const { name, bytes: own } of divided(row, session)) {
        const shown = i === 0 || name === AGAIN ? name : 'subagents';
        bytes.set(shown, (bytes.get(shown) ?? 0) + own);
      }
  }
  return [...bytes].map(([name, total]) => ({ name, bytes: total })).sort((a, b) => b.bytes - a.bytes);
}

function rowsOf(session: SessionReader): Iterable<Row> {
  const rows = new Map<string, Row>();
  const add = (name: string, ref: SourceRef) => {
    const key = `${ref.file}:${ref.offset}`;
    const row = rows.get(key) ?? { ref, parts: new Map() };
    const pointer = ref.pointer ?? '';
    // What repeats another row is not looked into.
    if (!row.parts.has(pointer) && row.parts.get('') !== AGAIN) row.parts.set(pointer, name);
    rows.set(key, row);
  };
  for (const { native_type, copy, source } of session.records({ raw: false })) add(copy ? AGAIN : native_type, source);
  for (const { kind, source } of session.messagePlaces()) for (const ref of source) add(KINDS[kind] ?? kind, ref);
  return rows.values();
}

/** Each part has what no other part inside it has. */
function divided({ ref, parts }: Row, session: SessionReader): Share[] {
  const [first = ''] = parts.values();
  const value = parts.size === 1 || ref.length > LARGEST_BYTES ? undefined : parsed(session.bytes(ref));
  if (value === undefined) return [{ name: first, bytes: ref.length }];
  const scale = ref.length / lengthOf(value);
  const whole = new Map([...parts.keys()].map((pointer) => [pointer, lengthOf(valueAt(value, pointer))]));
  const own = new Map([...parts].map(([pointer, name]) => [pointer, { name, bytes: whole.get(pointer) ?? 0 }]));
  for (const [pointer, bytes] of whole) {
    const around = aroundIn(own, pointer);
    if (around !== undefined) around.bytes -= bytes;
  }
  return [...own.values()].map(({ name, bytes }) => ({ name, bytes: Math.round(bytes * scale) }));
}

/** The smallest part that this one lies in. */
function aroundIn(parts: ReadonlyMap<string, Share>, pointer: string): Share | undefined {
  for (let at = pointer; at !== ''; ) {
    at = at.slice(0, Math.max(0, at.lastIndexOf('/')));
    const around = parts.get(at);
    if (around !== undefined) return around;
  }
  return undefined;
}

function parsed(bytes: Buffer): Json | undefined {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // A row that was recovered from a damaged line.
    return undefined;
  }
}

function lengthOf(value: Json): number {
  return Buffer.byteLength(jsonText(value));
}

const KINDS: Record<string, string> = {
  prompt: 'prompts',
  reply: 'replies',
  tool_result: 'tool results',
  summary: 'summaries',
  meta: 'added by the client',
  command: 'commands',
  notice: 'notices',
  interruption: 'interruptions',
};
