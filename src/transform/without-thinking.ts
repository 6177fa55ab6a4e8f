// The model's thinking: all of a message or none, and never a word of it changed. Servers check it by its signature,
// and refuse a conversation in which the thinking of a message was tampered with.

import { type Draft, type DraftBlock, type DraftMessage, isBlankText, withBlocks } from './draft.ts';
import { repliesInARow } from './joined-replies.ts';

export function withoutThinking(draft: Draft, isOld: (message: DraftMessage) => boolean): Draft {
  return withBlocks(draft, (block, message) =>
    block.type === 'thinking' && isOld(message) ? { to: 'nothing' } : undefined,
  );
}

/**
 * A reply of which something else was changed is not the one that was thought about, and thinking without a signature is none
 * that a server takes back: there it goes. Replies between which something was taken out are one message in the copy: if any
 * of them was changed, all of them lose their thinking.
 */
export function withoutBrokenThinking(draft: Draft): Draft {
  const broken = new Set<DraftMessage>();
  for (const group of repliesInARow(draft.messages))
    if (group.some(isBroken)) for (const reply of group) broken.add(reply);
  return withBlocks(draft, (block, message) =>
    block.type === 'thinking' && broken.has(message) ? { to: 'nothing' } : undefined,
  );
}

function isBroken({ blocks }: DraftMessage): boolean {
  // A text of nothing but blanks is sent by no client: without it the reply is the same (2.1.325).
  const isSame = (block: DraftBlock) => block.change === null || isBlankText(block);
  return blocks.some((block) => (block.type === 'thinking' && block.unsigned) || !isSame(block));
}
