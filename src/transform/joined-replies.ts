// Replies that are one message in the copy.

import type { DraftBlock, DraftMessage } from './draft.ts';

/**
 * Those that go on the reply before them: between the two something was taken out, and roles should take turns. Two that stood
 * beside each other already stay as they were.
 */
export function joinedReplies(messages: DraftMessage[]): Set<DraftMessage> {
  const joined = new Set<DraftMessage>();
  for (const group of repliesInARow(messages))
    for (const [i, reply] of group.entries()) {
      const before = group[i - 1];
      if (before !== undefined && (isChanged(before) || isChanged(reply))) joined.add(reply);
    }
  return joined;
}

/** Replies with nothing between them that is sent. */
export function* repliesInARow(messages: DraftMessage[]): Generator<DraftMessage[]> {
  let group: DraftMessage[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') group.push(message);
    else if (group.length > 0 && !isWordless(message)) {
      yield group;
      group = [];
    }
  }
  if (group.length > 0) yield group;
}

/** What the client noted without the words that it made of it, it does not send again (2.1.325, of notes that 2.1.168 and 2.1.172 made). */
function isWordless({ kind, blocks }: DraftMessage): boolean {
  return kind === 'meta' && blocks.every(({ characters, images }) => characters === 0 && images === 0);
}

function isChanged({ blocks }: DraftMessage): boolean {
  return blocks.some((block: DraftBlock) => block.change !== null);
}
