// Pass 2: the blocks of one message, read back from its rows.

import type { Block, Json, ResultPart, SourceRef, Text } from '../../schema/blocks.ts';
import type { OutlineBlock, OutlineMessage } from '../../schema/outline.ts';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../json-access.ts';
import type { Rows } from '../source.ts';

export function contentOf(message: OutlineMessage, rows: Rows): Block[] {
  return message.blocks.flatMap((outline) => blocksFrom(outline, message, rows));
}

function blocksFrom(outline: OutlineBlock, message: OutlineMessage, rows: Rows): Block[] {
  const row = rows.row(outline.source);
  if (!isObject(row)) return [];
  const pointer = outline.source.pointer ?? '';
  const native = valueAt(row, pointer);
  const place = { source: outline.source, cleared_by: null };
  if (outline.type === 'attachment' && pointer.endsWith('/attachment'))
    return attachmentBlocks(row, native, message, outline.source);
  if (typeof native === 'string') return [{ type: 'text', text: native, ...place }];
  if (!isObject(native))
    return isOmitted(native) ? [{ type: 'text', text: native, ...place }] : [unknownBlock(native, place)];
  // The details of a result stand beside the message, in the row that `/message/content` is in.
  const owner = pointer.includes('/message/content')
    ? valueAt(row, pointer.slice(0, pointer.indexOf('/message/content')))
    : row;
  return [blockFrom(native, isObject(owner) ? owner : row, place)];
}

/** The value at a JSON pointer whose keys need no escapes. */
export function valueAt(value: Json, pointer: string): Json {
  let at: Json = value;
  for (const key of pointer.split('/').slice(1)) {
    if (Array.isArray(at)) at = at[Number(key)] ?? null;
    else if (isObject(at)) at = at[key] ?? null;
    else return null;
  }
  return at;
}

type Place = Pick<Block, 'source' | 'cleared_by'>;

function blockFrom(native: JsonObject, row: JsonObject, place: Place): Block {
  switch (native.type) {
    case 'text':
      return { type: 'text', text: textAt(native.text) ?? '', ...place };
    case 'thinking':
      return {
        type: 'thinking',
        text: textAt(native.thinking),
        subject: null,
        signature: textAt(native.signature),
        encrypted: null,
        ...place,
      };
    case 'redacted_thinking':
      return { type: 'thinking', text: null, subject: null, signature: null, encrypted: textAt(native.data), ...place };
    case 'tool_use':
    case 'server_tool_use':
      return {
        type: 'tool_use',
        id: stringAt(native, 'id') ?? null,
        name: stringAt(native, 'name') ?? '',
        input: native.input ?? null,
        ...place,
      };
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: stringAt(native, 'tool_use_id') ?? stringAt(row, 'sourceToolUseID') ?? null,
        is_error: native.is_error === true,
        content: resultParts(native.content),
        details: row.toolUseResult ?? null,
        ...place,
      };
    case 'image':
      return { ...imageFrom(native), ...place };
    case 'document':
      return { type: 'attachment', name: 'document', text: null, data: native, ...place };
    default:
      return isOmitted(native) ? { type: 'text', text: native, ...place } : unknownBlock(native, place);
  }
}

function unknownBlock(native: Json, place: Place): Block {
  const native_type = isObject(native) ? (stringAt(native, 'type') ?? null) : null;
  return { type: 'unknown', native_type, data: native, ...place };
}

function resultParts(content: Json | undefined): ResultPart[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string' || isOmitted(content)) return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return [{ type: 'unknown', native_type: null, data: content }];
  return content.map((part): ResultPart => {
    if (typeof part === 'string') return { type: 'text', text: part };
    if (!isObject(part)) return { type: 'unknown', native_type: null, data: part };
    if (part.type === 'text') return { type: 'text', text: textAt(part.text) ?? '' };
    if (part.type === 'image') return imageFrom(part);
    return { type: 'unknown', native_type: stringAt(part, 'type') ?? null, data: part };
  });
}

function imageFrom(native: JsonObject): Extract<ResultPart, { type: 'image' }> {
  const source = objectAt(native, 'source');
  return {
    type: 'image',
    media_type: stringAt(source, 'media_type') ?? null,
    data: textAt(source?.data),
    url: stringAt(source, 'url') ?? null,
  };
}

function textAt(value: Json | undefined): Text | null {
  return typeof value === 'string' || isOmitted(value) ? value : null;
}

/** A string that was too long to read along: see skim.ts. */
function isOmitted(value: Json | undefined): value is { omitted_bytes: number; offset: number } {
  return (
    isObject(value) &&
    typeof value.omitted_bytes === 'number' &&
    typeof value.offset === 'number' &&
    Object.keys(value).length === 2
  );
}

/** What was rendered for the model; words that the person typed in mid-turn as plain text. */
function attachmentBlocks(row: JsonObject, native: Json, message: OutlineMessage, source: SourceRef): Block[] {
  const attachment = isObject(native) ? native : {};
  if (message.kind === 'prompt') return typedBlocks(attachment, source);
  const name = stringAt(attachment, 'type') ?? '';
  return [
    {
      type: 'attachment',
      name,
      text: renderedText(row) ?? plainText(attachment),
      data: native,
      source,
      cleared_by: null,
    },
  ];
}

function typedBlocks(attachment: JsonObject, source: SourceRef): Block[] {
  const prompt = attachment.prompt;
  const at = (pointer: string) => ({ source: { ...source, pointer: `${source.pointer}${pointer}` }, cleared_by: null });
  if (!Array.isArray(prompt)) return [{ type: 'text', text: textAt(prompt) ?? '', ...at('/prompt') }];
  return prompt.map((part, i) => {
    const place = at(`/prompt/${i}`);
    return isObject(part) ? blockFrom(part, {}, place) : unknownBlock(part, place);
  });
}

export function renderedText(row: JsonObject): string | null {
  const rendered = listAt(row, 'rendered');
  if (rendered === undefined) return null;
  const texts = rendered.flatMap((part) => {
    const content = isObject(part) ? part.content : part;
    if (typeof content === 'string') return [content];
    return Array.isArray(content)
      ? content.map((block) => (isObject(block) ? (stringAt(block, 'text') ?? '') : ''))
      : [];
  });
  return texts.join('\n');
}

/** Versions that record no rendering: the text in the attachment's own data. */
function plainText(attachment: JsonObject): string | null {
  const content = attachment.content;
  if (typeof content === 'string') return content;
  if (isObject(content)) return stringAt(content, 'content') ?? stringAt(objectAt(content, 'file'), 'content') ?? null;
  return stringAt(attachment, 'snippet') ?? null;
}
