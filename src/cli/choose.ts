// Which sessions a command is about: ids, prefixes, titles, `last`, paths, filters.

import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type AgentName,
  dayAndTime,
  type FoundFamily,
  type Home,
  type HomePlaces,
  type OpenFamily,
  openFile,
  openFolder,
  openHome,
  plain,
  type SessionReader,
  type SessionSummary,
  sources,
  usedAt,
  writtenAt,
} from '../index.ts';
import { dateFrom, isProject } from './dates.ts';
import { fail, nothing } from './failure.ts';
import { sayOnce } from './output.ts';
import {
  emptyHomeMessage,
  nothingFits,
  type PlaceOptions,
  placesFrom,
  samplePlaces,
  troubleWithHomes,
} from './places.ts';
import { ownId, shortId } from './short-id.ts';

export interface FilterOptions extends PlaceOptions {
  agent?: AgentName;
  project?: string;
  since?: string;
  until?: string;
}

/** A family, and the one session of it that is meant; all of them where none is named. */
export interface Chosen {
  family: FoundFamily;
  only: string | null;
}

/** The sessions in the homes, with what could not be read said once. */
function homeFrom(options: FilterOptions): Home {
  const home = openHome(checkedPlaces(options));
  sayTrouble(home);
  return home;
}

/** Where to look: the homes are there. */
export function checkedPlaces(options: FilterOptions): HomePlaces {
  const places = placesFrom(options, process.env);
  const trouble = troubleWithHomes(places);
  if (trouble !== undefined) fail(`${trouble}\nGive a home folder with --home, one that holds ${roots()}.`);
  return places;
}

/** What could not be read in a home. Files that are no history are nobody's trouble. */
export function sayTrouble({ diagnostics }: Pick<Home, 'diagnostics'>): void {
  for (const { code, message } of diagnostics) if (code !== 'foreign-file') sayOnce(message);
}

/** The folders by which a home is known. */
function roots(): string {
  return sources.map((source) => source.root.name).join(' or ');
}

/** What the arguments name. Without any: everything that the filters leave. */
export function chooseMany(names: string[], options: FilterOptions, home = () => homeFrom(options)): Chosen[] {
  if (names.length === 0) return fitting(home(), options).map((family) => ({ family, only: null }));
  let families: FoundFamily[] | undefined;
  const known = () => (families ??= fitting(home(), options));
  return names.flatMap((name) => (isPath(name, known) ? fromPath(name) : [byName(name, known())]));
}

/** What the filters leave; where that is nothing, it is said why. */
function fitting(home: Home, options: FilterOptions): FoundFamily[] {
  const found = filtered(home.families, options);
  if (found.length === 0)
    nothing(home.families.length === 0 ? emptyHomeMessage(options) : nothingFits('session', options));
  return found;
}

/** Tells the sessions that were named from others that lie in the same files. */
export function wantedOf(chosen: Chosen[]): (session: SessionReader) => boolean {
  const whole = new Set(chosen.filter((one) => one.only === null).map(({ family }) => family.id));
  const only = new Set(chosen.map((one) => one.only));
  return ({ familyId, document }) => whole.has(familyId) || only.has(document.session.id);
}

/** The one session that is meant. Without a name: the newest of the current folder's project. */
export function chooseOne(name: string | undefined, options: FilterOptions): Chosen {
  if (name !== undefined) {
    const chosen = chooseMany([name], options);
    const [first] = chosen;
    if (chosen.length !== 1 || first === undefined)
      fail(
        `${name} holds ${chosen.length} sessions. Give one of them by the path of its file, or use --home if it is a home.`,
      );
    return first;
  }
  const here = currentFolder();
  const families = fitting(homeFrom(options), options);
  // Nobody means one of which only subagents are left.
  const mine = families.filter((candidate) => candidate.hasMain && candidate.peek().project === here);
  const family = newestFirst(mine).next().value;
  if (family !== undefined) return { family, only: null };
  fail(`No session was made in ${here}.\nName one: an id from "pal ls", or "last" for the newest of all.`);
}

/** Files of a session that could not be read: its document says so, and so do we. */
export function sayUnread({ diagnostics }: Pick<SessionSummary, 'diagnostics'>): void {
  for (const { code, message } of diagnostics) {
    if (code === 'unreadable-file' || code === 'read-error') sayOnce(`${message}. Everything else was read.`);
  }
}

