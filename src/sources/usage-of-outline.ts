import type { Outline, OutlineMessage } from '../schema/outline.ts';
import { wholeInput } from '../schema/tokens.ts';
import type { UsageOfSession, UsageRow } from '../schema/usage-row.ts';
import type { Source } from './source.ts';

/** The requests of a session that was read in full: of its messages, of those of which no message is left, and what it holds of others. */
export function usageOfOutline(outline: Outline, source: Pick<Source, 'usageKey'>): UsageOfSession {
  const { head, messages, lost_requests = [] } = outline;
  const rowOf = (message: OutlineMessage): UsageRow[] => {
    const { timestamp, model, usage } = message;
    return usage === null ? [] : [{ key: source.usageKey(message), timestamp, model, usage }];
  };
  const own = messages.filter(({ inherited }) => inherited === null).flatMap(rowOf);
  const lost = lost_requests.map(({ request_id, timestamp, model, usage }): UsageRow => {
    return { key: source.usageKey({ id: '', request_id, extra: {} }), timestamp, model, usage };
  });
  const others = messages.filter(({ inherited }) => inherited !== null).flatMap(rowOf);
  return { session_id: head.id, project: head.project, rows: [...own, ...lost, ...others.flatMap(inheritedRow)] };
}

/**
 * A request of the session that it was forked from, of which it holds a copy: where nobody else is left who holds it, it counts here. What
 * would not be known again elsewhere could count twice, and a copy that we made tells of no tokens.
 */
export function inheritedRow(row: UsageRow): UsageRow[] {
  const isTold = wholeInput(row.usage) + row.usage.output_tokens > 0;
  return row.key === null || !isTold ? [] : [{ ...row, inherited: true }];
}
