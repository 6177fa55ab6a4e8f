import {
  AGENTS,
  actionLines,
  cut,
  dayAndTime,
  dayOf,
  doubt,
  EVENT_KINDS,
  type EventKind,
  eventLine,
  eventsOf,
  type Home,
  type ListedEvent,
  plain,
  type SessionSummary,
  widthOf,
} from '../../index.ts';
import { chooseMany, type FilterOptions, sayUnread } from '../choose.ts';
import { dateFrom } from '../dates.ts';
import { descending } from '../descending.ts';
import { nothing } from '../failure.ts';
import { legendLines, MARKS } from '../marks.ts';
import { orEmpty } from '../or-empty.ts';
import { writeJson } from '../output.ts';
import { writePaged } from '../pager.ts';
import { chosenSessions } from '../reading.ts';
import { type Screen, screen } from '../screen.ts';
import { shortId } from '../short-id.ts';
import { withStoredHome } from '../stored-home.ts';
import { type Column, tableLines } from '../table.ts';

type Grouping = 'tool' | 'project' | 'reason' | 'day' | 'kind' | 'agent';

interface EventFlags extends FilterOptions {
  kind?: EventKind[];
  by?: Grouping;
  diff?: boolean;
  pager: boolean;
  json?: boolean;
}

export async function events(ids: string[], flags: EventFlags): Promise<void> {
  const kind = flags.by === undefined ? 'events' : 'event-groups';
  await orEmpty({ ...flags, kind, value: () => [] }, () => show(ids, flags, kind));
}

async function show(ids: string[], flags: EventFlags, kind: string): Promise<void> {
  const found =
    ids.length > 0
      ? collect(ids, flags)
      : await withStoredHome(flags, (home) => (home === undefined ? collect(ids, flags) : collectStored(flags, home)));
  if (found.length === 0) nothing('There is no such event in these sessions.');
  const groups = flags.by === undefined ? undefined : grouped(found, flags.by);
  if (flags.json === true) {
    writeJson(kind, groups ?? found);
    return;
  }
  const view = screen();
  const lines =
    groups === undefined
      ? found.map((event) => eventText(event, view, flags.diff === true))
      : groupLines(groups, flags.by ?? 'kind', view).map((line) => `${line}\n`);
  await writePaged(lines, { wanted: flags.pager });
}

function collectStored(flags: EventFlags, home: () => Home): ListedEvent[] {
  const sessions = chooseMany([], flags, home).flatMap(({ family }) => family.summaries());
  for (const session of sessions) sayUnread(session);
  // In the order of an export, as they are read from files.
  const rank = ({ session }: SessionSummary) =>
    `${AGENTS.indexOf(session.agent)} ${session.started_at ?? '~'} ${session.id}`;
  return newestFirst(
    sessions.sort((a, b) => (rank(a) < rank(b) ? -1 : 1)),
    flags,
  );
}

function collect(ids: string[], flags: EventFlags): ListedEvent[] {
  return newestFirst(
    chosenSessions(ids, flags, 'reading').map(({ document }) => document),
    flags,
  );
}

/** Of sessions that were used in the time that is asked for, what happened in it; of some events no time is recorded. */
function newestFirst(sessions: Iterable<SessionSummary>, { kind, since, until }: EventFlags): ListedEvent[] {
  const [from, to] = [dateFrom(since, '--since') ?? '', dateFrom(until, '--until') ?? '~'];
  const isWanted = (event: ListedEvent) =>
    (kind === undefined || kind.includes(event.kind)) &&
    (event.timestamp === null || (event.timestamp >= from && event.timestamp < to));
  const found: ListedEvent[] = [];
  for (const session of sessions) found.push(...eventsOf(session).filter(isWanted));
  return found.sort(
    (a, b) =>
      descending(a.timestamp ?? '', b.timestamp ?? '') ||
      descending(b.session_id, a.session_id) ||
      (b.after_message_index ?? -1) - (a.after_message_index ?? -1) ||
      descending(b.event.id, a.event.id),
  );
}

