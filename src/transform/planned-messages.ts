// A draft read back with its texts, one message at a time.

import type { Block } from '../schema/blocks.ts';
import type { Message } from '../schema/message.ts';
import type { SessionView } from '../schema/stream.ts';
import { changed } from './change.ts';
import type { Draft } from './draft.ts';
import { joinedReplies } from './joined-replies.ts';

/** A message as the copy has it: for each block of the session's message what stands there now, null for nothing. */
export interface PlannedMessage {
  message: Message;
  blocks: (Block | null)[];
  /** It goes on the reply before it: both are one message now. */
  isJoined: boolean;
}

export function* plannedMessages(draft: Draft, view: SessionView): Generator<PlannedMessage> {
  const joined = joinedReplies(draft.messages);
  for (const planned of draft.messages) {
    const { index, id, blocks } = planned;
    const message = view.message(index);
    const origin = { session_id: draft.session_id, message_id: id };
    yield {
      message,
      blocks: message.content.map((block, i) => changed(block, blocks[i]?.change ?? null, origin)),
      isJoined: joined.has(planned),
    };
  }
}
