// Work that is wanted often.

import { expect, test } from 'vitest';
import { Paced } from '../src/cli/paced.ts';

function busy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('what took long rests; nothing else does', () => {
  const paced = new Paced();
  const before = paced.isRested('a');
  paced.do('a', () => busy(50));
  expect([before, paced.isRested('a'), paced.isRested('b')]).toEqual([true, false, true]);
  paced.close();
});

test('of what is wanted several times only the last is done, and once', async () => {
  const paced = new Paced();
  const done: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  paced.doLater('a', 0, () => done.push('a1'));
  paced.doLater('b', 60_000, () => done.push('b1'));
  paced.doLater('a', 60_000, () => done.push('a2'));
  paced.doLater('c', 100, resolve);
  await promise;
  paced.close();
  expect(done).toEqual(['a2']);
});

test('what was done meanwhile is wanted no more', async () => {
  const paced = new Paced();
  const done: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  paced.doLater('a', 50, () => done.push('later'));
  paced.do('a', () => done.push('now'));
  paced.doLater('b', 100, resolve);
  await promise;
  paced.close();
  expect(done).toEqual(['now']);
});
