// What is left in a log when a store is closed.

import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore, updateStore } from '../src/index.ts';
import { fill, leaveLog, leftIn } from './left-log.ts';
import { contentOf, freshContent, UPDATE } from './store-content.ts';
import { pal, root, temporaryFolder } from './support.ts';

const reply = (id: string) =>
  `${JSON.stringify({
    type: 'assistant',
    uuid: id,
    sessionId: 's1',
    timestamp: '2026-01-01T00:00:00.000Z',
    message: {
      id,
      role: 'assistant',
      content: [{ type: 'text', text: `words of ${id}` }],
      usage: { output_tokens: 1 },
    },
  })}\n`;

test('a short log stays, and is put away when it is no longer short; the store is what a new one would be', async () => {
  const home = temporaryFolder();
  const folder = join(home, 'index');
  const session = join(home, '.claude/projects/a/s1.jsonl');
  mkdirSync(join(home, '.claude/projects/a'), { recursive: true });
  writeFileSync(session, reply('a0'));
  const places = { homes: [home] };
  const written = async (more = (_: ReturnType<typeof openStore>) => {}) => {
    const store = openStore(folder);
    await updateStore(store, places, UPDATE);
    more(store);
    store.close();
    return leftIn(folder);
  };
  const first = await written(fill);
  const left: number[] = [];
  for (let i = 1; i <= 12; i++) {
    appendFileSync(session, reply(`a${i}`));
    left.push(await written());
  }
  const most = statSync(join(folder, 'main.db')).size / 8;
  expect({
    first,
    isBound: left.every((bytes) => bytes <= most),
    stays: left.filter((bytes) => bytes > 0).length > 3,
    isPutAway: left.includes(0),
  }).toEqual({ first: 0, isBound: true, stays: true, isPutAway: true });
  const store = openStore(folder);
  const content = contentOf(store);
  store.close();
  expect(content).toEqual(await freshContent(places));
});

test('a main database that is damaged behind its log is made anew, and says the same', () => {
  const home = temporaryFolder();
  cpSync(join(root, 'samples'), home, { recursive: true });
  const env = { PALIMPSEST_DATA: join(home, 'data') };
  const index = join(home, 'data/index');
  pal(['index'], { home, env });
  const before = pal(['usage', '--json'], { home, env });
  leaveLog(index);
  expect(leftIn(index)).toBeGreaterThan(0);
  writeFileSync(join(index, 'main.db'), 'hello, world\n'.repeat(1000));
  const [again, later] = [pal(['usage', '--json'], { home, env }), pal(['usage', '--json'], { home, env })];
  expect([again.out, again.code, later]).toEqual([before.out, 0, before]);
});

test.each(['main.db', 'words-0.db'])('where %s is taken away meanwhile, all is closed', (name) => {
  const folder = join(temporaryFolder(), 'index');
  const store = openStore(folder);
  store.main.exec("insert into meta values ('one', '')");
  rmSync(join(folder, name));
  store.close();
  expect([store.main, ...store.shards].filter(({ isOpen }) => isOpen)).toEqual([]);
});

test.skipIf(process.platform !== 'linux')('of a database that is damaged meanwhile, no connection stays', () => {
  const folder = join(temporaryFolder(), 'index');
  const filled = openStore(folder);
  fill(filled);
  filled.close();
  const store = openStore(folder);
  store.main.exec("insert into meta values ('one', '')");
  const path = join(folder, 'main.db');
  writeFileSync(path, readFileSync(path).fill(0x41, 0, 100));
  store.close();
  const open = readdirSync('/proc/self/fd').map((fd) => linkOf(join('/proc/self/fd', fd)));
  expect(open.filter((file) => file.startsWith(folder))).toEqual([]);
});

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
