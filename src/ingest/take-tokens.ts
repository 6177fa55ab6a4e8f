import type { IndexTask } from './index-family.ts';
import type { Reading, ShardIndexer } from './index-shard.ts';

export interface TokenTask {
  task: IndexTask;
  /** Its place in the list of roots. */
  root: number;
}

/** Reads the next of the tasks that nobody has taken; false where none is left. */
export function takeTokens(tasks: TokenTask[], next: Int32Array, indexer: ShardIndexer, readings: Reading[]): boolean {
  const taken = tasks[Atomics.add(next, 0, 1)];
  const reading = taken === undefined ? undefined : readings[taken.root];
  if (taken === undefined || reading === undefined) return false;
  indexer.index(taken.task, 0, reading);
  return true;
}
