import { expect, test } from 'vitest';
import { withOneMore } from '../src/sources/short-lists.ts';

test('a list grows by one, however long it is, and equals one that was pushed to', () => {
  let list: number[] = [];
  const lengths = Array.from({ length: 30 }, (_, i) => {
    list = withOneMore(list, i);
    return list.length;
  });
  expect(list).toEqual(Array.from({ length: 30 }, (_, i) => i));
  expect(lengths).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
});
