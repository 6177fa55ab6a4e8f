import type { Clear } from '../schema/events.ts';
import { eventBase, type Material, signalsNamed, type TurnOf } from './material.ts';

/**
 * A clear: the person emptied the context. It stands in the session that ended, or, where that
 * one is not on disk, in the new one with no message before it.
 *
 * Starting the agent anew is no clear, nor is a compaction. The old session's messages stay live:
 * a resume of it would send them.
 */
export function detectClears(material: Material, turnOf: TurnOf): Clear[] {
  return signalsNamed(material.outline, 'context-cleared').map((signal) => ({
    ...eventBase('clear', signal, turnOf),
    turn: null,
    after_message_index: signal.after_message_index,
    timestamp: signal.timestamp,
    next_session_id: signal.next_session_id,
  }));
}
