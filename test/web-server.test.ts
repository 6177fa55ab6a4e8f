// The viewer's server as others meet it: who may ask, what is answered, and that no address reaches a file.

import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MessagesAnswer, SearchAnswer, SessionAnswer, SessionsAnswer } from '../src/web/api.ts';
import { type Serving, serve } from '../src/web/serve.ts';
import { root, temporaryFolder } from './support.ts';

const CHECKOUT = 'claude-code:1a34810f-3c85-43d6-90d0-c4f34945ebe3';
const TOKEN = 'a-token-of-the-tests';

let serving: Serving;
let address: URL;
let cookie = '';

beforeAll(async () => {
  const places = { homes: [join(root, 'samples')] };
  const library = { places, isSample: true, store: null, index: false, threads: 2 };
  serving = await serve({
    library,
    host: '127.0.0.1',
    port: 0,
    token: TOKEN,
    onTrouble: (message) => expect(message).toBe(''),
  });
  address = new URL(serving.url);
  cookie =
    (await ask(address.pathname + address.search, { cookie: '' })).headers['set-cookie']?.[0]?.split(';')[0] ?? '';
});
afterAll(() => serving.close());

interface Answered {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const options = { host: address.hostname, port: address.port, path, method, headers: { cookie, ...headers } };
    const asked = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    asked.on('error', reject);
    asked.end();
  });
}

const api = async (path: string) => JSON.parse((await ask(`/api/v1/${path}`)).text);
const session = `sessions/${encodeURIComponent(CHECKOUT)}`;

