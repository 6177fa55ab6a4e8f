import { realpathSync } from 'node:fs';
import {
  type AgentName,
  ago,
  contextTokens,
  counted,
  cut,
  dayOf,
  type FoundFamily,
  foldThreads,
  type Home,
  openHome,
  plain,
  size,
  sources,
  tokens,
  widthOf,
  wrapText,
} from '../../index.ts';
import { type FilterOptions, filtered, newestFirst, sampleHome, sayTrouble } from '../choose.ts';
import {
  type Deletion,
  deletionsOf,
  extentOf,
  FULL_TOKENS,
  type Happenings,
  happeningsIn,
  quickExtentOf,
} from '../facts.ts';
import { fail, nothing } from '../failure.ts';
import { type ListedSession, listed } from '../listed.ts';
import { now } from '../now.ts';
import { orEmpty } from '../or-empty.ts';
import { say, writeAll, writeJson } from '../output.ts';
import { emptyHomeMessage, filterWords, nothingFits, placesFrom, placeWords, troubleWithHomes } from '../places.ts';
import { type Screen, screen } from '../screen.ts';
import { shortId } from '../short-id.ts';
import { withStoredHome } from '../stored-home.ts';
import { rowLines } from './ls.ts';

interface OverviewFlags extends FilterOptions {
  json?: boolean;
}

const SHOWN = 5;
/** Nothing slow: what cannot be read in this time is left to the commands that are named. */
const READING_MS = 1500;
const LARGEST_BYTES = 32 * 1024 * 1024;
const SOON_DAYS = 7;

/** What is there, from names and sizes at once, then what takes longer, line by line. Without any session: the samples. */
export async function overview(flags: OverviewFlags): Promise<void> {
  const value = () => factsOf([], flags.sample === true, flags);
  await orEmpty({ ...flags, kind: 'overview', value }, () => withStoredHome(flags, (home) => show(flags, home)));
}

function show(flags: OverviewFlags, home: (() => Home) | undefined): void {
  const places = placesFrom(flags, process.env);
  const trouble = flags.home === undefined ? undefined : troubleWithHomes(places);
  if (trouble !== undefined) fail(trouble);
  const own = home?.() ?? openHome(places);
  if (home === undefined) sayTrouble(own);
  const isEmpty = own.families.length === 0;
  const families = filtered(isEmpty ? sampleHome().families : own.families, flags);
  if (families.length === 0) nothing(nothingFits('session', flags));
  const sample = isEmpty || flags.sample === true;
  if (isEmpty) say(`${emptyHomeMessage(flags)}\n\nThese are sample sessions that come with Palimpsest:\n`);
  if (flags.json === true) {
    writeJson('overview', factsOf(families, sample, flags));
    return;
  }
  const view = screen();
  const page = new Page(view, wordsFrom(flags, sample));
  page.first(quickExtentOf(families));
  page.here(hereOf(families));
  // A home that was named may be a copy, in which no agent runs.
  if (!sample && flags.home === undefined)
    for (const deletion of deletionsOf(families, now(), SOON_DAYS)) page.deletion(deletion);
  const happened = happeningsIn(newestFirst(families), {
    // From the index nothing takes long.
    isTimeUp: home === undefined ? timeLimit(READING_MS) : () => false,
    largest: home === undefined ? LARGEST_BYTES : Number.POSITIVE_INFINITY,
  });
  page.happened(happened, families.length);
  const newest = [...newestFirst(families).take(SHOWN)];
  const small = newest.filter(({ bytes }) => home !== undefined || bytes <= LARGEST_BYTES);
  page.newest(
    small.flatMap((family) => listed(family, {})),
    newest.length - small.length,
  );
  page.commands(newest[0]);
}

function wordsFrom({ agent, project, since, until, ...places }: OverviewFlags, sample: boolean): string {
  return filterWords({ agent, project, since, until }) + placeWords(sample ? { sample } : places);
}

/** The time begins with the first question: what must be read once for all sessions does not count. */
function timeLimit(ms: number): () => boolean {
  let begun: number | undefined;
  return () => {
    begun ??= performance.now();
    return performance.now() - begun > ms;
  };
}

/** All of them, for programs: here nothing is too slow. */
function factsOf(families: FoundFamily[], sample: boolean, flags: OverviewFlags) {
  return {
    sample,
    ...extentOf(families),
    deletions: sample || flags.home !== undefined ? [] : deletionsOf(families, now(), SOON_DAYS),
    ...happeningsIn(families, { isTimeUp: () => false, largest: Number.POSITIVE_INFINITY }),
    newest: [...newestFirst(families).take(SHOWN)].flatMap((family) => listed(family, {})),
  };
}

interface Here {
  folder: string;
  families: FoundFamily[];
}

/** The sessions that were made in the current folder. */
function hereOf(families: FoundFamily[]): Here | null {
  try {
    const folder = realpathSync(process.cwd());
    return { folder, families: families.filter((family) => family.peek().project === folder) };
  } catch {
    return null;
  }
}

function labelOf(agent: AgentName): string {
  return sources.find((source) => source.agent === agent)?.label ?? agent;
}

/** Lines as they come, each with the command that leads on. */
class Page {
  private readonly view: Screen;
  /** What every command needs to find the same sessions. */
  private readonly option: string;

  constructor(view: Screen, option: string) {
    this.view = view;
    this.option = option;
  }

  first({ agents, sessions, bytes, first_used, last_used, isByFiles }: ReturnType<typeof quickExtentOf>): void {
    const counts = agents.map(({ agent, sessions }) => `${labelOf(agent)} ${sessions}`).join(' · ');
    const months = [first_used, last_used].map((time) => dayOf(time)?.slice(0, 7) ?? '?');
    const isToday = dayOf(last_used) === dayOf(new Date(now()).toISOString());
    const span = months[0] === months[1] ? months[0] : `${months[0]} … ${isToday ? 'today' : months[1]}`;
    this.write(
      `${this.view.paint('title', `${counts} session${sessions === 1 ? '' : 's'}`)}, ${isByFiles ? 'files of ' : ''}${span} (${size(bytes)})`,
      null,
    );
  }

