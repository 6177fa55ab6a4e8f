// A command that has much to read for its index tells V8 to do without its last compiler, whichever command it is.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, temporaryFolder } from './support.ts';

/** More than is read sooner than V8 is told anything. */
const ROWS = 30_000;
const row = (i: number) => ({
  ...{ type: 'user', uuid: `u${i}`, parentUuid: i === 0 ? null : `u${i - 1}`, sessionId: 's1', cwd: '/home/me/demo' },
  ...{ timestamp: '2026-11-18T07:30:00.000Z', version: '2.1.0', isSidechain: false },
  message: { role: 'user', content: `word ${i} `.repeat(40) },
});

test('pal search, the first time', () => {
  const folder = temporaryFolder();
  const project = join(folder, '.claude/projects/-home-me-demo');
  mkdirSync(project, { recursive: true });
  const rows = Array.from({ length: ROWS }, (_, i) => `${JSON.stringify(row(i))}\n`);
  writeFileSync(join(project, '00000000-0000-4000-8000-000000000001.jsonl'), rows.join(''));
  const told = execFileSync(
    process.execPath,
    [
      ...['--trace-opt', join(root, 'bin/palimpsest.js'), 'search', 'word', '--json', '--limit', '1'],
      ...['--home', folder, '--store', join(folder, 'store')],
    ],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      env: { HOME: folder, PALIMPSEST_HOME: folder, PALIMPSEST_DATA: folder, PALIMPSEST_WORKERS: '1' },
    },
  );
  const targets = new Set(Array.from(told.matchAll(/completed compiling .*\(target (\w+)/g), ([, target]) => target));
  expect([...targets]).toEqual(['MAGLEV']);
});
