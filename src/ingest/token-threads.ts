// Reads tokens in several threads, this one among them. The others are started before it is known what is to be read: they
// take a tenth of a second to begin.

import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { AgentName } from '../schema/words.ts';
import type { FileInfo } from '../sources/source.ts';
import { type Batch, type Reading, ShardIndexer } from './index-shard.ts';
import type { Root } from './node-files.ts';
import { type TokenTask, takeTokens } from './take-tokens.ts';

export interface TokenWorkerData {
  kept: string | null;
}

/** What a thread is told once. */
export interface TokenWork {
  roots: { agent: AgentName; root: Root; companions: FileInfo[] }[];
  tasks: TokenTask[];
  /** The first of the tasks that nobody has taken, in memory that all threads share. */
  next: Int32Array;
}

export interface TokenRun {
  tasks: TokenTask[];
  roots: (TokenWork['roots'][number] & { reading: Reading })[];
  done: (batch: Batch) => void;
  isStopped: () => boolean;
}

const PAUSE_MS = 50;

export class TokenThreads {
  private readonly workers: Worker[];

  /** `count` threads beside this one. */
  constructor(count: number, kept: string | null) {
    const file = import.meta.url.endsWith('.ts') ? './token-worker.ts' : './token-worker.js';
    const workerData: TokenWorkerData = { kept };
    this.workers = Array.from({ length: count }, () => new Worker(new URL(file, import.meta.url), { workerData }));
  }

  async read({ tasks, roots, done, isStopped }: TokenRun): Promise<void> {
    const next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const told = roots.map(({ agent, root, companions }) => ({ agent, root, companions }));
    const others = Promise.all(this.workers.map((worker) => ended(worker, done)));
    // What goes wrong there is told when this thread has come to its end.
    others.catch(() => {});
    for (const worker of this.workers) worker.postMessage({ roots: told, tasks, next } satisfies TokenWork);
    await readHere({ tasks, next, readings: roots.map(({ reading }) => reading), done, isStopped });
    await others;
  }

  /** Ends those that were never told what to do. */
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

interface Here extends Pick<TokenRun, 'tasks' | 'done' | 'isStopped'> {
  next: Int32Array;
  readings: Reading[];
}

async function readHere({ tasks, next, readings, done, isStopped }: Here): Promise<void> {
  const indexer = new ShardIndexer(0, noWords, done);
  let paused = performance.now();
  while (takeTokens(tasks, next, indexer, readings)) {
    if (performance.now() - paused < PAUSE_MS) continue;
    // What others have read comes in now, and Ctrl-C.
    await setImmediate();
    paused = performance.now();
    if (isStopped()) Atomics.store(next, 0, tasks.length);
  }
  indexer.commit();
}

function noWords(): never {
  throw new Error('tokens have no words');
}
