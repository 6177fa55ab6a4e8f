// Images, and what clients keep beside a result for themselves.

import { LARGEST_IMAGE } from '../schema/limits.ts';
import { imageNote } from './change.ts';
import { type Draft, type DraftMessage, withBlocks } from './draft.ts';

/** Images become a line; results lose what is kept beside them and never sent. */
export function withoutImagesAndCopies(draft: Draft, isOld: (message: DraftMessage) => boolean): Draft {
  return withBlocks(draft, (block, message) => {
    if (block.change !== null || !isOld(message)) return undefined;
    if (block.type === 'image') return noteFor(draft, message);
    return block.type === 'tool_result' ? { to: 'words' } : undefined;
  });
}

export function withoutOversizedImages(draft: Draft): Draft {
  return withBlocks(draft, (block, message) => {
    if (block.change !== null || block.largest_image <= LARGEST_IMAGE) return undefined;
    return block.type === 'image' ? noteFor(draft, message) : { to: 'words' };
  });
}

function noteFor(draft: Draft, message: DraftMessage) {
  return { to: 'note', text: imageNote({ session_id: draft.session_id, message_id: message.id }) } as const;
}
