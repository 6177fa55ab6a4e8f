// What of a message can be searched: what was said in it, and apart from that what its tools were given and gave.

import type { Block, Json } from '../schema/blocks.ts';
import { DEEPEST } from '../schema/json-text.ts';
import type { OutlineMessage, Said } from '../schema/outline.ts';
import { stringOf, wordsIn } from '../sources/said.ts';
import { CUT } from '../sources/shorten.ts';

export interface SearchText {
  prose: string;
  tool_text: string;
}

interface Most {
  head: number;
  tail: number;
}

/** Of a tool's text so much is searched, of its beginning and of its end; of what was said, more. */
const TOOL = { head: 12 * 1024, tail: 4 * 1024 };
const PROSE = { head: 192 * 1024, tail: 64 * 1024 };
/** Of all texts of one message together: no list of words is made of more at once, see store/words/memory.ts. */
const MESSAGE = 2_000_000;

export function searchText(kind: OutlineMessage['kind'], content: readonly Block[], withTools: boolean): SearchText {
  const only = content[0];
  // Nearly every message has one block, and of most only what was said is wanted.
  if (content.length === 1 && only !== undefined && isProse(only, kind))
    return { prose: joined(textsOf(only), PROSE), tool_text: '' };
  const prose = content.filter((block) => isProse(block, kind)).flatMap(textsOf);
  const tool = withTools ? content.filter((block) => !isProse(block, kind)).flatMap(textsOf) : [];
  return { prose: joined(prose, PROSE), tool_text: joined(tool, TOOL) };
}

/** The same of a message of which only what was said is held, uncut. */
export function searchTextOf({ text }: Said): SearchText {
  return { prose: capped(text, PROSE), tool_text: '' };
}

/** What the client put in is no more said by anybody than a tool's output is. */
function isProse({ type }: Block, kind: OutlineMessage['kind']): boolean {
  return (type === 'text' || type === 'thinking') && kind !== 'meta';
}

function joined(texts: string[], most: Most): string {
  if (texts.length === 1) return capped(texts[0] ?? '', most);
  return texts
    .map((text) => capped(text, most))
    .join('\n')
    .slice(0, MESSAGE);
}

/** Every text of a block, whole. */
export function textsOf(block: Block): string[] {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return [wordsIn(block) ?? ''];
    case 'attachment':
      return [stringOf(block.text)];
    case 'tool_use':
      return [[block.name, ...stringsIn(block.input)].join('\n')];
    case 'tool_result':
      return block.content.map((part) => (part.type === 'text' ? stringOf(part.text) : ''));
    default:
      return [];
  }
}

function stringsIn(value: Json, levels = DEEPEST): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || levels === 0) return [];
  return Object.values(value).flatMap((inner) => stringsIn(inner, levels - 1));
}

function capped(text: string, { head, tail }: Most): string {
  const whole = text.includes(CUT) ? text.replaceAll(CUT, ' ') : text;
  return whole.length <= head + tail ? whole : `${whole.slice(0, head)} ${whole.slice(-tail)}`;
}
