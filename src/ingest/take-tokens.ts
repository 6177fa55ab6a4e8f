// The list of families whose tokens are to be read, from which several threads take.

import type { AgentName } from '../schema/words.ts';
import type { IndexTask } from './index-family.ts';
import type { Reading, ShardIndexer } from './index-shard.ts';

export interface TokenTask {
  task: IndexTask;
  /** Its place in the list of roots. */
  root: number;
}

/** Where a thread takes from. */
export type End = 'front' | 'back';

export interface TokenList {
  tasks: TokenTask[];
  /** How many were taken in all, from the front, and from the back, in memory that all threads share. */
  taken: Int32Array;
}

/**
 * Threads begin at both ends, and so with different agents, each with the largest families; they meet among small ones. What V8 compiles for the
 * rows of one agent is then compiled, for the most part, in one thread: to compile all of it in both took most of what the second one spared.
 */
export function tokenList(tasks: (TokenTask & { agent: AgentName })[]): TokenList {
  const byAgent = [...Map.groupBy(tasks, ({ agent }) => agent).values()].sort((a, b) => bytesOf(b) - bytesOf(a));
  const [most = [], ...others] = byAgent.map((own) => own.sort((a, b) => b.task.bytes - a.task.bytes));
  const inOrder = [...most, ...others.flat().reverse()];
  return {
    tasks: inOrder.map(({ task, root }) => ({ task, root })),
    taken: new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT)),
  };
}

function bytesOf(tasks: TokenTask[]): number {
  return tasks.reduce((sum, { task }) => sum + task.bytes, 0);
}

/** Reads the next of the tasks that nobody has taken; false where none is left. */
export function takeTokens(list: TokenList, end: End, indexer: ShardIndexer, readings: Reading[]): boolean {
  const next = nextOf(list, end);
  const reading = next === undefined ? undefined : readings[next.root];
  if (next === undefined || reading === undefined) return false;
  indexer.index(next.task, 0, reading);
  return true;
}

function nextOf({ tasks, taken }: TokenList, end: End): TokenTask | undefined {
  if (Atomics.add(taken, 0, 1) >= tasks.length) return undefined;
  return end === 'front' ? tasks[Atomics.add(taken, 1, 1)] : tasks[tasks.length - 1 - Atomics.add(taken, 2, 1)];
}

/** Nothing more is taken. */
export function endTaking({ tasks, taken }: TokenList): void {
  Atomics.store(taken, 0, tasks.length);
}
