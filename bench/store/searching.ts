// How long searches take in a process that goes on running, and how long rg takes over the files themselves.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, environment, fullStore } from './bench.ts';
import { type Installed, ripgrep } from './peers.ts';
import { queriesFor, RARE } from './queries.ts';
import { type SearchTimes, WAYS, type Way } from './search-times.ts';
import type { Row } from './table.ts';
import { timed, timedScript } from './timed.ts';
import { atLeast, atMost, median, percentile, ratios } from './verdict.ts';

/** Milliseconds that 95 of 100 searches must stay below. */
const GATES: Partial<Record<Way, number>> = { 'newest first': 10, ranked: 60 };
/** rg is asked for so many words in each run. */
const RG_WORDS = 5;

export function measureSearching(bench: Bench): Row[] {
  const store = fullStore(bench);
  const queries = queriesFor(store, bench.corpus, bench.seed);
  const file = join(bench.folder, 'queries.json');
  writeFileSync(file, JSON.stringify(queries));
  const rg = ripgrep();
  const rounds = Array.from({ length: bench.runs }, () => ({
    times: searchTimes(bench, store, file),
    rg: 'path' in rg ? median((queries[RARE] ?? []).slice(0, RG_WORDS).map((word) => rgSeconds(bench, rg, word))) : 0,
  }));
  return [
    ...WAYS.flatMap((way) => Object.keys(queries).map((kind) => rowOf(rounds, way, kind))),
    againstRg(rg, rounds),
  ];
}

function searchTimes(bench: Bench, store: string, queries: string): SearchTimes {
  const { stdout } = timedScript('search.ts', [bench.corpus.home, store, queries], environment(bench, 1));
  const times: SearchTimes = JSON.parse(stdout);
  const empty = Object.keys(times).filter((kind) => times[kind]?.hits === 0);
  if (empty.length > 0) throw new Error(`These queries found nothing at all: ${empty.join('; ')}.`);
  return times;
}

function rowOf(rounds: readonly { times: SearchTimes }[], way: Way, kind: string): Row {
  const p95 = (clock: 'wall' | 'cpu') => rounds.map(({ times }) => percentile(times[kind]?.[way][clock] ?? [], 0.95));
  const gate = GATES[way];
  return {
    name: `search, ${way}: ${kind}, p95`,
    unit: 'ms',
    ours: p95('wall'),
    cpu: p95('cpu'),
    ...(gate === undefined ? {} : { gate: atMost(gate) }),
  };
}

/** Seconds. Looks for the bare letters, which is the fastest that it can do. */
function rgSeconds({ corpus, ...bench }: Bench, { path }: { path: string }, word: string): number {
  const args = [
    '--no-config',
    '--no-ignore',
    '--hidden',
    '--count',
    '--fixed-strings',
    '--threads',
    '2',
    '--glob',
    '*.jsonl',
  ];
  // 1: nothing found, as it may be with a word that is written otherwise in the files.
  return timed(path, [...args, word, corpus.home], { HOME: bench.folder }, [0, 1]).wall;
}

function againstRg(rg: Installed, rounds: readonly { times: SearchTimes; rg: number }[]): Row {
  const name = `search, newest first: ${RARE}, median; times faster`;
  if ('notRun' in rg) return { name, notRun: rg.notRun };
  const ours = rounds.map(({ times }) => median(times[RARE]?.['newest first'].wall ?? []));
  const theirs = rounds.map(({ rg }) => rg * 1000);
  return {
    name,
    unit: 'ms',
    ours,
    against: { name: '`rg` over the files, a process each', theirs, ratios: ratios(theirs, ours) },
    gate: atLeast(20),
  };
}
