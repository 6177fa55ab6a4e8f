// What a person said in a message, without what their client put beside it.

import type { Message } from '../schema/message.ts';
import { plainText } from './summary-sentences.ts';

/**
 * The words of a message. Clients add blocks that are nothing but tags, such as <system-reminder> or <environment_context>; nobody said that.
 * Tags among words are the person's own, and so is a prompt that is all tags.
 */
export function saidText({ kind, content }: Message): string {
  const texts = content
    .flatMap((block) => (block.type === 'text' && typeof block.text === 'string' ? [plainText(block.text).trim()] : []))
    .filter((text) => text !== '');
  const said = texts.filter((text) => !isAllTags(text));
  return (said.length === 0 && kind === 'prompt' ? texts : said).join('\n');
}

const TAG = /\s*<([a-z]+[-_][a-z_-]+)(?:\s[^<>]*)?>/y;

function isAllTags(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    TAG.lastIndex = at;
    const name = TAG.exec(text)?.[1];
    const end = name === undefined ? -1 : text.indexOf(`</${name}>`, TAG.lastIndex);
    if (name === undefined || end === -1) return false;
    at = end + name.length + 3;
  }
  return true;
}
