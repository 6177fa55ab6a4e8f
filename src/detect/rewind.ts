import type { Rewind } from '../schema/events.ts';
import { eventBase, type Material, signalsNamed, type TurnOf } from './material.ts';

/**
 * A rewind: the person went back to an earlier message and took from there. What came after it
 * stays in the history and leaves the context.
 *
 * A prompt that was stopped before anything came back is an interruption, though it leaves the
 * same trace. Parallel calls that hang beside one another are no rewind.
 */
export function detectRewinds(material: Material, turnOf: TurnOf): Rewind[] {
  return signalsNamed(material.outline, 'rewound').map((signal) => ({
    ...eventBase('rewind', signal, turnOf),
    after_message_index: signal.after_message_index,
    to_message_index: signal.to_message_index,
    timestamp: signal.timestamp,
    removed_message_indices: signal.removed,
  }));
}
