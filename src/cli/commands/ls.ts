import { eventsOf, type FoundFamily, plain, type SessionReader } from '../../index.ts';
import { chooseMany, type FilterOptions, newestFirst, sayUnread } from '../choose.ts';
import { writeAll, writeJson } from '../output.ts';
import { shortId } from '../short-id.ts';

interface LsFlags extends FilterOptions {
  flat?: boolean;
  json?: boolean;
}

export interface ListedSession {
  id: string;
  agent: string;
  kind: string;
  title: string | null;
  project: string | null;
  started_at: string | null;
  ended_at: string | null;
  bytes: number;
  messages: number;
  turns: number;
  events: Record<string, number>;
  subagents: number;
  parent: string | null;
}

export function ls(flags: LsFlags): void {
  const families = newestFirst(chooseMany([], flags).map(({ family }) => family));
  if (flags.json === true) writeJson('sessions', [...rows(families, flags)]);
  else writeAll(lines(rows(families, flags)));
}

export function* rows(families: FoundFamily[], flags: LsFlags): Generator<ListedSession> {
  for (const family of families) {
    const open = family.open();
    const listed = open.sessions.filter(
      (session, i) => flags.flat === true || i === 0 || session.document.session.kind === 'main',
    );
    for (const session of listed) {
      sayUnread(session);
      yield row(session);
    }
    open.close();
  }
}

function row({ document }: SessionReader): ListedSession {
  const { id, agent, kind, title, project, started_at, ended_at, source, counts, lineage } = document.session;
  const events: Record<string, number> = {};
  for (const event of eventsOf(document)) events[event.kind] = (events[event.kind] ?? 0) + 1;
  const bytes = source.files.reduce((sum, file) => sum + (file.role === 'companion' ? 0 : file.bytes), 0);
  return {
    id,
    agent,
    kind,
    title,
    project,
    started_at,
    ended_at,
    bytes,
    messages: counts.messages,
    turns: counts.turns,
    events,
    subagents: lineage.subagents.length,
    parent: lineage.parent?.session_id ?? null,
  };
}

export function* lines(listed: Iterable<ListedSession>): Generator<string> {
  for (const session of listed) {
    const events = Object.entries(session.events).map(([kind, count]) => `${count} ${kind}${count === 1 ? '' : 's'}`);
    const facts = [
      `${session.turns} turns`,
      ...(session.subagents > 0 ? [`${session.subagents} subagents`] : []),
      ...events,
    ].join(', ');
    const time = (session.ended_at ?? session.started_at)?.slice(0, 16).replace('T', ' ') ?? '                ';
    yield `${shortId(session.id)}  ${time}  ${session.agent}  ${plain(session.title ?? '(no title)', 60)}  [${facts}]  ${plain(session.project ?? '')}\n`;
  }
}
