// Tokens of one request. The client writes running totals, and repeats them: §4 of FORMAT.md.

import type { Usage } from '../../schema/message.ts';
import type { OutlineMessage } from '../../schema/outline.ts';
import { countAt, type JsonObject } from '../json-access.ts';

/** `input_tokens` includes what came from the cache and went into it; `output_tokens` includes reasoning. */
export function usageOf(native: JsonObject): Usage {
  const read = countAt(native, 'cached_input_tokens');
  const written = countAt(native, 'cache_write_input_tokens');
  return {
    input_tokens: Math.max(0, countAt(native, 'input_tokens') - read - written),
    cache_read_tokens: read,
    cache_write_5m_tokens: written,
    cache_write_1h_tokens: 0,
    output_tokens: countAt(native, 'output_tokens'),
    reasoning_tokens: countAt(native, 'reasoning_output_tokens'),
    web_searches: 0,
    estimated: false,
  };
}

/** Only records tell the id of a response (0.153 on). */
export function usageKey({ request_id }: Pick<OutlineMessage, 'request_id'>): string | null {
  return request_id;
}
