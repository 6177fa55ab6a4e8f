// Pass 2: the blocks of one message, read back from its rows.

import type { Block, Json, ResultPart, SourceRef } from '../../schema/blocks.ts';
import type { OutlineBlock, OutlineMessage } from '../../schema/outline.ts';
import { isObject, isOmitted, type JsonObject, objectAt, stringAt, textAt, valueAt } from '../json-access.ts';
import { saidIn } from '../said.ts';
import type { Rows } from '../source.ts';
import { renderedText } from './rows.ts';

export function contentOf(message: OutlineMessage, rows: Rows): Block[] {
  if (message.content !== null) return message.content;
  const content: Block[] = [];
  for (const outline of message.blocks) {
    const row = rows.row(outline.row);
    if (isObject(row)) addBlocks(outline, message, row, content);
  }
  return content;
}

/**
 * The content of one row while it is at hand, for sessions that are small enough to hold: to come back
 * to it later costs nearly as much as to parse it again. A message inside another row is given as it is there.
 */
export function addRowContent(
  blocks: OutlineBlock[],
  message: OutlineMessage,
  row: JsonObject,
  content: Block[],
): void {
  for (let i = 0; i < blocks.length; i++) {
    const outline = blocks[i] as OutlineBlock; // a place of the list
    addBlocks(outline, message, within(row, outline.row.pointer), content);
  }
}

/** The same for a message that begins with this row. Nearly every one has one block, and a list that grows has room for seventeen. */
export function rowContent(blocks: OutlineBlock[], message: OutlineMessage, row: JsonObject): Block[] {
  const only = blocks[0];
  if (blocks.length === 1 && only !== undefined && only.row.pointer === null && only.pointer.startsWith(CONTENT))
    return [nativeBlock(contentAt(row, only.pointer), row, sourceOf(only))];
  const content: Block[] = [];
  addRowContent(blocks, message, row, content);
  return content;
}

/** What is said in one of its blocks. */
export function wordsOf(block: OutlineBlock, message: OutlineMessage, row: JsonObject): string {
  if (block.row.pointer === null && block.pointer.startsWith(CONTENT)) {
    const native = contentAt(row, block.pointer);
    // Nearly every one: no block need be made of it.
    if (typeof native === 'string') return native;
    if (isObject(native) && native.type === 'text' && typeof native.text === 'string') return native.text;
  }
  const content: Block[] = [];
  addBlocks(block, message, within(row, block.row.pointer), content);
  return saidIn(content).text;
}

/** A row that stands inside another, as seen from the outer one, where its pointers begin. */
function within(row: JsonObject, pointer: string | null): JsonObject {
  if (pointer === null) return row;
  return pointer
    .split('/')
    .slice(1)
    .reduceRight<JsonObject>((inner, key) => ({ [key]: inner }), row);
}

const CONTENT = '/message/content';

function addBlocks(outline: OutlineBlock, message: OutlineMessage, row: JsonObject, content: Block[]): void {
  const { pointer: at } = outline;
  const source = sourceOf(outline);
  // Nearly every block: an entry of the row's own list, or its string.
  if (at.startsWith(CONTENT)) {
    content.push(nativeBlock(contentAt(row, at), row, source));
    return;
  }
  const native = valueAt(row, at);
  if (outline.type === 'attachment' && at.endsWith('/attachment')) {
    content.push(...attachmentBlocks(row, native, message, source));
    return;
  }
  // A message that stands inside another row: the details of a result stand beside it there.
  const inside = at.indexOf(CONTENT);
  const owner = inside === -1 ? row : valueAt(row, at.slice(0, inside));
  content.push(nativeBlock(native, isObject(owner) ? owner : row, source));
}

function sourceOf({ row: { file, line, offset, length }, pointer }: OutlineBlock): SourceRef {
  return { file, line, offset, length, pointer };
}

function contentAt(row: JsonObject, pointer: string): Json {
  const content = objectAt(row, 'message')?.content ?? null;
  if (pointer.length === CONTENT.length || !Array.isArray(content)) return content;
  return content[Number(pointer.slice(CONTENT.length + 1))] ?? null;
}

function nativeBlock(native: Json, row: JsonObject, source: SourceRef): Block {
  if (typeof native === 'string' || isOmitted(native)) return { type: 'text', text: native, source, cleared_by: null };
  return isObject(native) ? blockFrom(native, row, source) : unknownBlock(native, source);
}

