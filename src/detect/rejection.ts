import type { Rejection } from '../schema/events.ts';
import { actionOf, eventBase, type Material, signalsNamed, type TurnOf } from './material.ts';

/**
 * A rejection: the person declined a tool call that asked for permission.
 *
 * The agent records only the id of the declined call, so we look the call up: a reader wants to
 * see what was declined, not merely that something was. A failed tool is not a rejection; nor is
 * a call that policy refused (denial), nor one that fell with its neighbour and was never asked
 * about (`also_refused`).
 */
export function detectRejections(material: Material, turnOf: TurnOf): Rejection[] {
  return signalsNamed(material.outline, 'tool-declined').map((signal) => {
    const tool_name = material.call(signal.tool_use_id)?.name ?? null;
    return {
      ...eventBase('rejection', signal, turnOf),
      after_message_index: signal.after_message_index,
      message_index: signal.message_index,
      timestamp: signal.timestamp,
      tool_use_id: signal.tool_use_id,
      also_refused: signal.also,
      tool_name,
      rejection_type: rejectionType(material, tool_name),
      reason: signal.reason,
      reason_source: signal.reason_source,
      action: actionOf(material, signal.tool_use_id),
    };
  });
}

function rejectionType(material: Material, toolName: string | null): Rejection['rejection_type'] {
  const purpose = toolName === null ? 'other' : material.purpose(toolName);
  return purpose === 'agent' ? 'other' : purpose;
}
