// A file that only grew still begins and ends where it did.

import { expect, test } from 'vitest';
import { endsOf } from '../src/ingest/file-ends.ts';
import { memoryFiles } from './support.ts';

const SIZE = 10_000;
const before = Array.from({ length: SIZE }, (_, i) => String.fromCharCode(97 + ((i * i) % 23))).join('');
const withLetter = (at: number) => `${before.slice(0, at)}!${before.slice(at + 1)}`;

/** What it is now, how much of it there was, and whether that looks as it did. */
const CASES: Record<string, [string, number, boolean]> = {
  'the same': [before, SIZE, true],
  'with more at its end': [`${before}more`, SIZE, true],
  'with another first letter': [`${withLetter(0)}more`, SIZE, false],
  'with another letter near its beginning': [`${withLetter(2047)}more`, SIZE, false],
  'with another letter near its old end': [`${withLetter(SIZE - 2048)}more`, SIZE, false],
  'with another last letter': [`${withLetter(SIZE - 1)}more`, SIZE, false],
  'with more before it': [`more${before}`, SIZE, false],
  'with another letter in its middle: that is not seen': [`${withLetter(SIZE / 2)}more`, SIZE, true],
  cut: [before.slice(0, SIZE - 1), SIZE, false],
};

test.each(Object.entries(CASES))('%s', (_, [now, bytes, isAsBefore]) => {
  const { port } = memoryFiles({ before, now });
  expect(endsOf(port, 'now', bytes) === endsOf(port, 'before', SIZE)).toBe(isAsBefore);
});

test('two halves that change places are not the same, nor is a short file that was lengthened', () => {
  const { port } = memoryFiles({ ab: 'ab', ba: 'ba', aab: 'aab', none: '' });
  const ends = [endsOf(port, 'ab', 2), endsOf(port, 'ba', 2), endsOf(port, 'aab', 3), endsOf(port, 'none', 0)];
  expect(new Set([...ends, endsOf(port, 'missing', 2)]).size).toBe(5);
});
