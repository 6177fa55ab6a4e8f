// How long it takes to read a whole history into the store, and how much room it takes there.

import { type Bench, bytesIn, environment, FULL, indexArgs, mustEqual, noStore, usageArgs } from './bench.ts';
import type { Row } from './table.ts';
import { middle, timedPal, timedScript } from './timed.ts';
import { fromPal } from './tokens.ts';
import { atLeast, atMost, ratios } from './verdict.ts';

/** Of what is held against one another, in turns in every run: where the machine's speed changes from one to the next, single ones say little. */
const TIMES = 3;

export function measureIndexing(bench: Bench): Row[] {
  const { home, bytes } = bench.corpus;
  const rounds = Array.from({ length: bench.runs }, () => {
    const [first, full] = [noStore(bench, 'first'), noStore(bench, FULL)];
    const turns = Array.from({ length: TIMES }, () => ({
      parse: timedScript('parse.ts', [home], environment(bench, 1)),
      first: timedScript('first-index.ts', [home, noStore(bench, 'first')], environment(bench, 1)),
    }));
    const round = {
      parse: middle(turns.map(({ parse }) => parse)).cpu,
      first: middle(turns.map(({ first }) => first)).cpu,
      full: timedPal(indexArgs(bench, full), environment(bench, 2)).wall,
      sizes: [first, full].map((store) => (100 * bytesIn(store)) / bytes),
    };
    checkTokens(bench, [first, full]);
    return round;
  });
  const first = rounds.map((round) => round.first);
  const parse = rounds.map((round) => round.parse);
  const sizes = (which: number) => rounds.map((round) => round.sizes[which] ?? Number.NaN);
  return [
    {
      name: 'first usable index, one thread, CPU',
      unit: 's',
      ours: first,
      against: { name: '`JSON.parse` of every line', theirs: parse, ratios: ratios(first, parse) },
      gate: atMost(1.7),
      goal: atMost(1.4),
    },
    {
      name: 'full index, two cores, wall',
      unit: 'MB/s',
      ours: rounds.map(({ full }) => bytes / 1e6 / full),
      gate: atLeast(110),
      goal: atLeast(130),
    },
    { name: 'size of the store without texts of tools', unit: '% of the history', ours: sizes(0), gate: atMost(4) },
    { name: 'size of the store with them', unit: '% of the history', ours: sizes(1), gate: atMost(13) },
  ];
}

/** Both stores must tell what is true. */
function checkTokens(bench: Bench, [first = '', full = '']: string[]): void {
  const told = (store: string) => fromPal(timedPal(usageArgs(bench, store), environment(bench, 2)).stdout);
  mustEqual(bench, [
    ...(bench.corpus.truth === null ? [] : [['the truth', bench.corpus.truth] as const]),
    ['the first usable index', told(first)],
    ['the full index', told(full)],
  ]);
}
