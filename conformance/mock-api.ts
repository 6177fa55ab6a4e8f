// A model server on this machine that says what the scenario scripted, and keeps what it was asked: what a client sends is
// the truth about its context. One server speaks for all three vendors; the address tells which one is meant.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as passed } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import { anthropic } from './mock-anthropic.ts';
import { google } from './mock-google.ts';
import { openai } from './mock-openai.ts';
import { type Reply, replyTo, type Said, type Script } from './script.ts';

export type Body = Record<string, unknown>;

/** How one vendor's requests are understood and its answers are written. */
export interface Dialect {
  /** Whether this address asks for an answer of a model. */
  asks(url: string): boolean;
  said(body: Body): Said[];
  /** An answer that needs no script: summaries, titles. */
  own(body: Body, url: string): Reply | undefined;
  /** The pieces of the answer; `pause` is waited for after each piece of text. */
  pieces(reply: Reply, body: Body, url: string): Piece[];
  error(reply: NonNullable<Reply['error']>): unknown;
  /** The whole answer where the client does not want a stream. */
  whole?(reply: Reply, body: Body, url: string): unknown;
}

export interface Piece {
  text: string;
  paused: boolean;
}

export interface MockApi {
  port: number;
  /** Bodies of the requests for an answer, in order. */
  requests: Body[];
  script(more: Script): void;
  close(): Promise<void>;
}

export async function mockApi(): Promise<MockApi> {
  const requests: Body[] = [];
  const script: Script = {};
  const server = createServer((request, response) => {
    void answer(request, response, requests, script).catch(() => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port, // it listens on a port, not on a pipe
    requests,
    script: (more) => void Object.assign(script, more),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, requests: Body[], script: Script) {
  const url = request.url ?? '';
  const body = await bodyOf(request);
  const dialect = [anthropic, openai, google].find((one) => one.asks(url));
  if (dialect === undefined) return json(response, url.includes('models') ? 404 : 200, otherAnswer(url));
  requests.push(body);
  const reply = dialect.own(body, url) ?? replyTo(dialect.said(body), script);
  if (reply.wait !== undefined) await passed(reply.wait);
  if (reply.error !== undefined) return json(response, reply.error.status, dialect.error(reply.error));
  const whole = dialect.whole?.(reply, body, url);
  if (whole !== undefined) return json(response, 200, whole);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': `req_${requests.length}` });
  for (const piece of dialect.pieces(reply, body, url)) {
    if (response.destroyed) return;
    response.write(piece.text);
    if (piece.paused && reply.pause !== undefined) await passed(reply.pause);
  }
  response.end();
}

function otherAnswer(url: string): unknown {
  if (url.includes('countTokens')) return { totalTokens: 100 };
  return url.includes('count_tokens') ? { input_tokens: 100 } : {};
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-should-retry': 'false' });
  response.end(JSON.stringify(value));
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // a request without an encoding gives bytes
  const bytes = Buffer.concat(chunks);
  const text = (request.headers['content-encoding'] === 'zstd' ? zstdDecompressSync(bytes) : bytes).toString();
  try {
    return JSON.parse(text) as Body;
  } catch {
    return {};
  }
}

/** A stream of server-sent events, each named by its type. */
export function eventPiece(value: { type: string }, paused = false): Piece {
  return { text: `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`, paused };
}

/** The words of a text, each with the space behind it. */
export function wordsOf(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
