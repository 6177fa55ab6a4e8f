// One family → what the store keeps of it.

import type { Block } from '../schema/blocks.ts';
import { jsonText } from '../schema/json-text.ts';
import { momentOf } from '../schema/moments.ts';
import type { Outline, OutlineBlock, OutlineMessage } from '../schema/outline.ts';
import { MESSAGE_KINDS } from '../schema/words.ts';
import { isSaid } from '../sources/said.ts';
import { CUT } from '../sources/shorten.ts';
import type { Family, Files, Link, Rows, Source } from '../sources/source.ts';
import { usageOfOutline } from '../sources/usage-of-outline.ts';
import type { LeftReadings, StoredReading } from '../store/left-readings.ts';
import { packUsage } from '../store/packed-usage.ts';
import type { FamilyFacts, MessageWords, SessionFacts, SessionWords, Tier } from '../store/rows.ts';
import { SESSIONS_PER_FAMILY } from '../store/tables.ts';
import { type LinksById, linksById } from './apply-links.ts';
import { readersOf } from './den.ts';
import { FamilyReadings } from './family-readings.ts';
import { rowStore } from './rows.ts';
import { type SearchText, searchText, searchTextOf } from './search-text.ts';
import type { SessionReader } from './session-reader.ts';
import { shapeOf } from './stored-message.ts';

/** A family that is to be read for the store. */
export interface IndexTask {
  id: number;
  family: Family;
  tier: Tier;
  /** What its shard has of it already, and of which sessions, in their order. */
  had: Tier | null;
  known: KnownSession[];
  fingerprint: string;
  /** Bytes to read: of files that are read on, what came. */
  bytes: number;
  /** What ties it to others, and that as a text. */
  links: Link[];
  links_text: string;
  /** Told by files beside it. */
  project: string | null;
}

/** A session as it was read before. */
export interface KnownSession {
  native_id: string;
  paths: string;
}

export interface Indexed {
  facts: Omit<FamilyFacts, 'shard' | 'stamp' | 'unread'>;
  /** It had to be read without cutting long strings. */
  fellBack: boolean;
  /** Where the reading of its large files was left, where that is to be written down; null: nothing that was kept holds any more. */
  readings: StoredReading[] | null;
}

/** What was kept of earlier readings, and from how many bytes on a file is worth it. */
export interface ReadOn {
  left: LeftReadings;
  from: number;
}

/** Takes what can be searched, while the files are open. */
type TakeWords = (words: SessionWords[]) => void;

/** Larger ones are read back message by message: what is held counts for each worker. */
const HOLD_BYTES = 8 * 1024 * 1024;

export function indexFamily(
  task: IndexTask,
  source: Source,
  port: Files,
  titles: LinksById['titles'],
  take: TakeWords,
  readOn: ReadOn,
): Indexed {
  const short = { ...port, shortens: true as const };
  const readings = (cut: boolean) => readingsOf(task, port, readOn, cut);
  // What had to be read without cuts before would have to be again.
  const wasWhole = task.had !== null && readOn.left.of(task.id).some(({ cut }) => !cut);
  const cut = wasWhole ? undefined : read(task, source, port, short, titles, take, readings(true));
  if (cut !== undefined) return { ...cut, fellBack: false };
  const whole = read(task, source, port, port, titles, take, readings(false));
  if (whole === undefined) throw new Error('nothing is cut where nothing is shortened');
  return { ...whole, fellBack: true };
}

/** Null where no file is large, or more than grown: most sessions never are, and to keep what was made of them would take time and room. */
function readingsOf({ id, family, tier, had }: IndexTask, port: Files, { left, from }: ReadOn, cut: boolean) {
  if (had === null || !family.files.some(({ info }) => info.bytes >= from)) return null;
  return new FamilyReadings(left, port, { family: id, said: tier === 1, cut, from });
}

/** Something that is kept was cut: a refused edit of a large file, a long reason. */
function isCut({ head, events }: SessionFacts): boolean {
  return head.includes(CUT_JSON) || events.some(({ event }) => event.includes(CUT_JSON));
}

const CUT_JSON = JSON.stringify(CUT).slice(1, -1);

