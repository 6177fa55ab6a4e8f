// The HTTP API and the page. Every answer comes from the thread that reads sessions, or from files that were read at the start:
// no path in an address ever reaches the file system.

import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { type Answer, type Asking, Unanswered } from './ask.ts';
import type { Asset } from './assets.ts';
import { type Chosen, chosenIn } from './facets.ts';
import { type GuardOptions, guard } from './guard.ts';

export interface AppOptions extends GuardOptions {
  library: Asking;
  /** By their addresses; `/` is the page. */
  assets: ReadonlyMap<string, Asset>;
}

const ALIVE_MS = 20_000;
const MOST_UNSENT = 1000;
const MOST_ROWS = 2000;
const MOST_KEYS = 100;

export function app({ library, assets, ...guarded }: AppOptions): Hono {
  const server = new Hono();
  server.use(guard(guarded));

  server.get('/api/v1/sessions', async (context) => {
    const { from = '0', count = '200' } = context.req.query();
    return answered(await library.ask('sessions', { from: whole(from), count: Math.min(MOST_ROWS, whole(count)) }));
  });
  server.get('/api/v1/rows', async (context) => {
    const keys = context.req.queries('key') ?? [];
    return answered(await library.ask('rows', { keys: keys.slice(0, MOST_KEYS) }));
  });
  server.get('/api/v1/search', async (context) =>
    answered(await library.ask('search', searched(new URL(context.req.url).searchParams))),
  );
  server.get('/api/v1/changes', (context) => {
    if (context.req.method === 'HEAD') return context.body(null);
    return streamSSE(context, async (stream) => {
      let unsent = 0;
      const end = library.listen((change) => {
        // Who does not read what is told is told no more, and asks again when they come back.
        if (unsent > MOST_UNSENT) void stream.close();
        unsent++;
        void stream.writeSSE({ event: change.name, data: JSON.stringify(change) }).finally(() => unsent--);
      });
      stream.onAbort(() => void end());
      await stream.writeSSE({ event: 'hello', data: '{}' });
      while (!stream.aborted && !stream.closed) {
        await pause(stream);
        await stream.writeSSE({ event: 'alive', data: '{}' });
      }
      end();
    });
  });

  const one = '/api/v1/sessions/:key';
  server.get(one, async (context) => answered(await library.ask('session', context.req.param())));
  server.get(`${one}/beginning`, async (context) => answered(await library.ask('beginning', context.req.param())));
  server.get(`${one}/thread`, async (context) => answered(await library.ask('thread', context.req.param())));
  server.get(`${one}/find`, async (context) =>
    answered(await library.ask('find', { ...context.req.param(), text: context.req.query('q') ?? '' })),
  );
  server.get(`${one}/place`, async (context) =>
    answered(await library.ask('place', { ...context.req.param(), id: context.req.query('id') ?? '' })),
  );
  server.get(`${one}/messages`, async (context) => {
    const { from = '0', to = '0' } = context.req.query();
    return answered(await library.ask('messages', { ...context.req.param(), from: whole(from), to: whole(to) }));
  });
  server.get(`${one}/messages/:index`, async (context) =>
    answered(await library.ask('message', indexed(context.req.param()))),
  );
  server.get(`${one}/messages/:index/raw`, async (context) =>
    answered(await library.ask('raw', indexed(context.req.param()))),
  );
  server.get(`${one}/messages/:index/images/:number`, async (context) => {
    const { number, ...rest } = context.req.param();
    return image(await library.ask('image', { ...indexed(rest), number: whole(number) }));
  });

  server.get('*', (context) => {
    const { path } = context.req;
    const asset = assets.get(path) ?? (path === '/' || path.startsWith('/s/') ? assets.get('/') : undefined);
    if (asset === undefined) return context.json({ api_version: 1, error: 'There is nothing here.' }, 404);
    // Their names change with what is in them.
    const cache = path.startsWith('/assets/') ? 'private, max-age=31536000, immutable' : 'no-store';
    return new Response(asset.bytes, { headers: { 'Content-Type': asset.type, 'Cache-Control': cache } });
  });
  server.onError((error, context) => {
    const status = error instanceof Unanswered ? error.status : 500;
    const message = status === 500 ? `This is a bug of Palimpsest. Please report it.\n${error.message}` : error.message;
    return context.json({ api_version: 1, error: message }, status);
  });
  return server;
}

/** Nobody waits for it when the program ends. */
function pause(stream: { onAbort: (listener: () => void) => void }): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ALIVE_MS).unref();
    stream.onAbort(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function answered({ type, bytes }: Answer): Response {
  return new Response(bytes, { headers: { 'Content-Type': type } });
}

/** Only what a browser shows as a picture and nothing else: an SVG is a document. */
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

function image({ type, bytes }: Answer): Response {
  if (!PICTURES.has(type)) throw new Unanswered(404, `An image of type ${type} is not shown.`);
  return new Response(bytes, { headers: { 'Content-Type': type, 'Content-Disposition': 'inline' } });
}

function searched(query: URLSearchParams): { text: string; chosen: Chosen } {
  return { text: query.get('q') ?? '', chosen: chosenIn(query) };
}

function indexed({ key, index }: { key: string; index: string }): { key: string; index: number } {
  return { key, index: whole(index) };
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Unanswered(400, `"${text.slice(0, 40)}" is no number from 0 on.`);
  return Number(text);
}
