import {
  counted,
  cut,
  eventsOf,
  type OpenFamily,
  ownBytes,
  plain,
  type SessionReader,
  size,
  tokens,
  wrapText,
} from '../../index.ts';
import { settledUntil, type TranscriptOptions, transcript, transcriptHeading } from '../../transcript.ts';
import { type Chosen, chooseMany, type FilterOptions, sayUnread, sessionIn, withSession } from '../choose.ts';
import { fail } from '../failure.ts';
import { writeJson } from '../output.ts';
import { writePaged } from '../pager.ts';
import { chooseOrPick } from '../picker.ts';
import { placeWords } from '../places.ts';
import { type Screen, screen } from '../screen.ts';
import { shortId } from '../short-id.ts';
import { contextOf, messageIndex } from './context.ts';

interface ShowFlags extends FilterOptions {
  layers: 'live' | 'all';
  at?: string;
  tools: 'none' | 'short' | 'full';
  thinking?: boolean;
  meta?: boolean;
  subagents?: boolean;
  follow?: boolean;
  pager: boolean;
  json?: boolean;
}

export async function show(id: string | undefined, flags: ShowFlags): Promise<void> {
  const chosen = await chooseOrPick(id, flags, 'show');
  if (flags.json === true && (flags.follow === true || flags.subagents === true))
    fail(
      `--json gives one session: --${flags.follow === true ? 'follow' : 'subagents'} does not go with it. "pal export" gives them all.`,
    );
  if (flags.json === true) {
    withSession(chosen, (session) => asJson(session, flags));
    return;
  }
  if (flags.at === undefined) await writePaged(pieces(chosen, flags), { wanted: flags.pager, events: true });
  else await showAt(chosen, flags);
}

/** The first page begins with the message that was asked for: a context may be long. */
async function showAt(chosen: Chosen, flags: ShowFlags): Promise<void> {
  const text: string[] = [];
  let top = 1;
  const reached = () => {
    top = text.join('').split('\n').length;
  };
  for (const piece of pieces(chosen, flags, reached)) text.push(piece);
  await writePaged(text, { wanted: flags.pager, events: true, top });
}

function asJson(session: SessionReader, flags: ShowFlags): void {
  const { only } = withNamed(session, shownOnly(session, flags), flags);
  const shown = only ?? new Set(session.sentMarks().keys());
  writeJson('transcript', {
    session: session.document.session,
    messages: [...shown].map((index) => session.message(index)),
    events: eventsOf(session.document),
  });
}

/** The messages that --layers and --at leave, in the order sent. */
function shownOnly(session: SessionReader, flags: ShowFlags): Set<number> | undefined {
  if (flags.at === undefined && flags.layers !== 'live') return undefined;
  return new Set(contextOf(session, messageIndex(session, flags.at)));
}

/** The message that --at names, whole: what a search found may be in what is left out of others, or was never sent. */
function withNamed(
  session: SessionReader,
  only: Set<number> | undefined,
  { at }: ShowFlags,
): { only?: Set<number>; whole?: number } {
  if (only === undefined) return {};
  if (at === undefined) return { only };
  const whole = messageIndex(session, at);
  return { only: only.add(whole), whole };
}

/** The session, and with --follow those in which it went on after a clear. What a fork has of its parent is in it already. */
function* pieces(chosen: Chosen, flags: ShowFlags, reached?: () => void): Generator<string> {
  const view = screen();
  const shown = new Set<string>();
  for (let next: Chosen | undefined = chosen; next !== undefined; ) {
    shown.add(next.family.id);
    // The message that --at names is one of the first session.
    const { at, ...others } = flags;
    const after: string | undefined = yield* sessionPieces(next, next === chosen ? flags : others, view, reached);
    next = flags.follow === true && after !== undefined && !shown.has(after) ? followed(after, flags) : undefined;
    if (next !== undefined) yield `${view.paint('clear', `━━ goes on in ${plain(after ?? '')} ${'━'.repeat(20)}`)}\n\n`;
  }
}

function followed(id: string, flags: ShowFlags): Chosen | undefined {
  const { home, sample } = flags;
  const places = { ...(home === undefined ? {} : { home }), ...(sample === undefined ? {} : { sample }) };
  return chooseMany([], places).find(({ family }) => family.id === id);
}

