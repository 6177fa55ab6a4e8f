// Events as data rows and as lines for a person.

import type { SessionSummary } from '../schema/stream.ts';
import type { EventKind } from '../schema/words.ts';
import { tokens } from './measures.ts';
import { plain } from './plain.ts';

type Document = SessionSummary;

/** An event of any kind, with what a list of them needs. */
export interface ListedEvent {
  kind: EventKind;
  agent: Document['session']['agent'];
  session_id: string;
  session_title: string | null;
  project: string | null;
  timestamp: string | null;
  after_message_index: number | null;
  event: EventOf[EventKind];
}

interface EventOf {
  compaction: Document['compaction']['boundaries'][number];
  clear: Document['context_clears'][number];
  interruption: Document['interruptions'][number];
  rejection: Document['rejections'][number];
  rewind: Document['rewinds'][number];
  denial: Document['denials'][number];
  failure: Document['failures'][number];
}

/** Every event of a session, in the order in which they happened. */
export function eventsOf(document: Document): ListedEvent[] {
  const lists: { [K in EventKind]: EventOf[K][] } = {
    compaction: document.compaction.boundaries,
    clear: document.context_clears,
    interruption: document.interruptions,
    rejection: document.rejections,
    rewind: document.rewinds,
    denial: document.denials,
    failure: document.failures,
  };
  const { agent, id, title, project } = document.session;
  const found = (Object.keys(lists) as EventKind[]).flatMap((kind) =>
    lists[kind].map((event) => ({
      kind,
      agent,
      session_id: id,
      session_title: title,
      project,
      timestamp: event.timestamp,
      after_message_index: event.after_message_index,
      event,
    })),
  );
  return found.sort((a, b) => (a.after_message_index ?? -1) - (b.after_message_index ?? -1));
}

/** What happened, in one line. */
export function eventLine({ kind, event, session_id }: ListedEvent): string {
  switch (kind) {
    case 'compaction': {
      const { scope, trigger, pre_tokens, post_tokens, replaced_message_indices } = event as EventOf['compaction'];
      const sizes =
        pre_tokens === null
          ? []
          : [`${tokens(pre_tokens)} → ${post_tokens === null ? '?' : tokens(post_tokens)} tokens`];
      const how = [...(scope === 'full' ? [] : [scope]), ...(trigger === null ? [] : [trigger])];
      return `compaction (${[...how, ...sizes, `${replaced_message_indices.length} messages replaced`].join(', ')})`;
    }
    case 'clear':
      return clearLine(event as EventOf['clear'], session_id);
    case 'interruption': {
      const { type, target } = event as EventOf['interruption'];
      return `${target} interrupted by ${type === 'user' ? 'the user' : 'the system'}`;
    }
    case 'rejection': {
      const { tool_name, rejection_type, reason, also_refused } = event as EventOf['rejection'];
      const others = also_refused.length === 0 ? '' : `, and ${also_refused.length} more with it`;
      return `${rejection_type} refused: ${plain(tool_name ?? 'unknown tool', 60)}${others}${reason === null ? '' : ` — “${plain(reason)}”`}`;
    }
    case 'rewind':
      return `rewound, ${(event as EventOf['rewind']).removed_message_indices.length} messages taken back`;
    case 'denial': {
      const { tool_name, denied_by } = event as EventOf['denial'];
      return `denied by ${denied_by}: ${plain(tool_name ?? 'unknown tool', 60)}`;
    }
    case 'failure': {
      const { cause, status, message } = event as EventOf['failure'];
      return `request failed: ${cause}${status === null ? '' : ` (${status})`}${message === null ? '' : `: ${plain(message)}`}`;
    }
  }
}

/** How we know, where it is not certain. */
export function doubt({ event }: ListedEvent): string {
  if (event.could_be !== null)
    return ` [${event.basis}; could be: ${event.could_be === 'none' ? 'nothing of the kind' : event.could_be}]`;
  return event.basis === 'inferred' || event.confidence !== 'high'
    ? ` [${event.basis}, ${event.confidence} confidence]`
    : '';
}

function clearLine({ next_session_id, after_message_index }: EventOf['clear'], session_id: string): string {
  if (after_message_index === null) return 'begun after the context was cleared';
  if (next_session_id === session_id) return 'context cleared, and the session goes on';
  return `context cleared, goes on in ${next_session_id === null ? 'a session that is not here' : plain(next_session_id)}`;
}
