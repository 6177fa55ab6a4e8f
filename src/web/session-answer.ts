// Everything about a session but what was said, small enough to be sent whole.

import { EVENT_KINDS, eventLine, eventsOf, type ListedEvent, type SessionReader } from '../index.ts';
import { MESSAGE_KINDS } from '../schema/words.ts';
import { KIND_LETTERS, type SessionAnswer, type SessionEvent } from './api.ts';
import { contextSizes } from './context-size.ts';

export function sessionAnswer(reader: SessionReader, keyOfId: (id: string) => string): SessionAnswer {
  const { session, turns, context, diagnostics } = reader.document;
  const places = reader.messagePlaces();
  const sizes = places.map(({ source }) => source.reduce((sum, { length }) => sum + length, 0));
  const events = eventsOf(reader.document).map((listed) => shownEvent(listed, keyOfId));
  const numbers = new Map(events.map(({ id }, number) => [id, number]));
  const filled = contextSizes(
    places.map(({ sent, usage }, i) => ({ sent, usage, bytes: sizes[i] ?? 0 })),
    context.windows,
  );
  return {
    api_version: 1,
    key: keyOfId(session.id),
    session,
    messages: places.length,
    kinds: places.map(({ kind }) => KIND_LETTERS[MESSAGE_KINDS.indexOf(kind)] ?? 'm').join(''),
    sent: places.map(({ sent }) => (sent ? '1' : '0')).join(''),
    sent_before: places.flatMap(({ sent_before }, i) => (sent_before === null ? [] : [[i, sent_before]])),
    sizes,
    times: places.map(({ timestamp }) => (timestamp === null ? 0 : Date.parse(timestamp) || 0)),
    turns,
    context: filled.tokens,
    context_recorded: filled.recorded.map((is) => (is ? '1' : '0')).join(''),
    windows: context.windows.map(({ opened_at_index, opened_by, event_id, start, basis, confidence }) => ({
      opened_at_index,
      opened_by,
      event_id,
      start,
      basis,
      confidence,
    })),
    left_by: reader.presence.map(({ left_by }) => (left_by === null ? -1 : (numbers.get(left_by) ?? -1))),
    left_at: reader.presence.map(({ left_at_index }) => left_at_index ?? -1),
    cleared: reader.document.tool_calls.flatMap(({ id, result_message_index }): SessionAnswer['cleared'] => {
      const event = numbers.get(reader.clearedResults.get(id ?? '') ?? '');
      return event === undefined || result_message_index === null ? [] : [[result_message_index, event]];
    }),
    events,
    diagnostics,
  };
}

function shownEvent(listed: ListedEvent, keyOfId: (id: string) => string): SessionEvent {
  const next = 'next_session_id' in listed.event ? listed.event.next_session_id : null;
  return {
    id: listed.event.id,
    kind: EVENT_KINDS.find((kind) => kind === listed.kind) ?? listed.kind,
    line: eventLine(listed),
    after: listed.after_message_index ?? -1,
    timestamp: listed.timestamp,
    next: next === null ? null : keyOfId(next),
    event: listed.event,
  };
}
