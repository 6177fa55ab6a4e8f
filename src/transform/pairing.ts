// What every server asks of a conversation: each call has one result, right after the reply that made it, and each
// result has its call.

import { type Draft, type DraftBlock, type DraftMessage, withBlocks } from './draft.ts';

/**
 * Calls that were never answered and results of calls that are not there go: clients drop the first, servers refuse the second.
 * So do second results of one call. A result that was written after a later reply moves up to its call.
 */
export function paired(draft: Draft): Draft {
  const called = idsOf(draft, (block) => block.type === 'tool_use');
  const answered = idsOf(draft, (block) => block.type !== 'tool_use');
  const seen = new Set<string>();
  const isAlone = (block: DraftBlock): boolean => {
    if (!stays(block) || !(block.type === 'tool_use' || block.type === 'tool_result' || block.tool_use_id !== null))
      return false;
    const id = block.tool_use_id;
    if (id === null || !called.has(id) || !answered.has(id)) return true;
    const key = `${block.type === 'tool_use'} ${id}`;
    const isAgain = seen.has(key);
    seen.add(key);
    return isAgain;
  };
  return inOrder(withBlocks(draft, (block) => (isAlone(block) ? { to: 'nothing' } : undefined)));
}

/** It is still a call or a result in the copy. */
function stays({ change }: DraftBlock): boolean {
  return change === null || change.to === 'cut' || change.to === 'words';
}

function idsOf(draft: Draft, which: (block: DraftBlock) => boolean): Set<string> {
  const ids = new Set<string>();
  for (const { blocks } of draft.messages)
    for (const block of blocks)
      if (block.tool_use_id !== null && stays(block) && which(block)) ids.add(block.tool_use_id);
  return ids;
}

function inOrder(draft: Draft): Draft {
  const callerOf = new Map<string, number>();
  let lastReply = -1;
  let isMoved = false;
  const placed = draft.messages.map((message, place) => {
    if (message.role === 'assistant') {
      lastReply = place;
      for (const { type, tool_use_id } of message.blocks)
        if (type === 'tool_use' && tool_use_id !== null) callerOf.set(tool_use_id, place);
      return { message, place };
    }
    const caller = callerPlace(message, callerOf);
    if (caller === undefined || caller === lastReply) return { message, place };
    isMoved = true;
    return { message, place: caller + 0.5 };
  });
  if (!isMoved) return draft;
  return { ...draft, messages: placed.sort((a, b) => a.place - b.place).map(({ message }) => message) };
}

function callerPlace({ blocks }: DraftMessage, callerOf: Map<string, number>): number | undefined {
  for (const block of blocks)
    if (block.type === 'tool_result' && stays(block)) return callerOf.get(block.tool_use_id ?? '');
  return undefined;
}
