// Pass 2: the blocks of one message, read back from its rows.

import type { Block, Json, ResultPart, SourceRef, Text } from '../../schema/blocks.ts';
import type { OutlineBlock, OutlineMessage } from '../../schema/outline.ts';
import {
  isObject,
  isOmitted,
  type JsonObject,
  objectAt,
  parsedText,
  stringAt,
  textAt,
  valueAt,
} from '../json-access.ts';
import type { Rows } from '../source.ts';
import { isFailedResult } from './calls.ts';
import { callName } from './items.ts';
import { outputText } from './output-text.ts';
import { errorIn, verdictOf } from './signals.ts';

export function contentOf(message: OutlineMessage, rows: Rows): Block[] {
  if (message.content !== null) return message.content;
  return message.blocks.map((block) => {
    const { row: ref, pointer } = block;
    const source: SourceRef = { file: ref.file, line: ref.line, offset: ref.offset, length: ref.length, pointer };
    return blockFrom(block, valueAt(rows.row(ref), pointer), source, () => itemBeside(message, block, rows));
  });
}

/** The record of a call's end, which tells more than the output that the model saw: the second source of the result. */
function itemBeside(message: OutlineMessage, block: OutlineBlock, rows: Rows): Json {
  const ref = message.source.find((candidate) => candidate !== block.row && candidate.offset !== block.row.offset);
  const row = ref === undefined ? null : rows.row(ref);
  const payload = isObject(row) ? objectAt(row, 'payload') : undefined;
  return payload?.item ?? payload ?? null;
}

function blockFrom(block: OutlineBlock, native: Json, source: SourceRef, item: () => Json): Block {
  const place = { source, cleared_by: null };
  const object = isObject(native) ? native : {};
  switch (block.type) {
    case 'text':
      return { type: 'text', text: textAt(isOmitted(native) ? native : (object.text ?? native)) ?? '', ...place };
    case 'image':
      return { ...imageFrom(object), ...place };
    case 'thinking':
      return { type: 'thinking', ...thinkingFrom(native), subject: null, signature: null, ...place };
    case 'tool_use':
      return {
        type: 'tool_use',
        id: block.tool_use_id,
        // Who asks for one message alone knows no more than where it lies.
        name: block.name ?? callName(object),
        input: inputOf(object),
        ...place,
      };
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: block.tool_use_id,
        ...resultFrom(object.output ?? object.tools ?? null, item()),
        ...place,
      };
    default:
      return { type: 'unknown', native_type: stringAt(object, 'type') ?? null, data: native, ...place };
  }
}

function thinkingFrom(native: Json): { text: Text | null; encrypted: Text | null } {
  if (typeof native === 'string' || isOmitted(native)) return { text: native, encrypted: null };
  const object = isObject(native) ? native : {};
  const told = [
    ...partsOf(object.summary),
    ...partsOf(object.content),
    ...partsOf(object.summary_text),
    ...partsOf(object.raw_content),
  ];
  const [first] = told;
  const text = told.length > 1 ? told.filter((part) => typeof part === 'string').join('\n\n') : (first ?? null);
  return { text, encrypted: textAt(object.encrypted_content) };
}

/** Parts are strings, or objects with a text. */
function partsOf(list: Json | undefined): Text[] {
  if (!Array.isArray(list)) return [];
  return list
    .map((part) => textAt(isObject(part) && 'text' in part ? part.text : part))
    .filter((text) => text !== null);
}

/** `arguments` is JSON in a string; `input` of a custom tool is plain text; some calls hold neither. */
export function inputOf(call: JsonObject): Json {
  if (typeof call.arguments === 'string') return parsedText(call.arguments) ?? call.arguments;
  if (call.arguments !== undefined) return call.arguments;
  return call.input ?? call.action ?? null;
}

type Result = Pick<Extract<Block, { type: 'tool_result' }>, 'is_error' | 'content' | 'details'>;

/** One shape for every era: the output as content; what the client wrote around it, and its record of the call, as details. */
function resultFrom(output: Json, item: Json): Result {
  const isFailed =
    isObject(item) &&
    (item.status === 'failed' || item.status === 'declined' || item.success === false || isFailedResult(item.result));
  if (typeof output !== 'string') {
    // Code mode writes the frame as a part of its own.
    const [first, ...rest] = resultParts(output);
    const framed = first?.type === 'text' && typeof first.text === 'string' ? outputText(first.text) : undefined;
    const header = framed?.output === '' ? framed.header : null;
    const content = header === null ? resultParts(output) : rest;
    const details = header === null && item === null ? null : { header, item };
    return { is_error: isFailed, content, details };
  }
  const { header, output: text, exit_code } = outputText(output);
  // What a command printed is no word of the client.
  const isWords = header === null && (errorIn(text) !== undefined || verdictOf(text) !== undefined);
  const is_error = isFailed || isWords || (exit_code !== null && exit_code !== 0);
  return {
    is_error,
    content: [{ type: 'text', text }],
    details: header === null && item === null ? null : { header, item },
  };
}

function resultParts(output: Json): ResultPart[] {
  if (output === null) return [];
  if (isOmitted(output)) return [{ type: 'text', text: output }];
  // 2025: the content and whether it was a success.
  if (isObject(output) && typeof output.content === 'string') return [{ type: 'text', text: output.content }];
  if (!Array.isArray(output)) return [{ type: 'unknown', native_type: null, data: output }];
  return output.map((part): ResultPart => {
    if (!isObject(part)) return { type: 'unknown', native_type: null, data: part };
    if (part.type === 'input_image') return imageFrom(part);
    const text = textAt(part.text);
    return text === null
      ? { type: 'unknown', native_type: stringAt(part, 'type') ?? null, data: part }
      : { type: 'text', text };
  });
}

/** An image is a data URL, or an address. */
function imageFrom(native: JsonObject): Extract<ResultPart, { type: 'image' }> {
  const url = native.image_url;
  if (isOmitted(url)) return { type: 'image', media_type: null, data: url, url: null };
  const address = typeof url === 'string' ? url : null;
  const inline = address === null ? null : /^data:([^;,]+);base64,/.exec(address);
  if (inline === null) return { type: 'image', media_type: null, data: null, url: address };
  return { type: 'image', media_type: inline[1] ?? null, data: address?.slice(inline[0].length) ?? null, url: null };
}
