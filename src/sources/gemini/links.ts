// What ties sessions: from 0.35 on /clear starts a new session, and the list of what was typed goes on under the old id. The
// prompt that follows the command there is the first of the new session.

import { headRows } from '../head-rows.ts';
import { isObject, listAt } from '../json-access.ts';
import { lastTime } from '../last-times.ts';
import { smallJson } from '../small-files.ts';
import type { Family, FileInfo, Files, Link, LinkHead } from '../source.ts';
import { timeIn } from '../times.ts';
import { DOCUMENT_BYTES, headerOf, projectOf } from './files.ts';
import { type TypedRow, typedRows } from './logs.ts';
import { entryFrom, type Told, toldFrom } from './rows.ts';
import { BOOTSTRAP, shellCommandIn } from './signals.ts';

export function linkHead(family: Family, port: Files, companions: FileInfo[]): LinkHead | null {
  // Of a session whose own file is gone, a subagent's tells when and where.
  const file = family.files.find((candidate) => candidate.role === 'main' || candidate.role === 'subagent')?.info;
  if (file === undefined) return null;
  const started_at = timeIn(headerOf(file.path, port)?.startTime);
  return {
    family,
    file,
    project: projectOf(file.path, companions, port),
    root: null,
    file_started_at: started_at,
    started_at,
    clear: null,
    process_id: null,
    titles: [],
  };
}

/** What a person typed, as a session has it. */
interface Typed {
  text: string;
  time: string;
  isShell: boolean;
}

const OPENING = 5;

/** The first things that a person typed. */
function openingOf(path: string, port: Files): Typed[] {
  const place = { file: 0, line: 1, offset: 0, length: 0, pointer: null };
  const opening: Typed[] = [];
  for (const { row } of headRows(port, path)) {
    const entry = entryFrom(row, place, new Map());
    if (entry.what === 'message') opening.push(...typedIn(entry));
    if (opening.length >= OPENING) return opening;
  }
  if (opening.length > 0) return opening;
  const messages = listAt(smallJson(port, path, DOCUMENT_BYTES), 'messages') ?? [];
  for (const message of messages) {
    if (isObject(message) && typeof message.id === 'string') opening.push(...typedIn(toldFrom(message, place, '')));
    if (opening.length >= OPENING) break;
  }
  return opening;
}

function typedIn({ type, answers, text, display, time }: Told): Typed[] {
  if (type !== 'user' || answers.length > 0 || text === '' || text.startsWith(BOOTSTRAP)) return [];
  const command = shellCommandIn(text);
  return [{ text: command ?? display ?? text, time: time ?? '', isShell: command !== undefined }];
}

/** When a session was last used, from the ends of its files. */
export function lastUsed(family: Family, port: Files): string | null {
  const own = family.files.filter((file) => file.role !== 'companion');
  const times = own.map((file) => lastTime(port, file.info.path));
  return times.reduce((most, time) => ((time ?? '') > (most ?? '') ? time : most), null);
}

export function link(heads: LinkHead[], _companions: FileInfo[], port: Files): Link[] {
  const paths = new Map<string, FileInfo>();
  for (const { family } of heads)
    for (const file of family.files) if (file.role === 'companion') paths.set(file.info.path, file.info);
  const logs = [...paths.values()];
  const typed = typedRows(
    port,
    logs.map((info, file) => ({ path: info.path, file })),
  );
  if (!typed.some((row) => row.clears)) return [];
  const openings = heads.map((head) => ({ head, opening: openingOf(head.file.path, port) }));
  // The sessions that each process came through.
  const ways = new Map<string, string[]>();
  return typed.flatMap((row, i): Link[] => {
    const log = logs[row.ref.file];
    if (!row.clears || log === undefined) return [];
    const way = ways.get(row.session_id) ?? [row.session_id];
    const from = sessionBefore(typed.slice(0, i), row, way, heads, port);
    const near = openings.filter(
      ({ head }) => head.family.id !== from && head.family.files.some((file) => file.info.path === log.path),
    );
    const born = bornFrom(row, typed, i, near);
    if (born === undefined) return [];
    ways.set(row.session_id, [...way, born.id]);
    const { line, offset, length, pointer } = row.ref;
    return [
      {
        kind: 'clear',
        // A session that is not on disk is no predecessor that we could show.
        from: heads.some((head) => head.family.id === from) ? from : null,
        to: born.id,
        timestamp: row.time,
        ...born.sure,
        evidence: [{ file: log, source: { line, offset, length, pointer } }],
      },
    ];
  });
}

/**
 * The session that was cleared: the last that the process came to, unless something was typed since of which that one has nothing. Then a
 * later process has gone on with an earlier session, and has its id.
 */
function sessionBefore(before: TypedRow[], row: TypedRow, way: string[], heads: LinkHead[], port: Files): string {
  const latest = way.at(-1) ?? row.session_id;
  const own = before.filter((other) => other.session_id === row.session_id);
  const last = own.findLast(({ command, clears }) => clears || !command);
  if (way.length === 1 || last === undefined || last.clears) return latest;
  const wasUsed = (id: string) => {
    const family = heads.find((head) => head.family.id === id)?.family;
    return family !== undefined && (lastUsed(family, port) ?? '') >= (last.time ?? '');
  };
  return way.findLast(wasUsed) ?? latest;
}

interface Opening {
  head: LinkHead;
  opening: Typed[];
}

interface Born {
  id: string;
  sure: Pick<Extract<Link, { kind: 'clear' }>, 'basis' | 'confidence'>;
}

/** The session that begins with what was typed after the command: that which has it nearest in time. */
function bornFrom(row: TypedRow, typed: TypedRow[], at: number, near: Opening[]): Born | undefined {
  const later = typed.slice(at + 1).filter(({ session_id }) => session_id === row.session_id);
  const next = later.find(({ command }) => !command);
  if (next === undefined) return undefined;
  // A command of the person's own becomes a prompt in other words: what is typed after it is not the first then.
  const mayFollow = later.slice(0, later.indexOf(next)).some(({ clears }) => !clears);
  const found = near
    .flatMap(({ head, opening }) => {
      const place = opening.findIndex(({ text, time }) => text === next.text && time >= (row.time ?? ''));
      const isBegun = (opening[0]?.time ?? '') >= (row.time ?? '');
      const isFirst = opening.slice(0, place).every(({ isShell }) => isShell);
      const said = opening[place];
      if (said === undefined || !isBegun || !(isFirst || mayFollow)) return [];
      const gap = gapOf(said.time, next.time);
      // Typed by a process of its own: nothing was cleared for it.
      const isOwn = typed.some(
        ({ session_id, text, time }) =>
          session_id === head.family.id && text === said.text && gapOf(said.time, time) < gap,
      );
      return isOwn ? [] : [{ id: head.family.id, isFirst, gap }];
    })
    .sort((a, b) => a.gap - b.gap)[0];
  if (found === undefined) return undefined;
  const sure = found.isFirst
    ? ({ basis: 'recorded', confidence: 'high' } as const)
    : ({ basis: 'inferred', confidence: 'medium' } as const);
  return { id: found.id, sure };
}

function gapOf(one: string, other: string | null): number {
  return Math.abs(Date.parse(one) - Date.parse(other ?? '')) || 0;
}
