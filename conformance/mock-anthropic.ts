// The Messages API, as Claude Code uses it.

import { randomBytes } from 'node:crypto';
import { type Body, type Dialect, eventPiece, type Piece, wordsOf } from './mock-api.ts';
import type { Reply, Said } from './script.ts';

/** What Claude Code asks for as the summary of a compaction. */
const SUMMARY = '<analysis>\nShort.\n</analysis>\n<summary>\n1. Primary Request and Intent: conformance.\n</summary>';

export interface Part {
  type: string;
  text?: string;
  thinking?: string;
  id?: string;
  name?: string;
  input?: unknown;
  tool_use_id?: string;
  content?: string | Part[];
}

export interface ApiMessage {
  role: string;
  content: string | Part[];
}

export const anthropic: Dialect = {
  asks: (url) => /\/v1\/messages(\?|$)/.test(url),
  said: (body) => messagesOf(body).flatMap(saidIn),
  own(body) {
    const last = messagesOf(body).findLast(({ role }) => role === 'user');
    const text =
      last === undefined
        ? ''
        : partsOf(last)
            .map((part) => part.text ?? '')
            .join('\n');
    if (/Your task is to create a detailed summary|create a detailed summary of/i.test(text)) return { text: SUMMARY };
    if (format(body) !== undefined) return { text: '{"title":"Conformance"}' };
    // Titles, topics and the like come without tools; a resumed session asks with them.
    return Array.isArray(body.tools) && body.tools.length > 0 ? undefined : { text: 'Conformance' };
  },
  pieces(reply, body) {
    const { content, ...start } = message(reply, body);
    return [
      eventPiece({ type: 'message_start', message: { ...start, content: [], stop_reason: null } } as never),
      ...content.flatMap(blockPieces),
      eventPiece({
        type: 'message_delta',
        delta: { stop_reason: start.stop_reason, stop_sequence: null },
        usage: start.usage,
      } as never),
      eventPiece({ type: 'message_stop' }),
    ];
  },
  whole: (reply, body) => (body.stream === true ? undefined : message(reply, body)),
  error: ({ type, message: text }) => ({ type: 'error', error: { type, message: text } }),
};

/** The messages of a request. */
export function messagesOf(body: Body): ApiMessage[] {
  return (body.messages ?? []) as ApiMessage[]; // the client's own shape
}

/** The content of a message, always as a list. */
export function partsOf({ content }: ApiMessage): Part[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function saidIn(one: ApiMessage): Said[] {
  return partsOf(one).map((part) => ({
    by: part.type === 'tool_result' ? 'result' : one.role === 'assistant' ? 'assistant' : 'user',
    text: one.role === 'system' ? '' : (part.text ?? ''),
  }));
}

function message(reply: Reply, body: Body) {
  const calls = reply.calls ?? [];
  const thinks = body.thinking !== undefined && (body.thinking as { type: string }).type !== 'disabled';
  const content: Part[] = [];
  if (reply.thinking !== undefined && thinks) content.push({ type: 'thinking', thinking: reply.thinking });
  if (reply.text !== undefined) content.push({ type: 'text', text: reply.text });
  for (const { name, input } of calls) content.push({ type: 'tool_use', id: madeUp('toolu_01'), name, input });
  return {
    id: madeUp('msg_01'),
    type: 'message',
    role: 'assistant',
    model: body.model,
    content: content.map((part) => (part.type === 'thinking' ? { ...part, signature: signatureOf(part) } : part)),
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: reply.inputTokens ?? 1000,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 20,
      service_tier: 'standard',
    },
  };
}

function blockPieces(part: Part, index: number): Piece[] {
  const piece = (value: { type: string; [key: string]: unknown }, paused = false) =>
    eventPiece({ ...value, index } as never, paused);
  const delta = (value: Record<string, unknown>, paused = false) =>
    piece({ type: 'content_block_delta', delta: value }, paused);
  const [start, deltas] = startAndDeltas(part, delta);
  return [
    piece({ type: 'content_block_start', content_block: start }),
    ...deltas,
    piece({ type: 'content_block_stop' }),
  ];
}

function startAndDeltas(
  part: Part,
  delta: (value: Record<string, unknown>, paused?: boolean) => Piece,
): [Part & { signature?: string }, Piece[]] {
  if (part.type === 'thinking')
    return [
      { type: 'thinking', thinking: '', signature: '' },
      [
        delta({ type: 'thinking_delta', thinking: part.thinking }),
        delta({ type: 'signature_delta', signature: signatureOf(part) }),
      ],
    ];
  if (part.type === 'text')
    return [
      { type: 'text', text: '' },
      wordsOf(part.text ?? '').map((word) => delta({ type: 'text_delta', text: word }, true)),
    ];
  return [{ ...part, input: {} }, [delta({ type: 'input_json_delta', partial_json: JSON.stringify(part.input) })]];
}

function signatureOf(part: Part): string {
  return Buffer.from(`made up: ${part.thinking}`).toString('base64');
}

function madeUp(prefix: string): string {
  return prefix + randomBytes(11).toString('hex');
}

/** What a helper of the client wants its answer to look like. */
function format(body: Body): unknown {
  return (body.output_config as { format?: unknown } | undefined)?.format ?? body.output_format;
}
