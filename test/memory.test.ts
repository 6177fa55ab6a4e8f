import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { boundMemoryByFiles } from '../src/ingest/memory.ts';

/** After so many, V8 is asked to collect. */
const MANY_FILES = 16 * 1024;

test('a thread that asks for a collector takes it from no other: the flag stays set', () => {
  for (let file = 0; file < MANY_FILES; file++) boundMemoryByFiles();
  expect(runInNewContext('typeof gc')).toBe('function');
});
