// What a store holds after something has changed is what a store made anew holds: cases that were found by trying very many.

import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { followedRuns } from '../scripts/soak-store.ts';
import { memoryStore, openStore, updateStore } from '../src/index.ts';
import { filesOf, listFiles } from '../src/ingest/node-files.ts';
import { openTexts } from '../src/ingest/open-texts.ts';
import { scanStore } from '../src/query/scan.ts';
import { exactPattern } from '../src/query/scan-pattern.ts';
import { filtersFrom } from '../src/query/search-query.ts';
import { claudeCode } from '../src/sources/claude-code/index.ts';
import { contentOf, freshContent, UPDATE, update } from './store-content.ts';
import { pal, root, temporaryFolder } from './support.ts';

function homeWith(fixture: string): string {
  const home = temporaryFolder();
  cpSync(join(root, 'fixtures', fixture, 'native'), home, { recursive: true });
  return home;
}

test('a list of projects that was caught half written, and then completed', async () => {
  const home = homeWith('gemini/plain');
  const list = join(home, '.gemini/projects.json');
  const whole = readFileSync(list);
  rmSync(join(home, '.gemini/tmp/proj/.project_root'), { force: true });
  writeFileSync(list, whole.subarray(0, -2));
  const store = memoryStore();
  await update(store, { homes: [home] });
  appendFileSync(list, whole.subarray(-2));
  await update(store, { homes: [home] });
  expect(contentOf(store)).toEqual(await freshContent({ homes: [home] }));
});

test('a project that was told otherwise while a run ended early', async () => {
  const home = homeWith('gemini/resume');
  const told = join(home, '.gemini/tmp/proj/.project_root');
  const whole = readFileSync(told);
  const store = memoryStore();
  await update(store, { homes: [home] });
  writeFileSync(told, whole.subarray(0, 5));
  await updateStore(store, { homes: [home] }, { ...UPDATE, isStopped: () => true });
  writeFileSync(told, whole);
  await update(store, { homes: [home] });
  expect(contentOf(store)).toEqual(await freshContent({ homes: [home] }));
});

const row = (uuid: string, parentUuid: string | null, words: string, minute: number) =>
  `${JSON.stringify({
    ...{ type: 'user', uuid, parentUuid, cwd: '/p', timestamp: `2026-01-10T09:0${minute}:00.000Z` },
    message: { role: 'user', content: words },
  })}\n`;
const title = (leafUuid: string, summary: string) => `${JSON.stringify({ type: 'summary', summary, leafUuid })}\n`;

test('of two titles of a session, the one that is told first now', async () => {
  const home = temporaryFolder();
  const folder = join(home, '.claude/projects/-p');
  mkdirSync(folder, { recursive: true });
  const write = (name: number, text: string) =>
    writeFileSync(join(folder, `0000000${name}-0000-4000-8000-000000000000.jsonl`), text);
  write(4, row('l1', null, 'first', 0) + row('l2', 'l1', 'second', 1));
  write(5, title('l1', 'Title one') + row('x', null, 'other', 2));
  write(6, title('l2', 'Title two') + row('y', null, 'other', 3));
  write(7, title('l1', 'Title one') + row('z', null, 'other', 4));
  const store = memoryStore();
  await update(store, { homes: [home] });
  rmSync(join(folder, '00000005-0000-4000-8000-000000000000.jsonl'));
  await update(store, { homes: [home] });
  expect(contentOf(store)).toEqual(await freshContent({ homes: [home] }));
});

test('a packed file that was written anew and is larger', async () => {
  const home = temporaryFolder();
  const folder = join(home, '.codex/sessions/2026/01/10');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'rollout-2026-01-10T09-00-00-019ba700-0000-7000-8000-00000000000c.jsonl.zst');
  const item = (text: string) =>
    `${JSON.stringify({ timestamp: '2026-01-10T09:00:01.000Z', type: 'response_item', payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] } })}\n`;
  const meta = `${JSON.stringify({ timestamp: '2026-01-10T09:00:00.000Z', type: 'session_meta', payload: { id: '019ba700-0000-7000-8000-00000000000c', cwd: '/p' } })}\n`;
  const filling = item('x'.repeat(6000)) + item('y'.repeat(6000));
  const store = memoryStore();
  writeFileSync(path, zstdCompressSync(meta + filling + item('list files') + filling));
  await update(store, { homes: [home] });
  const more = Array.from({ length: 40 }, (_, i) => item(`word${i * 7919}`)).join('');
  writeFileSync(path, zstdCompressSync(meta + filling + item('list zebra') + filling + more));
  await update(store, { homes: [home] });
  expect(contentOf(store)).toEqual(await freshContent({ homes: [home] }));
});

test('a session in two folders: to read it changes nothing of what is known of its files', () => {
  const place = { folder: join(temporaryFolder(), '.claude'), name: '.claude' };
  const write = (project: string, text: string) => {
    mkdirSync(join(place.folder, 'projects', project), { recursive: true });
    writeFileSync(join(place.folder, 'projects', project, '00000004-0000-4000-8000-000000000000.jsonl'), text);
  };
  // The one that was left first is read first, and lies in the second folder.
  write('-a', row('l1', null, 'first', 0) + row('l2', 'l1', 'second', 1));
  write('-b', row('l1', null, 'first', 0));
  const port = filesOf(place);
  const { families } = claudeCode.group(listFiles(place, ['projects']).files, port);
  const before = JSON.stringify(families);
  for (const family of families) claudeCode.outline(family, port, { content: false });
  expect(JSON.stringify(families)).toBe(before);
});

test('a file of which a text is wanted and cannot be read any more is named', async () => {
  const home = homeWith('claude-code/empty-ids');
  const store = memoryStore();
  await update(store, { homes: [home] });
  const path = '.claude/projects/-home-me-demo/00000217-0000-4000-8000-000000000000.jsonl';
  const search = async () => {
    const texts = await openTexts(store, undefined);
    const { hits } = scanStore(store, exactPattern('two'), filtersFrom({ now: 0 }), {
      texts: ({ stored }) => texts.of(stored),
    });
    texts.close();
    return [hits.length, [...texts.unread]];
  };
  const before = await search();
  rmSync(join(home, path));
  expect([before, await search()]).toEqual([
    [1, []],
    [0, [path]],
  ]);
});

test('lists do without an index that a newer version made', () => {
  const [home, data] = [homeWith('claude-code/i_reject'), temporaryFolder()];
  const env = { PALIMPSEST_DATA: data };
  const without = pal(['ls', '--json'], { home, env }).out;
  openStore(join(data, 'index')).close();
  const main = new DatabaseSync(join(data, 'index', 'main.db'));
  main.exec('pragma user_version = 99');
  main.close();
  expect(pal(['ls', '--json'], { home, env })).toEqual({
    code: 0,
    out: without,
    err: 'The index was made by a newer version of Palimpsest: the files are read instead.\n',
  });
});

test('whatever changes, in whatever order, also while runs end early', async () => {
  expect(await followedRuns({ seed: 3, count: 20 })).toEqual({ runs: 20, wrong: [] });
});
