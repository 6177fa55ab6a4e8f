// A block in the words of the client, where it is no longer the one that stands in a row.

import type { Block, ResultPart, Text } from '../../schema/blocks.ts';
import { type JsonObject, parsedObject } from '../json-access.ts';

/** An entry of a row's list as the copy has it: of a call or a result only what was changed is written anew. */
export function changedEntry(entry: string, now: Block, whole: (text: Text) => string): JsonObject {
  const native = parsedObject(entry);
  const changed = nativeBlock(now, whole);
  if (native?.type === 'tool_result' && now.type === 'tool_result')
    return { ...native, content: changed.content ?? '' };
  if (now.type === 'tool_use' && native !== undefined) return { ...native, input: now.input };
  return changed;
}

/** `whole` gives a text that was too long to read along. */
export function nativeBlock(block: Block, whole: (text: Text) => string): JsonObject {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: whole(block.text) };
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
            ? whole(block.content[0].text)
            : block.content.map((part) => nativePart(part, whole)),
        ...(block.is_error ? { is_error: true } : {}),
      };
    case 'image':
      return nativeImage(block, whole);
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

function nativePart(part: ResultPart, whole: (text: Text) => string): JsonObject {
  if (part.type === 'text') return { type: 'text', text: whole(part.text) };
  if (part.type === 'image') return nativeImage(part, whole);
  return typeof part.data === 'object' && part.data !== null && !Array.isArray(part.data)
    ? part.data
    : { type: 'text', text: String(part.data) };
}

type Image = Extract<ResultPart, { type: 'image' }>;

function nativeImage({ media_type, data, url }: Image, whole: (text: Text) => string): JsonObject {
  if (url !== null) return { type: 'image', source: { type: 'url', url } };
  return { type: 'image', source: { type: 'base64', media_type, data: data === null ? '' : whole(data) } };
}
