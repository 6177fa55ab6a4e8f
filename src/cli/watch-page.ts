// The page of `ls --watch`, without its terminal.

import { counted, cut, EVENT_KINDS, foldThreads, type ThreadRow } from '../index.ts';
import { columns } from './commands/ls.ts';
import { eventsOfRow, rowOf } from './listed.ts';
import { legendLines } from './marks.ts';
import type { Screen } from './screen.ts';
import { type Column, tableLines } from './table.ts';
import type { WatchedSession } from './watched-list.ts';

export interface WatchPage {
  /** Newest first. */
  sessions: WatchedSession[];
  /** Ids of those that have just changed. */
  marked: ReadonlySet<string>;
  /** Rows of their own for what is otherwise folded. */
  isFlat: boolean;
  /** How many sessions there are, shown or not. */
  count: number;
  isLoading: boolean;
  trouble: string | null;
}

/** As many lines as the screen has, but one. */
export function watchLines(page: WatchPage, view: Screen, present: number): string[] {
  const { paint, width, rows: height } = view;
  const sessions = page.sessions.map((session) =>
    session.counted || session.title !== null ? session : { ...session, title: '(being read)' },
  );
  const threads = page.isFlat ? sessions.map(rowOf) : foldThreads(sessions);
  const most = threads.slice(0, Math.max(1, height - 5));
  const kinds = EVENT_KINDS.filter((kind) => most.some((row) => eventsOfRow(row)[kind] !== undefined));
  const legend = legendLines(kinds, { ...view, width: width - 1 });
  const shown = most.slice(0, Math.max(1, height - 4 - legend.length));
  const number = page.isLoading ? 'reading …' : `${shown.length} of ${counted(page.count, 'session')}`;
  return [
    ...(shown.length === 0 && !page.isLoading
      ? [paint('dim', cut('No session yet: the first one will be here when it begins.', width - 1))]
      : tableLines(shown, [markColumn(page.marked), ...columns(present)], { ...view, room: view.room - 1 })),
    '',
    ...legend,
    paint('dim', cut(`${number} · q leaves${page.trouble === null ? '' : ` · ${page.trouble}`}`, width - 1)),
  ].slice(0, height - 1);
}

/** A row that stands for several is marked when any of them has changed. */
function markColumn(marked: ReadonlySet<string>): Column<ThreadRow<WatchedSession>> {
  return {
    name: ' ',
    text: ({ session, earlier, copies }) =>
      [session, ...earlier, ...copies].some(({ id }) => marked.has(id)) ? '●' : ' ',
    tone: 'good',
  };
}
