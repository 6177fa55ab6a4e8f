// A process that died at work: nobody wrote that down.

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
      died(caller, message, prompt, {
        anchor: ids[0] ?? message.id,
        target: ids.some((id) => calls.purposeOf(id) === 'agent') ? 'agent' : 'tool',
        tool_use_ids: ids,
        interrupted_message_index: caller,
      }),
    ];
  });
}

/** The next message that somebody said, past results of other calls and what the client put in; a request that failed is told in a reply's place. */
function nextSaid(messages: readonly OutlineMessage[], after: number): OutlineMessage | undefined {
  for (let index = after + 1; index < messages.length; index++) {
    const message = messages[index];
    if (message?.kind === 'notice' && message.role === 'assistant') return message;
    if (message?.kind !== 'tool_result' && message?.kind !== 'meta' && message?.kind !== 'notice') return message;
  }
  return undefined;
}

/**
 * A prompt, or the results of a call, that no reply followed: on resume the client puts a reply of its own in between, so that roles
 * alternate (2.1.110, 2.1.325; recording `killed-before-the-reply`). What the person stopped has a marker there, what failed a notice, and of a tool
 * that ran the result tells (`told`).
 */
export function diedBeforeReply(
  messages: readonly OutlineMessage[],
  fillers: readonly number[],
  told: readonly Signal[],
): Signal[] {
  const stopped = new Set(told.map(({ message_index }) => message_index));
  return fillers.flatMap((filler) => {
    const before = messages.slice(0, filler).findLastIndex(({ kind }) => kind !== 'meta');
    const [last, reply] = [messages[before], messages[filler]];
    if ((last?.kind !== 'prompt' && last?.kind !== 'tool_result') || last.ends_turn || stopped.has(before)) return [];
    return [
      died(before, last, reply, {
        anchor: last.id,
        target: 'response',
        tool_use_ids: [],
        interrupted_message_index: null,
      }),
    ];
  });
}

type Stopped = Extract<Signal, { name: 'turn-interrupted' }>;

/** `last` is what was last written before the end, `next` what shows that nothing came after it. */
function died(
  after: number,
  last: OutlineMessage,
  next: OutlineMessage | undefined,
  what: Pick<Stopped, 'anchor' | 'target' | 'tool_use_ids' | 'interrupted_message_index'>,
): Stopped {
  return {
    ...what,
    name: 'turn-interrupted',
    message_index: null,
    after_message_index: after,
    timestamp: null,
    basis: 'inferred',
    confidence: 'medium',
    could_be: null,
    evidence: [...last.source.slice(-1), ...(next?.source.slice(0, 1) ?? [])],
    type: 'system',
    partial_output: null,
  };
}
