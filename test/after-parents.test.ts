import { expect, test } from 'vitest';
import { afterParents } from '../src/transform/after-parents.ts';

/** `b:a` is b, which hangs on a. */
function ordered(links: string): string {
  const messages = links.split(' ').map((link) => {
    const [id = '', parent_id = null] = link.split(':');
    return { id, parent_id };
  });
  return afterParents(messages)
    .map(({ id }) => id)
    .join(' ');
}

test.each([
  ['as it should be', 'a b:a c:b', 'a b c'],
  ['one before its parent', 'a b:a d:c c:b e:d', 'a b c d e'],
  ['a file written backwards', 'd:c c:b b:a a', 'a b c d'],
  ['two that hang on one that stands later', 'b:a c:a a d:c', 'a b c d'],
  ['a parent that is not there', 'b:x c:b', 'b c'],
  ['a circle keeps its places', 'a:c b:a c:b d:c', 'a b c d'],
  ['one that hangs on a circle', 'd:b a:c b:a c:b', 'a b d c'],
  ['on itself', 'a:a b:a', 'a b'],
])('%s', (_, links, order) => {
  expect(ordered(links)).toBe(order);
});

test('a hundred thousand rows, backwards', () => {
  const messages = Array.from({ length: 100_000 }, (_, i) => ({ id: `${i}`, parent_id: `${i + 1}` }));
  expect(afterParents(messages)).toEqual(messages.toReversed());
});
