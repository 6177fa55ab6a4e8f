// Search, usage and lists as people run them.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { pal, root, temporaryFolder } from './support.ts';

function sampleHome(): { home: string; env: Record<string, string> } {
  const home = temporaryFolder();
  cpSync(join(root, 'samples'), home, { recursive: true });
  return { home, env: { PALIMPSEST_DATA: join(home, 'data') } };
}

interface Hit {
  session_id: string;
  message_index: number;
  kept: boolean;
  live: boolean;
  left_by: string | null;
  open: string;
  snippet: { text: string; marks: [number, number][] };
}

function hitsOf(out: string): Hit[] {
  return (JSON.parse(out) as { value: { hits: Hit[] } }).value.hits;
}

test('a hit says where it is, marks what was looked for, and can be opened', () => {
  const { home, env } = sampleHome();
  const { code, out, err } = pal(['search', 'lock', 'kind:reply', '--json', '-n', '1'], { home, env });
  const [hit] = hitsOf(out) as [Hit];
  const [start, end] = hit.snippet.marks[0] as [number, number];
  const opened = pal(hit.open.split(' ').slice(1), { home, env });
  expect({ code, err, marked: hit.snippet.text.slice(start, end), opened: opened.code }).toEqual({
    code: 0,
    err: '',
    marked: 'lock',
    opened: 0,
  });
});

test.each([
  ['codex/appserver-patch-decline', ['--exact', 'apply_patch']],
  ['gemini/reject', ['--exact', 'write_file']],
  ['gemini/reject', ['--regex', '/WRITE_file/gi']],
  ['gemini/plain', ['--exact', 'Greeting']],
  ['claude-code/words-taken-in-mid-turn', ['task', '1', 'done']],
])('in %s, %j is found where it stands, and shown by the command that goes with it', (fixture, asked) => {
  const home = join(root, 'fixtures', fixture, 'native');
  const env = { PALIMPSEST_DATA: join(temporaryFolder(), 'data') };
  const words =
    asked
      .at(-1)
      ?.replaceAll(/\/(gi)?/g, '')
      .toLowerCase() ?? '';
  const hits = hitsOf(pal(['search', ...asked, '--json', '-n', '50'], { home, env }).out);
  const opened = hits.map((hit) => pal(hit.open.split(' ').slice(1), { home, env }).out.toLowerCase().includes(words));
  expect([hits.length > 0, opened.every((isShown) => isShown)]).toEqual([true, true]);
});

test('a session that lies in two homes is opened in the one in which the words were found', () => {
  const homes = ['zebra', 'sigma'].map((word) => {
    const home = temporaryFolder();
    mkdirSync(join(home, '.claude/projects/-p'), { recursive: true });
    const row = { type: 'user', uuid: word, parentUuid: null, message: { role: 'user', content: `the ${word}` } };
    writeFileSync(
      join(home, '.claude/projects/-p/aaaa1111-0000-4000-8000-000000000000.jsonl'),
      `${JSON.stringify(row)}\n`,
    );
    return home;
  });
  const env = { PALIMPSEST_DATA: join(temporaryFolder(), 'data') };
  const both = homes.flatMap((home) => ['--home', home]);
  const shown = ['zebra', 'sigma'].map((word) => {
    const [hit] = hitsOf(pal(['search', word, '--json', ...both], { env }).out);
    return pal((hit?.open ?? '').split(' ').slice(1), { env }).out.includes(`the ${word}`);
  });
  expect([shown, pal(['show', 'aaaa1111', ...both], { env }).code]).toEqual([[true, true], 0]);
});

test('what looks like an option is looked for where it stands behind --', () => {
  const { home, env } = sampleHome();
  const [taken, refused] = [
    pal(['search', '--exact', '--', '--no-verify'], { home, env }),
    pal(['search', '--no-verify'], { home, env }),
  ];
  expect([taken.err, refused.err]).toEqual([
    'Nothing was found.\n',
    "There is no option --no-verify. To search for it, use --exact -- '--no-verify'.\n",
  ]);
});

test('words that must not occur are no options', () => {
  const { home, env } = sampleHome();
  const all = hitsOf(pal(['search', 'lock', '--json', '-n', '100'], { home, env }).out);
  const without = hitsOf(pal(['search', 'lock', '-import', '--json', '-n', '100'], { home, env }).out);
  const others = all.filter(({ session_id, message_index }) =>
    without.every((hit) => hit.session_id !== session_id || hit.message_index !== message_index),
  );
  expect([all.length > without.length, without.length > 0, others.length]).toEqual([
    true,
    true,
    all.length - without.length,
  ]);
});