  here(here: Here | null): void {
    const last = here === null ? undefined : newestFirst(here.families).next().value;
    if (here === null || last === undefined) return;
    const known = last.bytes > LARGEST_BYTES ? null : lastOf(last);
    const title = known?.title == null ? '' : `"${plain(known.title, 40)}", `;
    const used = known?.tokens == null ? '' : `, ${tokens(known.tokens)} tokens in its context`;
    const isFull = (known?.tokens ?? 0) >= FULL_TOKENS && last.writer !== null && last.hasMain;
    this.write(
      `Here (${this.short(here.folder)}): ${counted(here.families.length, 'session')}. Last: ${title}${ago(last.lastUsed(), now())} ago${used}`,
      isFull ? `pal clone ${shortId(last.id)} --budget 60k --dry-run` : `pal show ${shortId(last.id)}`,
    );
  }

  deletion({ agent, sessions, days, told }: Deletion): void {
    const when = days === 0 ? 'at its next start' : `within ${SOON_DAYS} days, the first in ${days}`;
    const how = told === 'default' ? ', by its default' : '';
    this.fact(`${counted(sessions, 'session')} will be deleted by ${labelOf(agent)} ${when}${how}`, 'pal keep');
  }

  happened(found: Happenings, all: number): void {
    const { sessions_read, counts, most_refused, tokens_compacted, compactions_unmeasured, last_compacted } = found;
    const where = sessions_read === all ? '' : ` in ${sessions_read} of the newest sessions`;
    const { rejection = 0, interruption = 0, compaction = 0, failure = 0 } = counts;
    if (rejection + interruption > 0) {
      const most =
        most_refused === null
          ? ''
          : `; most refused: ${plain(most_refused.tool, 40)}${most_refused.project === null ? '' : ` in ${this.short(most_refused.project)}`}`;
      this.fact(
        `you ${[...(rejection > 0 ? [`refused ${counted(rejection, 'call')}`] : []), ...(interruption > 0 ? [`stopped ${counted(interruption, 'run')}`] : [])].join(' and ')}${where}${most}`,
        rejection > 0 ? 'pal events --kind rejection' : 'pal events --kind interruption',
      );
    }
    if (compaction > 0) {
      const least = compactions_unmeasured === 0 ? '' : 'at least ';
      const gone = tokens_compacted === 0 ? '' : ` took ${least}${tokens(tokens_compacted)} tokens out of the context`;
      this.fact(`${counted(compaction, 'compaction')}${gone}${where}`, `pal show ${shortId(last_compacted ?? 'last')}`);
    }
    if (failure > 0) this.fact(`${counted(failure, 'request')} failed${where}`, 'pal events --kind failure');
  }

  newest(sessions: ListedSession[], left: number): void {
    if (sessions.length > 0) writeAll(['\n', ...rowLines(foldThreads(sessions), this.view)]);
    if (left > 0)
      writeAll([`\n${counted(left, 'newer session')} larger than ${size(LARGEST_BYTES)}: pal ls${this.option}\n`]);
  }

  commands(newest: FoundFamily | undefined): void {
    if (newest === undefined) return;
    const id = shortId(newest.id);
    const commands = [
      [`pal show ${id}${this.option}`, 'read it, events in place'],
      [`pal ls${this.option}`, 'all sessions'],
      [`pal events${this.option}`, 'what was refused, stopped, compacted'],
      [`pal export${this.option} > history.ndjson`, 'the unified documents'],
    ];
    const { paint, room } = this.view;
    // Where there is no room beside a command, what it does stands below it.
    const gap = room < 78 ? '\n      ' : ' ';
    writeAll([
      '\n',
      ...commands.map(([command = '', does = '']) => {
        const first = room < 78 ? command : command.padEnd(36);
        return `  ${paint('command', first)}${gap}${paint('dim', cut(does, room - 6))}\n`;
      }),
    ]);
  }

  private fact(text: string, command: string): void {
    this.write(` ▸ ${text}`, command);
  }

  /** The command stands at the right where there is room, else below. */
  private write(text: string, command: string | null): void {
    const { paint, room } = this.view;
    const next = command === null ? '' : `→ ${command}${this.option}`;
    const width = Math.min(room, 140);
    const gap = width - widthOf(stripped(text)) - widthOf(next);
    if (gap < 2 && widthOf(stripped(text)) > width) writeAll([`${wrapped(text, width)}\n`]);
    else if (gap < 2 || next === '') writeAll([`${text}\n`]);
    if (next === '') return;
    if (gap >= 2) writeAll([`${text}${' '.repeat(gap)}${paint('command', next)}\n`]);
    else writeAll([`     ${paint('command', next)}\n`]);
  }

  /** A folder below the home begins with ~. */
  private short(folder: string): string {
    const home = process.env.HOME ?? '';
    const inside = home !== '' && folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
    return plain(inside, 60);
  }
}

/** Below the first line, lines are set in. */
function wrapped(text: string, width: number): string {
  return wrapText(stripped(text), width - 3).join('\n   ');
}

function stripped(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours
  return text.replace(/\u001b\[\d+m/g, '');
}

function lastOf(family: FoundFamily): { title: string | null; tokens: number | null } {
  const open = family.open();
  const [session] = open.sessions;
  const found =
    session === undefined
      ? { title: null, tokens: null }
      : { title: session.document.session.title, tokens: contextTokens(session) };
  open.close();
  return found;
}
