// Pass 2: the blocks of one message, read back from its rows.

import type { Block, Json, ResultPart, SourceRef } from '../../schema/blocks.ts';
import type { OutlineBlock, OutlineMessage } from '../../schema/outline.ts';
import { isObject, type JsonObject, listAt, objectAt, stringAt, textAt, valueAt } from '../json-access.ts';
import type { Rows } from '../source.ts';
import { gridText } from './rows.ts';
import { exitCodeIn } from './signals.ts';

export function contentOf(message: OutlineMessage, rows: Rows): Block[] {
  if (message.content !== null) return message.content;
  return message.blocks.map((block) => {
    const { row: ref, pointer } = block;
    const source: SourceRef = { file: ref.file, line: ref.line, offset: ref.offset, length: ref.length, pointer };
    return blockFrom(block, valueAt(rows.row(ref), pointer), source, () => callOf(message, block, rows));
  });
}

/** The call whose result a block is, as the model's side records it: with what was shown of it. */
function callOf(message: OutlineMessage, block: OutlineBlock, rows: Rows): JsonObject | undefined {
  for (const ref of message.source) {
    const at = /^(.*\/toolCalls\/\d+)\/result$/.exec(ref.pointer ?? '')?.[1];
    const call = at === undefined ? null : valueAt(rows.row({ ...ref, pointer: null }), at);
    if (isObject(call) && call.id === block.tool_use_id) return call;
  }
  return undefined;
}

function blockFrom(block: OutlineBlock, native: Json, source: SourceRef, call: () => JsonObject | undefined): Block {
  const place = { source, cleared_by: null };
  const object = isObject(native) ? native : {};
  switch (block.type) {
    case 'text':
      return { type: 'text', text: textAt(object.text ?? native) ?? '', ...place };
    case 'thinking':
      return {
        type: 'thinking',
        text: textAt(object.description ?? object.text),
        subject: stringAt(object, 'subject') ?? null,
        signature: textAt(object.thoughtSignature),
        encrypted: null,
        ...place,
      };
    case 'tool_use': {
      const asked = objectAt(object, 'functionCall') ?? object;
      // Who asks for one message alone knows no more than where it lies.
      const name = block.name ?? stringAt(asked, 'name') ?? '';
      return { type: 'tool_use', id: block.tool_use_id, name, input: asked.args ?? null, ...place };
    }
    case 'tool_result':
      return { type: 'tool_result', tool_use_id: block.tool_use_id, ...resultFrom(native, call()), ...place };
    case 'image':
      return { ...imageFrom(object), ...place };
    default:
      return { type: 'unknown', native_type: null, data: native, ...place };
  }
}

type Result = Pick<Extract<Block, { type: 'tool_result' }>, 'is_error' | 'content' | 'details'>;

/** A `functionResponse`, or the list of parts that a call keeps as its result. */
function resultFrom(native: Json, call: JsonObject | undefined): Result {
  const parts = Array.isArray(native) ? native : [native];
  const answers = parts
    .map((part) => objectAt(isObject(part) ? part : undefined, 'functionResponse'))
    .filter((answer) => answer !== undefined);
  const responses = answers.map((answer) => objectAt(answer, 'response')).filter((response) => response !== undefined);
  // Models that take pictures within a result (Gemini 3) get them there.
  const inside = answers.flatMap((answer) => listAt(answer, 'parts') ?? []);
  const others = parts.filter((part) => isObject(part) && objectAt(part, 'functionResponse') === undefined);
  const is_error = answers.some((answer) => tellsOfError(answer, stringAt(call, 'name')));
  return {
    is_error,
    content: [...responses.flatMap(responseParts), ...inside.flatMap(partFrom), ...others.flatMap(partFrom)],
    // A screen of a command as text.
    details: gridText(call?.resultDisplay) ?? call?.resultDisplay ?? null,
  };
}

/** Or of a command that ended with another code than zero: as the outcome of the call says (rows.ts). */
function tellsOfError(answer: JsonObject, called: string | undefined): boolean {
  const response = objectAt(answer, 'response');
  const exit_code = exitCodeIn(stringAt(response, 'output') ?? null, called ?? stringAt(answer, 'name'));
  return typeof response?.error === 'string' || (exit_code !== null && exit_code !== 0);
}

function responseParts(response: JsonObject): ResultPart[] {
  const text = textAt(response.error) ?? textAt(response.output);
  if (text !== null) return [{ type: 'text', text }];
  const content = listAt(response, 'content') ?? listAt(response, 'output');
  return content === undefined ? [{ type: 'unknown', native_type: null, data: response }] : content.flatMap(partFrom);
}

function partFrom(part: Json): ResultPart[] {
  if (typeof part === 'string') return [{ type: 'text', text: part }];
  if (!isObject(part)) return [{ type: 'unknown', native_type: null, data: part }];
  const text = textAt(part.text);
  if (text !== null) return [{ type: 'text', text }];
  return isObject(part.inlineData) || isObject(part.fileData)
    ? [imageFrom(part)]
    : [{ type: 'unknown', native_type: null, data: part }];
}

function imageFrom(part: JsonObject): Extract<ResultPart, { type: 'image' }> {
  const inline = objectAt(part, 'inlineData');
  const file = objectAt(part, 'fileData');
  return {
    type: 'image',
    media_type: stringAt(inline ?? file, 'mimeType') ?? null,
    data: textAt(inline?.data),
    url: stringAt(file, 'fileUri') ?? null,
  };
}
