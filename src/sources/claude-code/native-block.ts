// A block in the words of the client, where it is no longer the one that stands in a row.

import type { Block, ResultPart } from '../../schema/blocks.ts';
import type { JsonObject } from '../json-access.ts';

export function nativeBlock(block: Block): JsonObject {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: wordsOf(block.text) };
    case 'tool_use':
      return {
        type: isServers(block.id) ? 'server_tool_use' : 'tool_use',
        id: block.id,
        name: block.name,
        input: block.input,
      };
    case 'tool_result':
      return {
        tool_use_id: block.tool_use_id,
        type: 'tool_result',
        content:
          block.content.length === 1 && block.content[0]?.type === 'text'
            ? wordsOf(block.content[0].text)
            : block.content.map(nativePart),
        ...(block.is_error ? { is_error: true } : {}),
      };
    case 'image':
      return nativeImage(block);
    case 'unknown':
      return typeof block.data === 'object' && block.data !== null && !Array.isArray(block.data) ? block.data : {};
    // Thinking is never written anew: its signature covers it. Attachments stand in rows of their own.
    case 'thinking':
    case 'attachment':
      return { type: 'text', text: '' };
  }
}

/** Calls that the server runs itself are known by their ids. */
function isServers(id: string | null): boolean {
  return id?.startsWith('srvtoolu_') === true;
}

function nativePart(part: ResultPart): JsonObject {
  if (part.type === 'text') return { type: 'text', text: wordsOf(part.text) };
  if (part.type === 'image') return nativeImage(part);
  return typeof part.data === 'object' && part.data !== null && !Array.isArray(part.data)
    ? part.data
    : { type: 'text', text: String(part.data) };
}

function nativeImage({ media_type, data, url }: Extract<ResultPart, { type: 'image' }>): JsonObject {
  const source = url === null ? { type: 'base64', media_type, data: wordsOf(data) } : { type: 'url', url };
  return { type: 'image', source };
}

/** A string that was left in the file cannot be written from memory; its block is copied by bytes, and never comes here. */
function wordsOf(text: string | { omitted_bytes: number } | null): string {
  if (typeof text === 'string') return text;
  return text === null ? '' : `[${text.omitted_bytes} bytes]`;
}
