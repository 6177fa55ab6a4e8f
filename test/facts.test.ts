// What the overview tells of a history.

import { expect, test } from 'vitest';
import { extentOf } from '../src/cli/facts.ts';
import type { FoundFamily } from '../src/index.ts';

/** Restored from a backup: all files are of one day, whatever they tell. */
function families(count: number, isStored: boolean): FoundFamily[] {
  return Array.from({ length: count }, (_, i) => {
    const time = new Date(Date.UTC(2025, 0, 1 + i)).toISOString();
    const files = [{ path: 'a', bytes: 1, modified_ms: Date.UTC(2026, 5, 1) }];
    const family = {
      agent: 'codex',
      bytes: 1,
      files,
      isStored,
      peek: () => ({ started_at: time }),
      lastUsed: () => time,
    };
    return family as unknown as FoundFamily; // no more of it is asked
  });
}

test.each([
  ['few', 2, false, '2025-01-01', '2025-01-02'],
  ['many, from the index', 400, true, '2025-01-01', '2026-02-04'],
  ['many, without one: the times of the files', 400, false, '2026-06-01', '2026-06-01'],
])('when sessions were first and last used: %s', (_, count, isStored, first, last) => {
  const { first_used, last_used } = extentOf(families(count, isStored));
  expect([first_used?.slice(0, 10), last_used?.slice(0, 10)]).toEqual([first, last]);
});
