// A session as plain text: prompts, replies, calls in one line each, events in their place.

import type { Block } from '../schema/blocks.ts';
import type { Message } from '../schema/message.ts';
import type { SessionStream } from '../schema/stream.ts';
import { doubt, eventLine, eventsOf, type ListedEvent } from './events.ts';
import { jsonText } from './json-text.ts';
import { plain, printable } from './plain.ts';

export interface TranscriptOptions {
  /** Show only these messages; all where absent. */
  only?: ReadonlySet<number>;
  /** Messages injected by the client: environment, reminders, command output. */
  meta: boolean;
  thinking: boolean;
  tools: 'none' | 'short' | 'full';
}

export function* transcript(session: SessionStream, options: TranscriptOptions): Generator<string> {
  const { document } = session;
  yield heading(document.session);
  const events = eventsOf(document);
  let next = 0;
  const eventsUpTo = function* (index: number): Generator<string> {
    for (
      let event = events[next];
      event !== undefined && (event.after_message_index ?? -1) < index;
      event = events[++next]
    )
      yield eventRule(event);
  };
  for (const message of session.messages()) {
    yield* eventsUpTo(message.index);
    if (options.only?.has(message.index) === false) continue;
    const text = messageText(message, options);
    if (text !== '') yield `${label(message)}\n${text}\n\n`;
  }
  yield* eventsUpTo(Number.POSITIVE_INFINITY);
}

function heading(session: SessionStream['document']['session']): string {
  const lines = [
    plain(session.title ?? '(no title)'),
    `${session.agent} ${session.id}${session.kind === 'main' ? '' : ` (${session.kind})`}`,
    `${plain(session.project ?? 'unknown project')} · ${session.started_at ?? '?'} … ${session.ended_at ?? '?'} · ${plain(session.models.join(', ')) || 'no model'}`,
  ];
  return `${lines.join('\n')}\n\n`;
}

function eventRule(event: ListedEvent): string {
  const diff =
    event.kind === 'rejection' ? (event.event as { action: { diff: string | null } | null }).action?.diff : null;
  const shown = diff == null ? '' : `${printable(diff).trimEnd()}\n`;
  return `──── ${eventLine(event)}${doubt(event)} ────\n${shown}\n`;
}

function label(message: Message): string {
  const state =
    message.live || !message.sent
      ? ''
      : message.left_by === null
        ? ' · left the context'
        : ` · left the context by ${message.left_by.split(':', 1)[0]}`;
  const copied = message.inherited === null ? '' : ' · from the parent session';
  return `[${message.index}] ${message.kind === 'reply' ? plain(message.model ?? 'assistant', 60) : message.kind}${state}${copied}`;
}

function messageText(message: Message, options: TranscriptOptions): string {
  if (message.kind === 'meta' && !options.meta) return '';
  return message.content
    .map((block) => blockText(block, options))
    .filter((text) => text !== '')
    .join('\n');
}

// No `default`: a block type added to the schema is a type error here until it has a case.
function blockText(block: Block, options: TranscriptOptions): string {
  switch (block.type) {
    case 'text':
      return shown(block.text);
    case 'thinking':
      return options.thinking ? `(thinking) ${block.text === null ? 'encrypted' : shown(block.text)}` : '';
    case 'tool_use':
      return options.tools === 'none' ? '' : `→ ${plain(block.name, 60)} ${callInput(block.input, options)}`;
    case 'tool_result':
      return options.tools === 'none' ? '' : resultText(block, options);
    case 'image':
      return `(image${block.media_type === null ? '' : `, ${block.media_type}`})`;
    case 'attachment':
      return `(${block.name}) ${block.text === null ? '' : options.tools === 'full' ? shown(block.text) : plain(shown(block.text))}`;
    case 'unknown':
      return `(${block.native_type ?? 'unknown'}) ${plain(jsonText(block.data))}`;
  }
}

function shown(text: string | { omitted_bytes: number }): string {
  return typeof text === 'string' ? printable(text) : `(${text.omitted_bytes} bytes left in the file)`;
}

function callInput(input: unknown, options: TranscriptOptions): string {
  const json = jsonText(input);
  return options.tools === 'full' ? printable(json) : plain(json);
}

function resultText(block: Extract<Block, { type: 'tool_result' }>, options: TranscriptOptions): string {
  const text = block.content.map((part) => (part.type === 'text' ? shown(part.text) : `(${part.type})`)).join('\n');
  const mark = block.is_error ? '✗' : '←';
  return options.tools === 'full' ? `${mark} ${text}` : `${mark} ${plain(text)}`;
}
