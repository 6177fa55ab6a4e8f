// A message, or a part of it, in one line.

import type { ShownMessage } from '../../api.ts';
import { size } from '../parts/measures.ts';
import { visible } from '../parts/visible.ts';

/** The first line that says anything. */
export function firstLine(text: string): string {
  return visible(text.slice(0, 2000).trim().split('\n')[0]?.slice(0, 300) ?? '');
}

/** A text, or that it is too long to be one. */
export function said(text: string | { omitted_bytes: number }): string {
  return typeof text === 'string' ? text : `(${size(text.omitted_bytes)}, too long to be shown)`;
}

export function firstWords({ blocks }: Pick<ShownMessage, 'blocks'>): string {
  return blocks.map(wordsOf).find((words) => words !== '') ?? '(nothing)';
}

function wordsOf({ block, call }: ShownMessage['blocks'][number]): string {
  switch (block.type) {
    case 'text':
      return firstLine(said(block.text));
    case 'thinking':
      return block.text === null ? '' : firstLine(said(block.text));
    case 'tool_use':
      return firstLine(`${block.name} ${call?.about ?? ''}`);
    case 'tool_result':
      return firstLine(block.content.map((part) => (part.type === 'text' ? said(part.text) : '')).join('\n'));
    case 'attachment':
      return firstLine(`${block.name} ${block.text === null ? '' : said(block.text)}`);
    case 'image':
      return '(image)';
    case 'unknown':
      return '';
  }
}
