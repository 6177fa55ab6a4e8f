// Pass 1: the files of a family → the outline of the session, then those of its subagents.

import type { Json, SourceRef } from '../../schema/blocks.ts';
import type { Outline } from '../../schema/outline.ts';
import { isObject, type JsonObject, listAt } from '../json-access.ts';
import type { RowHandler } from '../jsonl.ts';
import { newHead } from '../new-head.ts';
import { type Growing, growingBuilder, readOn } from '../read-on.ts';
import { END_OF_CRASH, smallText } from '../small-files.ts';
import type { Family, FamilyFile, Files, OutlineOptions } from '../source.ts';
import { DOCUMENT_BYTES, headerOf } from './files.ts';
import { HeadFacts } from './head.ts';
import { LogBuilder } from './log-builder.ts';
import { isBroken, type TypedRow, typedRows } from './logs.ts';
import { entryFrom, toldFrom } from './rows.ts';

export function outlineFamily(family: Family, port: Files, options: OutlineOptions): Outline[] {
  const sessions = new Map<string, FamilyFile[]>();
  for (const file of family.files) {
    if (file.session_id === null) continue;
    sessions.set(file.session_id, [...(sessions.get(file.session_id) ?? []), file]);
  }
  const logs = family.files.filter((file) => file.role === 'companion');
  const outlines = [...sessions].map(([id, own]) =>
    outlineOf(id, own, id === family.id ? logs : [], family, port, options),
  );
  for (const outline of outlines) tie(outline, outlines);
  return outlines;
}

function outlineOf(
  id: string,
  own: FamilyFile[],
  logs: FamilyFile[],
  family: Family,
  port: Files,
  options: OutlineOptions,
): Outline {
  const first = headerOf(own[0]?.info.path ?? '', port);
  const isSub = id !== family.id || first?.kind === 'subagent';
  // Of a file beside the others we take the parent's id from its own header: nothing else tells that this is one, if it is not there.
  const isThere = family.files.some((file) => file.session_id === family.id);
  const isBelow = own[0]?.info.path.includes(`/chats/${family.id}/`) === true;
  const given = {
    id,
    agent: 'gemini' as const,
    kind: isSub ? ('subagent' as const) : ('main' as const),
    dialect: 'json',
    files: [...own, ...logs],
    parent: id !== family.id && (isThere || isBelow) ? family.id : null,
  };
  const typed = typedRows(
    port,
    logs.map(({ info }, i) => ({ path: info.path, file: own.length + i })),
  ).filter((row) => row.session_id === id);
  const newBuilder = () => new LogBuilder(new HeadFacts(newHead(given)), options, typed);
  const builder = newBuilder();
  const made = JSON.stringify({ ...given, files: given.files.map(({ info, role }) => [info.path, role]) });
  const isLog = own.length === 1 && own[0]?.info.path.endsWith('.jsonl') === true;
  const growing = isLog ? growingLog(builder, made, newBuilder, typed) : null;
  own.forEach((file, index) => {
    const isDocument = readFile(file.info.path, index, port, builder, growing, options);
    if (!isDocument && file.info.path.endsWith('.jsonl')) builder.head.head.dialect = 'jsonl';
  });
  for (const { info } of logs)
    if (isBroken(port, info.path))
      builder.diagnostics.push({
        code: 'bad-json',
        message: `${info.path} is no list of what was typed: clears and compactions that only it tells are not known.`,
        source: null,
      });
  return builder.finish();
}

/** What was typed is read anew each time. */
function growingLog(builder: LogBuilder, made: string, newBuilder: () => LogBuilder, typed: TypedRow[]): Growing {
  const growing = growingBuilder(builder, made, newBuilder);
  return { ...growing, given: () => [...growing.given(), typed] };
}

/**
 * After a refusal the kept history is recorded again, and known as such only by the context that follows. It begins with what the
 * client says to begin with, or with a summary.
 */
export function unsettledFrom({ messages }: Outline): number | null {
  const begins = ({ kind, role, source }: Outline['messages'][number]) =>
    (kind === 'meta' && role === 'user') || (kind === 'summary' && source[0]?.pointer === null);
  const again = messages.findIndex((message, index) => index > 0 && begins(message));
  return again === -1 ? null : again;
}

