// `pal ls --watch`: for other programs a line for each session that changes; for a person the page, without its terminal.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { legendLines } from '../src/cli/marks.ts';
import type { Screen } from '../src/cli/screen.ts';
import { type WatchPage, watchLines } from '../src/cli/watch-page.ts';
import type { WatchedSession } from '../src/cli/watched-list.ts';
import { EVENT_KINDS } from '../src/index.ts';
import { pal, root, temporaryFolder } from './support.ts';

const PROJECT = '.claude/projects/-home-dev-src-shop';
const IMPORT = 'cb387779-5bfc-450f-9c6a-376aba1401e0';
const NEW = '00000000-0000-4000-8000-000000000001';

function sampleHome(): string {
  const home = temporaryFolder();
  cpSync(join(root, 'samples'), home, { recursive: true });
  return home;
}

/** Starts it, does something when it watches, and gives what it wrote until it ended by itself. */
async function watched(
  home: string,
  args: string[],
  act: () => void,
): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, [join(root, 'bin/palimpsest.js'), 'ls', '--watch', '--home', home, ...args], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      TZ: 'UTC',
      PALIMPSEST_DATA: join(home, 'data'),
      PALIMPSEST_NOW: '2026-11-17T12:00:00.000Z',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const limit = setTimeout(() => child.kill(), 30_000);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const ended = once(child, 'close');
  await once(child.stderr, 'data');
  act();
  const [code] = await ended;
  clearTimeout(limit);
  return { code, out, err };
}

/** A row of a session, as the client writes it. */
function row(id: string, text: string, timestamp: string): string {
  const message = { role: 'user', content: text };
  const shared = { parentUuid: null, isSidechain: false, cwd: '/home/dev/src/shop', sessionId: id, version: '2.1.300' };
  return `${JSON.stringify({ ...shared, type: 'user', message, uuid: text.slice(0, 20), timestamp })}\n`;
}

function sessionFile(home: string, id: string): string {
  return join(home, PROJECT, `${id}.jsonl`);
}

/** The lines, with only some of what they say. */
function told(out: string, fields: string[]): unknown[] {
  return out
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { kind, value } = JSON.parse(line);
      return [kind, ...fields.map((field) => value[field])];
    });
}

test('a session that goes on, as JSON: what `ls` says of it then', async () => {
  const home = sampleHome();
  const { code, out, err } = await watched(home, ['--json', '-n', '1'], () =>
    appendFileSync(sessionFile(home, IMPORT), row(IMPORT, 'Thanks', '2026-11-17T11:59:00.000Z')),
  );
  const [first] = JSON.parse(pal(['ls', '--json', '--home', home]).out).value;
  expect([code, err]).toEqual([0, 'Watching 6 sessions: a line for each one that changes.\n']);
  expect(JSON.parse(out)).toEqual({ version: 1, kind: 'session', value: { ...first, counted: true } });
  expect([first.id, first.turns]).toEqual([IMPORT, 8]);
});

test('a session that begins, goes on and goes, as text', async () => {
  const home = sampleHome();
  const file = sessionFile(home, NEW);
  const texts = [
    () => writeFileSync(file, row(NEW, 'Make it faster', '2026-11-17T11:58:00.000Z')),
    () => appendFileSync(file, row(NEW, 'More', '2026-11-17T11:59:30.000Z')),
    () => rmSync(file),
  ];
  const lines: string[] = [];
  for (const act of texts) lines.push((await watched(home, ['-n', '1'], act)).out);
  expect(lines).toEqual([
    '00000000  2 min  claude  Make it faster  1  268 B    /home/dev/src/shop\n',
    '00000000  now  claude  Make it faster  2  516 B    /home/dev/src/shop\n',
    '00000000  gone\n',
  ]);
});

test('the first session of a home in which there is nothing', async () => {
  const home = temporaryFolder();
  const { out, err } = await watched(home, ['--json', '-n', '1'], () => {
    mkdirSync(join(home, PROJECT), { recursive: true });
    writeFileSync(sessionFile(home, NEW), row(NEW, 'Make it faster', '2026-11-17T11:58:00.000Z'));
  });
  expect(err).toBe('Watching 0 sessions: a line for each one that changes.\n');
  expect(told(out, ['id', 'title', 'turns', 'counted'])).toEqual([['session', NEW, 'Make it faster', 1, true]]);
});

