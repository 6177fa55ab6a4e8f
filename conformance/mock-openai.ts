// The Responses API, as Codex uses it.

import { randomBytes } from 'node:crypto';
import { type Body, type Dialect, eventPiece, type Piece, wordsOf } from './mock-api.ts';
import type { Reply, Said } from './script.ts';

/** What Codex asks for as the summary of a compaction. */
const SUMMARY = 'Conformance summary: the person asked, the model answered.';

type Item = { type: string; id: string; [key: string]: unknown };

export const openai: Dialect = {
  asks: (url) => /\/responses(\?|$)/.test(url),
  said: (body) => itemsOf(body).flatMap(saidIn),
  own(body) {
    const last = itemsOf(body).at(-1);
    const asksForSummary = /CONTEXT CHECKPOINT COMPACTION|handoff summary/i;
    return last?.role === 'user' && asksForSummary.test(textOf(last)) ? { text: SUMMARY } : undefined;
  },
  pieces(reply) {
    const items = itemsIn(reply);
    const id = madeUp('resp');
    const input = reply.inputTokens ?? 1000;
    const usage = {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + 20,
    };
    return [
      eventPiece({ type: 'response.created', response: { id } } as never),
      ...items.flatMap(itemPieces),
      eventPiece({ type: 'response.completed', response: { id, output: items, usage } } as never),
    ];
  },
  error: ({ type, message }) => ({ error: { type, message } }),
};

/** The input of a request. */
export function itemsOf(body: Body): Record<string, unknown>[] {
  return (body.input ?? []) as Record<string, unknown>[]; // the client's own shape
}

function textOf(item: Record<string, unknown>): string {
  if (!Array.isArray(item.content)) return '';
  return (item.content as { text?: string }[]).map((part) => part.text ?? '').join('\n'); // parts of a message
}

function saidIn(item: Record<string, unknown>): Said[] {
  if (String(item.type).endsWith('_output')) return [{ by: 'result', text: '' }];
  if (item.type !== 'message') return [];
  return [{ by: item.role === 'user' ? 'user' : 'assistant', text: textOf(item) }];
}

function itemsIn(reply: Reply): Item[] {
  const items: Item[] = [];
  if (reply.thinking !== undefined)
    items.push({
      type: 'reasoning',
      id: madeUp('rs'),
      summary: [{ type: 'summary_text', text: reply.thinking }],
      encrypted_content: 'bWFkZSB1cA==',
    });
  if (reply.text !== undefined)
    items.push({
      type: 'message',
      id: madeUp('msg'),
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: reply.text, annotations: [] }],
    });
  for (const { name, input } of reply.calls ?? []) {
    const call = { call_id: madeUp('call'), name, status: 'completed' };
    if (typeof input === 'string') items.push({ type: 'custom_tool_call', id: madeUp('ctc'), ...call, input });
    else items.push({ type: 'function_call', id: madeUp('fc'), ...call, arguments: JSON.stringify(input) });
  }
  return items;
}

function itemPieces(item: Item, output_index: number): Piece[] {
  const done = eventPiece({ type: 'response.output_item.done', output_index, item } as never);
  if (item.type !== 'message') return [done];
  const [content] = item.content as { text: string }[];
  return [
    eventPiece({
      type: 'response.output_item.added',
      output_index,
      item: { ...item, status: 'in_progress', content: [] },
    } as never),
    ...wordsOf(content?.text ?? '').map((delta) =>
      eventPiece(
        { type: 'response.output_text.delta', item_id: item.id, output_index, content_index: 0, delta } as never,
        true,
      ),
    ),
    done,
  ];
}

function madeUp(prefix: string): string {
  return `${prefix}_${randomBytes(8).toString('hex')}`;
}
