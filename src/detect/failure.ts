import type { Failure } from '../schema/events.ts';
import { eventBase, type Material, signalsNamed, type TurnOf } from './material.ts';

/**
 * A failure: a request to the model did not get its answer: rate limit, overload, network, auth,
 * a context too long, a refusal by the model. A tool that failed is no failure in this sense.
 */
export function detectFailures(material: Material, turnOf: TurnOf): Failure[] {
  return signalsNamed(material.outline, 'request-failed').map((signal) => ({
    ...eventBase('failure', signal, turnOf),
    after_message_index: signal.after_message_index,
    message_index: signal.message_index,
    timestamp: signal.timestamp,
    cause: signal.cause,
    status: signal.status,
    message: signal.message,
  }));
}
