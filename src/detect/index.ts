// Outline → everything of the session but the text: turns, calls, windows, events. Knows no agent.

import type { Session } from '../schema/session.ts';
import { SCHEMA_VERSION } from '../schema/words.ts';
import { detectClears } from './clear.ts';
import { detectCompactions } from './compaction.ts';
import { detectContext, type Presence } from './context.ts';
import { detectDenials } from './denial.ts';
import { detectFailures } from './failure.ts';
import { detectInterruptions } from './interruption.ts';
import { eventId, type Material, turnLookup } from './material.ts';
import { detectRejections } from './rejection.ts';
import { detectRewinds } from './rewind.ts';
import { detectToolCalls } from './tool-calls.ts';
import { detectTurns } from './turns.ts';
import { detectUsage } from './usage.ts';

export type { Presence } from './context.ts';
export type { Change, Material } from './material.ts';

/** A session whose messages still lie in the files. */
export interface Skeleton {
  document: Omit<Session, 'messages'>;
  turnOfMessage: (number | null)[];
  presence: Presence[];
  /** Results whose content left the context while the message stayed: call id → event id. */
  clearedResults: Map<string, string>;
}

type EventsInAll = Pick<Session, 'rejections' | 'denials' | 'interruptions' | 'failures'>;

export function detect(material: Material): Skeleton {
  const { outline } = material;
  const { turns, turnOfMessage } = detectTurns(outline);
  const turnOf = turnLookup(turnOfMessage);
  const { windows, presence } = detectContext(outline);
  const tool_calls = detectToolCalls(outline);
  const boundaries = detectCompactions(material, windows, turnOf);
  const isOwn = (index: number | null) => index === null || outline.messages[index]?.inherited == null;
  const { native_types, unknown_types, ...head } = outline.head;
  const document: Skeleton['document'] = {
    type: 'session',
    schema_version: SCHEMA_VERSION,
    session: {
      ...head,
      usage: detectUsage(outline),
      counts: {
        messages: countOf(outline.messages, (message) => message.inherited === null),
        turns: countOf(turns, (turn) => isOwn(turn.first_message_index)),
        tool_calls: countOf(tool_calls, (call) => isOwn(call.message_index)),
        native_types,
        unknown_types,
      },
    },
    turns,
    tool_calls,
    context: { windows, not_recorded: outline.not_recorded },
    compaction: { boundaries },
    context_clears: detectClears(material, turnOf),
    interruptions: detectInterruptions(material, turnOf),
    rejections: detectRejections(material, turnOf),
    rewinds: detectRewinds(material, turnOf),
    denials: detectDenials(material, turnOf),
    failures: detectFailures(material, turnOf),
    records: outline.records,
    diagnostics: outline.diagnostics,
  };
  return { document, turnOfMessage, presence, clearedResults: clearedResults(material, boundaries) };
}

function countOf<Entry>(list: readonly Entry[], counts: (entry: Entry) => boolean): number {
  let count = 0;
  for (let i = 0; i < list.length; i++) if (counts(list[i] as Entry)) count++;
  return count;
}

/**
 * What was refused, denied, stopped and failed in all messages, as if none were inherited. What a fork or a copy has of another
 * session happened there, and its document leaves it out; but it was said, and a summary of these messages must tell it.
 */
export function detectInAll(material: Material, { document, turnOfMessage }: Skeleton): EventsInAll {
  const { outline } = material;
  if (outline.messages.every(({ inherited }) => inherited === null)) return document;
  const messages = outline.messages.map((message) => ({ ...message, inherited: null }));
  const all = { ...material, outline: { ...outline, messages } };
  const turnOf = turnLookup(turnOfMessage);
  return {
    rejections: detectRejections(all, turnOf),
    denials: detectDenials(all, turnOf),
    interruptions: detectInterruptions(all, turnOf),
    failures: detectFailures(all, turnOf),
  };
}

function clearedResults(material: Material, boundaries: Session['compaction']['boundaries']): Map<string, string> {
  const cleared = new Map<string, string>();
  for (const signal of material.outline.signals) {
    if (signal.name !== 'context-compacted') continue;
    const id = eventId('compaction', signal.anchor);
    const found = boundaries.some((boundary) => boundary.id === id);
    if (found) for (const result of signal.cleared_results) cleared.set(result, id);
  }
  return cleared;
}
