// A message, or a part of it, in one line.

import type { ShownBlock, ShownMessage } from '../../api.ts';
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

type Result = Extract<ShownBlock['block'], { type: 'tool_result' }>;
export type ResultPart = Result['content'][number];

/** What a tool gave, as far as it is text. */
export function resultText({ content }: Result): string {
  return content.map((part) => (part.type === 'text' ? said(part.text) : '')).join('\n');
}

/** What a tool gave, in one line: where it is no text, what kind of thing it is. */
export function resultLine(result: Result): string {
  const others = result.content.flatMap((part) => (part.type === 'unknown' ? [part.native_type ?? 'something'] : []));
  return firstLine(resultText(result)) || visible(others.map((name) => `(${name})`).join(' '));
}

export function firstWords({ blocks }: Pick<ShownMessage, 'blocks'>): string {
  return blocks.map(wordsOf).find((words) => words !== '') ?? '(nothing)';
}

function wordsOf({ block, call }: ShownBlock): string {
  switch (block.type) {
    case 'text':
      return firstLine(said(block.text));
    case 'thinking':
      return block.text === null ? '' : firstLine(said(block.text));
    case 'tool_use':
      return firstLine(`${block.name} ${call?.about ?? ''}`);
    case 'tool_result':
      return resultLine(block);
    case 'attachment':
      return firstLine(`${block.name} ${block.text === null ? '' : said(block.text)}`);
    case 'image':
      return '(image)';
    case 'unknown':
      return '';
  }
}
