// What a shell is told to complete.

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pal, root, temporaryFolder } from './support.ts';

const now = { PALIMPSEST_NOW: '2026-11-17T12:00:00.000Z' };

function words(...line: string[]): string[] {
  return pal(['complete', '--', ...line], { env: now })
    .out.trimEnd()
    .split('\n')
    .map((text) => text.split('\t')[0] ?? '');
}

describe('complete', () => {
  const CASES: [line: string[], words: string[]][] = [
    [['sh'], ['show']],
    [['ex'], ['export']],
    [['--ver'], ['--version']],
    [
      ['show', '--t'],
      ['--tools', '--thinking'],
    ],
    [
      ['show', '--tools', ''],
      ['none', 'short', 'full'],
    ],
    [
      ['events', '--kind', 're'],
      ['rejection', 'rewind'],
    ],
    [
      ['show', '--sample', '01a1'],
      ['01a1e06f-e7d4', '01a1e06c-f674'],
    ],
    [['show', '--sample', 'why is'], ['Why is the checkout off by a cent?']],
    [['show', '--sample', 'la'], ['last']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['nonsense', 'x'], ['']],
  ];
  test.each(CASES)('%j', (line, expected) => {
    expect(words(...line)).toEqual(expected);
  });

  test('ids come with their titles', () => {
    expect(pal(['complete', '--', 'show', '--sample', 'cb'], { env: now }).out).toBe(
      'cb387779\tThe import hangs. Can you see why?, 1 d ago\n',
    );
  });
});

test('bash takes titles as one word', () => {
  const script = `source <("${process.execPath}" bin/palimpsest.js completion bash)
pal() { "${process.execPath}" bin/palimpsest.js "$@"; }
COMP_WORDS=(pal show --sample Why); COMP_CWORD=3; _pal_complete; printf '<%s>\\n' "\${COMPREPLY[@]}"`;
  const home = temporaryFolder();
  const ran = spawnSync('bash', ['-c', script], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', HOME: home, PALIMPSEST_HOME: home },
  });
  expect(ran.stdout).toBe('<Why\\ is\\ the\\ checkout\\ off\\ by\\ a\\ cent\\?>\n');
});

test.each(['bash', 'zsh', 'fish'])('there is a script for %s', (shell) => {
  expect(pal(['completion', shell]).out).toContain('complete --');
});

test('of a session that would take too long to read there is the id', () => {
  const home = temporaryFolder();
  const id = '00000000-0000-4000-8000-000000000001';
  mkdirSync(join(home, '.claude/projects/-x'), { recursive: true });
  const row = {
    type: 'user',
    uuid: 'u',
    sessionId: id,
    message: { role: 'user', content: 'x'.repeat(17 * 1024 * 1024) },
  };
  writeFileSync(join(home, `.claude/projects/-x/${id}.jsonl`), `${JSON.stringify(row)}\n`);
  expect(words('show', '--home', home, '0000')).toEqual(['00000000']);
});
