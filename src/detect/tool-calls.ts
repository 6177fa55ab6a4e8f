import type { Outline, OutlineMessage, ToolOutcome } from '../schema/outline.ts';
import type { ToolCall } from '../schema/session.ts';
import { signalsNamed } from './material.ts';

/**
 * Joins each call to its result, and says how it ended.
 *
 * What the person or a rule decided stands above what the result says of itself. A result
 * whose call is not in the files is kept as a call without a message.
 */
export function detectToolCalls(outline: Outline): ToolCall[] {
  const outcomes = new Map<string, Ending>();
  for (let i = 0; i < outline.outcomes.length; i++) {
    const outcome = outline.outcomes[i] as ToolOutcome; // a place of the list
    if (!outcomes.has(outcome.tool_use_id)) outcomes.set(outcome.tool_use_id, { outcome, hasCall: false });
  }
  const decided = decidedStatuses(outline);
  const calls: ToolCall[] = [];
  for (let index = 0; index < outline.messages.length; index++) {
    const { blocks } = outline.messages[index] as OutlineMessage; // a place of the list
    for (let i = 0; i < blocks.length; i++) {
      const block = blocks[i];
      if (block?.type !== 'tool_use') continue;
      const ending = outcomes.get(block.tool_use_id ?? '');
      if (ending !== undefined && block.tool_use_id !== null) ending.hasCall = true;
      const call = { id: block.tool_use_id, name: block.name ?? '', message_index: index };
      calls.push(joined(outline, call, ending?.outcome, decided));
    }
  }
  outcomes.forEach(({ outcome, hasCall }, id) => {
    if (!hasCall) calls.push(joined(outline, { id, name: '', message_index: null }, outcome, decided));
  });
  return calls;
}

interface Ending {
  outcome: ToolOutcome;
  hasCall: boolean;
}

function joined(
  outline: Outline,
  call: Pick<ToolCall, 'id' | 'name' | 'message_index'>,
  outcome: ToolOutcome | undefined,
  decided: Map<string, ToolCall['status']>,
): ToolCall {
  const byDecision = decided.size === 0 ? undefined : decided.get(call.id ?? '');
  const status = byDecision ?? outcome?.status ?? 'unanswered';
  return {
    id: call.id,
    name: call.name,
    message_index: call.message_index,
    result_message_index: outcome?.message_index ?? null,
    status,
    error_kind: status === 'error' ? (outcome?.error_kind ?? null) : null,
    exit_code: outcome?.exit_code ?? null,
    started_at: outcome?.started_at ?? outline.call_times?.get(call.id ?? '') ?? timeAt(outline, call.message_index),
    ended_at: outcome?.ended_at ?? timeAt(outline, outcome?.message_index),
    permission: permissionOf(status, outcome),
    diff: null,
    diff_base: null,
    subagent_session_id: outcome?.subagent_session_id ?? outline.call_subagents?.get(call.id ?? '') ?? null,
    extra: outcome?.extra ?? {},
  };
}

function timeAt({ messages }: Outline, index: number | null | undefined): string | null {
  return index == null ? null : (messages[index]?.timestamp ?? null);
}

/** What was stopped while it ran was not refused, and what fell with another was not asked about. */
function permissionOf(status: ToolCall['status'], outcome: ToolOutcome | undefined): ToolCall['permission'] {
  if (status === 'cancelled') return NOBODY_ASKED;
  const recorded = outcome?.permission ?? UNKNOWN;
  if (status === 'rejected' && recorded.decision === null) return { ...recorded, ...REFUSED };
  if (outcome === undefined || (status === 'interrupted' && outcome.permission.decision === 'refused')) return UNKNOWN;
  return outcome.permission;
}

const UNKNOWN: ToolCall['permission'] = { asked: null, decision: null, by: null, justification: null };
const REFUSED = { asked: true, decision: 'refused', by: 'user' } as const;
const NOBODY_ASKED: ToolCall['permission'] = { asked: false, decision: null, by: null, justification: null };

function decidedStatuses(outline: Outline): Map<string, ToolCall['status']> {
  const decided = new Map<string, ToolCall['status']>();
  for (const signal of outline.signals) {
    if (signal.name === 'tool-declined') {
      decided.set(signal.tool_use_id, 'rejected');
      for (const also of signal.also) decided.set(also, 'cancelled');
    }
    if (signal.name === 'tool-denied') decided.set(signal.tool_use_id, 'denied');
  }
  for (const signal of signalsNamed(outline, 'turn-interrupted')) {
    const calls = signal.tool_use_ids.filter((id) => !decided.has(id));
    // Calls that had not begun when the turn was stopped say so themselves.
    const stopped = calls.filter(
      (id) => outline.outcomes.find((outcome) => outcome.tool_use_id === id)?.status !== 'cancelled',
    );
    for (const id of stopped) decided.set(id, 'interrupted');
  }
  return decided;
}
