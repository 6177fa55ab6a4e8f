// Reads tokens in several threads, this one among them. The others are started before it is known what is to be read: they
// take a tenth of a second to begin.

import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { AgentName } from '../schema/words.ts';
import type { FileInfo } from '../sources/source.ts';
import { threadOptions } from '../thread-options.ts';
import { type Batch, type Reading, ShardIndexer } from './index-shard.ts';
import type { Root } from './node-files.ts';
import { endTaking, type FirstList, type TokenLists, takeTokens } from './take-tokens.ts';

export interface TokenWorkerData {
  kept: string | null;
}

/** What a thread is told once. */
export interface TokenWork {
  roots: { agent: AgentName; root: Root; companions: FileInfo[] }[];
  lists: TokenLists;
  first: FirstList;
}

export interface TokenRun {
  lists: TokenLists;
  roots: (TokenWork['roots'][number] & { reading: Reading })[];
  done: (batch: Batch) => void;
  meanwhile: () => Promise<void>;
  isStopped: () => boolean;
}

const PAUSE_MS = 50;

export class TokenThreads {
  private readonly workers: Worker[];

  /** `count` threads beside this one. */
  constructor(count: number, kept: string | null) {
    const file = import.meta.url.endsWith('.ts') ? './token-worker.ts' : './token-worker.js';
    const workerData: TokenWorkerData = { kept };
    const started = () => new Worker(new URL(file, import.meta.url), { workerData, ...threadOptions() });
    this.workers = Array.from({ length: count }, started);
  }

  async read({ lists, roots, done, meanwhile, isStopped }: TokenRun): Promise<void> {
    const told = roots.map(({ agent, root, companions }) => ({ agent, root, companions }));
    const others = Promise.all(this.workers.map((worker) => ended(worker, done)));
    // What goes wrong there is told when this thread has come to its end.
    others.catch(() => {});
    this.workers.forEach((worker, i) => {
      worker.postMessage({ roots: told, lists, first: i % 2 === 0 ? 0 : 1 } satisfies TokenWork);
    });
    await readHere({ lists, readings: roots.map(({ reading }) => reading), done, meanwhile, isStopped });
    await others;
  }

  /** Ends those that were never told what to do, and, after an error, those that are at work. */
  stop(): void {
    for (const worker of this.workers) worker.terminate();
  }
}

function ended(worker: Worker, done: (batch: Batch) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on('message', (batch: Batch) => {
      try {
        done(batch);
      } catch (error) {
        // A full disk, say.
        reject(error);
      }
    });
    worker.on('error', reject);
    worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a thread that reads ended with ${code}`))));
  });
}

interface Here extends Pick<TokenRun, 'lists' | 'done' | 'meanwhile' | 'isStopped'> {
  readings: Reading[];
}

async function readHere({ lists, readings, done, meanwhile, isStopped }: Here): Promise<void> {
  const indexer = new ShardIndexer(0, { open: noWords }, done);
  let paused = performance.now();
  while (takeTokens(lists, 1, indexer, readings)) {
    if (performance.now() - paused < PAUSE_MS) continue;
    // What others have read comes in now, and Ctrl-C.
    await setImmediate();
    await meanwhile();
    paused = performance.now();
    if (isStopped()) endTaking(lists);
  }
  indexer.commit();
}

function noWords(): never {
  throw new Error('tokens have no words');
}
