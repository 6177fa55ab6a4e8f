import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { boundMemoryByFiles } from '../src/ingest/memory.ts';
import { WhenToCollect } from '../src/ingest/when-to-collect.ts';

/** After so many, V8 is asked to collect. */
const MANY_FILES = 16 * 1024;

test('a thread that asks for a collector takes it from no other: the flag stays set', () => {
  for (let file = 0; file < MANY_FILES; file++) boundMemoryByFiles();
  expect(runInNewContext('typeof gc')).toBe('function');
});

const MB = 1024 * 1024;

test('V8 is asked to begin a collection, and made to collect at once only where none comes', () => {
  const rule = new WhenToCollect();
  // Little; enough; it is asked; it is asked again; it is done; less than enough garbage since; enough; late; too late.
  const used = [99, 100, 110, 116, 70, 101, 102, 118, 119];
  const steps = used.map((one) => rule.next(one * MB));
  const wasAwaited = rule.collected(80 * MB);
  const later = [111, 112].map((one) => rule.next(one * MB));
  expect({ steps, wasAwaited, later }).toEqual({
    steps: ['nothing', 'begin', 'begin', 'begin', 'stop', 'nothing', 'begin', 'begin', 'collect'],
    wasAwaited: true,
    later: ['nothing', 'begin'],
  });
});

// Small objects, a few megabytes at a time, of which the last few times stay in use. 350 MB in all.
const READING = `
import { getHeapStatistics } from 'node:v8';
import { boundMemory } from '${new URL('../src/ingest/memory.ts', import.meta.url).href}';
let held = [];
let most = 0;
for (let read = 0; read < 200; read++) {
  held = [...held, Array.from({ length: 20_000 }, (_, i) => ({ id: read + '-' + i, at: [i] }))].slice(-8);
  boundMemory(4 * 1024 * 1024);
  most = Math.max(most, getHeapStatistics().used_heap_size);
}
console.log(most < 170 * 1024 * 1024);`;

test('memory stays low', () => {
  const told = execFileSync(process.execPath, ['--input-type=module', '--eval', READING], { encoding: 'utf8' });
  expect(told).toBe('true\n');
});
