// Rows found by the bytes of their ids.

import { expect, test } from 'vitest';
import { idsAmong, idsIn } from '../src/sources/claude-code/file-head.ts';
import { memoryFiles } from './support.ts';

const A = 'aaaaaaaa-1111-4000-8000-000000000000';
const B = 'bbbbbbbb-1111-4000-8000-000000000000';
const MEGABYTE = 1024 * 1024;

test('the ids of all rows, and how many lines have none', () => {
  const { port } = memoryFiles({ f: `{"uuid":"${A}"}\n{"type":"summary"}\n{"uuid": "${B}"}` });
  expect(idsIn(port, 'f')).toEqual({ ids: new Set([A, B]), others: 1 });
});

test('only those that are asked for', () => {
  const { port } = memoryFiles({ f: `{"uuid":"${A}"}\n{"uuid": "${B}"}\n{"parentUuid":"x","uuid":7}` });
  const wanted = new Map([[B, 0]]);
  expect(idsAmong(port, 'f', wanted)).toEqual(new Set([B]));
});

test('an id in the content is none of a row', () => {
  const { port } = memoryFiles({ f: JSON.stringify({ uuid: A, text: `"uuid":"${B}"` }) });
  expect(idsAmong(port, 'f', new Map([[B, 0]]))).toEqual(new Set());
});

test.each(Array.from({ length: 60 }, (_, i) => i))('an id that ends %i bytes behind a megabyte', (after) => {
  const row = `{"uuid":"${A}"}\n`;
  const before = 'x'.repeat(MEGABYTE + after - row.length);
  const { port } = memoryFiles({ f: `${before}${row}${'x'.repeat(MEGABYTE)}` });
  expect(idsAmong(port, 'f', new Map([[A, 0]]))).toEqual(new Set([A]));
});

test('a file that is not there has none', () => {
  expect(idsAmong(memoryFiles({}).port, 'f', new Map([[A, 0]]))).toEqual(new Set());
});
