// A model server on this machine that always says the same, and keeps what it was asked: what a client sends is the truth
// about its context.

import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface MockApi {
  port: number;
  /** Bodies of the requests for an answer, in order. */
  requests: Record<string, unknown>[];
  close(): void;
}

const ANSWER = 'Conformance answer.';

export async function mockApi(): Promise<MockApi> {
  const requests: Record<string, unknown>[] = [];
  const server: Server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const url = request.url ?? '';
      if (url.endsWith('/responses')) {
        requests.push(body);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(responsesStream());
      } else if (url.includes(':streamGenerateContent')) {
        requests.push(body);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`data: ${JSON.stringify(generated())}\r\n\r\n`);
      } else {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify(
            url.includes('countTokens') ? { totalTokens: 100 } : url.includes('generateContent') ? generated() : {},
          ),
        );
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { port: (server.address() as AddressInfo).port, requests, close: () => server.close() };
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function generated() {
  return {
    candidates: [{ content: { role: 'model', parts: [{ text: ANSWER }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 },
  };
}

function responsesStream(): string {
  const item = {
    type: 'message',
    id: 'msg_conformance',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: ANSWER, annotations: [] }],
  };
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 2,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 12,
  };
  const events = [
    { type: 'response.created', response: { id: 'resp_conformance' } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'resp_conformance', output: [item], usage } },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}
