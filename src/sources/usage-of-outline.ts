import type { Outline } from '../schema/outline.ts';
import type { UsageOfSession, UsageRow } from '../schema/usage-row.ts';
import type { Source } from './source.ts';

/** The own requests of a session that was read in full: of its messages, and of those of which no message is left. */
export function usageOfOutline(outline: Outline, { usageKey }: Pick<Source, 'usageKey'>): UsageOfSession {
  const { head, messages, lost_requests = [] } = outline;
  const answered = messages.flatMap((message): UsageRow[] => {
    const { timestamp, model, usage, inherited } = message;
    return usage === null || inherited !== null ? [] : [{ key: usageKey(message), timestamp, model, usage }];
  });
  const lost = lost_requests.map(({ request_id, timestamp, model, usage }): UsageRow => {
    return { key: usageKey({ id: '', request_id, extra: {} }), timestamp, model, usage };
  });
  return { session_id: head.id, project: head.project, rows: [...answered, ...lost] };
}

/** Requests of the session that it was forked from, of which it holds a copy. */
export function inheritedUsage({ messages }: Outline, { usageKey }: Pick<Source, 'usageKey'>): UsageRow[] {
  return messages.flatMap((message): UsageRow[] => {
    const { timestamp, model, usage, inherited } = message;
    if (usage === null || inherited === null) return [];
    return [{ key: usageKey(message), timestamp, model, usage, inherited: true }];
  });
}
