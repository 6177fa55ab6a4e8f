import { ago, counted, EVENT_KINDS, type FoundFamily, plain, size, type ThreadRow } from '../../index.ts';
import { chooseMany } from '../choose.ts';
import { nothing } from '../failure.ts';
import { eventsOfRow, type ListedSession, type ListFlags } from '../listed.ts';
import { legendLines, marks } from '../marks.ts';
import { newestRows } from '../newest-rows.ts';
import { now } from '../now.ts';
import { orEmpty } from '../or-empty.ts';
import { say, writeAll, writeJson } from '../output.ts';
import { filterWords, placeWords } from '../places.ts';
import { type Screen, screen } from '../screen.ts';
import { shortId } from '../short-id.ts';
import { withStoredHome } from '../stored-home.ts';
import { type Column, tableLines } from '../table.ts';

export interface LsFlags extends ListFlags {
  limit?: number;
  json?: boolean;
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
  const { rows, looked } = newestRows(families, limit, flags);
  if (rows.length === 0) nothing(`No session fits${filterWords({ event: flags.event, model: flags.model })}.`);
  if (flags.json === true) {
    writeJson(
      'sessions',
      rows.map(({ session }) => session),
    );
    return;
  }
  writeAll(rowLines(rows, view));
  if (families.length > looked)
    say(
      `\n… and ${counted(families.length - looked, 'older session')} not looked at: pal ls --limit ${families.length}${again(flags)}`,
    );
}

/** The same list once more. */
function again({ agent, project, since, until, event, model, flat, ...places }: LsFlags): string {
  return filterWords({ agent, project, since, until, event, model, flat }) + placeWords(places);
}

/** The table, with a line that explains its marks. */
export function rowLines(rows: ThreadRow<ListedSession>[], view: Screen): string[] {
  const kinds = EVENT_KINDS.filter((kind) => rows.some((row) => eventsOfRow(row)[kind] !== undefined));
  const legend = kinds.length === 0 ? [] : ['', ...legendLines(kinds, view)];
  return [...tableLines(rows, columns(now()), view), ...(view.isTerminal ? legend : [])].map((line) => `${line}\n`);
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
    { name: 'EVENTS', text: (row) => marks(eventsOfRow(row)), tone: 'rejection', most: 24 },
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