/** Why nothing at all of a session could be read. */
export function whyUnread({ session, diagnostics }: SessionSummary): string | undefined {
  return session.accounting.lines > 0 ? undefined : diagnostics.find(({ code }) => code === 'unreadable-file')?.message;
}

/** Opens what was chosen and gives the one session. */
export function withSession<T>(chosen: Chosen, use: (session: SessionReader) => T): T {
  const open = chosen.family.open();
  try {
    const session = sessionIn(open, chosen);
    sayUnread(session.document);
    return use(session);
  } finally {
    open.close();
  }
}

/** The one session that is meant, of those in its files. */
export function sessionIn(open: OpenFamily, { family, only }: Chosen): SessionReader {
  const session =
    only === null ? open.sessions[0] : open.sessions.find((candidate) => candidate.document.session.id === only);
  if (session === undefined) fail(`No session "${only ?? family.id}".`);
  const why = whyUnread(session.document);
  return why === undefined ? session : fail(`${why}.`);
}

function currentFolder(): string {
  try {
    return realpathSync(process.cwd());
  } catch {
    return fail('The current folder is gone. Name a session: an id from "pal ls", or "last".');
  }
}

/** Something that is there, or is written like a path and is no title. */
function isPath(name: string, known: () => FoundFamily[]): boolean {
  if (existsSync(name)) return name.includes('/') || name.includes('\\') || !/^last\b/.test(name);
  const isWrittenSo = /^\.{0,2}[/\\]/.test(name) || /\.jsonl?(\.zst)?$/.test(name);
  return isWrittenSo && !(MAY_BE_TITLE.test(name) && isTitle(name, known()));
}

/** Titles are words, and what begins a path or ends one may be among them: `fix package.json`, `/deploy to staging`. */
const MAY_BE_TITLE = /\s/;

function isTitle(name: string, families: FoundFamily[]): boolean {
  return families.some((family) =>
    family.summaries().some(({ session }) => session.title?.toLowerCase() === name.toLowerCase()),
  );
}

function fromPath(name: string): Chosen[] {
  const found = readOrFail(name, () => statSync(name, { throwIfNoEntry: false }));
  if (found === undefined) fail(`There is no file ${name}.`);
  if (found.isDirectory()) return fromFolder(name);
  const family = readOrFail(name, () => openFile(name));
  if (family === undefined)
    fail(
      `${name} is no session of an agent that Palimpsest reads: ${sources.map((source) => source.agent).join(', ')}.`,
    );
  return [{ family, only: null }];
}

const REASONS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its links go in a circle',
  ENAMETOOLONG: 'the path is too long',
};

/** What the system says of a path is the caller's to hear, and no bug. */
function readOrFail<Found>(path: string, read: () => Found): Found {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    fail(`Cannot read ${path.slice(0, 200)}: ${REASONS[code] ?? code}.`);
  }
}

/** A folder is a home, or holds session files. */
function fromFolder(folder: string): Chosen[] {
  const home = openHome({ homes: [folder] } satisfies HomePlaces);
  const found = home.families.length > 0 ? home : readOrFail(folder, () => openFolder(folder));
  sayTrouble(found);
  if (found.families.length === 0)
    fail(
      `There is no session in ${resolve(folder)}.\nGive a home folder (one that holds ${roots()}), a folder of session files, or a file.`,
    );
  return found.families.map((family) => ({ family, only: null }));
}

function byName(name: string, families: FoundFamily[]): Chosen {
  if (name.trim() === '')
    fail('An empty name is no session. Give an id, the beginning of one, or a title: "pal ls" shows them.');
  const last = /^last(?::([a-z-]+))?(?:~(\d+))?$/.exec(name);
  if (last !== null) return nthLast(families, last[1], Number(last[2] ?? 0), name);
  const matches = families.flatMap((family) => [
    ...(family.id.startsWith(name) ? [{ family, only: null, id: family.id }] : []),
    ...family.subagents.filter((id) => id.startsWith(name)).map((id) => ({ family, only: id, id })),
  ]);
  const exact = matches.find((match) => match.id === name);
  if (exact !== undefined) return exact;
  const [match] = matches;
  // The same session in two homes is one, as it is where all of its id is given.
  if (matches.some(({ id, family }) => id !== match?.id || family.agent !== match.family.agent))
    fail(ambiguous(name, matches));
  return match ?? byReading(name, families);
}

