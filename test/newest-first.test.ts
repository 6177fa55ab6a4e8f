// The newest sessions first, without looking into every file.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newestFirst } from '../src/cli/choose.ts';
import type { FoundFamily } from '../src/index.ts';

/** A session that was used at one time and whose file was written at another, not earlier. */
function family(id: string, used: number | null, written: number, asked: string[]): FoundFamily {
  return {
    id,
    files: [{ path: id, bytes: 1, modified_ms: written }],
    lastUsed: () => {
      asked.push(id);
      return used === null ? null : new Date(used).toISOString();
    },
  } as Partial<FoundFamily> as FoundFamily; // only what the order needs
}

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);

test('the order is by last use, whatever the times of the files', () => {
  const sessions = fc.array(fc.record({ used: fc.nat(300), later: fc.nat(100) }), { maxLength: 60 });
  fc.assert(
    fc.property(sessions, (all) => {
      const families = all.map(({ used, later }, i) =>
        family(`s${i}`, START + used * DAY, START + (used + later) * DAY, []),
      );
      const times = [...newestFirst(families)].map((found) => found.lastUsed() ?? '');
      expect(times).toEqual([...times].sort().reverse());
      expect(new Set(newestFirst(families)).size).toBe(families.length);
    }),
    { seed: 1, numRuns: 200 },
  );
});

test('the first few of many are found by looking at few', () => {
  const asked: string[] = [];
  const families = Array.from({ length: 1000 }, (_, i) => family(`s${i}`, START + i * DAY, START + i * DAY, asked));
  const found = [...newestFirst(families).take(3)].map(({ id }) => id);
  expect([found, asked.length]).toEqual([['s999', 's998', 's997'], 3]);
});

test('where no row has a time, that of the file must do', () => {
  const families = [family('old', START, START, []), family('none', null, START + DAY, [])];
  expect([...newestFirst(families)].map(({ id }) => id)).toEqual(['none', 'old']);
});
