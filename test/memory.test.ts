import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { boundMemoryByFiles } from '../src/ingest/memory.ts';

/** After so many, V8 is asked to collect. */
const MANY_FILES = 16 * 1024;

test('a thread that asks for a collector takes it from no other: the flag stays set', () => {
  for (let file = 0; file < MANY_FILES; file++) boundMemoryByFiles();
  expect(runInNewContext('typeof gc')).toBe('function');
});

// Small objects, a few megabytes at a time, of which the last few times stay in use. 350 MB in all.
const READING = `
import { getHeapStatistics } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { boundMemory } from '${new URL('../src/ingest/memory.ts', import.meta.url).href}';
let held = [];
let most = 0;
for (let read = 0; read < 200; read++) {
  held = [...held, Array.from({ length: 20_000 }, (_, i) => ({ id: read + '-' + i, at: [i] }))].slice(-8);
  boundMemory(4 * 1024 * 1024);
  most = Math.max(most, getHeapStatistics().used_heap_size);
}
console.log(JSON.stringify({ isBounded: most < 170 * 1024 * 1024, gc: runInNewContext('typeof gc') }));`;

test('memory stays low, and V8 is not made to forget what it has learnt: it is asked to begin sooner, and not to collect at once', () => {
  const told = execFileSync(process.execPath, ['--input-type=module', '--eval', READING], { encoding: 'utf8' });
  expect(JSON.parse(told)).toEqual({ isBounded: true, gc: 'undefined' });
});