test('sessions of others are not told', async () => {
  const home = sampleHome();
  const { out } = await watched(home, ['--json', '--project', 'other', '-n', '1'], () => {
    appendFileSync(sessionFile(home, IMPORT), row(IMPORT, 'Thanks', '2026-11-17T11:59:00.000Z'));
    rmSync(sessionFile(home, '1a34810f-3c85-43d6-90d0-c4f34945ebe3'));
    const other = row(NEW, 'Mine', '2026-11-17T11:59:00.000Z').replace('/home/dev/src/shop', '/home/dev/src/other');
    writeFileSync(sessionFile(home, NEW), other);
  });
  expect(told(out, ['id', 'project'])).toEqual([['session', NEW, '/home/dev/src/other']]);
});

test('an event that is asked for is told when it happens', async () => {
  const home = sampleHome();
  const { out } = await watched(home, ['--json', '--event', 'rejection', '-n', '1'], () => {
    writeFileSync(sessionFile(home, NEW), row(NEW, 'Nothing is refused here', '2026-11-17T11:58:00.000Z'));
    appendFileSync(sessionFile(home, IMPORT), row(IMPORT, 'Thanks', '2026-11-17T11:59:00.000Z'));
  });
  expect(told(out, ['id', 'events'])).toEqual([['session', IMPORT, { rejection: 6 }]]);
});

test('a clear: the new session is told at once, and then that the old one goes on in it', async () => {
  const home = temporaryFolder();
  const native = join(root, 'fixtures/claude-code/i_clear/native');
  const [old, next] = ['1b13ad11-89d2-4912-828e-5ca7497fd59f', '3309d484-d831-4683-ae1f-14053eb16974'];
  cpSync(native, home, { recursive: true });
  const folder = join(home, '.claude/projects/-home-dev-src-claude-demo');
  const bytes = readFileSync(join(folder, `${next}.jsonl`));
  rmSync(join(folder, `${next}.jsonl`));
  const { out } = await watched(home, ['--json', '-n', '3'], () => {
    appendFileSync(join(folder, `${old}.jsonl`), '\n');
    writeFileSync(join(folder, `${next}.jsonl`), bytes);
  });
  expect(told(out, ['id', 'goes_on_in']).sort()).toEqual([
    ['session', old, []],
    ['session', old, [next]],
    ['session', next, []],
  ]);
});

test('a session of which only subagents are left goes, and they come', async () => {
  const home = sampleHome();
  const { out } = await watched(home, ['--json', '-n', '2'], () => {
    rmSync(sessionFile(home, 'b8494eaa-6a89-4666-a752-ef0337e568bb'));
  });
  expect(told(out, ['id', 'kind']).sort()).toEqual([
    ['session', 'a2cfa5a24b48b0fbf', 'subagent'],
    ['session-gone', 'b8494eaa-6a89-4666-a752-ef0337e568bb', undefined],
  ]);
});

test('a session that was kept stays when the agent deletes it', async () => {
  const home = sampleHome();
  const data = join(home, 'data');
  pal(['keep', '--home', home], { env: { PALIMPSEST_DATA: data } });
  const { out } = await watched(home, ['--json', '-n', '1'], () => rmSync(sessionFile(home, IMPORT)));
  expect(told(out, ['id', 'turns', 'kept'])).toEqual([['session', IMPORT, 7, true]]);
});

test('of a large session its size is told at once, the rest when it was read', async () => {
  const home = sampleHome();
  const file = sessionFile(home, NEW);
  writeFileSync(file, row(NEW, 'A large one', '2026-11-17T11:58:00.000Z'));
  for (let i = 0; i < 17; i++) appendFileSync(file, row(NEW, `${i} ${'x'.repeat(1e6)}`, '2026-11-17T11:58:00.000Z'));
  const { out } = await watched(home, ['--json', '-n', '2'], () =>
    appendFileSync(file, row(NEW, 'More', '2026-11-17T11:59:00.000Z')),
  );
  const bytes = readFileSync(file).length;
  expect(told(out, ['id', 'title', 'project', 'last_used', 'bytes', 'turns', 'counted'])).toEqual([
    ['session', NEW, null, '/home/dev/src/shop', '2026-11-17T11:59:00.000Z', bytes, 0, false],
    ['session', NEW, 'A large one', '/home/dev/src/shop', '2026-11-17T11:59:00.000Z', bytes, 19, true],
  ]);
});

