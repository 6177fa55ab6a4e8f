// How much memory it takes at the peak. In runs of their own: what tells the memory takes a little time itself.

import { type Bench, environment, indexArgs, noStore, usageArgs } from './bench.ts';
import type { Row } from './table.ts';
import { peakOfPal } from './timed.ts';
import { atMost } from './verdict.ts';

export function measureMemory(bench: Bench): Row[] {
  const store = () => noStore(bench, 'memory');
  const rounds = Array.from({ length: bench.runs }, () => ({
    usage: peakOfPal(usageArgs(bench, store()), environment(bench, 1)),
    one: peakOfPal(indexArgs(bench, store()), environment(bench, 1)),
    two: peakOfPal(indexArgs(bench, store()), environment(bench, 2)),
  }));
  return [
    { name: 'memory, usage, cold, one thread', unit: 'MB', ours: rounds.map(({ usage }) => usage), gate: atMost(220) },
    { name: 'memory, full index, one thread', unit: 'MB', ours: rounds.map(({ one }) => one), gate: atMost(350) },
    {
      name: 'memory, full index, two threads, half of all',
      unit: 'MB',
      ours: rounds.map(({ two }) => two / 2),
      gate: atMost(350),
    },
  ];
}
