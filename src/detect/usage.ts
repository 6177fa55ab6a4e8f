import type { SessionUsage, TokenCounts } from '../schema/message.ts';
import type { Outline } from '../schema/outline.ts';

/** The tokens of the session's own requests, each once: of its messages, and of those of which no message is left. */
export function detectUsage(outline: Outline): SessionUsage {
  const total = noTokens();
  const by_model: Record<string, TokenCounts> = Object.create(null);
  const own = outline.messages.filter((message) => message.inherited === null);
  for (const { model, usage } of [...own, ...(outline.lost_requests ?? [])]) {
    if (usage === null) continue;
    const name = model ?? 'unknown';
    by_model[name] ??= noTokens();
    add(total, usage);
    add(by_model[name], usage);
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
