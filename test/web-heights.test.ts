// Heights of many rows: held against plain sums.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Heights } from '../src/web/page/session/heights.ts';

const topOf = (heights: number[], index: number) => heights.slice(0, index).reduce((sum, height) => sum + height, 0);
/** The last row that begins at or before the place. */
const rowAt = (heights: number[], place: number) =>
  Math.max(
    0,
    heights.findLastIndex((_, index) => topOf(heights, index) <= place),
  );

test('tops, totals and places are what adding up gives, also after changes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 70 }),
      fc.array(fc.tuple(fc.nat({ max: 69 }), fc.integer({ min: 1, max: 900 })), { maxLength: 20 }),
      fc.nat({ max: 40_000 }),
      (heights, changes, place) => {
        const tree = new Heights(heights.length, (index) => heights[index] ?? 0);
        for (const [index, height] of changes.filter(([index]) => index < heights.length)) {
          expect(tree.set(index, height)).toBe(height - (heights[index] ?? 0));
          heights[index] = height;
        }
        expect(heights.map((_, index) => tree.top(index))).toEqual(heights.map((_, index) => topOf(heights, index)));
        expect(tree.total).toBe(topOf(heights, heights.length));
        expect(tree.at(place)).toBe(rowAt(heights, place));
      },
    ),
    { seed: 8, numRuns: 300 },
  );
});

test('no rows at all', () => {
  const none = new Heights(0, () => 10);
  expect([none.total, none.at(100), none.top(0), none.set(0, 5)]).toEqual([0, 0, 0, 0]);
});
