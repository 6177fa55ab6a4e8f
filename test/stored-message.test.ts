// Where the blocks of a message lie, in few words that are kept once for all messages of the same kind.

import { expect, test } from 'vitest';
import { messageFrom, shapeOf } from '../src/ingest/stored-message.ts';
import type { SourceRef } from '../src/schema/blocks.ts';
import type { OutlineBlock } from '../src/schema/outline.ts';

const ref = (line: number, pointer: string | null = null, file = 0): SourceRef => {
  return { file, line, offset: line * 100, length: 90, pointer };
};
const block = (row: SourceRef, pointer = '/a', type: OutlineBlock['type'] = 'text'): OutlineBlock => {
  return { type, row, pointer, tool_use_id: null, name: null };
};
const [one, two, three] = [ref(1), ref(2), ref(3)];
const inner = ref(1, '/inner');

const messages: [name: string, source: SourceRef[], blocks: OutlineBlock[], shape: string][] = [
  ['one row, one block', [one], [block(one)], '[1,0,["text",0,"/a"]]'],
  ['of another type', [one], [block(one, '/a', 'thinking')], '[1,0,["thinking",0,"/a"]]'],
  ['at another place', [one], [block(one, '/b')], '[1,0,["text",0,"/b"]]'],
  ['no block', [one], [], '[1,0]'],
  ['no row', [], [], '[0,0]'],
  ['two blocks of a row', [one], [block(one), block(one, '/b')], '[1,0,["text",0,"/a"],["text",0,"/b"]]'],
  ['the other way round', [one], [block(one, '/b'), block(one)], '[1,0,["text",0,"/b"],["text",0,"/a"]]'],
  ['a row each', [one, two], [block(one), block(two)], '[2,0,["text",0,"/a"],["text",1,"/a"]]'],
  ['both of the second', [one, two], [block(two), block(two)], '[2,0,["text",1,"/a"],["text",1,"/a"]]'],
  ['a row without a block', [one, two, three], [block(three)], '[3,0,["text",2,"/a"]]'],
  ['a row that is known by its place', [one], [block({ ...one })], '[1,0,["text",0,"/a"]]'],
  ['a block of a row that it is not known by', [one], [block(two)], '[1,0,["text",1,"/a"]]'],
  ['a row within another', [inner], [block(inner)], '[1,["/inner"],["text",0,"/a"]]'],
  ['within and whole', [inner, two], [block(two), block(inner)], '[2,["/inner",null],["text",1,"/a"],["text",0,"/a"]]'],
];

test('each has a shape of its own, also when all of them are asked for once more', () => {
  const told = () => messages.map(([name, source, blocks]) => [name, shapeOf({ source, blocks }).shape]);
  const expected = messages.map(([name, , , shape]) => [name, shape]);
  expect([told(), told()]).toEqual([expected, expected]);
});

test.each(messages)('back from it: %s', (_, source, blocks) => {
  const { places, shape } = shapeOf({ source, blocks });
  const stored = places.map(({ file, line, offset, length }) => [file, line, offset, length]);
  const message = messageFrom({ places: stored, shape, kind: 'reply' });
  expect([message.source, message.blocks]).toEqual([source, blocks]);
});
