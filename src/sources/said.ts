import type { OutlineBlock, OutlineMessage } from '../schema/outline.ts';

/** Somebody's words or thoughts: neither a tool's, nor something put in along with them. What was typed in mid-turn is attached. */
export function isSaid({ type }: Pick<OutlineBlock, 'type'>, kind: OutlineMessage['kind']): boolean {
  return type === 'text' || type === 'thinking' || (type === 'attachment' && kind === 'prompt');
}
