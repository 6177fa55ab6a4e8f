import type { Usage } from '../../schema/message.ts';
import type { OutlineMessage } from '../../schema/outline.ts';
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

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A message keeps its id however often it is recorded. Ids of another make are not known to be the only ones of their kind. */
export function usageKey({ id }: Pick<OutlineMessage, 'id'>): string | null {
  return UUID.test(id) ? id : null;
}