/** One line, and the diff below it where it is wanted. The session's title has the room that is left. */
function eventText(event: ListedEvent, view: Screen, withDiff: boolean): string {
  const { paint, room: columns } = view;
  const time = dayAndTime(event.timestamp) ?? 'no time recorded';
  const at = event.after_message_index === null ? '' : ` [${event.after_message_index}]`;
  const place = `${shortId(event.session_id)}${at}`;
  const mark = MARKS[event.kind];
  const beside = columns - widthOf(time) - widthOf(place) - 6;
  // Where there is no room beside when and where it was, what it was stands below.
  const [room, gap] = beside < 24 ? [columns - 4, '\n  '] : [beside, '  '];
  const what = cut(`${eventLine(event)}${doubt(event)}`, room);
  const left = room - widthOf(what) - 3;
  const title = left < 12 || event.session_title === null ? '' : ` · ${cut(plain(event.session_title), left)}`;
  const line = `${paint('dim', time)}  ${paint('command', place)}${gap}${paint(event.kind, `${mark} ${what}`)}${paint('dim', title)}\n`;
  const diff = withDiff ? actionLines(event, paint) : [];
  return diff.length === 0 ? line : `${line}${diff.join('\n')}\n\n`;
}

interface EventGroup {
  name: string;
  total: number;
  kinds: Partial<Record<EventKind, number>>;
  newest: string | null;
}

/** Most first. What the grouping cannot be asked of (a clear has no tool) stands together under (none). */
function grouped(found: ListedEvent[], by: Grouping): EventGroup[] {
  const groups = new Map<string, EventGroup>();
  for (const event of found) {
    const name = nameFor(event, by) ?? '(none)';
    const group = groups.get(name) ?? { name, total: 0, kinds: {}, newest: event.timestamp };
    group.total++;
    group.kinds[event.kind] = (group.kinds[event.kind] ?? 0) + 1;
    groups.set(name, group);
  }
  const byName = (a: EventGroup, b: EventGroup) => (a.name < b.name ? 1 : -1);
  return [...groups.values()].sort((a, b) => (by === 'day' ? byName(a, b) : b.total - a.total || byName(b, a)));
}

function nameFor(listed: ListedEvent, by: Grouping): string | null {
  const { event } = listed;
  switch (by) {
    case 'tool':
      return 'tool_name' in event ? event.tool_name : null;
    case 'project':
      return listed.project;
    case 'reason':
      return 'reason' in event ? event.reason : 'cause' in event ? event.cause : null;
    case 'day':
      return dayOf(listed.timestamp);
    case 'kind':
      return listed.kind;
    case 'agent':
      return listed.agent;
  }
}

function groupLines(groups: EventGroup[], by: Grouping, view: Screen): string[] {
  const kinds = EVENT_KINDS.filter((kind) => groups.some((group) => group.kinds[kind] !== undefined));
  const [heading = '', ...rows] = tableLines(groups, groupColumns(kinds, by, view), view);
  // Where only the marks stand above the columns.
  const isTight = view.isTerminal && !heading.includes(kinds[0] ?? '');
  const legend = isTight && by !== 'kind' ? ['', ...legendLines(kinds, view)] : [];
  return [heading, ...rows, ...legend];
}

function groupColumns(kinds: readonly EventKind[], by: Grouping, { isTerminal }: Screen): Column<EventGroup>[] {
  return [
    { name: by.toUpperCase(), text: ({ name }) => plain(name, 200), flexible: true, tone: 'strong' },
    { name: 'ALL', text: ({ total }) => String(total), right: true },
    ...kinds.map(
      (kind): Column<EventGroup> => ({
        name: `${MARKS[kind]} ${kind}`,
        short: MARKS[kind],
        // Programs tell columns apart by what stands in them.
        text: (group) => String(group.kinds[kind] ?? (isTerminal ? '' : 0)),
        right: true,
        tone: kind,
      }),
    ),
    { name: 'NEWEST', text: ({ newest }) => dayOf(newest) ?? '?', tone: 'dim', from: 100 },
  ];
}
