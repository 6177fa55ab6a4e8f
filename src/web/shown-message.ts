// A message as the page gets it: long texts cut, images by their addresses, calls with how they ended.

import { type Block, mainPart, type SessionReader, type ToolCall } from '../index.ts';
import type { ShownBlock, ShownCall, ShownMessage } from './api.ts';

/** Longer texts are sent when somebody asks for all of them. */
const CUT_AT = 24_000;
/** So much of what a call is about fits on a line. */
const ABOUT = 300;

export interface MessageShower {
  show(index: number, options: { whole: boolean }): ShownMessage;
  image(index: number, number: number): { type: string; bytes: Buffer<ArrayBuffer> } | undefined;
  /** Everything in it that can be read, for those who look for words. */
  textOf(index: number): string;
}

export function messageShower(reader: SessionReader, keyOfId: (id: string) => string): MessageShower {
  const calls = new Map(reader.document.tool_calls.flatMap((call) => (call.id === null ? [] : [[call.id, call]])));
  const call = (block: Block): ShownCall | null => {
    if (block.type !== 'tool_use') return null;
    const found = block.id === null ? undefined : calls.get(block.id);
    if (found === undefined) return null;
    return { ...shownCall(found, reader, keyOfId), about: mainPart(block.input).slice(0, ABOUT) };
  };
  return {
    show: (index, { whole }) => {
      const { content, extra: _, source: _places, ...message } = reader.message(index);
      let image = 0;
      const blocks = content.map((block): ShownBlock => {
        const images = imagesIn(block).map(() => image++);
        const room = { left: whole ? Number.POSITIVE_INFINITY : CUT_AT, cut: 0 };
        const shown = cutBlock(block, room);
        return { block: shown, cut: room.cut, call: call(block), images };
      });
      return { ...message, blocks };
    },
    image: (index, number) => {
      const found = reader.message(index).content.flatMap(imagesIn)[number];
      if (found === undefined || typeof found.data !== 'string' || found.media_type === null) return undefined;
      return { type: found.media_type, bytes: Buffer.from(found.data, 'base64') };
    },
    textOf: (index) => reader.message(index).content.map(textIn).join('\n'),
  };
}

function shownCall(
  { extra: _, ...call }: ToolCall,
  reader: SessionReader,
  keyOfId: (id: string) => string,
): Omit<ShownCall, 'about'> {
  const { subagent_session_id: subagent } = call;
  const change = call.id === null ? {} : reader.changeOf(call.id);
  return { ...call, ...change, subagent: subagent === null ? null : keyOfId(subagent) };
}

type Image = Extract<Block, { type: 'image' }> | { media_type: string | null; data: unknown; url: string | null };

function imagesIn(block: Block): Image[] {
  if (block.type === 'image') return [block];
  if (block.type !== 'tool_result') return [];
  return block.content.flatMap((part) => (part.type === 'image' ? [part] : []));
}

/** How much of a block's texts may still be sent. */
interface Room {
  left: number;
  cut: number;
}

/** The images' own bytes are fetched by their addresses, and signatures say nothing to anybody. */
function cutBlock(block: Block, room: Room): Block {
  switch (block.type) {
    case 'text':
      return { ...block, text: cutText(block.text, room) };
    case 'thinking':
      return {
        ...block,
        text: block.text === null ? null : cutText(block.text, room),
        signature: null,
        encrypted: null,
      };
    case 'tool_use':
      return { ...block, input: cutJson(block.input, room) };
    case 'tool_result':
      return {
        ...block,
        details: null,
        content: block.content.map((part) => {
          if (part.type === 'text') return { ...part, text: cutText(part.text, room) };
          return part.type === 'image' ? { ...part, data: null } : { ...part, data: cutJson(part.data, room) };
        }),
      };
    case 'image':
      return { ...block, data: null };
    case 'attachment':
      return {
        ...block,
        text: block.text === null ? null : cutText(block.text, room),
        data: cutJson(block.data, room),
      };
    case 'unknown':
      return { ...block, data: cutJson(block.data, room) };
  }
}

type Text = Extract<Block, { type: 'text' }>['text'];
type Json = Extract<Block, { type: 'tool_use' }>['input'];

function cutText(text: Text, room: Room): Text {
  if (typeof text !== 'string') return text;
  const shown = text.slice(0, Math.max(0, room.left));
  room.left -= shown.length;
  room.cut += text.length - shown.length;
  return shown;
}

function cutJson(value: Json, room: Room): Json {
  if (typeof value === 'string') return cutText(value, room) as string;
  if (Array.isArray(value)) return value.map((inner) => cutJson(inner, room));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cutJson(inner, room)]));
}

function textIn(block: Block): string {
  switch (block.type) {
    case 'text':
      return said(block.text);
    case 'thinking':
      return [block.subject ?? '', block.text === null ? '' : said(block.text)].join('\n');
    case 'tool_use':
      return `${block.name} ${JSON.stringify(block.input)}`;
    case 'tool_result':
      return block.content.map((part) => (part.type === 'text' ? said(part.text) : '')).join('\n');
    case 'attachment':
      return `${block.name} ${block.text === null ? '' : said(block.text)}`;
    case 'image':
    case 'unknown':
      return '';
  }
}

function said(text: Text): string {
  return typeof text === 'string' ? text : '';
}
