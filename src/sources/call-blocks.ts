// The two ends of a tool call, as its blocks tell them: what it was asked, and what its result says beside the text.

import type { Json } from '../schema/blocks.ts';
import { isObject, type JsonObject } from './json-access.ts';
import type { DiffRequest } from './source.ts';

export function inputOf({ content, message_index, tool_use_id }: DiffRequest): Json {
  const call = content(message_index).find((block) => block.type === 'tool_use' && block.id === tool_use_id);
  return call?.type === 'tool_use' ? call.input : null;
}

export function detailsOf({ content, result_message_index, tool_use_id }: DiffRequest): JsonObject | undefined {
  if (result_message_index === null) return undefined;
  const result = content(result_message_index).find(
    (block) => block.type === 'tool_result' && block.tool_use_id === tool_use_id,
  );
  return result?.type === 'tool_result' && isObject(result.details) ? result.details : undefined;
}
