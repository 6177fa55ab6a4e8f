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
  const known = new Set(draft.messages.flatMap(({ blocks }) => blocks.flatMap(callIn)));
  const seen = new Set<string>();
  const isAlone = (block: DraftBlock): boolean => {
    if (!stays(block) || !(block.type === 'tool_use' || block.type === 'tool_result' || block.tool_use_id !== null))
      return false;
    const id = block.tool_use_id;
    // The result of a call in a shape that we do not know is left alone, like the call.
    if (block.type === 'unknown' && id !== null && !known.has(id)) return false;
    if (id === null || !called.has(id) || !answered.has(id)) return true;
    const key = `${block.type === 'tool_use'} ${id}`;
    const isAgain = seen.has(key);
    seen.add(key);
    return isAgain;
  };
  return inOrder(withBlocks(draft, (block) => (isAlone(block) ? { to: 'nothing' } : undefined)));
}

function callIn({ type, tool_use_id }: DraftBlock): string[] {
  return type === 'tool_use' && tool_use_id !== null ? [tool_use_id] : [];
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

/** A result stands right after the reply that made the call: one that was written before it, or after a later reply, moves there. */
function inOrder(draft: Draft): Draft {
  const callerOf = new Map<string, number>();
  for (const [place, { role, blocks }] of draft.messages.entries())
    if (role === 'assistant') for (const id of blocks.flatMap(callIn)) callerOf.set(id, place);
  let lastReply = -1;
  let isMoved = false;
  const placed = draft.messages.map((message, place) => {
    if (message.role === 'assistant') lastReply = place;
    const caller = message.role === 'assistant' ? undefined : callerPlace(message, callerOf);
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
