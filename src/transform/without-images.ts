// Images, and what clients keep beside a result for themselves.

import { LARGEST_IMAGE } from '../schema/limits.ts';
import { type BlockChange, imageNote } from './change.ts';
import { type Draft, type DraftBlock, type DraftMessage, withBlocks } from './draft.ts';

/** Images become a line; results lose what is kept beside them and never sent. */
export function withoutImagesAndCopies(draft: Draft, isOld: (message: DraftMessage) => boolean): Draft {
  return withBlocks(draft, (block, message) => {
    if (block.change !== null || !isOld(message)) return undefined;
    if (isMention(message) || block.type === 'image') return withoutImage(draft, message);
    return block.type === 'tool_result' ? { to: 'words' } : undefined;
  });
}

export function withoutOversizedImages(draft: Draft): Draft {
  return withBlocks(draft, (block, message) => {
    if (block.change !== null || !(isMention(message) ? message.blocks : [block]).some(isOversized)) return undefined;
    return block.type === 'tool_result' ? { to: 'words' } : withoutImage(draft, message);
  });
}

export function hasOversizedImages({ messages }: Draft): boolean {
  return messages.some(({ blocks }) => blocks.some(isOversized));
}

function isOversized({ largest_image }: DraftBlock): boolean {
  return largest_image > LARGEST_IMAGE;
}

/** A picture that was only mentioned stands in a row of the client's, with what it says of it: the person's words name it. */
function isMention({ blocks }: DraftMessage): boolean {
  return blocks[0]?.type === 'attachment' && blocks.some(({ type }) => type === 'image');
}

function withoutImage(draft: Draft, message: DraftMessage): BlockChange {
  if (isMention(message)) return { to: 'nothing' };
  return { to: 'note', text: imageNote({ session_id: draft.session_id, message_id: message.id }) };
}
