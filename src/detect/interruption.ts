import type { Interruption } from '../schema/events.ts';
import { eventBase, type Material, signalsNamed, type TurnOf } from './material.ts';

/**
 * An interruption: a reply, a tool or a subagent was stopped before it was done, by the person
 * or because the process or the client ended the turn (`system`).
 *
 * Marker, tool result and abort record of one act are one event. A refused call is no
 * interruption, though a marker may follow it; a failed request is a failure.
 */
export function detectInterruptions(material: Material, turnOf: TurnOf): Interruption[] {
  return signalsNamed(material.outline, 'turn-interrupted').map((signal) => ({
    ...eventBase('interruption', signal, turnOf),
    after_message_index: signal.after_message_index,
    message_index: signal.message_index,
    interrupted_message_index: signal.interrupted_message_index,
    timestamp: signal.timestamp,
    type: signal.type,
    target: signal.target,
    tool_use_id: signal.tool_use_ids[0] ?? null,
    partial_output: signal.partial_output,
  }));
}
