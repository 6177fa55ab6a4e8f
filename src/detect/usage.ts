import type { SessionUsage, TokenCounts } from '../schema/message.ts';
import type { Outline } from '../schema/outline.ts';

/** The tokens of the session's own API messages, each once. */
export function detectUsage(outline: Outline): SessionUsage {
  const total = noTokens();
  const by_model: Record<string, TokenCounts> = Object.create(null);
  for (const message of outline.messages) {
    if (message.usage === null || message.inherited !== null) continue;
    const model = message.model ?? 'unknown';
    by_model[model] ??= noTokens();
    add(total, message.usage);
    add(by_model[model], message.usage);
  }
  return { ...total, by_model };
}

function noTokens(): TokenCounts {
  return {
    input_tokens: 0,
    cache_read_tokens: 0,
    cache_write_5m_tokens: 0,
    cache_write_1h_tokens: 0,
    output_tokens: 0,
    reasoning_tokens: 0,
    web_searches: 0,
  };
}

function add(sum: TokenCounts, more: TokenCounts): void {
  for (const key of Object.keys(sum) as (keyof TokenCounts)[]) sum[key] += more[key];
}
