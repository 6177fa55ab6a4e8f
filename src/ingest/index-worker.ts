// A thread that reads families and writes their words into its own shard. What it has committed it tells to the process
// that owns the store.

import { parentPort, workerData } from 'node:worker_threads';
import { sources } from '../sources/index.ts';
import { openShard, openShardForLists } from '../store/open.ts';
import { portTo } from './agent-folder.ts';
import { type Reading, ShardIndexer } from './index-shard.ts';
import type { FromWorker, ToWorker, WorkerData } from './index-workers.ts';

const { folder, shard, roots, kept, readOnFrom } = workerData as WorkerData;
const say = (told: FromWorker) => parentPort?.postMessage(told);
let plain: ReturnType<typeof openShard> | undefined;
const indexer = new ShardIndexer(
  shard,
  {
    open: () => {
      plain ??= openShard(folder, shard);
      return plain;
    },
    openForLists: () => openShardForLists(folder, shard),
  },
  (batch) => say({ name: 'batch', batch }),
  readOnFrom,
);
const readings = roots.map(({ agent, root, titles, companions }): Reading => {
  const source = sources.find((candidate) => candidate.agent === agent);
  if (source === undefined) throw new Error(`no agent ${agent}`);
  return { source, port: portTo(source, root, kept ?? undefined), titles, companions };
});

parentPort?.on('message', (tasks: ToWorker) => {
  if (tasks === null) {
    indexer.commit();
    indexer.close();
    parentPort?.close();
    return;
  }
  for (const { task, root, stamp } of tasks) {
    const reading = readings[root];
    if (reading !== undefined) indexer.index(task, stamp, reading);
  }
  say({ name: 'idle' });
});
say({ name: 'idle' });
