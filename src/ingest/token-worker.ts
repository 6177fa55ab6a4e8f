// A thread that reads the tokens of families, beside others that do.

import { parentPort, workerData } from 'node:worker_threads';
import { sources } from '../sources/index.ts';
import { portTo } from './agent-folder.ts';
import { type Reading, ShardIndexer } from './index-shard.ts';
import { takeTokens } from './take-tokens.ts';
import type { TokenWork, TokenWorkerData } from './token-threads.ts';

const { kept } = workerData as TokenWorkerData;

parentPort?.once('message', ({ roots, lists, first }: TokenWork) => {
  const readings = roots.map(({ agent, root, companions }): Reading => {
    const source = sources.find((candidate) => candidate.agent === agent);
    if (source === undefined) throw new Error(`no agent ${agent}`);
    return { source, port: portTo(source, root, kept ?? undefined), titles: new Map(), companions };
  });
  const indexer = new ShardIndexer(0, { open: noWords }, (batch) => parentPort?.postMessage(batch));
  while (takeTokens(lists, first, indexer, readings));
  indexer.commit();
  parentPort?.close();
});

function noWords(): never {
  throw new Error('tokens have no words');
}
