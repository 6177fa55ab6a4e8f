// Threads take families from both ends of a list.

import { expect, test } from 'vitest';
import type { IndexTask } from '../src/ingest/index-family.ts';
import type { Reading, ShardIndexer } from '../src/ingest/index-shard.ts';
import { type End, endTaking, takeTokens, tokenList } from '../src/ingest/take-tokens.ts';
import type { AgentName } from '../src/schema/words.ts';

/** A list of families named for their agents and sizes; and a thread that notes what it takes. */
function listOf(...families: [agent: AgentName, bytes: number][]) {
  const list = tokenList(
    families.map(([agent, bytes]) => ({
      agent,
      root: 0,
      task: { family: { id: `${agent} ${bytes}` }, bytes } as IndexTask,
    })),
  );
  const taken: string[] = [];
  const indexer = { index: ({ family }: IndexTask) => taken.push(family.id) } as unknown as ShardIndexer;
  const take = (end: End) => takeTokens(list, end, indexer, [{} as Reading]);
  return { list, taken, take };
}

const FAMILIES: [AgentName, number][] = [
  ['codex', 30],
  ['claude-code', 10],
  ['claude-code', 70],
  ['gemini', 20],
  ['codex', 5],
  ['claude-code', 40],
];

test('from the front come the largest of the agent that has most', () => {
  const { taken, take } = listOf(...FAMILIES);
  while (take('front'));
  expect(taken).toEqual(['claude-code 70', 'claude-code 40', 'claude-code 10', 'gemini 20', 'codex 5', 'codex 30']);
});

test('from the back come the largest of the others, and then the smallest that are left', () => {
  const { taken, take } = listOf(...FAMILIES);
  while (take('back'));
  expect(taken).toEqual(['codex 30', 'codex 5', 'gemini 20', 'claude-code 10', 'claude-code 40', 'claude-code 70']);
});

test('from both ends each is taken once', () => {
  const { taken, take } = listOf(...FAMILIES);
  const took = (['front', 'back', 'back', 'front', 'front', 'back', 'front', 'back'] as const).map(take);
  expect(took).toEqual([true, true, true, true, true, true, false, false]);
  expect(taken).toEqual(['claude-code 70', 'codex 30', 'codex 5', 'claude-code 40', 'claude-code 10', 'gemini 20']);
});

test('when it is to end, nothing more is taken', () => {
  const { list, taken, take } = listOf(...FAMILIES);
  take('front');
  endTaking(list);
  expect([take('front'), take('back'), taken]).toEqual([false, false, ['claude-code 70']]);
});
