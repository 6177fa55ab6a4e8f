// Searches in one process: twenty hits, and the rows in the agent's files that they come from. Prints the milliseconds of
// every query, by kind of query and way of asking.

import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { openTexts, parseQuery, readStore, type SearchHit, searchStore, snippetMaker } from '../../dist/index.js';
import { type QueryTimes, type SearchTimes, WAYS, type Way } from '../store/search-times.ts';

const [home = '', folder = '', queriesFile = ''] = process.argv.slice(2);
const queries: Record<string, string[]> = JSON.parse(readFileSync(queriesFile, 'utf8'));
const store = readStore(folder);
const texts = await openTexts(store, undefined);
const now = Date.now();
const most = 1 << 20;
const row = Buffer.alloc(most);

// The first searches of a process pay for the compiler.
for (const list of Object.values(queries))
  for (const query of list.slice(0, 10)) for (const way of WAYS) search(query, way);
const times: SearchTimes = {};
for (const [kind, list] of Object.entries(queries)) {
  const none = (): QueryTimes => ({ wall: [], cpu: [] });
  const measured = { 'newest first': none(), ranked: none(), 'newest first, with snippets': none(), hits: 0 };
  times[kind] = measured;
  for (const query of list) for (const way of WAYS) measured.hits += timedSearch(query, way, measured[way]);
}
console.log(JSON.stringify(times));
texts.close();
store.close();

function timedSearch(query: string, way: Way, { wall, cpu }: QueryTimes): number {
  const [begun, used] = [performance.now(), process.cpuUsage()];
  const hits = search(query, way);
  const { user, system } = process.cpuUsage(used);
  wall.push(performance.now() - begun);
  cpu.push((user + system) / 1000);
  return hits;
}

function search(text: string, way: Way): number {
  const query = parseQuery(text, { now });
  const { hits } = searchStore(store, query, { limit: 20, ranked: way === 'ranked' });
  if (way === 'newest first, with snippets') {
    const snippet = snippetMaker(store, query);
    for (const hit of hits) snippet(hit, texts.of(hit.stored));
  } else for (const hit of hits) readRow(hit);
  return hits.length;
}

function readRow({ stored }: SearchHit): void {
  const [file = 0, , offset = 0, length = 0] = stored.places[0] ?? [];
  const descriptor = openSync(join(home, stored.paths[file] ?? ''), 'r');
  readSync(descriptor, row, 0, Math.min(length, most), offset);
  closeSync(descriptor);
}
