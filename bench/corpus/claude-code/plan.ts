import { createRandom, type Random } from '../random.ts';
import type { TextSource } from '../text.ts';
import type { BadLine, Needle } from '../truth.ts';
import { isNewest, VERSIONS, type Version, versionNamed } from './versions.ts';

export type EventName =
  | 'compaction-manual'
  | 'compaction-auto'
  | 'interruption-mid-text'
  | 'interruption-tool'
  | 'interruption-early'
  | 'rejection-no-reason'
  | 'rejection-reason'
  | 'rejection-parallel'
  | 'rewind'
  | 'denial'
  | 'failure';

/** What one main session is to become. All is decided before anything is written, so that small corpora have every kind too. */
export interface SessionPlan {
  /** Its stream of random numbers. */
  index: number;
  sessionId: string;
  version: Version;
  interactive: boolean;
  cwd: string;
  startsAt: number;
  bytes: number;
  events: EventName[];
  /** The size of each subagent. */
  subagents: number[];
  warmups: number;
  clearedFrom: SessionPlan | null;
  /** Only the rows of the /clear: the person left at once. */
  bare: boolean;
  /** No event that leaves rows behind: a fork copies the whole file. */
  calm: boolean;
  badLine: BadLine | null;
  needles: Needle[];
}

export interface ForkPlan {
  source: SessionPlan;
  session: SessionPlan;
}

export interface HomePlan {
  sessions: SessionPlan[];
  forks: ForkPlan[];
}

export function planHome(options: { seed: number; bytes: number; files: number; text: TextSource }): HomePlan {
  const { seed, bytes, files, text } = options;
  const random = createRandom(seed, 7);
  const forkCount = files >= 12 ? Math.max(1, Math.round(files * 0.015)) : 0;
  const subagentCount = files >= 6 ? Math.round(files * 0.18) : 0;
  const projects = projectFolders(random, text, Math.max(3, Math.round(files / 40)));
  const sessions = Array.from({ length: files - forkCount - subagentCount }, (_, index) =>
    planSession(random, index, projects),
  );
  planSizes(random, sessions, bytes * 0.93);
  planClears(random, sessions);
  const forks = planForks(random, sessions, forkCount);
  planSubagents(random, sessions, subagentCount, (bytes * 0.07) / Math.max(1, subagentCount));
  planEvents(random, sessions);
  planBadLines(sessions, files);
  planNeedles(random, sessions, files);
  return { sessions, forks };
}

/** A session of its own, outside a planned home: the newest client, with a person, and events as they come. */
export function planAlone(options: { seed: number; bytes: number; cwd: string; stream: number }): SessionPlan {
  const random = createRandom(options.seed, options.stream);
  const session = {
    ...planSession(random, options.stream, [options.cwd], versionNamed('2.1.325')),
    interactive: true,
    bytes: options.bytes,
  };
  if (options.bytes > 1e6) {
    planEvents(random, [session]);
    planNeedles(random, [session], 12);
  }
  return session;
}

function planSession(
  random: Random,
  index: number,
  projects: readonly string[],
  version = versionOf(index),
): SessionPlan {
  return {
    index,
    sessionId: random.uuid(),
    version,
    interactive: !random.chance(version.headlessShare),
    cwd: random.pick(projects),
    startsAt: version.from + random.integer(0, 45 * 24 * 3600) * 1000 + random.integer(0, 999),
    bytes: 0,
    events: [],
    subagents: [],
    warmups: 0,
    clearedFrom: null,
    bare: false,
    calm: false,
    badLine: null,
    needles: [],
  };
}

/**
 * By shares, but evenly: the multiples of the golden ratio fill the range without gaps, so even ten sessions have every
 * version. The first one, the giant, is of the newest.
 */
function versionOf(index: number): Version {
  let left = ((0.9 + index * 0.6180339887498949) % 1) * VERSIONS.reduce((sum, { share }) => sum + share, 0);
  for (const version of VERSIONS) {
    left -= version.share;
    if (left < 0) return version;
  }
  return VERSIONS[0] as Version;
}

function projectFolders(random: Random, text: TextSource, count: number): string[] {
  // Dots, underscores and accents all become dashes in the folder's name, so the way back is lost.
  const odd = ['/home/dev/code/web.app', '/home/dev/code/web_app', '/home/dev/code/café-menü'];
  return [
    ...odd,
    ...Array.from({ length: count - odd.length }, () => `/home/dev/code/${text.word(random)}-${text.word(random)}`),
  ];
}

/** A long tail of sizes, and one giant with an eighth of everything. */
function planSizes(random: Random, sessions: SessionPlan[], bytes: number): void {
  for (const session of sessions) session.bytes = random.longTail(100_000, 1.8, 1e9);
  const [giant, ...others] = sessions;
  if (giant) giant.interactive = true;
  const scale =
    (bytes * 0.88) /
    Math.max(
      1,
      others.reduce((sum, session) => sum + session.bytes, 0),
    );
  for (const session of others) session.bytes = Math.max(1500, Math.round(session.bytes * scale));
  if (giant) giant.bytes = Math.round(others.length ? bytes * 0.12 : bytes);
}