test('what was rewound or compacted away is found, and says so', () => {
  const { home, env } = sampleHome();
  const hits = hitsOf(pal(['search', 'a* OR t*', '--json', '-n', '400'], { home, env }).out);
  const told = new Set(hits.map(({ live, left_by }) => `${live ? 'live' : 'gone'} ${left_by}`));
  expect([...told].sort()).toEqual(['gone compaction', 'gone rejection', 'gone rewind', 'live null']);
});

test('a session that the agent has deleted is found in what was kept, and says so', () => {
  const { home, env } = sampleHome();
  pal(['keep'], { home, env });
  const before = hitsOf(pal(['search', 'lock', '--json'], { home, env }).out);
  rmSync(join(home, '.claude'), { recursive: true });
  const after = hitsOf(pal(['search', 'lock', '--json'], { home, env }).out);
  expect(after).toEqual(before.map((hit) => ({ ...hit, kept: true })));
});

test('what is neither there nor kept is not found', () => {
  const { home, env } = sampleHome();
  pal(['index'], { home, env });
  rmSync(join(home, '.claude'), { recursive: true });
  const { code, out, err } = pal(['search', 'lock', 'agent:claude-code'], { home, env });
  expect({ code, out, err }).toEqual({
    code: 1,
    out: '',
    err: 'Nothing was found that fits agent:claude-code. Words are whole words: end one with * for those that begin so, or use --exact.\n',
  });
});

test.each([
  ['lists', ['ls', '--json', '--flat']],
  ['events', ['events', '--json']],
  ['facts', ['--json']],
])('%s are the same with an index and without', (_, args) => {
  const { home, env } = sampleHome();
  // The index reads the oldest first: here that is the last one that is listed.
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).sort();
  for (const [i, file] of files.entries()) utimesSync(join(home, file), 1.7e9 - i, 1.7e9 - i);
  const without = pal(args, { home, env });
  const isMade = existsSync(join(home, 'data/index'));
  pal(['index'], { home, env });
  const withIndex = pal(args, { home, env });
  expect({ isMade, ...withIndex }).toEqual({ isMade: false, ...without });
});

test('tokens and cost are the same read quickly, read in full, and by session', () => {
  const { home, env } = sampleHome();
  const totals = (args: string[]) =>
    (JSON.parse(pal(['usage', '--json', ...args], { home, env }).out) as { value: { totals: unknown } }).value.totals;
  const quick = totals([]);
  const bySession = totals(['--by', 'session']);
  pal(['index'], { home, env });
  expect([bySession, totals(['--by', 'model'])]).toEqual([quick, quick]);
});

test.each([
  [['--since', '2026-11-15T18:16:30Z']],
  [['--until', '2026-11-15T18:16:00Z']],
  [['--since', '2026-11-14', '--until', '2026-11-15']],
])('the calls of %j are those of the sessions that other commands show for it', (when) => {
  const { home, env } = sampleHome();
  // Of this one no row has a time.
  const calls = ['toolu_1', 'toolu_2'].map((id) => ({ type: 'tool_use', id, name: 'Read', input: {} }));
  const row = { type: 'assistant', uuid: 'a', message: { id: 'm', role: 'assistant', content: calls } };
  mkdirSync(join(home, '.claude/projects/-p'), { recursive: true });
  const path = join(home, '.claude/projects/-p/aaaa1111-0000-4000-8000-000000000000.jsonl');
  writeFileSync(path, `${JSON.stringify(row)}\n`);
  const written = new Date('2026-11-14T12:00:00Z');
  utimesSync(path, written, written);
  const rates = JSON.parse(pal(['usage', '--rates', '--json', ...when], { home, env }).out) as {
    value: { calls: number }[];
  };
  const stats = JSON.parse(pal(['stats', '--json', ...when], { home, env }).out) as {
    value: { tool_calls: { all: number } };
  };
  expect(rates.value.reduce((sum, { calls }) => sum + calls, 0)).toBe(stats.value.tool_calls.all);
});

test('tokens are counted by whole days, and a time within one is refused', () => {
  const { home, env } = sampleHome();
  const asked = ['2026-11-15', '2026-11-15T00:00', '2026-11-15T14:30:00Z'].map((since) =>
    pal(['usage', '--json', '--since', since], { home, env }),
  );
  expect(asked).toEqual([
    { code: 0, out: asked[0]?.out, err: '' },
    { code: 0, out: asked[0]?.out, err: '' },
    {
      code: 1,
      out: '',
      err: 'Usage is counted by whole days: give --since 2026-11-15, not "2026-11-15T14:30:00Z".\n',
    },
  ]);
});

