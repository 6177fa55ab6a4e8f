import type { TokenCounts } from './message.ts';

export function noTokens(): TokenCounts {
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

/** Adds to a sum. */
export function addTokens(sum: TokenCounts, more: TokenCounts): void {
  for (const key of Object.keys(noTokens()) as (keyof TokenCounts)[]) sum[key] += more[key];
}
