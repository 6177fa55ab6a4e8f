import type { Denial } from '../schema/events.ts';
import { actionOf, eventBase, type Material, resultText, signalsNamed, type TurnOf } from './material.ts';

/**
 * A denial: a call was refused without the person, by a rule, a mode, a reviewing model, a hook,
 * or because nobody was there to ask. What the person declined is a rejection.
 */
export function detectDenials(material: Material, turnOf: TurnOf): Denial[] {
  return signalsNamed(material.outline, 'tool-denied').map((signal) => ({
    ...eventBase('denial', signal, turnOf),
    after_message_index: signal.after_message_index,
    message_index: signal.message_index,
    timestamp: signal.timestamp,
    tool_use_id: signal.tool_use_id,
    tool_name: material.call(signal.tool_use_id)?.name ?? null,
    denied_by: signal.denied_by,
    message: signal.message ?? resultText(material, signal.message_index, signal.tool_use_id),
    action: actionOf(material, signal.tool_use_id),
  }));
}
