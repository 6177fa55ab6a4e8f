import type { OutlineBlock, OutlineMessage } from '../schema/outline.ts';

/** Somebody's words or thoughts: neither a tool's, nor something put in along with them. What was typed in mid-turn is attached. */
export function isSaid({ type }: Pick<OutlineBlock, 'type'>, kind: OutlineMessage['kind']): boolean {
  return type === 'text' || type === 'thinking' || (type === 'attachment' && kind === 'prompt');
}

/** Those of a message's blocks; the same list where that is all of them, as of most. */
export function saidAmong(blocks: OutlineBlock[], kind: OutlineMessage['kind']): OutlineBlock[] {
  return blocks.every((block) => isSaid(block, kind)) ? blocks : blocks.filter((block) => isSaid(block, kind));
}

/** What is held of the words of messages. */
export function heldTexts(messages: readonly OutlineMessage[]): object[] {
  return messages.flatMap(({ said }) => (said === null ? [] : [said]));
}
