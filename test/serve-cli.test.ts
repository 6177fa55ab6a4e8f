// `pal serve` as people start it, and start it wrongly.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { emptyHome, pal, root, temporaryFolder } from './support.ts';

/** Starts it, waits until it says that it can be ended, and gives what it printed. */
async function started(
  args: string[],
  env: Record<string, string> = {},
  launcher = join(root, 'bin/palimpsest.js'),
): Promise<{ out: string; err: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [launcher, 'serve', ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: emptyHome, PALIMPSEST_HOME: emptyHome, ...env },
  });
  onTestFinished(() => void child.kill());
  const told = { out: '', err: '' };
  child.stdout.on('data', (piece: Buffer) => {
    told.out += piece.toString();
  });
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (piece: Buffer) => {
      told.err += piece.toString();
      if (told.err.includes('Ctrl-C ends it.')) resolve();
    });
  });
  return { ...told, child };
}

test('without a session it serves samples, says so, and prints an address with a token', async () => {
  const { out, err } = await started(['--open'], { CI: 'true' });
  expect(out).toMatch(/^Palimpsest is at http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}\n$/);
  expect(err.split('\n').slice(0, 2)).toEqual([
    `There is no session in ${emptyHome}: these are samples that come with Palimpsest.`,
    'Ctrl-C ends it.',
  ]);
});

test('for programs the address is JSON; nobody is told of samples that were asked for', async () => {
  const { out, err } = await started(['--sample', '--json']);
  expect(JSON.parse(out)).toEqual({ version: 1, kind: 'serving', value: { url: expect.stringMatching(/^http:/) } });
  expect(err).toBe('Ctrl-C ends it.\n');
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('started by way of a newer Node, %s ends both', async (signal) => {
  const launcher = join(temporaryFolder(), 'old-node.mjs');
  const newer = JSON.stringify(join(root, 'bin/newer-node.js'));
  writeFileSync(launcher, `(await import(${newer})).startNewer('22.18', () => true);`);
  const { out, child } = await started(['--sample', '--json'], { PALIMPSEST_NODE: process.execPath }, launcher);
  const { url } = (JSON.parse(out) as { value: { url: string } }).value;
  child.kill(signal);
  await once(child, 'exit');
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

test('to be reached from elsewhere is warned of', async () => {
  const { out, err } = await started(['--sample', '--host', '0.0.0.0']);
  expect(out).toMatch(/http:\/\/\d+\.\d+\.\d+\.\d+:\d+\//);
  expect(err).toContain('Everybody who can reach this address and has the token can read every session.');
});

test('a port that is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  const port = await new Promise<number>((resolve) => {
    other.on('listening', () => resolve((other.address() as { port: number }).port));
  });
  expect(pal(['serve', '--sample', '--port', String(port)])).toEqual({
    code: 1,
    out: '',
    err: `Port ${port} is taken. Give another one with --port, or none: then a free one is taken.\n`,
  });
});

test.each([
  [['--port', '70000'], 'It is a number from 0 to 65535.'],
  [['--port', 'http'], 'It is a number from 0 to 65535.'],
  [['--sample', '--host', '203.0.113.7'], '203.0.113.7 is no address of this machine.'],
  [['--home', '/nowhere/at/all'], '/nowhere/at/all'],
])('%j is a mistake, and told as one', (args, words) => {
  const { code, out, err } = pal(['serve', ...args]);
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain(words);
});

test('the page is small: at most 150 kB before code is coloured', () => {
  const folder = join(root, 'dist/web-page/assets');
  const first = readdirSync(folder).filter((name) => name.startsWith('index-'));
  const bytes = first.map((name) => gzipSync(readFileSync(join(folder, name))).length).reduce((a, b) => a + b, 0);
  expect(first.map((name) => name.replace(/-.*\./, '.')).sort()).toEqual(['index.css', 'index.js']);
  expect(bytes).toBeLessThan(150_000);
});