test('the address that is printed holds the token, and gives a cookie for it', async () => {
  const first = await ask(address.pathname + address.search, { cookie: '' });
  expect(address.searchParams.get('token')).toBe(TOKEN);
  expect([first.status, first.headers.location]).toEqual([303, '/']);
  expect(first.headers['set-cookie']?.[0]).toMatch(
    /^palimpsest_[0-9a-f]+=a-token-of-the-tests; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  const page = await ask('/');
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
});

test.each([
  ['no cookie', { cookie: '' }, 'GET', 401],
  ['a wrong cookie', { cookie: 'palimpsest_1=x' }, 'GET', 401],
  ["another machine's name", { host: 'evil.example' }, 'GET', 421],
  ['our address with another port', { host: '127.0.0.1:1' }, 'GET', 421],
  ['another page', { origin: 'http://evil.example' }, 'GET', 403],
  ['a page that has no address', { origin: 'null' }, 'GET', 403],
  ['a picture or script of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 'GET', 403],
  ['something that wants to write', {}, 'POST', 405],
  ['something that wants to delete', {}, 'DELETE', 405],
])('%s is not answered', async (_, headers, method, status) => {
  const answer = await ask('/api/v1/sessions', headers, method);
  const { api_version, error, ...more } = JSON.parse(answer.text);
  expect([answer.status, api_version, typeof error, more]).toEqual([status, 1, 'string', {}]);
});

test('who opens the page without the token is told where to find it, in words', async () => {
  const { status, headers, text } = await ask('/', { cookie: '' });
  expect([status, headers['content-type'], text]).toEqual([
    401,
    'text/plain; charset=UTF-8',
    'This is Palimpsest. Open the address that "pal serve" printed, with its token: it is new at every start.\n',
  ]);
});

test.each(['/', '/api/v1/sessions', '/nothing'])('%s comes with rules for the browser', async (path) => {
  const { headers } = await ask(path);
  expect(headers).toMatchObject({
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types palimpsest",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
});

test('the list has every sample, newest first, and says that they are samples', async () => {
  const areRead = async () => (await api('sessions')).rows.every(({ is_read }: { is_read: boolean }) => is_read);
  await expect.poll(areRead, { timeout: 20_000 }).toBe(true);
  const { rows, ...about } = await api('sessions');
  expect(about).toEqual({
    api_version: 1,
    all: 6,
    is_sample: true,
    homes: [join(root, 'samples')],
    indexing: null,
    has_index: false,
    diagnostics: [],
  });
  expect(rows.map(({ title }: { title: string }) => title)).toEqual([
    'What changed since the last release?',
    'Greet the customers in the mail, not the world!',
    'Check that both the API docs and the changelog name the new option',
    'Where are orders written to disk?',
    'Why is the checkout off by a cent?',
    'The import hangs. Can you see why?',
  ]);
  expect(rows[4]).toEqual({
    key: CHECKOUT,
    id: '1a34810f-3c85-43d6-90d0-c4f34945ebe3',
    agent: 'claude-code',
    kind: 'main',
    title: 'Why is the checkout off by a cent?',
    project: '/home/dev/src/shop',
    started_at: expect.any(String),
    last_used: expect.any(String),
    bytes: expect.any(Number),
    is_read: true,
    messages: 56,
    turns: 6,
    models: ['claude-opus-5-5'],
    events: [2, 0, 0, 0, 0, 0, 0],
    marks: [
      [0, 339],
      [0, 607],
    ],
    subagents: 0,
    kept: false,
    parent: null,
    folded_under: null,
  });
});

test('a session is told in columns, one entry for each message', async () => {
  const answer = await api(session);
  const { messages, kinds, sent, sizes, times, context, context_recorded, left_by, left_at } = answer;
  const columns = [kinds, sent, sizes, times, context, context_recorded, left_by, left_at];
  expect([messages, ...columns.map(({ length }) => length)]).toEqual(Array(9).fill(56));
  expect(
    answer.windows.map(({ opened_at_index, opened_by }: Record<string, unknown>) => [opened_at_index, opened_by]),
  ).toEqual([
    [0, 'start'],
    [20, 'compaction'],
    [35, 'compaction'],
  ]);
  expect(answer.events.map(({ kind, after }: Record<string, unknown>) => [kind, after])).toEqual([
    ['compaction', 18],
    ['compaction', 33],
  ]);
});

test('messages come as asked for, no more than there are', async () => {
  const some = await api(`${session}/messages?from=0&to=2`);
  expect(some.messages.map(({ index, kind }: Record<string, unknown>) => [index, kind])).toEqual([
    [0, 'prompt'],
    [1, 'meta'],
    [2, 'meta'],
  ]);
  const end = await api(`${session}/messages?from=54&to=9999`);
  expect(end.messages.map(({ index }: { index: number }) => index)).toEqual([54, 55]);
});

test('a message can be seen as it stands in its file', async () => {
  const { rows } = await api(`${session}/messages/0/raw`);
  expect(rows.map(({ file, line }: Record<string, unknown>) => [file, line])).toEqual([
    ['.claude/projects/-home-dev-src-shop/1a34810f-3c85-43d6-90d0-c4f34945ebe3.jsonl', expect.any(Number)],
  ]);
  expect(JSON.parse(rows[0].text).message.content).toContain('checkout');
});

test('words are found in a session, and a message by its id', async () => {
  const { indices } = await api(`${session}/find?q=${encodeURIComponent('TOTAL.js 0.335')}`);
  const { messages } = await api(`${session}/messages?from=${indices[0]}&to=${indices[0]}`);
  expect(JSON.stringify(messages[0].blocks)).toContain('total.js 0.335');
  expect(await api(`${session}/place?id=${messages[0].id}`)).toEqual({ api_version: 1, index: indices[0] });
});

test('subagents hang under the session that sent them out', async () => {
  const { nodes } = await api(
    `sessions/${encodeURIComponent('claude-code:b8494eaa-6a89-4666-a752-ef0337e568bb')}/thread`,
  );
  expect(nodes.map(({ kind, by, from }: Record<string, unknown>) => [kind, by, from])).toEqual([
    ['main', null, null],
    ['subagent', 'subagent', 'claude-code:b8494eaa-6a89-4666-a752-ef0337e568bb'],
    ['subagent', 'subagent', 'claude-code:b8494eaa-6a89-4666-a752-ef0337e568bb'],
  ]);
});

test.each([
  ['sessions/claude-code%3Anobody', 'There is no such session: it may have been deleted.'],
  [`${session}/messages/999`, 'There is no such message.'],
  [`${session}/messages/0/images/0`, 'There is no such image, or it is too large to be shown.'],
  [`${session}/place?id=nobody`, 'There is no message of that id in this session.'],
])('%s: it is said what is not there', async (path, error) => {
  const { status, text } = await ask(`/api/v1/${path}`);
  expect([status, JSON.parse(text)]).toEqual([404, { api_version: 1, error }]);
});

test.each([
  ['/../package.json', 404],
  ['/..%2f..%2fpackage.json', 404],
  ['/%2e%2e/%2e%2e/package.json', 404],
  ['/assets/../../package.json', 404],
  ['/assets/..%5c..%5cpackage.json', 404],
  ['//etc/passwd', 404],
  ['/assets/%00', 404],
  ['/api/v1/sessions/..%2f..%2fpackage.json', 404],
  ['/api/v1/sessions/%2fetc%2fpasswd', 404],
  [`/api/v1/${session}/messages/..%2f..%2f0/raw`, 400],
  [`/api/v1/${session}/messages/-1`, 400],
  [`/api/v1/${session}/messages?from=1e3&to=2`, 400],
])('%s reaches no file', async (path, status) => {
  const answer = await ask(path);
  expect([answer.status, Object.keys(JSON.parse(answer.text))]).toEqual([status, ['api_version', 'error']]);
});

describe('with an index', () => {
  const home = temporaryFolder();
  const path = join(home, '.claude/projects/-home-dev-src-shop/cb387779-5bfc-450f-9c6a-376aba1401e0.jsonl');
  const store = temporaryFolder();
  const said: string[] = [];
  let indexed: Serving;
  let asked: <Answer>(path: string) => Promise<Answer>;

  beforeAll(async () => {
    cpSync(join(root, 'samples'), home, { recursive: true });
    const library = { places: { homes: [home] }, isSample: false, store, index: true, threads: 2 };
    indexed = await serve({ library, host: '127.0.0.1', port: 0, onTrouble: (message) => said.push(message) });
    const first = await fetch(indexed.url, { redirect: 'manual' });
    const [own = ''] = (first.headers.get('set-cookie') ?? '').split(';');
    asked = async <Answer>(path: string) => {
      const answer = await fetch(new URL(`/api/v1/${path}`, indexed.url), { headers: { cookie: own } });
      return answer.json() as Promise<Answer>;
    };
  });
  afterAll(() => indexed.close());

  test('what was said is found in all sessions, with the hit marked', async () => {
    await expect.poll(async () => (await asked<SessionsAnswer>('sessions')).has_index, { timeout: 20_000 }).toBe(true);
    const { hits, trouble, is_current } = await asked<SearchAnswer>('search?q=nightly');
    expect([trouble, is_current]).toEqual([null, true]);
    expect(hits.map(({ key }) => key)).toContain('claude-code:cb387779-5bfc-450f-9c6a-376aba1401e0');
    expect(hits[0]?.snippet[1]).toBe('nightly');
  });

  test('a query that makes no sense is told of', async () => {
    const { hits, trouble } = await asked<SearchAnswer>(`search?q=${encodeURIComponent('since:whenever')}`);
    expect([hits, typeof trouble]).toEqual([[], 'string']);
  });

  test('what is written while it runs is found, and the list says nothing of reading', async () => {
    const message = { role: 'user', content: 'a word like zyzzyva' };
    appendFileSync(
      path,
      `${JSON.stringify({ type: 'user', uuid: 'later', timestamp: '2026-11-15T19:00:00Z', message })}\n`,
    );
    const { hits } = await asked<SearchAnswer>('search?q=zyzzyva');
    expect(hits).toHaveLength(1);
    expect((await asked<SessionsAnswer>('sessions')).indexing).toBe(null);
    const key = encodeURIComponent('claude-code:cb387779-5bfc-450f-9c6a-376aba1401e0');
    await expect.poll(async () => (await asked<SessionAnswer>(`sessions/${key}`)).messages, { timeout: 5000 }).toBe(45);
    expect(said).toEqual([]);
  });

  test('a session that is cut while it is read is what is left of it', async () => {
    const address = `sessions/${encodeURIComponent('claude-code:cb387779-5bfc-450f-9c6a-376aba1401e0')}`;
    const whole = readFileSync(path, 'utf8');
    const { messages } = await asked<SessionAnswer>(address);
    const lines = whole.trimEnd().split('\n');
    writeFileSync(path, `${lines.slice(0, -1).join('\n')}\n`);
    await expect.poll(async () => (await asked<SessionAnswer>(address)).messages, { timeout: 5000 }).toBe(messages - 1);
    writeFileSync(path, whole);
    await expect.poll(async () => (await asked<SessionAnswer>(address)).messages, { timeout: 5000 }).toBe(messages);
  });

  test('a large session that is written anew, and longer, gives no wrong rows', async () => {
    const large = join(home, '.claude/projects/-home-dev-src-shop/00000000-0000-4000-8000-00000000000f.jsonl');
    const text = Array.from({ length: 200 }, (_, i) => {
      const message = { role: 'user', content: `${i} ${'word '.repeat(30_000)}` };
      return `${JSON.stringify({ type: 'user', uuid: `row-${i}`, timestamp: '2026-11-15T19:00:00Z', message })}\n`;
    }).join('');
    writeFileSync(large, text);
    const address = `sessions/${encodeURIComponent('claude-code:00000000-0000-4000-8000-00000000000f')}`;
    await expect.poll(async () => (await asked<SessionAnswer>(address)).messages, { timeout: 5000 }).toBe(200);
    writeFileSync(large, text.replaceAll('{"', '{  "'));
    const { messages } = await asked<MessagesAnswer>(`${address}/messages?from=150&to=150`);
    rmSync(large);
    expect(messages[0]?.id).toBe('row-150');
  });

  test('while another process writes, the index is asked as it is, and says so', async () => {
    writeFileSync(join(store, 'lock'), String(process.ppid));
    const message = { role: 'user', content: 'a word like syzygy' };
    appendFileSync(path, `${JSON.stringify({ type: 'user', uuid: 'last', message })}\n`);
    const { hits, is_current } = await asked<SearchAnswer>('search?q=syzygy');
    rmSync(join(store, 'lock'));
    const after = await asked<SearchAnswer>('search?q=syzygy');
    expect([hits, is_current, after.hits.length, after.is_current]).toEqual([[], false, 1, true]);
    expect(said).toEqual(['Another process is bringing the index up to date: this is what it holds so far.']);
  });
});
