// The API of Gemini, as Gemini CLI uses it.

import { type Body, type Dialect, type Piece, wordsOf } from './mock-api.ts';
import type { Reply, Said } from './script.ts';

/** What Gemini CLI asks for as the summary of a compression. */
const SNAPSHOT = '<state_snapshot>\n<overall_goal>Conformance.</overall_goal>\n</state_snapshot>';

type Part = Record<string, unknown>;

export const google: Dialect = {
  asks: (url) => /:(streamG|g)enerateContent/.test(url),
  said: (body) => contentsOf(body).flatMap(saidIn),
  own(body, url) {
    const last = contentsOf(body).at(-1)?.parts ?? [];
    const asked = JSON.stringify([body.systemInstruction ?? '', last]);
    if (asked.includes('state_snapshot')) return { text: SNAPSHOT, inputTokens: 500 };
    const settings = (body.generationConfig ?? {}) as Record<string, unknown>;
    if (settings.responseJsonSchema !== undefined || settings.responseSchema !== undefined)
      return { text: JSON.stringify({ next_speaker: 'user', reasoning: 'none', summary: 'Conformance' }) };
    return url.includes(':streamGenerateContent') ? undefined : { text: 'Conformance' };
  },
  pieces(reply, body) {
    const parts = partsIn(reply);
    const last = parts.length - 1;
    return parts.map((part, i): Piece => {
      const text = `data: ${JSON.stringify(answer(reply, body, [part], i === last))}\r\n\r\n`;
      return { text, paused: 'text' in part };
    });
  },
  whole: (reply, body, url) =>
    url.includes(':streamGenerateContent') ? undefined : answer(reply, body, partsIn(reply), true),
  error: ({ status, type, message }) => ({ error: { code: status, message, status: type } }),
};

/** The contents of a request. */
export function contentsOf(body: Body): { role: string; parts: Part[] }[] {
  return (body.contents ?? []) as { role: string; parts: Part[] }[]; // the client's own shape
}

function saidIn({ role, parts }: { role: string; parts: Part[] }): Said[] {
  return parts.map((part) => ({
    by: part.functionResponse !== undefined ? 'result' : role === 'model' ? 'assistant' : 'user',
    text: typeof part.text === 'string' ? part.text : '',
  }));
}

function partsIn(reply: Reply): Part[] {
  const parts: Part[] = [];
  if (reply.thinking !== undefined) parts.push({ text: `**Thinking**\n${reply.thinking}`, thought: true });
  const text = reply.text ?? '';
  for (const word of reply.pause === undefined ? [text] : wordsOf(text)) if (word !== '') parts.push({ text: word });
  for (const { name, input } of reply.calls ?? [])
    parts.push({ functionCall: { name, args: input }, thoughtSignature: 'bWFkZSB1cA==' });
  return parts;
}

function answer(reply: Reply, body: Body, parts: Part[], isLast: boolean) {
  const prompt = reply.inputTokens ?? 1000 + contentsOf(body).length;
  return {
    candidates: [{ content: { role: 'model', parts }, index: 0, ...(isLast ? { finishReason: 'STOP' } : {}) }],
    usageMetadata: { promptTokenCount: prompt, candidatesTokenCount: 20, totalTokenCount: prompt + 20 },
  };
}