function nthLast(families: FoundFamily[], agent: string | undefined, back: number, name: string): Chosen {
  const mine = families.filter((family) => agent === undefined || family.agent.startsWith(agent));
  const family = newestFirst(mine).drop(back).next().value;
  if (family === undefined)
    fail(`There is no "${name}": ${mine.length} sessions${agent === undefined ? '' : ` of ${agent}`} were found.`);
  return { family, only: null };
}

function ambiguous(
  name: string,
  matches: { id: string; family: FoundFamily }[],
  what = 'begin with',
  give = 'Give more of the id',
): string {
  const shown = matches.slice(0, 5).map(({ id, family }) => {
    const { started_at, project } = family.peek();
    // Its own file is gone: what can be read are its subagents.
    const left = family.hasMain || id !== family.id ? '' : '  (only subagents are left)';
    return `  ${id}  ${dayAndTime(started_at) ?? 'no time recorded'}  ${project ?? '?'}${left}`;
  });
  const more = matches.length > 5 ? `\n  … and ${matches.length - 5} more` : '';
  return `${matches.length} sessions ${what} "${name}". ${give}:\n${shown.join('\n')}${more}`;
}

/** Titles, and subagents that have no file of their own, are known only by reading. */
function byReading(name: string, families: FoundFamily[]): Chosen {
  const wanted = name.toLowerCase();
  const found: (Chosen & { id: string })[] = [];
  const near: string[] = [];
  for (const family of families) {
    const open = family.open();
    for (const [i, { document }] of open.sessions.entries()) {
      const { id, title } = document.session;
      if (title?.toLowerCase() === wanted || id.startsWith(name) || ownId(id).startsWith(name))
        found.push({ family, only: i === 0 ? null : id, id });
      else if (name.length > 2 && title?.toLowerCase().includes(wanted) === true)
        near.push(`  ${shortId(id)}  ${plain(title, 80)}`);
    }
    open.close();
  }
  const [first] = found;
  if (first === undefined)
    fail(
      `No session "${name}", by id or by title. ${near.length === 0 ? '"pal ls" shows what there is.' : `These have it in their title:\n${near.slice(0, 5).join('\n')}`}`,
    );
  if (found.length > 1) fail(ambiguous(name, found, 'are called, or begin with,', 'Name one by its id'));
  return first;
}

/**
 * The newest first, looking into no more files than it must: nothing can be written in a file after the file was. So a session
 * is the next one if it was used after all those were written whose ends were not looked at yet.
 */
export function* newestFirst(families: FoundFamily[]): Generator<FoundFamily, undefined> {
  const written = families
    .map((family) => ({ family, at: new Date(writtenAt(family) + SLACK_MS) }))
    .sort((a, b) => a.at.getTime() - b.at.getTime() || (a.family.id < b.family.id ? 1 : -1));
  const known: { family: FoundFamily; used: string }[] = [];
  const isLater = (a: { family: FoundFamily; used: string }, b: { family: FoundFamily; used: string }) =>
    a.used > b.used || (a.used === b.used && a.family.id < b.family.id);
  while (written.length > 0 || known.length > 0) {
    const limit = written.at(-1)?.at.toISOString() ?? '';
    const best = known.at(-1);
    if (best !== undefined && (written.length === 0 || best.used > limit)) {
      known.pop();
      yield best.family;
      continue;
    }
    const family = written.pop()?.family;
    if (family === undefined) continue;
    const one = { family, used: usedAt(family) };
    let [low, high] = [0, known.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = known[middle];
      if (other !== undefined && isLater(one, other)) low = middle + 1;
      else high = middle;
    }
    known.splice(low, 0, one);
  }
}

/** A row's time may be a little later than the file's: clocks of two machines, file systems that round. */
const SLACK_MS = 120_000;

export function filtered(families: FoundFamily[], options: FilterOptions): FoundFamily[] {
  const since = dateFrom(options.since, '--since');
  const until = dateFrom(options.until, '--until');
  return families.filter((family) => {
    if (options.agent !== undefined && family.agent !== options.agent) return false;
    if (options.project !== undefined && !isProject(family.peek().project, options.project)) return false;
    // Where no row has a time, that of the file must do, as in lists.
    if (since !== undefined && usedAt(family) < since) return false;
    return until === undefined || (family.peek().started_at ?? usedAt(family)) < until;
  });
}

/** The sessions that come with the package. */
export function sampleHome(): Home {
  return openHome(samplePlaces());
}
