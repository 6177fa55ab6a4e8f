import type { Usage } from '../../schema/message.ts';
import type { OutlineMessage } from '../../schema/outline.ts';
import { countAt, type JsonObject, objectAt } from '../json-access.ts';

/**
 * The usage of one API message. All rows of a message carry it; the last written is final
 * (1.0.100 writes earlier rows before the reply has ended).
 */
export function usageOf(usage: JsonObject): Usage {
  const byAge = objectAt(usage, 'cache_creation');
  return usageFrom({
    input: countAt(usage, 'input_tokens'),
    read: countAt(usage, 'cache_read_input_tokens'),
    written: countAt(usage, 'cache_creation_input_tokens'),
    fiveMinutes: byAge === undefined ? null : countAt(byAge, 'ephemeral_5m_input_tokens'),
    hour: countAt(byAge, 'ephemeral_1h_input_tokens'),
    output: countAt(usage, 'output_tokens'),
    thinking: countAt(objectAt(usage, 'output_tokens_details'), 'thinking_tokens'),
    searches: countAt(objectAt(usage, 'server_tool_use'), 'web_search_requests'),
  });
}

interface Counts {
  input: number;
  read: number;
  /** What went into the caches, and what of it is told apart. */
  written: number;
  fiveMinutes: number | null;
  hour: number;
  output: number;
  thinking: number;
  searches: number;
}

export function usageFrom({ input, read, written, fiveMinutes, hour, output, thinking, searches }: Counts): Usage {
  // Versions before `cache_creation` wrote to the 5-minute cache only.
  const five = fiveMinutes ?? written;
  return {
    input_tokens: input,
    cache_read_tokens: read,
    cache_write_5m_tokens: five + Math.max(0, written - five - hour),
    cache_write_1h_tokens: hour,
    output_tokens: output,
    reasoning_tokens: thinking,
    web_searches: searches,
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
