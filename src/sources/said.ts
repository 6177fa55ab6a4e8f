import type { Block, Text } from '../schema/blocks.ts';
import type { OutlineBlock, OutlineMessage, Said } from '../schema/outline.ts';

/** Somebody's words or thoughts: neither a tool's, nor something put in along with them. What was typed in mid-turn is attached. */
export function isSaid({ type }: Pick<OutlineBlock, 'type'>, kind: OutlineMessage['kind']): boolean {
  return type === 'text' || type === 'thinking' || (type === 'attachment' && kind === 'prompt');
}

/** Those of a message's blocks; the same list where that is all of them, as of most. */
export function saidAmong(blocks: OutlineBlock[], kind: OutlineMessage['kind']): OutlineBlock[] {
  return blocks.every((block) => isSaid(block, kind)) ? blocks : blocks.filter((block) => isSaid(block, kind));
}

/** The words of a text or of a thought; undefined for all other blocks. */
export function wordsIn(block: Block): string | undefined {
  if (block.type === 'text') return stringOf(block.text);
  if (block.type !== 'thinking') return undefined;
  const text = stringOf(block.text);
  return block.subject === null ? text : `${block.subject}\n${text}`;
}

/** A text that was too long to read along is none: see skim.ts. */
export function stringOf(text: Text | null): string {
  return typeof text === 'string' ? text : '';
}

/** Held of every message that has no words. */
export const NOTHING_SAID: Said = { text: '' };

/** What was said, and then this. */
export function saidThen(said: Said, words: string): Said {
  if (words === '') return said;
  return { text: said.text === '' ? words : `${said.text}\n${words}` };
}

export function saidIn(content: readonly Block[]): Said {
  let said = NOTHING_SAID;
  for (let i = 0; i < content.length; i++) said = saidThen(said, wordsIn(content[i] as Block) ?? ''); // a place of the list
  return said;
}

/** What is held of the words of messages. */
export function heldTexts(messages: readonly OutlineMessage[]): object[] {
  return messages.flatMap(({ said }) => (said === null ? [] : [said]));
}
