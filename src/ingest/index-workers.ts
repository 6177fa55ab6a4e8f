// Reads families in several threads, one for each shard.

import { Worker } from 'node:worker_threads';
import type { AgentName } from '../schema/words.ts';
import type { FileInfo } from '../sources/source.ts';
import { threadOptions } from '../thread-options.ts';
import type { LinksById } from './apply-links.ts';
import type { IndexTask } from './index-family.ts';
import type { Batch } from './index-shard.ts';
import type { Root } from './node-files.ts';

/** One agent's folder, as a worker finds it. */
interface WorkerRoot {
  agent: AgentName;
  root: Root;
  titles: LinksById['titles'];
  companions: FileInfo[];
}

interface WorkerTask {
  task: IndexTask;
  /** Its place in the list of roots. */
  root: number;
  stamp: number;
}

export interface WorkerData {
  folder: string;
  shard: number;
  roots: WorkerRoot[];
  kept: string | null;
  readOnFrom: number | undefined;
}

/** What a worker says: it has nothing left to do; it has written a batch. */
export type FromWorker = { name: 'idle' } | { name: 'batch'; batch: Batch };
/** What a worker is told: families to read; null: no more will come. */
export type ToWorker = WorkerTask[] | null;

export interface WorkerRun {
  folder: string;
  shards: number;
  roots: WorkerRoot[];
  kept: string | null;
  readOnFrom: number | undefined;
  tasks: (WorkerTask & { shard: number | null })[];
  done: (batch: Batch) => void;
  isStopped: () => boolean;
}

/** So much is given out at a time: few enough that none waits long for the last one. */
const CHUNK_BYTES = 8 * 1024 * 1024;
const CHUNK_TASKS = 32;

export async function indexInWorkers(run: WorkerRun): Promise<void> {
  const threads = run.shards;
  // Words stay in the shard that they are in.
  const own = Array.from({ length: threads }, (_, i) => run.tasks.filter(({ shard }) => shard === i));
  const free = run.tasks.filter(({ shard }) => shard === null);
  const next = (thread: number): WorkerTask[] => {
    if (run.isStopped()) return [];
    const chunk = take(own[thread] ?? []);
    return chunk.length > 0 ? chunk : take(free);
  };
  const workers = Array.from({ length: threads }, (_, thread) => startWorker(thread, run));
  try {
    await Promise.all(workers.map((worker, thread) => ended(worker, run.done, () => next(thread))));
  } catch (error) {
    // Nobody may write any more when the caller has heard of it.
    await Promise.all(workers.map((worker) => worker.terminate()));
    throw error;
  }
}

function take(tasks: WorkerTask[]): WorkerTask[] {
  let [count, bytes] = [0, 0];
  for (const { task } of tasks) {
    if (count >= CHUNK_TASKS || (count > 0 && bytes >= CHUNK_BYTES)) break;
    count++;
    bytes += task.bytes;
  }
  return tasks.splice(0, count);
}

function startWorker(shard: number, { folder, roots, kept, readOnFrom }: WorkerRun): Worker {
  const file = import.meta.url.endsWith('.ts') ? './index-worker.ts' : './index-worker.js';
  const workerData: WorkerData = { folder, shard, roots, kept, readOnFrom };
  return new Worker(new URL(file, import.meta.url), { workerData, ...threadOptions() });
}

function ended(worker: Worker, done: WorkerRun['done'], next: () => WorkerTask[]): Promise<void> {
  const give = () => {
    const chunk = next();
    worker.postMessage((chunk.length > 0 ? chunk : null) satisfies ToWorker);
  };
  return new Promise((resolve, reject) => {
    worker.on('message', (told: FromWorker) => {
      try {
        if (told.name === 'idle') give();
        else done(told.batch);
      } catch (error) {
        // A full disk, say.
        reject(error);
      }
    });
    worker.on('error', reject);
    worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a thread that reads ended with ${code}`))));
  });
}
