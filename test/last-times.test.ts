// When a file was last written to, by the times near its end.

import { expect, test } from 'vitest';
import { lastTime } from '../src/sources/last-times.ts';
import { memoryFiles } from './support.ts';

const row = (minute: number, text = '') => JSON.stringify({ timestamp: `2026-01-10T09:0${minute}:00.000Z`, text });
const time = (minute: number) => `2026-01-10T09:0${minute}:00.000Z`;
const LONG = 'x'.repeat(20_000);
const VERY_LONG = 'x'.repeat(300_000);

test.each([
  ['the last row', [row(1), row(2)], time(2)],
  ['a row before it that has a later time', [row(1), row(3), row(2)], time(3)],
  ['a long row behind its time', [row(1), row(2, LONG)], time(2)],
  ['near the end, not far from it', [row(5), row(1, LONG), row(2)], time(2)],
  ['too far from the end', [row(1, VERY_LONG)], null],
  ['no time', ['{"timestamp":"soon"}', '{"timestamp":12}'], null],
  ['an empty file', [], null],
])('%s', (_, rows, expected) => {
  const { port } = memoryFiles({ 'a.jsonl': Buffer.from(rows.join('\n')) });
  expect(lastTime(port, 'a.jsonl')).toBe(expected);
});