/** Undefined where something that is kept was cut: then nothing was taken. */
function read(
  task: IndexTask,
  source: Source,
  port: Files,
  reading: Files,
  titles: LinksById['titles'],
  take: TakeWords,
  readings: FamilyReadings | null,
): Pick<Indexed, 'facts' | 'readings'> | undefined {
  const { family, id, tier, fingerprint, links_text } = task;
  const { outlines, kept } = outlinesOf(task, source, reading, readings);
  const links = { ...linksById(task.links), titles };
  const wasShortened = reading.shortens !== undefined;
  const open = readersOf(outlines, family, { source, port, links, project: () => task.project, wasShortened });
  const [rows, whole] = [rowStore(reading), rowStore(port)];
  try {
    const sessions = open.sessions.map((session, position) => ({
      session,
      outline: outlines[position] as Outline, // one reader for each
      store: id * SESSIONS_PER_FAMILY + position,
      position,
    }));
    const facts = sessions.map(({ session, outline, store, position }) =>
      factsOf(session, outline, store, position, source),
    );
    if (wasShortened && facts.some(isCut)) return undefined;
    take(
      sessions.map(({ session, outline, store, position }) => {
        const paths = session.document.session.source.files.map(({ path }) => path);
        const had = isKnown(task.known[position], outline.head.id, paths) ? task.had : null;
        const [own, ownWhole] = [rows.rowsOf(paths), whole.rowsOf(paths)];
        const text = (position: number): SearchText => {
          const message = outline.messages[position] as OutlineMessage; // a place of the list
          if (!isAsked(message, tier)) return NO_TEXT;
          const { said } = message;
          if (said !== null && !said.text.includes(CUT)) return searchTextOf(said);
          return searchText(message.kind, contentOf(message, source, own, ownWhole), tier === 2);
        };
        return { session: store, had, messages: wordsOf(outline), text };
      }),
    );
    const last_used = source.lastUsed(family, port);
    return { facts: { id, tier, fingerprint, links: links_text, last_used, sessions: facts }, readings: kept };
  } finally {
    open.close();
    rows.close();
    whole.close();
  }
}

/** What was kept may turn out to be of no use: then all is read from its beginning. */
function outlinesOf({ family, tier }: IndexTask, source: Source, port: Files, readings: FamilyReadings | null) {
  const bytes = family.files.reduce((sum, file) => sum + file.info.bytes, 0);
  const said = tier === 1;
  if (readings !== null)
    try {
      const outlines = source.outline(family, port, { content: false, said, readings });
      return { outlines, kept: readings.kept };
    } catch {
      // As if nothing had been kept.
    }
  return { outlines: source.outline(family, port, { content: bytes <= HOLD_BYTES, said }), kept: null };
}

/**
 * Is it the session that stood in this place before? Subagents move up when others go, and down when others come, and what is kept of
 * their messages tells no name. The files must be the same as far as both lists go: places are numbered by them.
 */
function isKnown(known: KnownSession | undefined, id: string, paths: string[]): boolean {
  if (known?.native_id !== id) return false;
  return (JSON.parse(known.paths) as string[]).every((path, i) => (paths[i] ?? path) === path);
}

function factsOf(
  { document, presence }: SessionReader,
  outline: Outline,
  id: number,
  position: number,
  source: Source,
): SessionFacts {
  const { session } = document;
  return {
    id,
    position,
    native_id: session.id,
    agent: session.agent,
    kind: session.kind,
    title: session.title,
    project: session.project,
    started_at: session.started_at,
    ended_at: session.ended_at,
    messages: outline.messages.length,
    head: JSON.stringify(session),
    paths: JSON.stringify(session.source.files.map(({ path }) => path)),
    presence: JSON.stringify(goneRanges(presence)),
    calls: JSON.stringify(callCounts(document.tool_calls, outline.messages)),
    diagnostics: JSON.stringify(document.diagnostics.filter(({ code }) => UNREAD.has(code))),
    events: eventsIn(document),
    usage: packUsage(usageOfOutline(outline, source).rows),
  };
}

/** What a list says of a session that could not be read whole. */
const UNREAD = new Set(['unreadable-file', 'read-error']);

function eventsIn(document: SessionReader['document']): SessionFacts['events'] {
  const lists = {
    compaction: document.compaction.boundaries,
    clear: document.context_clears,
    interruption: document.interruptions,
    rejection: document.rejections,
    rewind: document.rewinds,
    denial: document.denials,
    failure: document.failures,
  };
  return Object.entries(lists).flatMap(([kind, events]) =>
    events.map((event) => ({ kind, timestamp: event.timestamp, event: jsonText(event) })),
  );
}

/** Messages that left the context: first, last, and what took them out. */
function goneRanges(presence: SessionReader['presence']): [number, number, string][] {
  const ranges: [number, number, string][] = [];
  presence.forEach(({ live, left_by }, i) => {
    if (live) return;
    const by = left_by?.split(':')[0] ?? '';
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === i - 1 && last[2] === by) last[1] = i;
    else ranges.push([i, i, by]);
  });
  return ranges;
}

