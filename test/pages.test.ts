// What a person sees: the samples on a terminal of 80 and of 140 columns, with and without colours.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectFile, root, temporaryFolder } from './support.ts';

const empty = temporaryFolder();
const hasTerminal = spawnSync('script', ['--version']).status === 0;
if (!hasTerminal) console.log('not run: pages on a terminal, for want of the command "script"');

/** On a pseudo-terminal of so many columns, high enough for no pager. */
function onTerminal(args: string, columns: number, env: Record<string, string>): string {
  const command = `stty cols ${columns} rows 1000; "${process.execPath}" "${join(root, 'bin/palimpsest.js')}" ${args}`;
  const ran = spawnSync('script', ['-qec', command, '/dev/null'], {
    cwd: empty,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH ?? '',
      HOME: empty,
      PALIMPSEST_HOME: empty,
      PALIMPSEST_NOW: '2026-11-17T12:00:00.000Z',
      SHELL: '/bin/sh',
      TERM: 'xterm-256color',
      TZ: 'UTC',
      ...env,
    },
  });
  return ran.stdout.replaceAll('\r\n', '\n').replaceAll('\u001b', '␛').replaceAll(empty, '/home/dev');
}

const PAGES: [name: string, args: string][] = [
  ['pal', ''],
  ['ls', 'ls --sample'],
  ['ls-flat', 'ls --sample --flat'],
  ['show', 'show cb387779 --sample'],
  ['show-full', 'show 01a1e06c-f674 --sample --tools full --thinking --meta'],
  ['show-subagents', 'show b8494eaa --sample --subagents'],
  ['events', 'events --sample --diff'],
  ['events-by', 'events --sample --by tool'],
  ['stats', 'stats cb387779 --sample'],
  ['resume', 'resume cb387779 --sample'],
  ['wrong', 'shwo'],
];

describe.skipIf(!hasTerminal)('on a terminal', () => {
  test.each(PAGES)('%s', (name, args) => {
    for (const columns of [80, 140])
      expectFile(join(root, 'test/pages', `${name}-${columns}.txt`), onTerminal(args, columns, { NO_COLOR: '1' }));
    expectFile(join(root, 'test/pages', `${name}-colour.txt`), onTerminal(args, 80, {}));
  });

  test('no line is wider than the terminal, but code, diffs and paths', () => {
    const wide = PAGES.slice(0, 3).flatMap(([, args]) =>
      [30, 40, 60, 80]
        .flatMap((columns) =>
          onTerminal(args, columns, { NO_COLOR: '1' })
            .split('\n')
            .filter((line) => [...line].length > columns),
        )
        .filter(
          (line) =>
            !line.startsWith('  pal ') &&
            !line.startsWith('     → ') &&
            !line.startsWith('No session was') &&
            !line.startsWith('Give another') &&
            !line.startsWith('These are'),
        ),
    );
    expect(wide).toEqual([]);
  });
});
