// An index whose lists of words are made here holds the same as one made by FTS5, and goes on as any other does.

import { appendFileSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openStore, updateStore } from '../src/index.ts';
import { ShardIndexer } from '../src/ingest/index-shard.ts';
import { filesOf } from '../src/ingest/node-files.ts';
import { claudeCode } from '../src/sources/claude-code/index.ts';
import { WORD_TABLES } from '../src/store/list-record.ts';
import { openShard, openShardForLists } from '../src/store/open.ts';
import { listsIn } from '../src/store/word-lists.ts';
import { contentOf, freshContent, UPDATE } from './store-content.ts';
import { root, temporaryFolder } from './support.ts';

const LISTS = { ...UPDATE, listsFrom: 0 };

test.each([1, 2] as const)('tier %i: what is in it is the same, now and after files have changed', async (tier) => {
  const folder = temporaryFolder();
  const home = join(folder, 'home');
  for (const fixture of ['samples', 'fixtures/claude-code/p_agents/native', 'fixtures/codex/archive/native'])
    cpSync(join(root, fixture), home, { recursive: true });
  const places = { homes: [home] };
  const store = openStore(join(folder, 'store'));
  await updateStore(store, places, { ...LISTS, tier });
  const [first, firstFresh] = [contentOf(store), await freshContent(places, tier)];
  const [path = ''] = readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => /session.*\.jsonl$|^\.claude.*\.jsonl$/.test(name))
    .sort();
  appendFileSync(
    join(home, path),
    '{"type":"user","uuid":"late","message":{"role":"user","content":"words that came late"}}\n',
  );
  rmSync(join(home, '.gemini'), { recursive: true });
  await updateStore(store, places, LISTS);
  const [then, thenFresh] = [contentOf(store), await freshContent(places)];
  store.close();
  expect([first, then]).toEqual([firstFresh, thenFresh]);
});

/** A shard, and who indexes small sessions into it. */
function shardWith(sessions: number) {
  const folder = temporaryFolder();
  const project = join(folder, '.claude/projects/-home-me-demo');
  mkdirSync(project, { recursive: true });
  openStore(join(folder, 'store')).close();
  const store = join(folder, 'store');
  const plain = openShard(store, 0);
  const committed: number[] = [];
  const indexer = new ShardIndexer(
    0,
    { open: () => plain, openForLists: () => openShardForLists(store, 0) },
    ({ facts }) => committed.push(...facts.map(({ id }) => id)),
  );
  const port = filesOf({ folder: join(folder, '.claude'), name: '.claude' });
  const index = (id: number, said: string) => {
    const path = `projects/-home-me-demo/s${id}.jsonl`;
    const row = { type: 'user', uuid: 'u1', sessionId: `s${id}`, message: { role: 'user', content: said } };
    writeFileSync(join(folder, '.claude', path), `${JSON.stringify(row)}\n`);
    const info = { path: `.claude/${path}`, bytes: 100, modified_ms: 1 };
    indexer.index(
      {
        ...{
          id,
          tier: 1,
          had: null,
          known: [],
          fingerprint: 'f',
          bytes: 100,
          links: [],
          links_text: '',
          project: null,
        },
        family: { id: `s${id}`, files: [{ info, role: 'main', session_id: `s${id}` }] },
      },
      id,
      { source: claudeCode, port, titles: new Map(), companions: [] },
    );
  };
  const found = (word: string) => {
    const database = new DatabaseSync(join(store, 'words-0.db'), { readOnly: true });
    const hits = database.prepare('select count(*) as hits from prose where prose match ?').get(word)?.hits;
    const lists = WORD_TABLES.map((table) => listsIn(database, table));
    database.close();
    return { hits, lists };
  };
  for (let id = 1; id <= sessions; id++) {
    index(id, `words of session${id}`);
    indexer.commit();
  }
  return { index, indexer, found, committed };
}

test('a family that is read once more is there once: from then on FTS5 does it', () => {
  const { index, indexer, found, committed } = shardWith(2);
  index(3, 'early words');
  index(3, 'late words');
  index(4, 'last words');
  indexer.commit();
  indexer.close();
  expect([found('words'), found('early').hits, found('late').hits, committed]).toEqual([
    { hits: 4, lists: [4, 0] },
    0,
    1,
    [1, 2, 3, 3, 4],
  ]);
});

test('many lists are merged, and more are made', () => {
  const { indexer, found } = shardWith(19);
  indexer.close();
  expect([found('words'), found('session1').hits, found('session18').hits]).toEqual([
    { hits: 19, lists: [3, 0] },
    1,
    1,
  ]);
});
