// The families whose tokens are to be read, for several threads to take from.

import type { AgentName } from '../schema/words.ts';
import type { IndexTask } from './index-family.ts';
import type { Reading, ShardIndexer } from './index-shard.ts';

export interface TokenTask {
  task: IndexTask;
  /** Its place in the list of roots. */
  root: number;
}

/** Those of the agent that has most, and those of all others, the largest first. */
export interface TokenLists {
  lists: [most: TokenTask[], others: TokenTask[]];
  /** How many were taken of each, in memory that all threads share. */
  taken: Int32Array;
}

/** The list that a thread takes from as long as there is something in it. */
export type FirstList = 0 | 1;

/**
 * Threads begin with different agents: what V8 compiles for the rows of one is then compiled, for the most part, in one thread. To compile all of it in both
 * took most of what the second one spared.
 */
export function tokenLists(tasks: (TokenTask & { agent: AgentName })[]): TokenLists {
  const byAgent = [...Map.groupBy(tasks, ({ agent }) => agent).values()].sort((a, b) => bytesOf(b) - bytesOf(a));
  const [most = [], ...others] = byAgent.map((own) => own.sort((a, b) => b.task.bytes - a.task.bytes));
  return {
    lists: [most.map(taskOf), others.flat().map(taskOf)],
    taken: new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)),
  };
}

function bytesOf(tasks: TokenTask[]): number {
  return tasks.reduce((sum, { task }) => sum + task.bytes, 0);
}

function taskOf({ task, root }: TokenTask): TokenTask {
  return { task, root };
}

/** Reads the next of the tasks that nobody has taken; false where none is left. */
export function takeTokens(lists: TokenLists, first: FirstList, indexer: ShardIndexer, readings: Reading[]): boolean {
  const next = nextOf(lists, first) ?? nextOf(lists, first === 0 ? 1 : 0);
  const reading = next === undefined ? undefined : readings[next.root];
  if (next === undefined || reading === undefined) return false;
  indexer.index(next.task, 0, reading);
  return true;
}

function nextOf({ lists, taken }: TokenLists, from: FirstList): TokenTask | undefined {
  return lists[from][Atomics.add(taken, from, 1)];
}

/** Nothing more is taken. */
export function endTaking({ lists, taken }: TokenLists): void {
  lists.forEach((list, i) => {
    Atomics.store(taken, i, list.length);
  });
}
