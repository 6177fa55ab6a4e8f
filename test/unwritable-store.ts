// Asks a store that may be read but not be written: for tokens with other prices, then for what only words tell. A process of its
// own: root may write everywhere, and becomes nobody for it. With a third word, what was written last stands in a log.

import { chmodSync, chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { currentStore, daySums, searchStore } from '../src/index.ts';
import { parseQuery } from '../src/query/search-query.ts';
// Loaded while everything may be read.
import '../src/ingest/update.ts';
import { leaveLog, leftIn } from './left-log.ts';
import { UPDATE } from './store-content.ts';

const [home = '', folder = '', log] = process.argv.slice(2);
const said: string[] = [];
const ask = (tier: 0 | 1, version: string) =>
  currentStore({
    tier,
    folder,
    workers: 1,
    places: { homes: [home] },
    prices: { version, load: async () => ({ costOf: () => (version === 'test' ? 1 : 1000), tariffs: {} }) },
    say: (text) => said.push(text.replaceAll(folder, 'FOLDER')),
  });

(await ask(0, UPDATE.prices.version)).close();
if (log !== undefined) leaveLog(folder);
const hasLog = leftIn(folder) > 0;
chmodSync(folder, 0o555);
const NOBODY = 65_534;
if (process.geteuid?.() === 0) {
  for (const name of readdirSync(folder)) chownSync(join(folder, name), NOBODY, NOBODY);
  process.seteuid?.(NOBODY);
}

const priced = await ask(0, 'other');
const days = daySums(priced.store, priced.roots);
priced.close();
const words = await ask(1, 'test');
const { hits } = searchStore(words.store, parseQuery('kind:prompt', { now: 0 }), { roots: words.roots });
words.close();
const costs = days.map(({ requests, cost }) => ({ requests, cost }));
console.log(JSON.stringify({ hasLog, said, costs, found: hits.map(({ session_id }) => session_id) }));