function blockFrom(native: JsonObject, row: JsonObject, source: SourceRef): Block {
  switch (native.type) {
    case 'text':
      return { type: 'text', text: textAt(native.text) ?? '', source, cleared_by: null };
    case 'thinking':
      return {
        type: 'thinking',
        text: textAt(native.thinking),
        subject: null,
        signature: textAt(native.signature),
        encrypted: null,
        source,
        cleared_by: null,
      };
    case 'redacted_thinking':
      return {
        type: 'thinking',
        text: null,
        subject: null,
        signature: null,
        encrypted: textAt(native.data),
        source,
        cleared_by: null,
      };
    case 'tool_use':
    case 'server_tool_use':
      return {
        type: 'tool_use',
        id: stringAt(native, 'id') ?? null,
        name: stringAt(native, 'name') ?? '',
        input: native.input ?? null,
        source,
        cleared_by: null,
      };
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: stringAt(native, 'tool_use_id') ?? stringAt(row, 'sourceToolUseID') ?? null,
        is_error: native.is_error === true,
        content: resultParts(native.content),
        details: row.toolUseResult ?? null,
        source,
        cleared_by: null,
      };
    case 'image':
      return { ...imageFrom(native), source, cleared_by: null };
    case 'document':
      return { type: 'attachment', name: 'document', text: null, data: native, source, cleared_by: null };
    default:
      return unknownBlock(native, source);
  }
}

function unknownBlock(native: Json, source: SourceRef): Block {
  const native_type = isObject(native) ? (stringAt(native, 'type') ?? null) : null;
  return { type: 'unknown', native_type, data: native, source, cleared_by: null };
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

/** What was rendered for the model; words that the person typed in mid-turn as plain text. */
function attachmentBlocks(row: JsonObject, native: Json, message: OutlineMessage, source: SourceRef): Block[] {
  const attachment = isObject(native) ? native : {};
  if (message.kind === 'prompt') return typedBlocks(attachment, source);
  const name = stringAt(attachment, 'type') ?? '';
  const image = mentionedImage(attachment, source);
  return [
    {
      type: 'attachment',
      name,
      text: renderedText(row) ?? plainText(attachment),
      data: image === null ? native : image.rest,
      source,
      cleared_by: null,
    },
    ...(image === null ? [] : [image.block]),
  ];
}

/** A picture that was mentioned with `@` is sent as one (2.0.42 and 2.1.325 do). Its bytes are not given twice. */
function mentionedImage(attachment: JsonObject, source: SourceRef): { block: Block; rest: JsonObject } | null {
  const content = objectAt(attachment, 'content');
  const file = content?.type === 'image' ? objectAt(content, 'file') : undefined;
  if (content === undefined || file === undefined) return null;
  const { base64, ...about } = file;
  return {
    block: {
      type: 'image',
      media_type: stringAt(file, 'type') ?? null,
      data: textAt(base64),
      url: null,
      source: { ...source, pointer: `${source.pointer}/content/file` },
      cleared_by: null,
    },
    rest: { ...attachment, content: { ...content, file: about } },
  };
}

function typedBlocks(attachment: JsonObject, source: SourceRef): Block[] {
  const prompt = attachment.prompt;
  const at = (pointer: string): SourceRef => ({ ...source, pointer: `${source.pointer}${pointer}` });
  if (!Array.isArray(prompt))
    return [{ type: 'text', text: textAt(prompt) ?? '', source: at('/prompt'), cleared_by: null }];
  return prompt.map((part, i) => nativeBlock(part, {}, at(`/prompt/${i}`)));
}

/** Versions that record no rendering: the text in the attachment's own data. */
function plainText(attachment: JsonObject): string | null {
  const content = attachment.content;
  if (typeof content === 'string') return content;
  if (isObject(content)) return stringAt(content, 'content') ?? stringAt(objectAt(content, 'file'), 'content') ?? null;
  const lines = Array.isArray(content) ? content.filter((line) => typeof line === 'string') : [];
  if (lines.length > 0) return lines.join('\n');
  return stringAt(attachment, 'snippet') ?? stringAt(attachment, 'prompt') ?? null;
}
