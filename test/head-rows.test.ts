// The first rows of a file.

import { expect, test } from 'vitest';
import { firstTime, headRows } from '../src/sources/head-rows.ts';
import { memoryFiles } from './support.ts';

const rows = (text: string): [unknown, number, number, number][] =>
  [...headRows(memoryFiles({ f: text }).port, 'f')].map(({ row, source }) => [
    row,
    source.line,
    source.offset,
    source.length,
  ]);

test('each with its place, the last one without a line feed too', () => {
  expect(rows('{"a":1}\n\n{"b":2}{"c":3}\n{"d":4}')).toEqual([
    [{ a: 1 }, 1, 0, 7],
    [{ b: 2 }, 3, 9, 7],
    [{ c: 3 }, 3, 16, 7],
    [{ d: 4 }, 4, 24, 7],
  ]);
});

test.each([16_000, 16_384, 16_385, 40_000, 300_000])('after a first row of %i bytes', (length) => {
  const long = JSON.stringify({ x: 'y'.repeat(length - 8) });
  expect(rows(`${long}\n{"b":2}\n`).map(([, ...place]) => place)).toEqual([
    [1, 0, length],
    [2, length + 1, 7],
  ]);
});

test('two files at once do not disturb one another', () => {
  const { port } = memoryFiles({ f: '{"a":1}\n{"a":2}\n', g: '{"b":1}\n{"b":2}\n' });
  const [f, g] = [headRows(port, 'f'), headRows(port, 'g')];
  const given = [f.next(), g.next(), f.next(), g.next()].map(({ value }) => value?.row);
  expect(given).toEqual([{ a: 1 }, { b: 1 }, { a: 2 }, { b: 2 }]);
});

test('the buffer of a file that was left early serves the next', () => {
  const { port } = memoryFiles({
    f: `{"a":1}\n${'{"a":2}\n'.repeat(9000)}`,
    g: '{"timestamp":"2026-01-01T00:00:00Z"}',
  });
  for (const { row } of headRows(port, 'f')) if (row.a === 2) break;
  expect(firstTime(port, 'g')).toBe('2026-01-01T00:00:00Z');
});
