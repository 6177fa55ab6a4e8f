// Sums that are made while others are still read are those that are made in the end.

import { expect, test } from 'vitest';
import { memoryStore, type Store } from '../src/index.ts';
import type { UsageRow } from '../src/schema/usage-row.ts';
import { KeptSums } from '../src/store/kept-sums.ts';
import { packUsage } from '../src/store/packed-usage.ts';
import { SESSIONS_PER_FAMILY } from '../src/store/tables.ts';
import { contentOf, UPDATE } from './store-content.ts';

/** Requests by their keys, each with so many tokens of output. */
type Session = [key: string | null, day: string, output: number][];

const SESSIONS: Session[] = [
  [
    ['a', '2026-01-01', 100],
    ['b', '2026-01-02', 30],
  ],
  // The same request again, of which more was seen.
  [
    ['c', '2026-01-02', 7],
    ['b', '2026-01-02', 31],
  ],
  [],
  [
    [null, '2026-01-03', 5],
    [null, '2026-01-03', 5],
  ],
  // Twice in one session, and in the very first.
  [
    ['d', '2026-01-03', 11],
    ['d', '2026-01-03', 11],
    ['a', '2026-01-01', 99],
  ],
];

function requestsOf(session: Session): UsageRow[] {
  return session.map(([key, day, output_tokens]) => ({
    key,
    timestamp: `${day}T12:00:00Z`,
    model: 'm',
    usage: {
      ...{ input_tokens: 1, cache_read_tokens: 0, cache_write_5m_tokens: 0, cache_write_1h_tokens: 0 },
      ...{ output_tokens, reasoning_tokens: 0, web_searches: 0, estimated: false },
    },
  }));
}

function emptyStore(): Store {
  const store = memoryStore();
  store.main.exec(
    "insert into roots values (1, 'codex', '/home/me/.codex', ''), (2, 'gemini', '/home/me/.gemini', '')",
  );
  return store;
}

/** Every second session is of the second root, in which the same keys mean other requests. */
function write({ main }: Store, sums: KeptSums, i: number): void {
  const root = 1 + (i % 2);
  const id = (i + 1) * SESSIONS_PER_FAMILY;
  const usage = packUsage(requestsOf(SESSIONS[i >> 1] ?? []));
  main
    .prepare("insert into families values (?, ?, ?, 0, null, null, '', '', null, null)")
    .run(i + 1, root, `family ${i}`);
  main
    .prepare(
      "insert into sessions values (?, ?, 0, ?, 'codex', 'main', null, null, null, null, 0, '{}', '', '', '', '')",
    )
    .run(id, i + 1, `session ${i}`);
  if (usage.keys.length > 0)
    main.prepare('insert into usage values (?, ?, ?, ?)').run(id, usage.keys, usage.rows, usage.models);
  sums.written(root, id, usage);
}

const COUNT = 2 * SESSIONS.length;

async function madeInTheEnd(): Promise<Store> {
  const store = emptyStore();
  const sums = new KeptSums(store.main, { early: false });
  for (let i = 0; i < COUNT; i++) write(store, sums, i);
  await sums.bringUp(UPDATE.prices);
  return store;
}

test.each([1, 2, 3, 7])('after every %i sessions', async (every) => {
  const store = emptyStore();
  const sums = new KeptSums(store.main, { early: true });
  for (let i = 0; i < COUNT; i++) {
    write(store, sums, i);
    if (i % every === 0) await sums.catchUp(UPDATE.prices);
  }
  await sums.bringUp(UPDATE.prices);
  expect(contentOf(store)).toEqual(contentOf(await madeInTheEnd()));
});

test('what was left by a run that ended early is added up anew', async () => {
  const store = emptyStore();
  const killed = new KeptSums(store.main, { early: true });
  for (let i = 0; i < 5; i++) write(store, killed, i);
  await killed.catchUp(UPDATE.prices);
  const sums = new KeptSums(store.main, { early: true });
  for (let i = 5; i < COUNT; i++) write(store, sums, i);
  await sums.catchUp(UPDATE.prices);
  await sums.bringUp(UPDATE.prices);
  expect(contentOf(store)).toEqual(contentOf(await madeInTheEnd()));
});

test('prices that cannot be had are told of in the end, and not before', async () => {
  const store = emptyStore();
  const sums = new KeptSums(store.main, { early: true });
  const prices = { version: 'test', load: async () => Promise.reject(new Error('no such file')) };
  write(store, sums, 0);
  await sums.catchUp(prices);
  await expect(sums.bringUp(prices)).rejects.toThrow('no such file');
  for (let i = 1; i < COUNT; i++) write(store, sums, i);
  await sums.bringUp(UPDATE.prices);
  expect(contentOf(store)).toEqual(contentOf(await madeInTheEnd()));
});