/** Gives the session in which it went on. */
function* sessionPieces(
  chosen: Chosen,
  flags: ShowFlags,
  view: Screen,
  reached: (() => void) | undefined,
): Generator<string, string | undefined> {
  const begun = firstPage(chosen, flags, view);
  yield* begun.pieces;
  const open = chosen.family.open();
  try {
    const session = sessionIn(open, chosen);
    sayUnread(session.document);
    if (begun.until === 0) yield transcriptHeading(session, { ...view, title: true });
    yield* transcript(session, {
      ...optionsFrom(flags, view),
      ...withNamed(session, shownOnly(session, flags), flags),
      ...(flags.subagents === true ? { subagent: subagentsIn(open) } : {}),
      ...(reached === undefined ? {} : { reached }),
      from: begun.until,
    });
    // It could not stand above what was shown before all was read.
    if (begun.until > 0) yield titleLine(session, view);
    yield* footer(session, chosen, flags, view);
    const { context_clears } = session.document;
    return context_clears.findLast((clear) => clear.after_message_index !== null)?.next_session_id ?? undefined;
  } finally {
    open.close();
  }
}

function titleLine({ document }: SessionReader, { paint, width }: Screen): string {
  return `${paint('title', cut(plain(document.session.title ?? '(no title)'), width))}\n`;
}

function optionsFrom(flags: ShowFlags, { width, paint }: Screen): TranscriptOptions {
  return { width, paint, tools: flags.tools, thinking: flags.thinking === true, meta: flags.meta === true };
}

function subagentsIn(open: OpenFamily): (id: string) => SessionReader | undefined {
  return (id) => open.sessions.find(({ document }) => document.session.id === id);
}

/** Sessions from this size on take a while to read: their beginning is shown first. */
const LARGE_BYTES = 24 * 1024 * 1024;
/** So much of them is looked at for a first page; more where that holds no whole turn. */
const BEGINNINGS = [1024 * 1024, 8 * 1024 * 1024];

/** What a large session begins with, from no more than the beginning of its files. */
function firstPage(chosen: Chosen, flags: ShowFlags, view: Screen): { pieces: Iterable<string>; until: number } {
  const none = { pieces: [], until: 0 };
  const isNarrowed = flags.at !== undefined || flags.layers === 'live' || flags.subagents === true;
  // Nobody waits for the beginning of a file.
  if (!view.isTerminal || isNarrowed || chosen.only !== null || chosen.family.bytes < LARGE_BYTES) return none;
  for (const bytes of BEGINNINGS) {
    const open = chosen.family.openBeginning(bytes);
    const session = open?.sessions[0];
    const until = session === undefined ? 0 : settledUntil(session, open?.unsettled_from ?? null);
    if (open !== undefined && session !== undefined && until > 0)
      return { pieces: beginning(session, open, { ...optionsFrom(flags, view), until }), until };
    open?.close();
  }
  return none;
}

function* beginning(session: SessionReader, open: OpenFamily, options: TranscriptOptions): Generator<string> {
  try {
    yield transcriptHeading(session, { ...options, title: false });
    yield* transcript(session, options);
  } finally {
    open.close();
  }
}

/** What is known when all is read, and where to go from there. */
function* footer(
  reader: SessionReader,
  { family }: Chosen,
  flags: ShowFlags,
  { paint, width }: Screen,
): Generator<string> {
  const { document } = reader;
  const { session } = document;
  const events = eventsOf(document);
  const { usage } = session;
  const facts = [
    counted(session.counts.messages, 'message'),
    ...(reader.messageCount > session.counts.messages && session.lineage.cloned_from !== null
      ? [`${reader.messageCount - session.counts.messages} from session ${shortId(session.lineage.cloned_from)}`]
      : []),
    counted(session.counts.turns, 'turn'),
    counted(session.counts.tool_calls, 'tool call'),
    counted(events.length, 'event'),
    `${tokens(usage.output_tokens)} tokens written`,
    size(ownBytes(reader.document)),
  ].join(' · ');
  for (const [i, line] of wrapText(facts, width - 3).entries())
    yield `${paint('dim', `${i === 0 ? '── ' : '   '}${line}`)}\n`;
  // A session that was given by its path is not found by its id.
  if (family.agentFolder === null) return;
  const words = placeWords(flags);
  const next = [`pal events ${shortId(session.id)}${words}`, `pal context ${shortId(session.id)} --at N${words}`];
  const isShort = next.join(' · ').length + 3 <= width;
  for (const line of isShort ? [next.join(' · ')] : next) yield `${paint('dim', `   ${line}`)}\n`;
}
