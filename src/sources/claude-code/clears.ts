// Clears that nobody typed: a plan can be accepted "with a cleared context" (2.1.x). The client then writes down that the plan was
// refused and the turn stopped, and begins anew with the plan as its prompt: under the same id (2.1.12, wild), from 2.1.32 on in
// a file of its own, which links.ts ties to the old one. Hooks tell that a session was started by a clear, of whatever kind.

import type { SourceRef } from '../../schema/blocks.ts';
import type { OpenedWindow, OutlineMessage, Signal } from '../../schema/outline.ts';
import { type JsonObject, objectAt, stringAt } from '../json-access.ts';
import { timeOf } from './rows.ts';

/** A hook ran because the context had been cleared: a row of its own up to 2.1.6x, an attachment later. */
export function isClearHook(row: JsonObject): boolean {
  const about = objectAt(row, 'data') ?? objectAt(row, 'attachment');
  return stringAt(about, 'hookName') === 'SessionStart:clear';
}

/** The prompt that a plan becomes which was accepted with a cleared context. */
export function isAcceptedPlan(row: JsonObject): boolean {
  return row.type === 'user' && typeof row.planContent === 'string';
}

interface Told {
  ref: SourceRef;
  anchor: string;
  timestamp: string | null;
}

/** Clears within the file of a session that goes on. */
export class Clears {
  readonly found: Signal[] = [];
  /** Messages that a cleared context begins with. */
  readonly begun = new Set<number>();
  private readonly sessionId: string;
  private readonly messages: readonly OutlineMessage[];
  /** What told that the context was cleared, until the next message. */
  private told: Told | undefined;

  constructor(sessionId: string, messages: readonly OutlineMessage[]) {
    this.sessionId = sessionId;
    this.messages = messages;
  }

  /** A row that hangs on nothing. At the head of a file it tells how the session began: see links.ts. */
  root(row: JsonObject, ref: SourceRef): void {
    if (!isClearHook(row) && !isAcceptedPlan(row)) return;
    if (!this.messages.some(({ kind }) => kind === 'reply')) return;
    this.told ??= { ref, anchor: stringAt(row, 'uuid') ?? `line-${ref.line}`, timestamp: timeOf(row) };
  }

  /** The window that this message opens, where it begins a context that was cleared before it. */
  window(index: number): OpenedWindow | undefined {
    const { told } = this;
    this.told = undefined;
    if (told === undefined) return undefined;
    const { anchor, timestamp, ref } = told;
    this.begun.add(index);
    const sure = { basis: 'recorded', confidence: 'high' } as const;
    this.found.push({
      name: 'context-cleared',
      message_index: null,
      after_message_index: index - 1,
      anchor,
      timestamp,
      ...sure,
      could_be: null,
      evidence: [ref],
      next_session_id: this.sessionId,
    });
    return {
      opened_at_index: index,
      opened_by: 'clear',
      anchor,
      start: [[index, index]],
      ...sure,
      evidence: [ref],
    };
  }
}
