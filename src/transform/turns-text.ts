// Messages as plain text, for a program that is to sum them up.

import type { Block, Text } from '../schema/blocks.ts';
import { jsonText } from '../schema/json-text.ts';
import type { Message } from '../schema/message.ts';
import type { SessionView } from '../schema/stream.ts';

export function turnsText(view: SessionView, messages: number[]): string {
  return messages
    .map((index) => view.message(index))
    .map((message) => ({ message, text: message.content.map(blockText).filter(Boolean).join('\n') }))
    .filter(({ text }) => text !== '')
    .map(({ message, text }) => `## ${speaker(message)}\n\n${text}\n`)
    .join('\n');
}

function speaker({ kind, role, timestamp }: Message): string {
  const who: Partial<Record<Message['kind'], string>> = {
    prompt: 'user',
    reply: 'assistant',
    tool_result: 'result',
    summary: 'earlier summary',
  };
  return `${who[kind] ?? `${role} (${kind})`}${timestamp === null ? '' : `, ${timestamp}`}`;
}

function blockText(block: Block): string {
  switch (block.type) {
    case 'text':
      return words(block.text);
    case 'tool_use':
      return `[call of ${block.name}: ${jsonText(block.input)}]`;
    case 'tool_result':
      return `${block.is_error ? '[failed] ' : ''}${block.content.map((part) => (part.type === 'text' ? words(part.text) : `[${part.type}]`)).join('\n')}`;
    case 'attachment':
      return block.text === null ? '' : words(block.text);
    case 'image':
      return '[image]';
    // What the model thought is not part of what was said.
    case 'thinking':
    case 'unknown':
      return '';
  }
}

function words(text: Text): string {
  return typeof text === 'string' ? text : `[${text.omitted_bytes} bytes]`;
}
