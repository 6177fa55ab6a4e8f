import type { Outline, Signal } from '../schema/outline.ts';
import type { ContextWindow } from '../schema/session.ts';
import type { EventKind } from '../schema/words.ts';
import { eventId, isOwn } from './material.ts';

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
const OPENED_BY: Partial<Record<ContextWindow['opened_by'], Signal['name'][]>> = {
  compaction: ['context-compacted'],
  clear: ['context-cleared'],
  rewind: ['rewound'],
  rollback: ['turn-interrupted', 'tool-declined', 'request-failed'],
};

export function detectContext(outline: Outline): FoundContext {
  const windows = outline.windows.map((window, index): ContextWindow => {
    const names = OPENED_BY[window.opened_by] ?? [];
    // What opened a window of the session that this one was forked from is no event of this one.
    const signal = outline.signals.find(
      (candidate) => names.includes(candidate.name) && candidate.anchor === window.anchor && isOwn(outline, candidate),
    );
    return {
      index,
      opened_at_index: window.opened_at_index,
      opened_by: window.opened_by,
      event_id: signal === undefined ? null : eventId(KIND_OF_SIGNAL[signal.name], signal.anchor),
      start: window.start,
      basis: window.basis,
      confidence: window.confidence,
      evidence: window.evidence,
    };
  });
  return { windows, presence: presenceIn(outline, windows) };
}

/** As most messages are. */
const LIVE: Presence = Object.freeze({ live: true, left_by: null, left_at_index: null });
const NEVER_IN: Presence = Object.freeze({ live: false, left_by: null, left_at_index: null });

/** One walk over the windows: what each dropped of what was there before it. */
function presenceIn(outline: Outline, windows: ContextWindow[]): Presence[] {
  const { messages } = outline;
  const left: (Presence | undefined)[] = new Array(messages.length).fill(undefined);
  /** The window in which a message was last seen; its message is in the context while that is the current one. */
  const seenIn = new Int32Array(messages.length).fill(-1);
  windows.forEach((window, i) => {
    const end = windows[i + 1]?.opened_at_index ?? messages.length;
    const keep = (index: number) => {
      seenIn[index] = i;
      left[index] = undefined;
    };
    for (const [from, to] of window.start) for (let index = from; index <= to; index++) keep(index);
    // A context that was replaced after the last message begins at none.
    const left_at_index = window.opened_at_index >= messages.length ? null : window.opened_at_index;
    const gone: Presence = { live: false, left_by: window.event_id, left_at_index };
    for (let index = 0; index < window.opened_at_index; index++) {
      if (seenIn[index] === i - 1 && i > 0) left[index] = gone;
    }
    for (let index = window.opened_at_index; index < end; index++) if (messages[index]?.sent) keep(index);
  });
  const last = windows.length - 1;
  return messages.map((_, index) => {
    if (last >= 0 && seenIn[index] === last) return LIVE;
    return left[index] ?? NEVER_IN;
  });
}