test('a request that stands in two sessions is counted once by all who count, with what the fuller of them has', () => {
  const { home, env } = sampleHome();
  mkdirSync(join(home, '.claude/projects/-p'), { recursive: true });
  for (const [session, output_tokens] of [7, 1100, 30].entries()) {
    const usage = { input_tokens: 10, output_tokens };
    const message = { id: 'msg_1', role: 'assistant', model: 'claude-opus-4-1', content: [], usage };
    writeFileSync(
      join(home, `.claude/projects/-p/aaaa1111-0000-4000-8000-00000000000${session}.jsonl`),
      `${JSON.stringify({ type: 'assistant', uuid: `u${session}`, requestId: 'req_1', message })}\n`,
    );
  }
  const answerTo = (args: string[]) => JSON.parse(pal([...args, '--json'], { home, env }).out).value;
  const { models, costs } = answerTo(['stats']);
  const { groups } = answerTo(['usage', '--by', 'model']);
  const told = (groups as { name: string; output_tokens: number; cost: number }[]).map((group) => [
    group.name,
    group.output_tokens,
    group.cost,
  ]);
  expect([told.length, told, models['claude-opus-4-1'].output_tokens]).toEqual([
    Object.keys(models).length,
    told.map(([name = '']) => [name, models[name].output_tokens, costs[name]]),
    1100,
  ]);
});

test('it is told how much room the index takes when all is done', () => {
  const { home, env } = sampleHome();
  const { out } = pal(['index', '--json'], { home, env });
  const index = join(home, 'data/index');
  const bytes = readdirSync(index).reduce((sum, name) => sum + statSync(join(index, name)).size, 0);
  expect((JSON.parse(out) as { value: { bytes: number } }).value.bytes).toBe(bytes);
});

/** Enough of them for the reading to be stopped. */
function addSessions(home: string): void {
  const folder = join(home, '.claude/projects/-home-dev-src-shop');
  const id = '1a34810f-3c85-43d6-90d0-c4f34945ebe3';
  const session = readFileSync(join(folder, `${id}.jsonl`), 'utf8');
  for (let i = 0; i < 400; i++) {
    const other = `${id.slice(0, -3)}${i + 100}`;
    writeFileSync(join(folder, `${other}.jsonl`), session.replaceAll(id, other));
  }
}

function started(args: string[], home: string, env: Record<string, string>) {
  return spawn(process.execPath, [join(root, 'bin/palimpsest.js'), ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: home, PALIMPSEST_HOME: home, PALIMPSEST_WORKERS: '1', ...env },
  });
}

test('stopped by Ctrl-C it says what it has, and ends as shells expect it', async () => {
  const { home, env } = sampleHome();
  addSessions(home);
  const child = started(['index'], home, env);
  const [said, ended] = [text(child.stderr), once(child, 'exit')];
  while (!existsSync(join(home, 'data/index/lock'))) await setTimeout(5);
  child.kill('SIGINT');
  expect([(await ended)[0], (await said).replace(/\d+ sessions?|[\d.]+ [kM]?B/g, '…').replace(home, '~')]).toEqual([
    130,
    'Stopped: the index holds what was read until then, and goes on from there the next time.\n… can be searched so far; the index takes … in ~/data/index.\n',
  ]);
});

test('Ctrl-C ends a regular expression that would take forever', async () => {
  const { home, env } = sampleHome();
  pal(['index'], { home, env });
  const child = started(['search', '--regex', String.raw`(\w+\s?)+\w+#@!`], home, env);
  const [said, ended] = [text(child.stderr), once(child, 'exit')];
  // Long enough for it to be in the middle of it.
  await setTimeout(1500);
  child.kill('SIGINT');
  expect([await ended, await said]).toEqual([[null, 'SIGINT'], '']);
});

test('Ctrl-C while a search reads is no reason to read once more', async () => {
  const { home, env } = sampleHome();
  addSessions(home);
  const child = started(['search', 'nosuchword'], home, env);
  const [said, ended] = [text(child.stderr), once(child, 'exit')];
  while (!existsSync(join(home, 'data/index/lock'))) await setTimeout(5);
  child.kill('SIGINT');
  expect([(await ended)[0], await said]).toEqual([
    130,
    'Stopped: the index holds what was read until then, and goes on from there the next time.\nOnly what was said was searched: the texts of tools are not in the index yet. "pal index" adds them.\n\nNothing was found in what the index holds so far. Try again when it has been brought up to date.\n',
  ]);
});

