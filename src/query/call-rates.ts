// How often calls were refused, stopped, denied or failed: by tool or by model.

import type { CallCount, CallEnds, CallRates } from '../schema/usage-report.ts';

/** Most calls first. */
export function ratesBy(counts: Iterable<CallCount>, by: 'tool' | 'model'): CallRates[] {
  const found = new Map<string | null, CallEnds & { name: string | null; calls: number }>();
  for (const count of counts) {
    const name = count[by];
    const sum = found.get(name) ?? { name, calls: 0, rejected: 0, interrupted: 0, denied: 0, failed: 0 };
    sum.calls += count.calls;
    sum.rejected += count.rejected;
    sum.interrupted += count.interrupted;
    sum.denied += count.denied;
    sum.failed += count.failed;
    found.set(name, sum);
  }
  return [...found.values()]
    .map((sum) => ({ ...sum, per_100: perHundred(sum, sum.calls) }))
    .sort((a, b) => b.calls - a.calls || ((a.name ?? '') < (b.name ?? '') ? -1 : 1));
}

function perHundred({ rejected, interrupted, denied, failed }: CallEnds, calls: number): CallEnds {
  const rate = (count: number) => (calls === 0 ? 0 : Math.round((count / calls) * 10_000) / 100);
  return {
    rejected: rate(rejected),
    interrupted: rate(interrupted),
    denied: rate(denied),
    failed: rate(failed),
  };
}
