// What the overview tells of a history.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { extentOf, happeningsIn, quickExtentOf } from '../src/cli/facts.ts';
import { type FoundFamily, openHome } from '../src/index.ts';
import { root } from './support.ts';

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
  ['few', 2, false, ['2025-01-01', '2025-01-02', false]],
  ['many, from the index', 400, true, ['2025-01-01', '2026-02-04', false]],
  [
    'many, without one: the times of the files, and it is known that they are',
    400,
    false,
    ['2026-06-01', '2026-06-01', true],
  ],
])('when sessions were first and last used, at once: %s', (_, count, isStored, told) => {
  const { first_used, last_used, isByFiles } = quickExtentOf(families(count, isStored));
  expect([first_used?.slice(0, 10), last_used?.slice(0, 10), isByFiles]).toEqual(told);
});

test('where there is time, when they were used is told of many, too', () => {
  const { first_used, last_used } = extentOf(families(400, false));
  expect([first_used?.slice(0, 10), last_used?.slice(0, 10)]).toEqual(['2025-01-01', '2026-02-04']);
});

test('compactions of which no size is recorded are not told as none', () => {
  const homes = ['i_compact', 'retried-and-not-compacted'].map((name) =>
    join(root, 'fixtures/claude-code', name, 'native'),
  );
  const told = (wanted: string[]) => {
    const { families } = openHome({ homes: wanted });
    const found = happeningsIn(families, { isTimeUp: () => false, largest: Number.POSITIVE_INFINITY });
    return [found.counts.compaction, found.tokens_compacted, found.compactions_unmeasured];
  };
  expect([told(homes.slice(0, 1)), told(homes)]).toEqual([
    [2, 1064, 0],
    [3, 1064, 1],
  ]);
});
