// Threads take families from two lists.

import { expect, test } from 'vitest';
import type { IndexTask } from '../src/ingest/index-family.ts';
import type { Reading, ShardIndexer } from '../src/ingest/index-shard.ts';
import { endTaking, type FirstList, takeTokens, tokenLists } from '../src/ingest/take-tokens.ts';
import type { AgentName } from '../src/schema/words.ts';

/** Lists of families named for their agents and sizes; and threads that note what they take. */
function listsOf(...families: [agent: AgentName, bytes: number][]) {
  const lists = tokenLists(
    families.map(([agent, bytes]) => ({
      agent,
      root: 0,
      task: { family: { id: `${agent} ${bytes}` }, bytes } as IndexTask,
    })),
  );
  const taken: string[] = [];
  const indexer = { index: ({ family }: IndexTask) => taken.push(family.id) } as unknown as ShardIndexer;
  const take = (first: FirstList) => takeTokens(lists, first, indexer, [{} as Reading]);
  return { lists, taken, take };
}

const FAMILIES: [AgentName, number][] = [
  ['codex', 30],
  ['claude-code', 10],
  ['claude-code', 70],
  ['gemini', 20],
  ['codex', 5],
  ['claude-code', 40],
];

test('one begins with the largest of the agent that has most', () => {
  const { taken, take } = listsOf(...FAMILIES);
  while (take(0));
  expect(taken).toEqual(['claude-code 70', 'claude-code 40', 'claude-code 10', 'codex 30', 'codex 5', 'gemini 20']);
});

test('another one with the largest of the others', () => {
  const { taken, take } = listsOf(...FAMILIES);
  while (take(1));
  expect(taken).toEqual(['codex 30', 'codex 5', 'gemini 20', 'claude-code 70', 'claude-code 40', 'claude-code 10']);
});

test('two take each once', () => {
  const { taken, take } = listsOf(...FAMILIES);
  const took = ([0, 1, 1, 1, 1, 0, 0, 1] as const).map(take);
  expect(took).toEqual([true, true, true, true, true, true, false, false]);
  expect(taken).toEqual(['claude-code 70', 'codex 30', 'codex 5', 'gemini 20', 'claude-code 40', 'claude-code 10']);
});

test('of one agent, all take the largest that is left', () => {
  const { taken, take } = listsOf(['gemini', 1], ['gemini', 3], ['gemini', 2]);
  expect([take(1), take(0), take(1), take(0), taken]).toEqual([
    true,
    true,
    true,
    false,
    ['gemini 3', 'gemini 2', 'gemini 1'],
  ]);
});

test('when it is to end, nothing more is taken', () => {
  const { lists, taken, take } = listsOf(...FAMILIES);
  take(0);
  endTaking(lists);
  expect([take(0), take(1), taken]).toEqual([false, false, ['claude-code 70']]);
});
