// A session as a page to read: prompts stand out, replies as Markdown, a line for each tool call, events as rules across it.

import type { Message } from '../schema/message.ts';
import type { ToolCall } from '../schema/session.ts';
import type { SessionStream } from '../schema/stream.ts';
import { eventRule } from './event-rule.ts';
import { eventsOf, type ListedEvent } from './events.ts';
import { dayAndTime } from './measures.ts';
import { messageLines } from './message-lines.ts';
import { plain } from './plain.ts';
import type { Paint } from './style.ts';
import { cut, wrapText } from './width.ts';

export interface TranscriptOptions {
  width: number;
  paint: Paint;
  /** Show only these messages; all where absent. */
  only?: ReadonlySet<number>;
  /** Show all of this message, whatever is left out of others. */
  whole?: number;
  /** Told when that message comes next. */
  reached?: () => void;
  /** Messages injected by the client: environment, reminders, command output. */
  meta: boolean;
  thinking: boolean;
  tools: 'none' | 'short' | 'full';
  /** Subagents, to be shown below the calls that started them. */
  subagent?: (id: string) => SessionStream | undefined;
  /** Begin with this message; what stands before it was shown already. */
  from?: number;
  /** End before this message. */
  until?: number;
}

const WHOLE = { meta: true, thinking: true, tools: 'full' } as const;

/** The page, in pieces of a few lines. */
export function* transcript(session: SessionStream, options: TranscriptOptions): Generator<string> {
  const { document } = session;
  const { from = 0, until = Number.POSITIVE_INFINITY } = options;
  const calls = new Map(document.tool_calls.map((call) => [call.id, call]));
  const events = eventsOf(document)
    .filter((event) => from === 0 || (event.after_message_index ?? -1) >= from - 1)
    .filter((event) => options.only === undefined || concerns(event, options.only));
  let next = 0;
  const eventsBefore = function* (index: number): Generator<string> {
    for (let event = events[next]; isBefore(event, index); event = events[++next])
      yield page(eventRule(event, options));
  };
  for (const message of session.messages()) {
    if (message.index < from) continue;
    if (message.index >= until) return;
    yield* eventsBefore(message.index);
    if (options.only?.has(message.index) === false) continue;
    if (message.index === options.whole) options.reached?.();
    const lines = messageLines(message, calls, message.index === options.whole ? { ...options, ...WHOLE } : options);
    if (lines.length > 0) yield page(lines);
    yield* subagentsOf(message, calls, options);
  }
  yield* eventsBefore(Number.POSITIVE_INFINITY);
}

/** It stands behind a message that is shown, or gave one of them. */
function concerns({ event }: ListedEvent, shown: ReadonlySet<number>): boolean {
  const places = [
    event.after_message_index,
    'message_index' in event ? event.message_index : null,
    'summary_message_index' in event ? event.summary_message_index : null,
  ];
  return places.some((index) => index !== null && shown.has(index));
}

function isBefore(event: ListedEvent | undefined, index: number): event is ListedEvent {
  return event !== undefined && (event.after_message_index ?? -1) < index;
}

function page(lines: string[]): string {
  return `${lines.join('\n')}\n\n`;
}

function* subagentsOf(
  message: Message,
  calls: Map<string | null, ToolCall>,
  options: TranscriptOptions,
): Generator<string> {
  if (options.subagent === undefined) return;
  for (const block of message.content) {
    const id = block.type === 'tool_use' ? (calls.get(block.id)?.subagent_session_id ?? null) : null;
    const session = id === null ? undefined : options.subagent(id);
    if (session === undefined) continue;
    const { only: _, from: __, until: ___, whole: ____, reached: _____, ...inside } = options;
    const bar = options.paint('dim', '┆ ');
    yield `${bar}${options.paint('strong', `subagent: ${cut(plain(session.document.session.title ?? ''), options.width - 14)}`)}\n`;
    for (const piece of transcript(session, { ...inside, width: options.width - 2 }))
      yield piece.replace(/^(?=.|\n)/gm, bar);
  }
}

/** What stands above the page. The title is known only when all is read: it may be left out. */
export function transcriptHeading(
  { document }: SessionStream,
  { width, paint, title }: { width: number; paint: Paint; title: boolean },
): string {
  const { session } = document;
  const facts = [session.agent, plain(session.project ?? 'project not known'), dayAndTime(session.started_at)];
  const kind = session.kind === 'main' ? [] : [session.kind];
  const lines = [
    ...(title ? [paint('title', cut(plain(session.title ?? '(no title)'), width))] : []),
    ...wrapText([...facts, ...kind, plain(session.id)].filter((fact) => fact !== null).join(' · '), width).map((line) =>
      paint('dim', line),
    ),
  ];
  return page(lines);
}

/**
 * Up to which message the beginning of a session tells what all of it will tell. In the last turn things still happen, and a
 * command that was stopped may be told of in the next one; what a fork has of its parent is known only when all of that is there.
 */
export function settledUntil({ document }: SessionStream, unsettled_from: number | null): number {
  if (document.session.lineage.forked_from !== null) return 0;
  const limit = unsettled_from ?? Number.POSITIVE_INFINITY;
  return document.turns.filter((turn) => (turn.first_message_index ?? 0) < limit).at(-2)?.first_message_index ?? 0;
}
