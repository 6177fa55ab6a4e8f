// What quick commands do not load: modules of Node's that take milliseconds, and what reads histories that nobody asks for.

import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { pal, root, temporaryFolder } from './support.ts';

const SLOW = [
  'child_process',
  'crypto',
  'net',
  'perf_hooks',
  'stream',
  'timers/promises',
  'tty',
  'v8',
  'worker_threads',
  'zlib',
];
const AGENTS = ['claude-code', 'codex', 'gemini'];
/** As the built files are named: what all agents need, and what each does. */
const READERS = [...AGENTS, 'reading'];

function loadedBy(args: string[], home: string, env: Record<string, string>) {
  const preload = join(root, 'test/tell-loaded.ts');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', preload, join(root, 'bin/palimpsest.js'), ...args],
    {
      env: { PATH: process.env.PATH ?? '', HOME: home, PALIMPSEST_HOME: home, TZ: 'UTC', ...env },
      encoding: 'utf8',
    },
  );
  const told = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as { files: string[]; modules: string[] };
  const names = told.files.map((url) => basename(url));
  return {
    answered: stdout !== '',
    slow: SLOW.filter((name) => told.modules.includes(name)),
    readers: READERS.filter((reader) => names.some((name) => name.startsWith(`${reader}-`))),
  };
}

/** One session of each agent. */
function sessionsIn(home: string): Record<string, string> {
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  const first = (pattern: RegExp) => paths.find((path) => pattern.test(path)) ?? '';
  return {
    'claude-code': first(/projects\/[^/]+\/[0-9a-f-]+\.jsonl$/),
    codex: first(/rollout-[^/]+\.jsonl$/),
    gemini: first(/chats\/session-[^/]+\.jsonl$/),
  };
}

const home = temporaryFolder();
cpSync(join(root, 'samples'), home, { recursive: true });
const env = { PALIMPSEST_DATA: join(home, 'data'), PALIMPSEST_WORKERS: '1' };
pal(['index'], { home, env });

test('where nothing has changed, what reads histories is not loaded', () => {
  const { slow } = loadedBy(['ls', '--json'], home, env);
  const asked = [loadedBy(['usage', '--json'], home, env), loadedBy(['search', 'no-such-word', '--json'], home, env)];
  const nothing = { answered: true, slow: [], readers: [] };
  expect([slow, ...asked]).toEqual([[], nothing, nothing]);
});

test.each(AGENTS)('where a session of %s has grown, only what reads those is', (agent) => {
  const path = sessionsIn(home)[agent] ?? '';
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const grow = () => appendFileSync(path, `${lines.at(-1)}\n`);
  grow();
  const usage = loadedBy(['usage', '--json'], home, env);
  grow();
  const search = loadedBy(['search', `agent:${agent}`, '--json'], home, env);
  const only = { answered: true, slow: [], readers: [agent, 'reading'] };
  expect([usage, search]).toEqual([only, only]);
});
