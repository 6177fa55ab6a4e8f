// A process that died while tools ran: nobody wrote that down.

import type { OutlineMessage, Signal } from '../../schema/outline.ts';
import type { Calls } from './calls.ts';

/**
 * Calls without a result, and the next thing said is a new prompt. 2.1.325 writes a result when the session is resumed; 2.0.42
 * does not (conformance: killed while a tool runs, and SIGINT without a terminal).
 */
export function diedWhileRunning(messages: readonly OutlineMessage[], calls: Calls): Signal[] {
  return [...calls.unanswered()].flatMap(([caller, ids]) => {
    const message = messages[caller];
    const prompt = nextSaid(messages, caller);
    if (message === undefined || prompt?.kind !== 'prompt' || message.extra.aborted_mid_stream === true) return [];
    return [
      {
        name: 'turn-interrupted',
        message_index: null,
        after_message_index: caller,
        anchor: ids[0] ?? message.id,
        timestamp: null,
        basis: 'inferred',
        confidence: 'medium',
        could_be: null,
        evidence: [...message.source.slice(-1), ...prompt.source.slice(0, 1)],
        type: 'system',
        target: ids.some((id) => calls.purposeOf(id) === 'agent') ? 'agent' : 'tool',
        tool_use_ids: ids,
        interrupted_message_index: caller,
        partial_output: null,
      } satisfies Signal,
    ];
  });
}

/** The next message that somebody said, past results of other calls and what the client put in. */
function nextSaid(messages: readonly OutlineMessage[], after: number): OutlineMessage | undefined {
  for (let index = after + 1; index < messages.length; index++) {
    const message = messages[index];
    if (message?.kind !== 'tool_result' && message?.kind !== 'meta' && message?.kind !== 'notice') return message;
  }
  return undefined;
}
