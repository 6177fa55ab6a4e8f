import { counted, type HomePlaces } from '../../index.ts';
import { checkedPlaces, filtered } from '../choose.ts';
import { rowOf } from '../listed.ts';
import { now } from '../now.ts';
import { otherScreen } from '../other-screen.ts';
import { say, writeAll, writeJsonLine } from '../output.ts';
import { screen } from '../screen.ts';
import { shortId } from '../short-id.ts';
import { tableLines } from '../table.ts';
import { isTerminal } from '../terminal.ts';
import { watchLines } from '../watch-page.ts';
import { type ListChange, WatchedList, type WatchedSession } from '../watched-list.ts';
import { columns, LIMIT, type LsFlags } from './ls.ts';

/** The list, kept up to date: a page on a terminal, elsewhere a line for each session that changes. */
export async function lsWatch(flags: LsFlags): Promise<void> {
  const places = checkedPlaces(flags);
  filtered([], flags); // a wrong date is told before anything begins
  const isPerson = isTerminal(0) && isTerminal(1) && flags.json !== true && process.env.TERM !== 'dumb';
  await (isPerson ? asPage(places, flags) : asLines(places, flags));
}

/** As many lines as are asked for, else until somebody ends it. */
async function asLines(places: HomePlaces, flags: LsFlags): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let left = flags.limit ?? Number.POSITIVE_INFINITY;
  const list = new WatchedList(places, flags, {
    changed: (change) => {
      for (const write of linesOf(change, flags)) {
        if (left > 0) write();
        left--;
      }
      if (left <= 0) resolve();
    },
    trouble: say,
    failed: reject,
  });
  list.prepare();
  say(`Watching ${counted(list.count, 'session')}: a line for each one that changes.`);
  await promise.finally(() => list.close());
}

function linesOf({ sessions, gone }: ListChange, { json }: LsFlags): (() => void)[] {
  if (json === true)
    return [
      ...sessions.map((session) => () => writeJsonLine('session', session)),
      ...gone.map((session) => () => writeJsonLine('session-gone', session)),
    ];
  return [
    ...sessions.map((session) => () => writeAll([rowLine(session)])),
    ...gone.map(
      ({ id }) =>
        () =>
          writeAll([`${shortId(id)}  gone\n`]),
    ),
  ];
}

/** As `pal ls` writes it for other programs. */
function rowLine(session: WatchedSession): string {
  const view = { ...screen(), isTerminal: false, room: Number.POSITIVE_INFINITY };
  return `${tableLines([rowOf(session)], columns(now()), view).join('')}\n`;
}

/** How long a row is marked after it has changed. */
const MARK_MS = 3000;
/** How long ago a session was used is told in minutes. */
const REDRAW_MS = 30_000;

async function asPage(places: HomePlaces, flags: LsFlags): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const marks = new Map<string, NodeJS.Timeout>();
  let [isLoading, trouble]: [boolean, string | null] = [true, null];
  const list = new WatchedList(places, flags, {
    changed: ({ sessions }) => {
      for (const { id } of sessions) mark(id);
      draw();
    },
    trouble: (message) => {
      trouble = message;
    },
    failed: reject,
  });
  const mark = (id: string) => {
    clearTimeout(marks.get(id));
    marks.set(
      id,
      setTimeout(() => {
        marks.delete(id);
        draw();
      }, MARK_MS),
    );
  };
  const draw = () => {
    const [sessions, marked, isFlat] = [list.sessions(), new Set(marks.keys()), flags.flat === true];
    terminal.show(watchLines({ sessions, marked, isFlat, count: list.count, isLoading, trouble }, screen(), now()));
  };
  const terminal = otherScreen({
    press: ({ name, ctrl }) => {
      if (name === 'q' || name === 'escape' || (ctrl && (name === 'c' || name === 'd'))) resolve();
    },
    resized: () => draw(),
  });
  const redraw = setInterval(draw, REDRAW_MS);
  let hasLeft = false;
  promise.finally(() => (hasLeft = true)).catch(() => {});
  try {
    draw();
    const loaded = list.load(flags.limit ?? LIMIT, () => {
      if (!hasLeft) draw();
      return !hasLeft;
    });
    await Promise.race([promise, loaded]);
    isLoading = false;
    if (!hasLeft) draw();
    await promise;
  } finally {
    clearInterval(redraw);
    for (const timer of marks.values()) clearTimeout(timer);
    list.close();
    terminal.leave();
  }
}