/** Calls by tool and model: how many, and how many of them were refused, stopped, denied, failed. */
function callCounts(
  calls: SessionReader['document']['tool_calls'],
  messages: readonly OutlineMessage[],
): [string, string | null, number, number, number, number, number][] {
  const counts = new Map<string, [string, string | null, number, number, number, number, number]>();
  for (const { name, message_index, status } of calls) {
    const message = message_index === null ? undefined : messages[message_index];
    if (message?.inherited != null) continue;
    const model = message?.model ?? null;
    const key = `${name}\n${model}`;
    const count = counts.get(key) ?? [name, model, 0, 0, 0, 0, 0];
    counts.set(key, count);
    count[2]++;
    if (status === 'rejected') count[3]++;
    if (status === 'interrupted') count[4]++;
    if (status === 'denied') count[5]++;
    if (status === 'error') count[6]++;
  }
  return [...counts.values()];
}

const KIND_NUMBERS = new Map(MESSAGE_KINDS.map((kind, number) => [kind, number]));

/** What a fork has of its parent is the parent's: it is found there. */
function wordsOf({ messages }: Outline): MessageWords[] {
  const names = toolNames(messages);
  const words: MessageWords[] = [];
  for (let position = 0; position < messages.length; position++) {
    const message = messages[position] as OutlineMessage; // a place of the list
    if (message.inherited !== null) continue;
    const { places, shape } = shapeOf(message);
    const time = message.timestamp === null ? Number.NaN : momentOf(message.timestamp);
    words.push({
      position,
      kind: KIND_NUMBERS.get(message.kind) ?? 0,
      time: Number.isNaN(time) ? null : time,
      places,
      shape,
      tools: toolsOf(message, names),
    });
  }
  return words;
}

const NO_TEXT: SearchText = { prose: '', tool_text: '' };

/** Tools' texts are not even looked at when only what was said is wanted. */
function isAsked({ blocks, kind }: OutlineMessage, tier: Tier): boolean {
  if (tier === 2) return true;
  if (kind === 'meta') return false;
  for (let i = 0; i < blocks.length; i++) if (isSaid(blocks[i] as OutlineBlock, kind)) return true; // a place of the list
  return false;
}

function contentOf(message: OutlineMessage, source: Source, rows: Rows, whole: Rows): Block[] {
  // What is held of it is cut.
  if (message.said !== null) return source.content({ ...message, content: null }, whole);
  const content = source.content(message, rows);
  for (let i = 0; i < content.length; i++)
    if (isCutShort(content[i] as Block)) return source.content({ ...message, content: null }, whole); // a place of the list
  return content;
}

function isCutShort(block: Block): boolean {
  return (block.type === 'text' || block.type === 'thinking') && String(block.text).includes(CUT);
}

function toolNames(messages: readonly OutlineMessage[]): Map<string, string> {
  const names = new Map<string, string>();
  for (let at = 0; at < messages.length; at++) {
    const { blocks } = messages[at] as OutlineMessage; // a place of the list
    for (let i = 0; i < blocks.length; i++) {
      const { type, tool_use_id, name } = blocks[i] as OutlineBlock; // a place of the list
      if (type === 'tool_use' && tool_use_id !== null && name !== null) names.set(tool_use_id, name);
    }
  }
  return names;
}

function toolsOf({ blocks }: OutlineMessage, names: ReadonlyMap<string, string>): string | null {
  let tools: string | null = null;
  for (let i = 0; i < blocks.length; i++) {
    const { type, name, tool_use_id } = blocks[i] as OutlineBlock; // a place of the list
    const tool = type === 'tool_use' ? name : type === 'tool_result' ? names.get(tool_use_id ?? '') : undefined;
    if (tool == null || tool === '') continue;
    const one = betweenSpaces(tool);
    if (tools === null) tools = one;
    else if (!tools.includes(one)) tools += `${tool} `;
  }
  return tools;
}

/** Nearly every message has one tool, if any: a text made anew each time would have to be hashed anew, too. */
const spaced = new Map<string, string>();
const MOST_NAMES = 1000;

function betweenSpaces(tool: string): string {
  const known = spaced.get(tool);
  if (known !== undefined) return known;
  const one = ` ${tool} `;
  if (spaced.size < MOST_NAMES) spaced.set(tool, one);
  return one;
}
