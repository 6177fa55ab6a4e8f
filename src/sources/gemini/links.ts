// What ties sessions: from 0.35 on /clear starts a new session, and the list of what was typed goes on under the old id. The
// prompt that follows the command there is the first of the new session.

import { headRows } from '../head-rows.ts';
import { isObject, listAt } from '../json-access.ts';
import { lastTime } from '../last-times.ts';
import { smallJson } from '../small-files.ts';
import type { Family, FileInfo, Files, Link, LinkHead } from '../source.ts';
import { DOCUMENT_BYTES, headerOf, projectOf } from './files.ts';
import { typedRows } from './logs.ts';
import { entryFrom, type Told, timeIn, toldFrom } from './rows.ts';
import { BOOTSTRAP } from './signals.ts';

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

/** The first words that a person typed. */
function firstPrompt(path: string, port: Files): Told | undefined {
  const isPrompt = (told: Told) =>
    told.type === 'user' && told.answers.length === 0 && told.text !== '' && !told.text.startsWith(BOOTSTRAP);
  const place = { file: 0, line: 1, offset: 0, length: 0, pointer: null };
  for (const { row } of headRows(port, path)) {
    const entry = entryFrom(row, place, new Map());
    if (entry.what === 'message' && isPrompt(entry)) return entry;
  }
  const messages = listAt(smallJson(port, path, DOCUMENT_BYTES), 'messages') ?? [];
  for (const message of messages) {
    const told = isObject(message) && typeof message.id === 'string' ? toldFrom(message, place, '') : undefined;
    if (told !== undefined && isPrompt(told)) return told;
  }
  return undefined;
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
  const prompts = heads.map((head) => ({ head, first: firstPrompt(head.file.path, port) }));
  const current = new Map<string, string>();
  return typed.flatMap((row, i): Link[] => {
    const from = current.get(row.session_id) ?? row.session_id;
    if (!row.clears) return [];
    const next = typed.slice(i + 1).find((later) => later.session_id === row.session_id && !later.command);
    const log = logs[row.ref.file];
    const born = prompts
      .filter(({ head, first }) => {
        const isNear = head.family.files.some((file) => file.info.path === log?.path);
        if (next === undefined || first === undefined || head.family.id === from || !isNear) return false;
        return (first.display ?? first.text) === next.text && (first.time ?? '') >= (row.time ?? '');
      })
      .sort((a, b) => ((a.first?.time ?? '') < (b.first?.time ?? '') ? -1 : 1))[0];
    if (born === undefined || log === undefined) return [];
    current.set(row.session_id, born.head.family.id);
    const { line, offset, length, pointer } = row.ref;
    return [
      {
        kind: 'clear',
        // A session that is not on disk is no predecessor that we could show.
        from: heads.some((head) => head.family.id === from) ? from : null,
        to: born.head.family.id,
        timestamp: row.time,
        basis: 'recorded',
        confidence: 'high',
        evidence: [{ file: log, source: { line, offset, length, pointer } }],
      },
    ];
  });
}
