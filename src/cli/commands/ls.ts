import {
  ago,
  counted,
  cut,
  EVENT_KINDS,
  type EventKind,
  eventsOf,
  type FoundFamily,
  foldThreads,
  type ListedFacts,
  listedFacts,
  plain,
  type SessionSummary,
  size,
  type ThreadRow,
} from '../../index.ts';
import { chooseMany, type FilterOptions, newestFirst, sayUnread } from '../choose.ts';
import { nothing } from '../failure.ts';
import { marks, marksLegend } from '../marks.ts';
import { now } from '../now.ts';
import { orEmpty } from '../or-empty.ts';
import { say, writeAll, writeJson } from '../output.ts';
import { filterWords, placeWords } from '../places.ts';
import { progress } from '../progress.ts';
import { type Screen, screen } from '../screen.ts';
import { shortId } from '../short-id.ts';
import { withStoredHome } from '../stored-home.ts';
import { type Column, tableLines } from '../table.ts';

export interface LsFlags extends FilterOptions {
  flat?: boolean;
  event?: EventKind[];
  model?: string;
  limit?: number;
  json?: boolean;
}

export interface ListedSession extends ListedFacts {
  events: Partial<Record<EventKind, number>>;
}

/** On a terminal, more than this is not read without being asked for: it may take minutes. */
export const LIMIT = 40;

export async function ls(flags: LsFlags): Promise<void> {
  await orEmpty({ ...flags, kind: 'sessions', value: () => [] }, () =>
    withStoredHome(flags, (home) =>
      list(
        chooseMany([], flags, home).map(({ family }) => family),
        flags,
      ),
    ),
  );
}

function list(families: FoundFamily[], flags: LsFlags): void {
  const view = screen();
  const limit = flags.limit ?? (view.isTerminal && flags.json !== true ? LIMIT : Number.POSITIVE_INFINITY);
  const { sessions, looked } = newestWanted(families, limit, flags);
  if (sessions.length === 0) nothing(`No session fits${filterWords({ event: flags.event, model: flags.model })}.`);
  if (flags.json === true) {
    writeJson('sessions', sessions);
    return;
  }
  writeAll(sessionLines(sessions, view, flags));
  if (families.length > looked)
    say(
      `\n… and ${counted(families.length - looked, 'older session')} not looked at: pal ls --limit ${families.length}${again(flags)}`,
    );
}

/** The same list once more. */
function again({ agent, project, since, until, event, model, flat, ...places }: LsFlags): string {
  return filterWords({ agent, project, since, until, event, model, flat }) + placeWords(places);
}

/** As many as are wanted, and how many had to be looked at for that. */
function newestWanted(
  families: FoundFamily[],
  limit: number,
  flags: LsFlags,
): { sessions: ListedSession[]; looked: number } {
  const shown = progress(
    'reading',
    families.reduce((sum, family) => sum + family.bytes, 0),
  );
  const sessions: ListedSession[] = [];
  // Sessions that go on from others share a row with them.
  const rows = () => (flags.flat === true || flags.json === true ? limit : foldThreads(sessions).length);
  let [found, looked, enough] = [0, 0, limit];
  for (const family of newestFirst(families)) {
    if (found >= enough) enough += limit - rows();
    if (found >= enough) break;
    const wanted = listed(family, flags).filter((session) => isWanted(session, flags));
    sessions.push(...wanted);
    found += wanted.length === 0 ? 0 : 1;
    looked++;
    shown.add(family.bytes);
  }
  shown.end();
  return { sessions, looked };
}

/** What can be told only when a session was read. */
export function isWanted({ events, models }: ListedSession, { event, model }: LsFlags): boolean {
  if (event?.some((kind) => events[kind] === undefined) === true) return false;
  return model === undefined || models.some((name) => name.includes(model));
}

/** The sessions of a family that a list shows. */
export function listed(family: FoundFamily, flags: Pick<LsFlags, 'flat'> & { quiet?: boolean }): ListedSession[] {
  const sessions = family
    .summaries()
    .filter(({ session }, i) => flags.flat === true || i === 0 || session.kind === 'main');
  if (flags.quiet !== true) for (const session of sessions) sayUnread(session);
  return sessions.map((session, i) => row(session, family, i === 0));
}

function row(summary: SessionSummary, family: FoundFamily, isFirst: boolean): ListedSession {
  const events: ListedSession['events'] = {};
  for (const event of eventsOf(summary)) events[event.kind] = (events[event.kind] ?? 0) + 1;
  return { ...listedFacts(summary, family, isFirst), events };
}

/** The table, with a line that explains its marks. */
export function sessionLines(sessions: ListedSession[], view: Screen, flags: Pick<LsFlags, 'flat'>): string[] {
  const threads =
    flags.flat === true ? sessions.map((session) => ({ session, earlier: [], copies: [] })) : foldThreads(sessions);
  const kinds = EVENT_KINDS.filter((kind) => threads.some(({ session }) => session.events[kind] !== undefined));
  const legend = kinds.length === 0 ? [] : ['', view.paint('dim', cut(marksLegend(kinds), view.width))];
  return [...tableLines(threads, columns(now()), view), ...(view.isTerminal ? legend : [])].map((line) => `${line}\n`);
}

/** What a list shows of a session. */
export function columns(present: number): Column<ThreadRow<ListedSession>>[] {
  return [
    { name: 'ID', text: ({ session }) => shortId(session.id), tone: 'command' },
    {
      name: 'USED',
      text: ({ session }) => ago(session.last_used, present),
      right: true,
      tone: 'dim',
      from: 36,
    },
    { name: 'AGENT', text: ({ session }) => session.agent.split('-')[0] ?? '', from: 48 },
    { name: 'TITLE', text: titleOf, flexible: true, tone: 'strong' },
    { name: 'TURNS', text: ({ session }) => String(session.turns), right: true, from: 70 },
    { name: 'SIZE', text: ({ session }) => size(session.bytes), right: true, tone: 'dim', from: 60 },
    { name: 'EVENTS', text: ({ session }) => marks(session.events), tone: 'rejection', most: 24 },
    {
      name: 'PROJECT',
      text: ({ session }) => plain(session.project ?? '?', 200),
      tone: 'dim',
      from: 100,
      most: 32,
      cutStart: true,
    },
  ];
}

function titleOf({ session, earlier, copies }: ThreadRow<ListedSession>): string {
  const folded = [
    ...(earlier.length > 0 ? [`+${earlier.length} earlier`] : []),
    ...(copies.length > 0 ? [`+${copies.length} ${copies.length === 1 ? 'copy' : 'copies'}`] : []),
    ...(session.subagents > 0 ? [`+${counted(session.subagents, 'subagent')}`] : []),
    ...(session.kept ? ['kept'] : []),
  ].join(', ');
  const kind = session.kind === 'main' ? '' : `${session.kind}: `;
  return `${kind}${plain(session.title ?? '(no title)', 200)}${folded === '' ? '' : ` (${folded})`}`;
}
