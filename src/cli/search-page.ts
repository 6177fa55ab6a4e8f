// What `pal search` shows of each hit: where it is, why it was found, and the command that opens it there.

import type { SearchHit, Snippet } from '../reports.ts';
import { ago, cut, dayOf, plain, type Span, type Tone, widthOf, wrapSpans } from '../shown.ts';
import type { Screen } from './screen.ts';
import { shortId } from './short-id.ts';

/** A hit with the place of its text that is shown; null where the text could not be read. */
export interface ShownHit {
  hit: SearchHit;
  snippet: Snippet | null;
}

export interface SearchPageOptions {
  now: number;
  /** What another command needs to find the same sessions: see placeWords. */
  words: (hit: SearchHit) => string;
}

export function* searchLines(
  hits: Iterable<ShownHit>,
  view: Screen,
  { now, words }: SearchPageOptions,
): Generator<string> {
  let isFirst = true;
  for (const { hit, snippet } of hits) {
    if (!isFirst) yield '\n';
    isFirst = false;
    yield `${headLine(hit, snippet, view, now)}\n`;
    for (const line of snippetLines(snippet, view)) yield `${INDENT}${line}\n`;
    yield `${INDENT}${view.paint('command', openCommand(hit, words(hit)))}\n`;
  }
}

const INDENT = '   ';
/** Below this the name of the project gives way. */
const WIDE = 72;
const LEAST_TITLE = 12;

/** The title has the room that the rest leaves. */
function headLine(hit: SearchHit, snippet: Snippet | null, { room, paint }: Screen, now: number): string {
  const start = `${timeText(hit.timestamp, now)}  ${hit.agent.split('-')[0]}  `;
  const project = plain(hit.project?.split(/[/\\]/).at(-1) || '?', 40);
  const about = [...(room < WIDE ? [] : [project]), whatText(hit, snippet)].map((text) => ` · ${text}`).join('');
  const marks = marksOf(hit);
  const taken = [start, about, ...marks.map(({ text }) => text)].reduce((sum, text) => sum + widthOf(text), 0);
  const kind = hit.session_kind === 'main' ? '' : `${hit.session_kind}: `;
  const title = cut(`${kind}${plain(hit.title ?? '(no title)', 200)}`, Math.max(LEAST_TITLE, room - taken));
  let left = room;
  const pieces: Span<Tone>[] = [
    { text: start, tone: 'dim' },
    { text: title, tone: 'strong' },
    { text: about, tone: 'dim' },
  ];
  return [...pieces, ...marks]
    .map(({ text, tone }) => {
      const piece = cut(text, left);
      left -= widthOf(piece);
      return tone === null ? piece : paint(tone, piece);
    })
    .join('');
}

const WEEK_MS = 7 * 86_400_000;

/** What was this week is told by how long ago, the rest by its day. */
function timeText(timestamp: string | null, now: number): string {
  if (timestamp === null) return 'no time';
  if (now - Date.parse(timestamp) >= WEEK_MS) return dayOf(timestamp) ?? '?';
  const gap = ago(timestamp, now);
  return gap === 'now' ? 'now' : `${gap} ago`;
}

function whatText({ kind, tools }: SearchHit, snippet: Snippet | null): string {
  const names = tools.map((name) => plain(name, 40)).join(', ');
  if (snippet?.from === 'tool_use') return `call of ${names}`;
  if (snippet?.from === 'tool_result') return names === '' ? 'result of a tool' : `result of ${names}`;
  return snippet?.from === 'thinking' ? 'thinking' : kind.replace('_', ' ');
}

const LEFT_BY: Record<string, string> = {
  compaction: 'compacted away',
  rewind: 'rewound',
  clear: 'cleared away',
};

/** What the agent itself would not show any more. */
function marksOf({ live, left_by, kept }: SearchHit): Span<Tone>[] {
  const gone = live || left_by === null ? null : (LEFT_BY[left_by] ?? `gone by ${left_by}`);
  return [
    ...(gone === null ? [] : [{ text: ` · ${gone}`, tone: 'compaction' as const }]),
    ...(kept ? [{ text: ' · kept', tone: 'good' as const }] : []),
  ];
}

function snippetLines(snippet: Snippet | null, { room, paint }: Screen): string[] {
  if (snippet === null) return [paint('dim', '(its text could not be read)')];
  // Without colours, marks must be seen all the same.
  const isPainted = paint('hit', 'x') !== 'x';
  const spans = spansOf(snippet).map(({ text, tone }) => ({
    text: tone === null || isPainted ? text : `«${text}»`,
    tone,
  }));
  return wrapSpans(spans, room - INDENT.length).map((line) =>
    line.map(({ text, tone }) => (tone === null ? text : paint(tone, text))).join(''),
  );
}

function spansOf({ text, marks }: Snippet): Span<Tone>[] {
  const spans: Span<Tone>[] = [];
  let at = 0;
  for (const [start, end] of marks) {
    spans.push({ text: text.slice(at, start), tone: null }, { text: text.slice(start, end), tone: 'hit' });
    at = end;
  }
  return [...spans, { text: text.slice(at), tone: null }];
}

function openCommand({ session_id, message_index }: SearchHit, words: string): string {
  return `pal show ${shortId(session_id)} --at ${message_index}${words}`;
}

/** The same for scripts. */
export function searchJson(hits: readonly ShownHit[], words: SearchPageOptions['words']): SearchJson[] {
  return hits.map(({ hit, snippet }) => ({
    session_id: hit.session_id,
    agent: hit.agent,
    project: hit.project,
    title: hit.title,
    message_index: hit.message_index,
    timestamp: hit.timestamp,
    kind: hit.kind,
    tools: hit.tools,
    live: hit.live,
    left_by: hit.left_by,
    kept: hit.kept,
    snippet,
    open: openCommand(hit, words(hit)),
  }));
}

interface SearchJson extends Omit<SearchHit, 'session_kind' | 'stored'> {
  snippet: Snippet | null;
  open: string;
}
