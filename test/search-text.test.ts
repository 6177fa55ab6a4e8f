import { expect, test } from 'vitest';
import { searchText } from '../src/ingest/search-text.ts';
import type { Block } from '../src/schema/blocks.ts';

test('of a message with very much text two million characters are searched', () => {
  const block = { type: 'text', text: 'word '.repeat(100_000) } as Block;
  const { prose } = searchText('reply', Array<Block>(9).fill(block), false);
  expect(prose.length).toBe(2_000_000);
});
