import { contextAt, rangesOf } from '../schema/context.ts';
import type { Outline, Signal } from '../schema/outline.ts';
import type { ContextWindow } from '../schema/session.ts';
import type { EventKind } from '../schema/words.ts';
import { eventId } from './material.ts';

/** Where each message stands at the end: still in the context, or taken out by what, and when. */
export interface Presence {
  live: boolean;
  left_by: string | null;
  left_at_index: number | null;
}

export interface FoundContext {
  windows: ContextWindow[];
  presence: Presence[];
}

const KIND_OF_SIGNAL: Record<Signal['name'], EventKind> = {
  'context-compacted': 'compaction',
  'context-cleared': 'clear',
  'turn-interrupted': 'interruption',
  'tool-declined': 'rejection',
  rewound: 'rewind',
  'tool-denied': 'denial',
  'request-failed': 'failure',
};

/** One message can be the anchor of several events: what opened a window tells which is meant. */
const OPENED_BY: Partial<Record<ContextWindow['opened_by'], Signal['name']>> = {
  compaction: 'context-compacted',
  rewind: 'rewound',
  rollback: 'turn-interrupted',
};

export function detectContext(outline: Outline): FoundContext {
  const windows = outline.windows.map((window, index): ContextWindow => {
    const name = OPENED_BY[window.opened_by];
    const signal = outline.signals.find((candidate) => candidate.name === name && candidate.anchor === window.anchor);
    return {
      index,
      opened_at_index: window.opened_at_index,
      opened_by: window.opened_by,
      event_id: signal === undefined ? null : eventId(KIND_OF_SIGNAL[signal.name], signal.anchor),
      start: rangesOf(window.start),
      basis: window.basis,
      confidence: window.confidence,
      evidence: window.evidence,
    };
  });
  return { windows, presence: presenceIn(outline, windows) };
}

function presenceIn(outline: Outline, windows: ContextWindow[]): Presence[] {
  const { messages } = outline;
  const left = new Map<number, { by: string | null; at: number }>();
  for (const [i, window] of windows.entries()) {
    if (i === 0) continue;
    const before = contextAt(windows.slice(0, i), messages, window.opened_at_index - 1);
    const start = new Set(contextAt([window], messages, window.opened_at_index));
    for (const index of before)
      if (!start.has(index)) left.set(index, { by: window.event_id, at: window.opened_at_index });
    for (const index of start) left.delete(index);
  }
  const live = new Set(contextAt(windows, messages, messages.length - 1));
  return messages.map((_, index) => {
    const gone = live.has(index) ? undefined : left.get(index);
    return { live: live.has(index), left_by: gone?.by ?? null, left_at_index: gone?.at ?? null };
  });
}
