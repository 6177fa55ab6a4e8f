import type { Usage } from '../../schema/message.ts';
import { countAt, type JsonObject } from '../json-access.ts';

/** `input` includes what came from the cache; thoughts and the tokens of tool prompts are counted apart: all of them make `total`. */
export function usageOf(tokens: JsonObject): Usage {
  const cached = countAt(tokens, 'cached');
  const thoughts = countAt(tokens, 'thoughts');
  return {
    input_tokens: Math.max(0, countAt(tokens, 'input') - cached) + countAt(tokens, 'tool'),
    cache_read_tokens: cached,
    cache_write_5m_tokens: 0,
    cache_write_1h_tokens: 0,
    output_tokens: countAt(tokens, 'output') + thoughts,
    reasoning_tokens: thoughts,
    web_searches: 0,
    estimated: false,
  };
}
