import type { SessionUsage, TokenCounts } from '../schema/message.ts';
import type { Outline, OutlineMessage } from '../schema/outline.ts';
import { addTokens, noTokens } from '../schema/tokens.ts';

/** The tokens of the session's own requests, each once: of its messages, and of those of which no message is left. */
export function detectUsage(outline: Outline): SessionUsage {
  const total = noTokens();
  const by_model: Record<string, TokenCounts> = Object.create(null);
  const add = (model: string | null, usage: TokenCounts) => {
    const name = model ?? 'unknown';
    by_model[name] ??= noTokens();
    addTokens(total, usage);
    addTokens(by_model[name], usage);
  };
  for (let i = 0; i < outline.messages.length; i++) {
    const { inherited, model, usage } = outline.messages[i] as OutlineMessage; // a place of the list
    if (inherited === null && usage !== null) add(model, usage);
  }
  for (const { model, usage } of outline.lost_requests ?? []) add(model, usage);
  return { ...total, by_model };
}