test('a wrong date, and a home that is not there, end it at once', () => {
  const wrong = [
    pal(['ls', '--watch', '--since', 'soon']),
    pal(['ls', '--watch', '--home', join(temporaryFolder(), 'nowhere')]),
  ];
  expect(wrong.map(({ code, err }) => [code, err.split(' ').slice(0, 4).join(' ')])).toEqual([
    [1, '--since takes a date'],
    [1, 'There is no folder'],
  ]);
});

const VIEW: Screen = { width: 66, room: 66, rows: 9, isTerminal: true, paint: (_, text) => text };

function watchedSession(id: string, rest: Partial<WatchedSession>): WatchedSession {
  return {
    id,
    agent: 'codex',
    kind: 'main',
    title: null,
    project: null,
    started_at: null,
    ended_at: null,
    last_used: '2026-11-17T11:00:00.000Z',
    bytes: 1000,
    messages: 0,
    turns: 0,
    events: {},
    subagent_events: {},
    models: [],
    subagent_models: [],
    subagents: 0,
    parent: null,
    kept: false,
    forked_from: null,
    cloned_from: null,
    cleared_from: null,
    goes_on_in: [],
    counted: true,
    ...rest,
  };
}

const EMPTY: WatchPage = { sessions: [], marked: new Set(), isFlat: false, count: 0, isLoading: false, trouble: null };
const OLD = watchedSession('old', { title: 'The old one', goes_on_in: ['new'] });

const PAGES: [what: string, page: Partial<WatchPage>, lines: string[]][] = [
  ['nothing yet', {}, ['No session yet: the first one will be here when it begins.', '', '0 of 0 sessions · q leaves']],
  ['while it is read', { isLoading: true }, ['   ID  USED  AGENT  TITLE  SIZE  EVENTS', '', 'reading … · q leaves']],
  [
    'one that was not read yet, one that was, and trouble',
    {
      sessions: [watchedSession('large', { counted: false }), OLD],
      count: 2,
      trouble: 'Changes are looked for every few seconds.',
    },
    [
      '   ID     USED  AGENT  TITLE           SIZE  EVENTS',
      '   large   1 h  codex  (being read)  1.0 kB',
      '   old     1 h  codex  The old one   1.0 kB',
      '',
      '2 of 2 sessions · q leaves · Changes are looked for every few se…',
    ],
  ],
  [
    'a thread is marked when any of it has changed',
    {
      sessions: [watchedSession('new', { title: 'The new one', events: { rewind: 1 } }), OLD],
      marked: new Set(['old']),
      count: 2,
    },
    [
      '   ID   USED  AGENT  TITLE                       SIZE  EVENTS',
      '●  new   1 h  codex  The new one (+1 earlier)  1.0 kB  ↶',
      '',
      '↶ rewind',
      '1 of 2 sessions · q leaves',
    ],
  ],
  [
    'more than there is room for',
    { sessions: ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => watchedSession(id, { title: id })), count: 6 },
    [
      '   ID  USED  AGENT  TITLE    SIZE  EVENTS',
      '   a    1 h  codex  a      1.0 kB',
      '   b    1 h  codex  b      1.0 kB',
      '   c    1 h  codex  c      1.0 kB',
      '   d    1 h  codex  d      1.0 kB',
      '',
      '4 of 6 sessions · q leaves',
    ],
  ],
];

test.each(PAGES)('the page: %s', (_, page, lines) => {
  expect(watchLines({ ...EMPTY, ...page }, VIEW, Date.parse('2026-11-17T12:00:00.000Z'))).toEqual(lines);
});

test('a mark and what it means stay on one line', () => {
  expect(legendLines(EVENT_KINDS, { width: 80, paint: (_, text) => text })).toEqual([
    '≡ compaction   ∅ clear   ■ interruption   ✗ rejection   ↶ rewind   ⊘ denial',
    '! failure',
  ]);
});
