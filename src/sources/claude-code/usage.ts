import type { Usage } from '../../schema/message.ts';
import type { OutlineMessage } from '../../schema/outline.ts';
import { countAt, type JsonObject, objectAt } from '../json-access.ts';

/**
 * The usage of one API message. All rows of a message carry it; the last written is final
 * (1.0.100 writes earlier rows before the reply has ended).
 */
export function usageOf(usage: JsonObject): Usage {
  const written = countAt(usage, 'cache_creation_input_tokens');
  const byAge = objectAt(usage, 'cache_creation');
  const hour = countAt(byAge, 'ephemeral_1h_input_tokens');
  // Versions before `cache_creation` wrote to the 5-minute cache only.
  const five = byAge === undefined ? written : countAt(byAge, 'ephemeral_5m_input_tokens');
  return {
    input_tokens: countAt(usage, 'input_tokens'),
    cache_read_tokens: countAt(usage, 'cache_read_input_tokens'),
    cache_write_5m_tokens: five + Math.max(0, written - five - hour),
    cache_write_1h_tokens: hour,
    output_tokens: countAt(usage, 'output_tokens'),
    reasoning_tokens: countAt(objectAt(usage, 'output_tokens_details'), 'thinking_tokens'),
    web_searches: countAt(objectAt(usage, 'server_tool_use'), 'web_search_requests'),
    estimated: false,
  };
}

/** What a reply is known by in every file that holds it. */
export function usageKey({ extra, request_id }: Pick<OutlineMessage, 'extra' | 'request_id'>): string | null {
  return typeof extra.message_id === 'string' ? keyOf(extra.message_id, request_id) : null;
}

/** Servers of other makers number their messages anew in each process: the request tells them apart. */
export function keyOf(messageId: string | undefined, requestId: string | null): string | null {
  if (messageId === undefined || messageId === '') return null;
  return requestId === null ? messageId : `${messageId} ${requestId}`;
}