test('what V8 has compiled is kept where there is a folder for it, and nowhere else', () => {
  const { home, env } = sampleHome();
  pal(['ls'], { home, env });
  const before = existsSync(join(home, 'data'));
  pal(['index'], { home, env });
  pal(['usage'], { home, env });
  expect([before, readdirSync(join(home, 'data')).sort()]).toEqual([false, ['compiled', 'index']]);
});

test('a folder for data that cannot be is no trouble for what needs none', () => {
  const { home } = sampleHome();
  const env = { PALIMPSEST_DATA: join(home, '.claude/history.jsonl/inside') };
  writeFileSync(join(home, '.claude/history.jsonl'), '');
  expect([pal(['--version'], { home, env }).code, pal(['ls', '--sample'], { home, env }).err]).toEqual([0, '']);
});

test('no code is taken from a folder to which others can write', () => {
  const { home, env } = sampleHome();
  pal(['index'], { home, env });
  chmodSync(join(home, 'data'), 0o777);
  pal(['usage'], { home, env });
  expect(readdirSync(join(home, 'data'))).toEqual(['index']);
});

test('what a fork in another project holds of its parent is told to be the parent’s before sessions were read, too', () => {
  const home = temporaryFolder();
  const projects = join(home, '.claude/projects');
  const fork = '11111111-2222-4333-8444-555555555555.jsonl';
  cpSync(join(root, 'fixtures/claude-code/p_resume/native'), home, { recursive: true });
  mkdirSync(join(projects, '-home-dev-other'));
  renameSync(join(projects, '-home-dev-src-claude-demo', fork), join(projects, '-home-dev-other', fork));
  const rows = readFileSync(join(projects, '-home-dev-other', fork), 'utf8');
  writeFileSync(
    join(projects, '-home-dev-other', fork),
    rows.replaceAll('"cwd":"/home/dev/src/claude/demo"', '"cwd":"/home/dev/other"'),
  );
  const place = ['--home', home, '--store', join(home, 'store')];
  const unread = pal(['usage', '--by', 'project', '--json', ...place]);
  pal(['index', ...place]);
  const read = pal(['usage', '--by', 'project', '--json', ...place]);
  const { groups } = JSON.parse(read.out).value;
  expect([unread.code, unread.out]).toEqual([0, read.out]);
  expect(groups.map(({ name, requests }: { name: string; requests: number }) => [name, requests])).toEqual([
    ['/home/dev/src/claude/demo', 6],
    ['/home/dev/other', 1],
  ]);
});

test('a request that only a copy is left of counts once, before and after sessions were read', () => {
  const home = temporaryFolder();
  cpSync(join(root, 'fixtures/claude-code/copy-of-a-cleared-session/native'), home, { recursive: true });
  const requests = (store: string): number => {
    const ran = pal(['usage', '--json', '--home', home, '--store', join(home, store)]);
    return JSON.parse(ran.out).value.totals.requests;
  };
  const whole = requests('grown');
  const [original] = readdirSync(join(home, '.claude/projects'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.includes('00000087-'),
  );
  rmSync(join(home, '.claude/projects', String(original)));
  const [grown, fresh] = [requests('grown'), requests('fresh')];
  pal(['index', '--home', home, '--store', join(home, 'fresh')]);
  expect([whole, grown, fresh, requests('fresh')]).toEqual([3, 3, 3, 3]);
});

test('where there is no session nothing else is said', () => {
  const home = temporaryFolder();
  const { code, out, err } = pal(['search', 'x', '--home', home, '--store', join(home, 'store')]);
  expect([code, out, err.split('\n')[0]]).toEqual([1, '', `No session was found in ${home}.`]);
});

test.each([
  ['UTC', '0000-01-05T12:00:00.000Z', '0000-01-05', '0000-W01'],
  ['America/New_York', '0000-01-01T00:30:00.000Z', '-000001-12-31', '-000001-W52'],
])('a time in the year zero has a day and a week: %s', (TZ, time, day, week) => {
  const home = temporaryFolder();
  mkdirSync(join(home, '.claude/projects/-x'), { recursive: true });
  const row = `{"type":"assistant","uuid":"a","parentUuid":null,"sessionId":"s","timestamp":"${time}","message":{"id":"m","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\n`;
  writeFileSync(join(home, '.claude/projects/-x/00000000-0000-4000-8000-000000000001.jsonl'), row);
  const names = ['day', 'week'].map((by) => {
    const { out } = pal(['usage', '--by', by, '--json', '--home', home, '--store', join(home, 'store')], {
      env: { TZ },
    });
    return JSON.parse(out).value.groups[0].name;
  });
  expect(names).toEqual([day, week]);
});