/** Ties a subagent to the call that started it. */
function tie(outline: Outline, all: Outline[]): void {
  const { parent } = outline.head.lineage;
  if (parent === null) return;
  const caller = all.find((other) => other.outcomes.some((outcome) => outcome.subagent_session_id === outline.head.id));
  const call = caller?.outcomes.find((outcome) => outcome.subagent_session_id === outline.head.id);
  parent.tool_call_id = call?.tool_use_id ?? null;
  if (caller !== undefined) parent.session_id = caller.head.id;
  (caller ?? all.find((other) => other.head.id === parent.session_id))?.head.lineage.subagents.push(outline.head.id);
}

/** Gives whether it is a document, not a log. */
function readFile(
  path: string,
  file: number,
  port: Files,
  builder: LogBuilder,
  growing: Growing | null,
  options: OutlineOptions,
): boolean {
  const document = documentIn(path, port);
  if (document !== undefined) {
    takeDocument(document, file, builder);
    return true;
  }
  const { accounting } = builder.head.head;
  const take = (value: Json, ref: SourceRef, first: boolean) => {
    builder.add(entryFrom(value, ref, builder.firstRows), value, first);
    // A document on one line, as the first line of a log: its messages are told by that line.
    if (isObject(value) && typeof value.id !== 'string')
      for (const [i, message] of (listAt(value, 'messages') ?? []).entries())
        if (isObject(message) && typeof message.id === 'string')
          builder.add(toldFrom(message, ref, `/messages/${i}`), value, false);
  };
  const handler: RowHandler = {
    row: take,
    bad: () => {
      accounting.bad++;
      accounting.lines++;
    },
    blank: () => {
      accounting.blank++;
      accounting.lines++;
    },
    trouble: (diagnostic) => builder.diagnostics.push(diagnostic),
  };
  readOn(port, path, file, handler, growing, options);
  return false;
}

interface Whole {
  value: JsonObject;
  offset: number;
  length: number;
  /** NUL bytes stand behind it. */
  isTorn: boolean;
}

/** Up to 0.38 a session is one document, over many lines; it may lie under the name of a log. */
export function documentIn(path: string, port: Files): Whole | undefined {
  if (!isDocument(path, port)) return undefined;
  try {
    const text = smallText(port, path, DOCUMENT_BYTES) ?? '';
    const marked = text.startsWith('\uFEFF') ? 1 : 0;
    const own = text.slice(marked).replace(END_OF_CRASH, '');
    const value: unknown = JSON.parse(own);
    const isTorn = own.length < text.length - marked;
    return isObject(value) ? { value, offset: 3 * marked, length: Buffer.byteLength(own), isTorn } : undefined;
  } catch {
    return undefined;
  }
}

export function isDocument(path: string, port: Files): boolean {
  return path.endsWith('.json') || /^\uFEFF?\s*\{\s*\n/.test(smallText(port, path, 100) ?? '');
}

/** The head and each message count as lines. */
function takeDocument({ value, offset, length, isTorn }: Whole, file: number, builder: LogBuilder): void {
  const at = (pointer: string | null): SourceRef => ({ file, line: 1, offset, length, pointer });
  const message = 'The file begins with a byte order mark; it was left out.';
  if (offset > 0) builder.diagnostics.push({ code: 'byte-order-mark', message, source: at(null) });
  if (isTorn)
    builder.diagnostics.push({
      code: 'nul-bytes',
      message: 'NUL bytes stand behind the document; they were left out.',
      source: at(null),
    });
  const { messages: _, ...header } = value;
  builder.add({ what: 'header', native_type: 'header', ref: at(null), time: null, header }, value, true);
  for (const [i, message] of (listAt(value, 'messages') ?? []).entries()) {
    const pointer = `/messages/${i}`;
    const isMessage = isObject(message) && typeof message.id === 'string';
    builder.add(
      isMessage
        ? toldFrom(message, at(pointer), pointer)
        : { what: 'unknown', native_type: 'unknown', ref: at(pointer), time: null },
      value,
      true,
    );
  }
}
