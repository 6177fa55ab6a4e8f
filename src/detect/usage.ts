import type { SessionUsage, TokenCounts } from '../schema/message.ts';
import type { Outline } from '../schema/outline.ts';
import { addTokens, noTokens } from '../schema/tokens.ts';

/** The tokens of the session's own requests, each once: of its messages, and of those of which no message is left. */
export function detectUsage(outline: Outline): SessionUsage {
  const total = noTokens();
  const by_model: Record<string, TokenCounts> = Object.create(null);
  const own = outline.messages.filter((message) => message.inherited === null);
  for (const { model, usage } of [...own, ...(outline.lost_requests ?? [])]) {
    if (usage === null) continue;
    const name = model ?? 'unknown';
    by_model[name] ??= noTokens();
    addTokens(total, usage);
    addTokens(by_model[name], usage);
  }
  return { ...total, by_model };
}
