// One message as lines of the page.

import type { Block } from '../schema/blocks.ts';
import { jsonText } from '../schema/json-text.ts';
import type { Message } from '../schema/message.ts';
import type { ToolCall } from '../schema/session.ts';
import { mainPart } from './main-part.ts';
import { markdownLines } from './markdown.ts';
import { timeOf } from './measures.ts';
import { plain, printable } from './plain.ts';
import type { Paint } from './style.ts';
import { cut, widthOf, wrapText } from './width.ts';

interface LineOptions {
  width: number;
  paint: Paint;
  meta: boolean;
  thinking: boolean;
  tools: 'none' | 'short' | 'full';
}

type Calls = ReadonlyMap<string | null, ToolCall>;

/** Lines of what the client put in that are shown where no more is asked for. */
const GLIMPSE = 8;

export function messageLines(message: Message, calls: Calls, options: LineOptions): string[] {
  const { paint } = options;
  if (message.kind === 'meta' && !options.meta) return [];
  // The rule of the event says it.
  if (message.kind === 'interruption' && options.tools !== 'full') return [];
  const body = message.content.flatMap((block) => blockLines(block, message, calls, options));
  if (body.length === 0) return [];
  if (message.kind === 'prompt') {
    const bar = paint('prompt', '▌ ');
    return [bar + headOf(message, options), ...body.map((line) => bar + line)];
  }
  if (message.kind === 'reply' || message.kind === 'tool_result') {
    const isTalk = message.content.some((block) => block.type === 'text');
    return isTalk ? [headOf(message, options), ...body] : body;
  }
  if (message.kind !== 'summary' && options.tools !== 'full')
    return [paint('dim', cut(`${headWords(message)}  ${plain(body.join(' '), 300)}`, options.width))];
  const isLong = body.length > GLIMPSE && options.tools !== 'full';
  const shown = isLong ? body.slice(0, GLIMPSE) : body;
  const more = isLong ? [paint('dim', `… ${body.length - GLIMPSE} more lines (--tools full)`)] : [];
  return [headOf(message, options), ...shown.map((line) => paint('dim', line)), ...more];
}

/** Who, when, and the number by which --at takes it. */
function headOf(message: Message, { paint, width }: LineOptions): string {
  const words = cut(headWords(message), width - 2);
  return message.kind === 'prompt' ? paint('prompt', words) : paint('dim', words);
}

function headWords(message: Message): string {
  const who =
    message.kind === 'prompt' ? 'you' : message.kind === 'reply' ? plain(message.model ?? 'model', 40) : message.kind;
  const when = timeOf(message.timestamp);
  const copied =
    message.inherited === null ? '' : ` · from session ${plain(message.inherited.session_id.slice(0, 8), 8)}`;
  return `${who}${when === null ? '' : ` · ${when}`} · [${message.index}]${copied}`;
}

// No `default`: a block type added to the schema is a type error here until it has a case.
function blockLines(block: Block, message: Message, calls: Calls, options: LineOptions): string[] {
  const { paint, width } = options;
  switch (block.type) {
    case 'text':
      return textLines(block.text, message, options);
    case 'thinking':
      if (!options.thinking) return [];
      return thinkingLines(block, options);
    case 'tool_use':
      return options.tools === 'none' ? [] : callLines(block, message, calls.get(block.id), options);
    case 'tool_result':
      return options.tools === 'none' ? [] : resultLines(block, calls.get(block.tool_use_id)?.status, options);
    case 'image':
      return [paint('dim', `(image${block.media_type === null ? '' : `, ${plain(block.media_type, 40)}`})`)];
    case 'attachment': {
      const text = block.text === null ? '' : whole(block.text);
      const name = `(${plain(block.name ?? 'attachment', 60)})`;
      return options.tools === 'full' ? [name, ...wrapText(text, width)] : [cut(`${name} ${plain(text)}`, width)];
    }
    case 'unknown':
      return [cut(`(${plain(block.native_type ?? 'unknown', 60)}) ${plain(jsonText(block.data))}`, width)];
  }
}

/** Some agents put a headline above it. */
function thinkingLines(
  { subject, text }: Extract<Block, { type: 'thinking' }>,
  { width, paint }: LineOptions,
): string[] {
  const words = [subject === null ? '' : `${printable(subject)}\n`, text === null ? 'encrypted' : whole(text)].join('');
  return wrapText(`(thinking) ${words}`, width).map((line) => paint('dim', line));
}

function textLines(
  text: string | { omitted_bytes: number },
  message: Message,
  { width, paint }: LineOptions,
): string[] {
  const words = whole(text).trim();
  if (words === '') return [];
  if (message.kind === 'reply') return markdownLines(words, { width, paint });
  const lines = wrapText(words, width - 2);
  return message.kind === 'prompt' ? lines.map((line) => paint('strong', line)) : lines;
}

function whole(text: string | { omitted_bytes: number }): string {
  // A tab is as wide as its place wants it: no line could be measured.
  return typeof text === 'string'
    ? printable(text).replaceAll('\t', '    ')
    : `(${text.omitted_bytes} bytes left in the file)`;
}

const ENDS: Record<ToolCall['status'], { mark: string; tone: 'good' | 'bad' | 'dim' | 'interruption' }> = {
  ok: { mark: '✓', tone: 'good' },
  error: { mark: '✗', tone: 'bad' },
  rejected: { mark: '✗ refused', tone: 'bad' },
  denied: { mark: '✗ denied', tone: 'bad' },
  interrupted: { mark: '■ stopped', tone: 'interruption' },
  cancelled: { mark: '■ cancelled', tone: 'dim' },
  unanswered: { mark: '? no result', tone: 'dim' },
  background: { mark: '… in the background', tone: 'dim' },
};

function callLines(
  block: Extract<Block, { type: 'tool_use' }>,
  message: Message,
  call: ToolCall | undefined,
  options: LineOptions,
): string[] {
  const { paint, width } = options;
  const name = plain(block.name, 60);
  const { mark, tone } = ENDS[call?.status ?? 'unanswered'];
  const code = call?.exit_code == null || call.exit_code === 0 ? '' : ` exit ${call.exit_code}`;
  const end = `${mark}${code} [${message.index}]`;
  const room = Math.max(8, width - widthOf(name) - widthOf(end) - 6);
  const asked = cut(plain(mainPart(block.input), 300), room);
  const line = `${paint('dim', '→')} ${paint('tool', name)}${asked === '' ? '' : ` ${asked}`} ${paint(tone, `${mark}${code}`)} ${paint('dim', `[${message.index}]`)}`;
  if (options.tools === 'short') return [line];
  const input = typeof block.input === 'string' ? block.input : jsonText(block.input, 2);
  return [
    line,
    ...printable(input)
      .split('\n')
      .map((text) => paint('dim', `    ${text}`)),
  ];
}

function resultLines(
  block: Extract<Block, { type: 'tool_result' }>,
  status: ToolCall['status'] | undefined,
  options: LineOptions,
): string[] {
  const { paint, width } = options;
  const text = block.content.map((part) => (part.type === 'text' ? whole(part.text) : `(${part.type})`)).join('\n');
  if (options.tools === 'full')
    return text.split('\n').map((line) => paint(block.is_error ? 'bad' : 'dim', `  ${line}`));
  // The call's own line says how it went; of an error one wants to know why.
  const why = plain(text);
  return status === 'error' && why !== '' ? [paint('bad', cut(`  ${why}`, width))] : [];
}
