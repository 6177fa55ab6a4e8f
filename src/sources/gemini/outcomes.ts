import type { ToolOutcome } from '../../schema/outline.ts';
import type { ToolCall } from '../../schema/session.ts';
import type { AskedCall } from './calls.ts';
import { refusedByRule, verdictOf } from './signals.ts';

/** Other states were left by a process that died. */
export const FINAL = new Set(['success', 'error', 'cancelled']);
const NOT_TOLD: ToolCall['permission'] = { asked: null, decision: null, by: null, justification: null };
const REFUSED: ToolCall['permission'] = { asked: true, decision: 'refused', by: 'user', justification: null };

const AGAINST_A_RULE: ToolCall['permission'] = { asked: false, decision: 'refused', by: 'policy', justification: null };

/** How each call ended. A command that failed has status "success": its exit code stands in the text. */
export function outcomesOf(calls: AskedCall[]): ToolOutcome[] {
  const ended = calls.filter(({ call }) => call.has_result || FINAL.has(call.status));
  return ended.map(({ call, result }) => {
    const exit_code = call.status === 'error' ? null : call.exit_code;
    const isRefused = call.status === 'cancelled' && verdictOf(call.error) === 'denied';
    return {
      tool_use_id: call.id,
      message_index: result,
      ...endingOf(call, exit_code),
      exit_code,
      permission: isRefused ? REFUSED : refusedByRule(call.error) ? AGAINST_A_RULE : NOT_TOLD,
      subagent_session_id: call.agent_id,
      started_at: startIn(call.id, call.time),
      ended_at: call.time,
      extra: call.extra,
    };
  });
}

/** Clients name a call by its tool, the time in milliseconds at which it was asked for, and something at random. */
function startIn(id: string, end: string | null): string | null {
  const [, time] = /[-_](1\d{12})(?:[-_]|$)/.exec(id) ?? [];
  const start = time === undefined ? null : new Date(Number(time)).toISOString();
  return start === null || (end !== null && start > end) ? null : start;
}

function endingOf(call: AskedCall['call'], exit_code: number | null): Pick<ToolOutcome, 'status' | 'error_kind'> {
  if (call.status === 'cancelled')
    return { status: verdictOf(call.error) === 'cascade' ? 'cancelled' : 'interrupted', error_kind: null };
  if (call.status === 'error' || call.error !== null)
    return {
      status: 'error',
      error_kind: /^Tool "[^"]*" not found|^Invalid |^params(\/\S+)? must /.test(call.error ?? '')
        ? 'invalid-call'
        : 'failed',
    };
  if (exit_code !== null && exit_code !== 0) return { status: 'error', error_kind: 'exit-code' };
  return { status: 'ok', error_kind: null };
}
