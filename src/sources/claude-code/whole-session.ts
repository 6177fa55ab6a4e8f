// What can be said of messages, calls and windows only when all rows of a session were read.

import type { SourceRef } from '../../schema/blocks.ts';
import type { OpenedWindow, OutlineMessage, ToolOutcome } from '../../schema/outline.ts';
import type { Diagnostic } from '../../schema/session.ts';
import type { RowIndex } from './row-index.ts';

/** Plans that look refused, and were accepted with a cleared context: see clears.ts. */
export function acceptPlans(outcomes: readonly ToolOutcome[], accepted: ReadonlySet<string>): void {
  for (const outcome of outcomes) {
    if (!accepted.has(outcome.tool_use_id)) continue;
    outcome.status = 'ok';
    outcome.permission = { asked: true, decision: 'allowed', by: 'user', justification: null };
    outcome.extra = { ...outcome.extra, with_cleared_context: true };
  }
}

/** Such a plan is carried out in a turn of its own. */
export function endWithPlans(
  messages: readonly OutlineMessage[],
  outcomes: readonly ToolOutcome[],
  accepted: ReadonlySet<string>,
): void {
  for (const { tool_use_id, message_index } of outcomes) {
    const result = accepted.has(tool_use_id) ? messages[message_index ?? -1] : undefined;
    if (result !== undefined) result.ends_turn = true;
  }
}

/** Where the client noted how long a turn took, it was over, even if its last reply has no words. */
export function endTurns(messages: readonly OutlineMessage[], rows: RowIndex, ended: ReadonlySet<string>): void {
  for (const row of ended) {
    const reply = messages[rows.messageAt(row) ?? -1];
    if (reply?.kind !== 'reply' || reply.extra.aborted_mid_stream === true) continue;
    if (reply.blocks.every(({ type }) => type !== 'tool_use')) reply.ends_turn = true;
  }
}

/** Hangs each message on the one above it; tells where that is missing. */
export function linkParents(messages: readonly OutlineMessage[], rows: RowIndex): Diagnostic[] {
  let missing = 0;
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i] as OutlineMessage; // a place of the list
    const place = rows.placeOf(message.id);
    if (place === undefined || place.parent === null) continue;
    const index = rows.messageAbove(place);
    message.parent_id = index === undefined ? null : (messages[index]?.id ?? null);
    if (index !== undefined || rows.isKnown(place.parent)) continue;
    missing++;
    message.extra.missing_parent = true;
  }
  if (missing === 0) return [];
  const message = `${missing} messages hang on a row that is not in the file. Clients up to 2.0.x resume only what comes after such a break.`;
  return [{ code: 'missing-parent', message, source: null }];
}

/** Ids are the addresses of messages: of two rows with one id, the first is the message. What the other says is not hidden in silence. */
export function otherWordsAgain(rows: readonly SourceRef[]): Diagnostic[] {
  const [first] = rows;
  if (first === undefined) return [];
  const many = rows.length === 1 ? '1 row has' : `${rows.length} rows have`;
  const message = `${many} the id of an earlier row and other words, the first on line ${first.line}. The earlier rows are shown; these are only in the file.`;
  return [{ code: 'same-id-other-words', message, source: first }];
}

export function putOnUsersSide(messages: readonly OutlineMessage[]): void {
  for (const message of messages) if (message.kind === 'meta' && message.role === 'system') message.role = 'user';
}

/** Windows with what opened them, where only what came later tells. */
export function anchored(
  windows: OpenedWindow[],
  anchors: ReadonlyMap<number, Pick<OpenedWindow, 'anchor' | 'opened_by'>>,
): OpenedWindow[] {
  for (const window of windows) {
    const settled = window.opened_by === 'compaction' ? undefined : anchors.get(window.opened_at_index);
    if (settled !== undefined) Object.assign(window, settled);
  }
  return windows;
}

/** A request that was recorded is not as our context says. */
export function mismatchAt(reply: number, messages: readonly OutlineMessage[]): Diagnostic {
  const source = messages[reply]?.source[0] ?? null;
  const message = `The recorded request before message ${reply} had another number of messages than the context worked out.`;
  return { code: 'request-mismatch', message, source };
}