function planClears(random: Random, sessions: SessionPlan[]): void {
  /** The last session of each version that could be cleared. */
  const open = new Map<Version, SessionPlan>();
  let clears = 0;
  for (const session of sessions) {
    // No recording tells how 2.1.20 wrote it.
    if (!session.interactive || session.version.name === '2.1.20') continue;
    const before = open.get(session.version);
    const never = !sessions.some((other) => other.clearedFrom && other.version === session.version);
    if (before && (never || random.chance(0.1))) {
      session.clearedFrom = before;
      session.cwd = before.cwd;
      session.bare = clears++ % 8 === 3;
      open.delete(session.version);
    }
    if (!session.bare) open.set(session.version, session);
  }
}

function planForks(random: Random, sessions: SessionPlan[], count: number): ForkPlan[] {
  // Not one that a /clear has opened: the copy would seem to be born from a clear as well.
  const sources = sessions
    .slice(1)
    .filter(
      ({ version, clearedFrom, bytes }) => version.hasHistory && !clearedFrom && bytes > 20_000 && bytes < 1_500_000,
    )
    .slice(0, count);
  return sources.map((source, number) => {
    source.calm = true;
    const session = planSession(random, sessions.length + number, [source.cwd], source.version);
    // Forks in the recordings were made with `-p`; a person can make them too.
    session.interactive = !isNewest(source.version) || source.interactive;
    session.bytes = random.longTail(30_000, 0.6, 200_000);
    return { source, session };
  });
}

function planSubagents(random: Random, sessions: SessionPlan[], count: number, bytes: number): void {
  const parents = sessions.filter(({ version, bare, calm }) => version.subagents !== 'inline' && !bare && !calm);
  // The greater a session is, the more it hands out.
  const bySize = parents.toSorted((a, b) => b.bytes - a.bytes).slice(0, Math.max(1, Math.ceil(count * 0.6)));
  for (let placed = 0; placed < count && bySize.length > 0; placed++) {
    const parent = bySize[placed % bySize.length] as SessionPlan;
    if (parent.version.name === '2.0.42' && random.chance(0.25)) parent.warmups++;
    else parent.subagents.push(random.longTail(bytes * 0.6, 1, bytes * 20));
  }
  for (const session of sessions) {
    if (session.version.subagents === 'inline' && !session.bare && random.chance(0.3))
      session.subagents.push(random.longTail(20_000, 0.7, 200_000));
  }
}

const COMMON: readonly EventName[] = [
  'interruption-mid-text',
  'rejection-no-reason',
  'failure',
  'compaction-manual',
  'interruption-tool',
  'compaction-auto',
];
const WITH_REASON: readonly EventName[] = ['rejection-reason', ...COMMON];
const NEWEST: readonly EventName[] = ['rewind', 'denial', 'rejection-parallel', 'interruption-early', ...WITH_REASON];
const HEADLESS: readonly EventName[] = ['denial', 'failure', 'compaction-auto'];
const LEAVES_ROWS: readonly EventName[] = ['rewind', 'interruption-early', 'compaction-manual', 'compaction-auto'];

function eventsFor({ version, interactive, calm }: SessionPlan): readonly EventName[] {
  const events = !interactive
    ? HEADLESS
    : isNewest(version)
      ? NEWEST
      : version.name === '1.0.100'
        ? COMMON
        : WITH_REASON;
  return calm ? events.filter((event) => !LEAVES_ROWS.includes(event)) : events;
}

/** Goes round the events of each version in turn, so that every kind comes up as soon as there is room. */
function planEvents(random: Random, sessions: SessionPlan[]): void {
  const turns = new Map<string, number>();
  for (const session of sessions) {
    if (session.bare) continue;
    const possible = eventsFor(session);
    const key = `${session.version.name} ${session.interactive} ${session.calm}`;
    // The giant has them all, so that a corpus of a few megabytes has every kind.
    const least = session === sessions[0] && session.bytes > 250_000 ? possible.length : 0;
    for (let count = Math.max(least, Math.floor(0.4 + session.bytes / 500_000 + random.unit())); count > 0; count--) {
      const turn = turns.get(key) ?? 0;
      turns.set(key, turn + 1);
      session.events.push(possible[turn % possible.length] as EventName);
    }
  }
}

const BAD_LINES: readonly BadLine[] = ['torn', 'glued', 'blank', 'invalid_utf8'];

function planBadLines(sessions: SessionPlan[], files: number): void {
  const cleared = new Set(sessions.map(({ clearedFrom }) => clearedFrom));
  // What a fork copies is whole, and a session that a /clear has ended was not cut off.
  const fit = sessions.slice(1).filter((session) => !session.calm && !session.bare && !cleared.has(session));
  const wanted = BAD_LINES.length * Math.max(1, Math.round(files / 100));
  fit.slice(0, Math.min(wanted, fit.length)).forEach((session, number) => {
    session.badLine = BAD_LINES[number % BAD_LINES.length] ?? null;
  });
}

const PLACES: readonly Needle['where'][] = ['prompt', 'reply', 'tool_output', 'thinking'];

function planNeedles(random: Random, sessions: SessionPlan[], files: number): void {
  const fit = sessions.filter(({ calm, bare }) => !calm && !bare);
  for (let number = 0; number < Math.min(12, Math.ceil(files / 3)) && fit.length > 0; number++) {
    const session = random.pick(fit);
    session.needles.push({
      word: needleWord(random),
      session_id: session.sessionId,
      where: PLACES[number % PLACES.length] ?? 'prompt',
    });
  }
}

/** No word of the vocabulary has these letters. */
function needleWord(random: Random): string {
  return `zq${Array.from({ length: 7 }, () => random.pick([...'abcdefghijklmnop'])).join('')}xz`;
}
