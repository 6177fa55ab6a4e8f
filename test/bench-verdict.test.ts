// The verdicts of the benchmarks: a gate that lies among the values of the runs is not decided.

import { expect, test } from 'vitest';
import { table } from '../bench/store/table.ts';
import {
  atLeast,
  atMost,
  type Bound,
  median,
  percentile,
  ratios,
  type Verdict,
  verdict,
} from '../bench/store/verdict.ts';

const CASES: [values: number[], bound: Bound, verdict: Verdict][] = [
  [[0.41, 0.38, 0.44], atMost(0.45), 'reached'],
  [[0.41, 0.38, 0.45], atMost(0.45), 'reached'],
  [[0.41, 0.38, 0.46], atMost(0.45), 'not decided'],
  [[0.45, 0.5, 0.46], atMost(0.45), 'not decided'],
  [[0.47, 0.5, 0.46], atMost(0.45), 'not reached'],
  [[130, 111, 125], atLeast(110), 'reached'],
  [[130, 110, 125], atLeast(110), 'reached'],
  [[130, 109, 125], atLeast(110), 'not decided'],
  [[110, 90, 109], atLeast(110), 'not decided'],
  [[104, 90, 109], atLeast(110), 'not reached'],
  [[3.5], atMost(4), 'reached'],
  [[4.5], atMost(4), 'not reached'],
  // A run without a value decides nothing, whatever the others say.
  [[0.3, Number.NaN], atMost(0.7), 'not decided'],
  [[0.9, Number.NaN], atMost(0.7), 'not decided'],
  [[], atMost(0.7), 'not decided'],
];

test.each(CASES)('%j against %j is %s', (values, bound, expected) => {
  expect(verdict(values, bound)).toBe(expected);
});

test('medians, percentiles and ratios', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect([
    median([5, 1, 3]),
    median([4, 1, 3, 2]),
    percentile(hundred, 0.95),
    percentile(hundred, 1),
    percentile([7], 0.95),
    ratios([2, 3], [4, 1]),
  ]).toEqual([3, 2, 95, 100, 7, [0.5, 3]]);
});

test('a table, whole', () => {
  expect(
    table([
      {
        name: 'usage, cold',
        unit: 's',
        ours: [1.5, 1.4, 1.6],
        against: { name: 'ccusage', theirs: [2.3, 2.5, 2.3], ratios: [0.65, 0.55, 0.69] },
        gate: atMost(0.7),
        goal: atMost(0.6),
      },
      { name: 'full index', unit: 'MB/s', ours: [100.4, 104], gate: atLeast(110) },
      { name: 'usage, warm', unit: 'ms', ours: [120, 95], cpu: [80.25, 81], gate: atMost(110) },
      { name: 'search', notRun: 'this build has none' },
    ]),
  ).toBe(
    [
      '| job | ours | against | ratio | gate | goal | verdict |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      '| usage, cold | 1.50 (1.40 … 1.60) s | ccusage: 2.30 (2.30 … 2.50) s | 0.65 (0.55 … 0.69) | ≤ 0.7 | ≤ 0.6: not decided | reached |',
      '| full index | 100 (100 … 104) MB/s |  |  | ≥ 110 |  | not reached |',
      '| usage, warm | 95.0 (95.0 … 120.0) ms; CPU 80.3 (80.3 … 81.0) |  |  | ≤ 110 |  | not decided |',
      '| search | not run: this build has none |  |  |  |  |  |',
    ].join('\n'),
  );
});
