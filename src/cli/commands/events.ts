import {
  doubt,
  type EventKind,
  eventLine,
  eventsOf,
  inOrder,
  type ListedEvent,
  plain,
  printable,
} from '../../index.ts';
import { chooseMany, type FilterOptions, sayUnread, wantedOf } from '../choose.ts';
import { fail } from '../failure.ts';
import { writeAll, writeJson } from '../output.ts';
import { progress } from '../progress.ts';
import { shortId } from '../short-id.ts';

interface EventFlags extends FilterOptions {
  kind?: EventKind[];
  diff?: boolean;
  json?: boolean;
}

export function events(ids: string[], flags: EventFlags): void {
  const found = collect(ids, flags);
  if (flags.json === true) {
    writeJson('events', found);
    return;
  }
  if (found.length === 0) fail('There is no such event in these sessions.');
  writeAll(found.map((event) => `${line(event)}${flags.diff === true ? diffOf(event) : ''}`));
}

/** Newest first. */
function collect(ids: string[], flags: EventFlags): ListedEvent[] {
  const chosen = chooseMany(ids, flags);
  const shown = progress(
    'reading',
    chosen.reduce((sum, { family }) => sum + family.bytes, 0),
  );
  const found: ListedEvent[] = [];
  const wanted = wantedOf(chosen);
  for (const session of inOrder([...new Set(chosen.map(({ family }) => family))])) {
    if (!wanted(session)) continue;
    sayUnread(session);
    found.push(
      ...eventsOf(session.document).filter((event) => flags.kind === undefined || flags.kind.includes(event.kind)),
    );
    shown.add(session.document.session.source.files.reduce((sum, file) => sum + file.bytes, 0));
  }
  shown.end();
  return found.sort((a, b) =>
    (a.timestamp ?? '') < (b.timestamp ?? '') ? 1 : (a.timestamp ?? '') > (b.timestamp ?? '') ? -1 : 0,
  );
}

function line(event: ListedEvent): string {
  const time = event.timestamp?.slice(0, 19).replace('T', ' ') ?? 'no time recorded   ';
  const at = event.after_message_index === null ? '' : ` after [${event.after_message_index}]`;
  return `${time}  ${shortId(event.session_id)}${at}  ${eventLine(event)}${doubt(event)}  (${plain(event.session_title ?? '', 40)})\n`;
}

function diffOf(event: ListedEvent): string {
  const action = (event.event as { action?: { diff: string | null; diff_base: string | null } | null }).action;
  if (action?.diff == null) return '';
  const base =
    action.diff_base === 'file'
      ? ''
      : `    (made against ${action.diff_base === 'fragment' ? 'the fragment it names, not the file' : 'an unknown text'})\n`;
  return `${base}${printable(action.diff).trimEnd().replace(/^/gm, '    ')}\n`;
}
