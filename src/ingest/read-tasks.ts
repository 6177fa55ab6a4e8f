// Reads families for the store: here, where they are few; in threads, where there is much to read.

import { setImmediate } from 'node:timers/promises';
import type { Source } from '../sources/source.ts';
import { openShardForLists, type Store } from '../store/open.ts';
import type { AgentFolder } from './agent-folder.ts';
import { linksById } from './apply-links.ts';
import type { PlannedTask, RootPlan } from './changes.ts';
import { type Batch, ShardIndexer } from './index-shard.ts';
import { compileLittle, spareProcessor } from './spare-processor.ts';
import { tokenLists } from './take-tokens.ts';
import { TokenThreads } from './token-threads.ts';

/** One agent's folder, and what is to be done in it. */
export interface PlannedRoot {
  id: number;
  folder: AgentFolder<Source>;
  plan: RootPlan;
}

interface Task {
  task: PlannedTask;
  root: PlannedRoot;
}

interface TaskReaderOptions {
  store: Store;
  /** A folder with kept files. */
  kept: string | null;
  /** Threads that read; 1 reads in this one. */
  workers: number;
  /** The process does nothing else, and ends then. */
  endsThen: boolean;
  /** Files of so many bytes and more are read on. */
  readOnFrom: number | undefined;
  /** Of so many bytes and more lists of words are made here, and not by FTS5. */
  listsFrom: number | undefined;
  /** The next number by which what a shard holds is known. */
  nextStamp: () => number;
  /** Told of what has been read, and of whose words are written. */
  done: (batch: Batch) => void;
  /** Called now and then while threads read tokens, for what can be done with those that were read. */
  meanwhile: () => Promise<void>;
  /** Asked now and then: what has been read by then is kept. */
  isStopped: () => boolean;
}

const PAUSE_MS = 100;

/** Milliseconds. `performance` would take one of them to load. */
function sinceStart(): number {
  return process.uptime() * 1000;
}

/** Less than this is read sooner than threads are started. */
export const WORTH_THREADS = 16 * 1024 * 1024;
/** Less is not worth a connection and a memory of its own. */
const WORTH_LISTS = 4 * 1024 * 1024;

export class TaskReader {
  private readonly options: TaskReaderOptions;
  private threads: TokenThreads | undefined;

  constructor(options: TaskReaderOptions) {
    this.options = options;
  }

  /** Threads for tokens, if there are to be any: they take their time to start. Words have others, one for each shard. */
  startThreads(): void {
    const { workers, kept, endsThen } = this.options;
    if (workers <= 1 || this.threads !== undefined) return;
    if (endsThen) compileLittle();
    this.threads = new TokenThreads(workers - 1, kept);
  }

  stopThreads(): void {
    this.threads?.stop();
  }

  async read(tasks: Task[]): Promise<void> {
    const all = tasks.reduce((sum, { task }) => sum + task.bytes, 0);
    const isMuch = all >= WORTH_THREADS;
    const isWorthThreads = isMuch && this.options.workers > 1;
    // A family of which the words are there keeps them: its tier is another.
    const areTokens = tasks.every(({ task }) => task.tier === 0);
    if (isMuch && !areTokens && this.options.endsThen) spareProcessor();
    if (isWorthThreads && areTokens) await this.readInThreads(tasks);
    else if (isWorthThreads && this.options.store.folder !== null) await this.readInWorkers(tasks);
    else await this.readHere(tasks, all);
  }

  private async readHere(tasks: Task[], bytes: number): Promise<void> {
    const { store, done, readOnFrom } = this.options;
    const { folder } = store;
    const makesLists = bytes >= (this.options.listsFrom ?? WORTH_LISTS);
    const indexers = store.shards.map((database, i) => {
      const openForLists = folder !== null && makesLists ? () => openShardForLists(folder, i) : undefined;
      return new ShardIndexer(i, { open: () => database, openForLists }, done, readOnFrom);
    });
    try {
      await this.readWith(indexers, tasks);
      for (const indexer of indexers) indexer.commit();
    } finally {
      for (const indexer of indexers) indexer.close();
    }
  }

  private async readWith(indexers: ShardIndexer[], tasks: Task[]): Promise<void> {
    const { nextStamp, isStopped } = this.options;
    const emptiest = tasks.some(({ task }) => task.shard === null) ? this.emptiestShard() : 0;
    let paused = sinceStart();
    const titles = new Map<number, ReturnType<typeof linksById>['titles']>();
    for (const { task, root } of tasks) {
      // Only between two sessions can anybody press Ctrl-C.
      if (sinceStart() - paused > PAUSE_MS) {
        await setImmediate();
        paused = sinceStart();
      }
      if (isStopped()) break;
      const told = titles.get(root.id) ?? linksById(root.plan.ties?.links ?? []).titles;
      titles.set(root.id, told);
      const { place: source, port } = root.folder;
      const reading = { source, port, titles: told, companions: root.plan.companions };
      indexers[task.shard ?? emptiest]?.index(task, nextStamp(), reading);
    }
  }

  private emptiestShard(): number {
    const { main, shards } = this.options.store;
    const counts = main.prepare('select count(*) as count from families where shard = ?');
    const sizes = shards.map((_, shard) => Number(counts.get(shard)?.count));
    return sizes.indexOf(Math.min(...sizes));
  }

  private async readInThreads(tasks: Task[]): Promise<void> {
    const { done, meanwhile, isStopped } = this.options;
    this.startThreads();
    const roots = [...new Set(tasks.map(({ root }) => root))];
    await this.threads?.read({
      lists: tokenLists(
        tasks.map(({ task, root }) => ({ task, root: roots.indexOf(root), agent: root.folder.place.agent })),
      ),
      roots: roots.map(({ folder: { place: source, root, port }, plan: { companions } }) => ({
        agent: source.agent,
        root,
        companions,
        reading: { source, port, titles: new Map(), companions },
      })),
      done,
      meanwhile,
      isStopped,
    });
  }

  private async readInWorkers(tasks: Task[]): Promise<void> {
    const { store, kept, nextStamp, done, isStopped, readOnFrom } = this.options;
    const roots = [...new Set(tasks.map(({ root }) => root))];
    const { indexInWorkers } = await import('./index-workers.ts');
    await indexInWorkers({
      folder: store.folder ?? '',
      shards: store.shards.length,
      kept,
      readOnFrom,
      roots: roots.map(({ folder, plan }) => ({
        agent: folder.place.agent,
        root: folder.root,
        titles: linksById(plan.ties?.links ?? []).titles,
        companions: plan.companions,
      })),
      tasks: tasks.map(({ task, root }) => ({
        task,
        root: roots.indexOf(root),
        stamp: nextStamp(),
        shard: task.shard,
      })),
      done,
      isStopped,
    });
  }
}
