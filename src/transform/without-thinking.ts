// The model's thinking: all of a message or none, and never a word of it changed. Servers check it by its signature,
// and refuse a conversation in which the thinking of a message was tampered with.

import { type Draft, type DraftMessage, withBlocks } from './draft.ts';

export function withoutThinking(draft: Draft, isOld: (message: DraftMessage) => boolean): Draft {
  return withBlocks(draft, (block, message) =>
    block.type === 'thinking' && isOld(message) ? { to: 'nothing' } : undefined,
  );
}

/**
 * A message of which something else was changed is not the one that was thought about, and thinking without a signature is
 * none that a server takes back: there it goes. A message of nothing but thinking that was cut off goes with it.
 */
export function withoutBrokenThinking(draft: Draft): Draft {
  const isBroken = ({ blocks }: DraftMessage) =>
    blocks.some((block) =>
      block.type === 'thinking' ? block.unsigned || block.change !== null : block.change !== null,
    );
  const broken = new Set(draft.messages.filter((message) => message.role === 'assistant' && isBroken(message)));
  return withBlocks(draft, (block, message) =>
    block.type === 'thinking' && broken.has(message) ? { to: 'nothing' } : undefined,
  );
}
