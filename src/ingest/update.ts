// Brings a store up to date: what changed is found, read, and written; the rest is not touched.

import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { sources } from '../sources/index.ts';
import { agentPlaces } from '../sources/places.ts';
import type { AgentPlace, Source } from '../sources/source.ts';
import type { Store } from '../store/open.ts';
import type { Tier } from '../store/rows.ts';
import {
  type ChangedUsage,
  type CostOf,
  modelsIn,
  noChange,
  noteUsage,
  planSums,
  sumsMark,
  writeSums,
} from '../store/usage-sums.ts';
import { MainWriter } from '../store/write-main.ts';
import { type AgentFolder, agentFolders, type HomePlaces } from './agent-folder.ts';
import { linksById } from './apply-links.ts';
import { type PlannedTask, packedTies, planRoot, type RootPlan } from './changes.ts';
import { type Batch, ShardIndexer } from './index-shard.ts';
import { listingOf, rootIn } from './listing.ts';
import { TokenThreads } from './token-threads.ts';

export interface UpdateOptions {
  tier: Tier;
  /** What requests cost, and by which name these prices go. `load` is given what it told of single models before, under the same name. */
  prices: {
    version: string;
    load: (models: Iterable<string>, known: Tariffs) => Promise<{ costOf: CostOf; tariffs: Tariffs }>;
  };
  /** Threads that read; 1 reads in this one. */
  workers: number;
  /** Where more bytes than this would have to be read, nothing is. */
  most?: number;
  /** Told now and then: bytes read, of all that must be. */
  progress?: (done: number, all: number) => void;
  /** Asked now and then: what has been read by then is kept. */
  isStopped?: () => boolean;
}

/** What models cost, as texts. */
type Tariffs = Readonly<Record<string, string>>;

export interface UpdateReport {
  families: number;
  bytes: number;
  removed: number;
  fell_back: number;
  /** Everything was read. */
  complete: boolean;
}

const PAUSE_MS = 100;

/** Less than this is read sooner than threads are started. */
const WORTH_THREADS = 16 * 1024 * 1024;

export async function updateStore(store: Store, places: HomePlaces, options: UpdateOptions): Promise<UpdateReport> {
  return updateFolders(store, agentFolders(places, agentPlaces).folders, places.kept, options);
}

/** The same for folders whose files were listed already. */
export async function updateFolders(
  store: Store,
  folders: readonly AgentFolder<AgentPlace>[],
  kept: string | undefined,
  options: UpdateOptions,
): Promise<UpdateReport> {
  heal(store);
  const update = new Update(store, options, kept ?? null);
  const all = folders.flatMap(({ files }) => files).reduce((sum, { bytes }) => sum + bytes, 0);
  if (update.isFirst && all >= WORTH_THREADS && all <= (options.most ?? all)) update.startThreads();
  try {
    const roots = folders
      .filter((folder) => folder.files.length > 0 || rootIn(store.main, folder) !== undefined)
      .map((folder) => update.plan({ ...folder, place: sourceAt(folder.place) }));
    await update.read(roots);
    await update.sum();
    for (const root of roots) update.finish(root);
    return update.report;
  } finally {
    update.stopThreads();
  }
}

/** Nothing is to be read, and nothing to be written down. */
function isAsBefore({ tasks, gone, grouping, heads, areTiesNew }: RootPlan): boolean {
  return tasks.length + gone.length + heads.length === 0 && grouping === null && !areTiesNew;
}

function sourceAt({ agent }: AgentPlace): Source {
  return sources.find((source) => source.agent === agent) as Source; // each place is that of a source
}

/** One agent's folder, and what is to be done in it. */
interface PlannedRoot {
  id: number;
  folder: AgentFolder<Source>;
  plan: RootPlan;
}

class Update {
  readonly report: UpdateReport = { families: 0, bytes: 0, removed: 0, fell_back: 0, complete: true };
  private readonly store: Store;
  private readonly main: DatabaseSync;
  private readonly options: UpdateOptions;
  private readonly writer: MainWriter;
  /** Sessions whose sums are no longer right, by root. */
  private readonly changed = new Map<number, ChangedUsage>();
  private stamp: number;
  /** By which prices, and which clock, the sums were made that are there; undefined where they cannot be relied on. */
  private readonly oldMark: string | undefined;

  private readonly kept: string | null;
  /** Nothing was ever read: all of it will be. */
  readonly isFirst: boolean;
  private threads: TokenThreads | undefined;

  constructor(store: Store, options: UpdateOptions, kept: string | null) {
    this.store = store;
    this.kept = kept;
    this.main = store.main;
    this.options = options;
    this.writer = new MainWriter(store.main);
    this.oldMark = this.mark();
    this.stamp = Number(this.main.prepare('select max(stamp) as stamp from families').get()?.stamp ?? 0);
    this.isFirst = this.main.prepare('select 1 from families limit 1').get() === undefined;
  }

  /** Threads for tokens, if there are to be any. Words have others, one for each shard. */
  startThreads(): void {
    const { tier, workers } = this.options;
    if (tier === 0 && workers > 1) this.threads ??= new TokenThreads(workers - 1, this.kept);
  }

  stopThreads(): void {
    this.threads?.stop();
  }

  /** Finds what is to be read, gives ids to what is new, and takes out what is gone. */
  plan(folder: AgentFolder<Source>): PlannedRoot {
    const stored = rootIn(this.main, folder) ?? this.newRoot(folder);
    const plan = planRoot(this.main, stored, folder, this.options.tier);
    if (isAsBefore(plan)) return { id: stored.id, folder, plan };
    this.transaction(() => {
      // Until all is done, nobody knows what is there: if this ends early, the next run looks at everything.
      this.main.prepare('delete from listings where root = ?').run(stored.id);
      if (plan.tasks.length + plan.gone.length > 0) this.staleSums();
      for (const { id } of [...plan.tasks, ...plan.gone])
        if (id >= 0) noteUsage(this.main, id, this.changedIn(stored.id));
      this.removeGone(plan.gone);
      if (plan.grouping !== null) this.group(stored.id, plan);
      for (const { family, head } of plan.heads)
        this.main.prepare('update families set head = ? where root = ? and native_id = ?').run(head, stored.id, family);
      if (plan.ties !== null && plan.areTiesNew)
        this.main.prepare('update roots set links = ? where id = ?').run(packedTies(plan.ties), stored.id);
    });
    return { id: stored.id, folder, plan };
  }

  /** Oldest first: ids of messages then rise nearly as times do. */
  async read(roots: PlannedRoot[]): Promise<void> {
    const tasks = roots
      .flatMap((root) => root.plan.tasks.map((task) => ({ task, root })))
      .sort((a, b) => a.task.written_ms - b.task.written_ms || a.task.id - b.task.id);
    const all = tasks.reduce((sum, { task }) => sum + task.bytes, 0);
    if (all > (this.options.most ?? Number.POSITIVE_INFINITY)) {
      this.report.complete = false;
      return;
    }
    const byFamily = new Map(tasks.map(({ task, root }) => [task.id, root.id]));
    const done = (batch: Batch) => {
      this.write(batch, byFamily);
      this.options.progress?.(this.report.bytes, all);
    };
    const isWorthThreads = all >= WORTH_THREADS && this.options.workers > 1;
    // A family of which the words are there keeps them: its tier is another.
    if (isWorthThreads && tasks.every(({ task }) => task.tier === 0)) await this.readInThreads(tasks, done);
    else if (isWorthThreads && this.store.folder !== null) await this.readInWorkers(tasks, done);
    else await this.readHere(tasks, done);
    if (this.options.isStopped?.() === true) this.report.complete = false;
  }

  private async readHere(
    tasks: { task: PlannedTask; root: PlannedRoot }[],
    done: (batch: Batch) => void,
  ): Promise<void> {
    const indexers = this.store.shards.map((database, i) => new ShardIndexer(i, () => database, done));
    const emptiest = tasks.some(({ task }) => task.shard === null) ? this.emptiestShard() : 0;
    let paused = performance.now();
    const titles = new Map<number, ReturnType<typeof linksById>['titles']>();
    for (const { task, root } of tasks) {
      // Only between two sessions can anybody press Ctrl-C.
      if (performance.now() - paused > PAUSE_MS) {
        await setImmediate();
        paused = performance.now();
      }
      if (this.options.isStopped?.() === true) break;
      const told = titles.get(root.id) ?? linksById(root.plan.ties?.links ?? []).titles;
      titles.set(root.id, told);
      const shard = task.shard ?? emptiest;
      const { place: source, port } = root.folder;
      indexers[shard]?.index(task, this.nextStamp(), { source, port, titles: told, companions: root.plan.companions });
    }
    for (const indexer of indexers) indexer.commit();
  }

  private emptiestShard(): number {
    const counts = this.main.prepare('select count(*) as count from families where shard = ?');
    const sizes = this.store.shards.map((_, shard) => Number(counts.get(shard)?.count));
    return sizes.indexOf(Math.min(...sizes));
  }

  /** The largest first, so that no thread has much left when the others have ended. */
  private async readInThreads(
    tasks: { task: PlannedTask; root: PlannedRoot }[],
    done: (batch: Batch) => void,
  ): Promise<void> {
    this.startThreads();
    const roots = [...new Set(tasks.map(({ root }) => root))];
    await this.threads?.read({
      tasks: tasks
        .toSorted((a, b) => b.task.bytes - a.task.bytes)
        .map(({ task, root }) => ({ task, root: roots.indexOf(root) })),
      roots: roots.map(({ folder: { place: source, root, port }, plan: { companions } }) => ({
        agent: source.agent,
        root,
        companions,
        reading: { source, port, titles: [], companions },
      })),
      done,
      isStopped: this.options.isStopped ?? (() => false),
    });
  }

  private async readInWorkers(
    tasks: { task: PlannedTask; root: PlannedRoot }[],
    done: (batch: Batch) => void,
  ): Promise<void> {
    const roots = [...new Set(tasks.map(({ root }) => root))];
    const { indexInWorkers } = await import('./index-workers.ts');
    await indexInWorkers({
      folder: this.store.folder ?? '',
      shards: this.store.shards.length,
      kept: this.kept,
      roots: roots.map(({ folder, plan }) => ({
        agent: folder.place.agent,
        root: folder.root,
        titles: linksById(plan.ties?.links ?? []).titles,
        companions: plan.companions,
      })),
      tasks: tasks.map(({ task, root }) => ({
        task,
        root: roots.indexOf(root),
        stamp: this.nextStamp(),
        shard: task.shard,
      })),
      done,
      isStopped: this.options.isStopped ?? (() => false),
    });
  }

  private write({ facts, bytes, fell_back }: Batch, rootOf: ReadonlyMap<number, number>): void {
    this.transaction(() => {
      for (const family of facts) {
        this.writer.write(family);
        for (const { id } of family.sessions) this.changedIn(rootOf.get(family.id) ?? -1).sessions.add(id);
      }
    });
    this.report.families += facts.length;
    this.report.bytes += bytes;
    this.report.fell_back += fell_back;
  }

  /** Sums by day and model. Where prices or the clock of this place changed, or a crash left some behind, all of them. */
  async sum(): Promise<void> {
    const wanted = sumsMark(this.options.prices.version);
    if (this.mark() === wanted) return;
    const areSome = this.oldMark === wanted;
    const changed = areSome ? [...this.changed] : this.allRoots().map((root) => [root, null] as const);
    // What is written here counts only under the mark, which comes last.
    const plans = this.transaction(() => changed.map(([root, usage]) => planSums(this.main, root, usage)));
    const models = modelsIn(
      this.main,
      plans.flatMap(({ sessions }) => [...sessions]),
    );
    const known = areSome ? this.tariffs() : {};
    const { costOf, tariffs } = await this.options.prices.load(models, known);
    this.transaction(() => {
      for (const plan of plans) writeSums(this.main, plan, costOf);
      if (!areSome) this.main.exec('delete from tariffs');
      const insert = this.main.prepare('insert or ignore into tariffs values (?, ?)');
      for (const [model, tariff] of Object.entries(tariffs)) if (known[model] === undefined) insert.run(model, tariff);
      this.main.prepare("insert or replace into meta values ('sums', ?)").run(wanted);
    });
  }

  private allRoots(): number[] {
    return this.main
      .prepare('select id from roots')
      .all()
      .map(({ id }) => Number(id));
  }

  private tariffs(): Tariffs {
    const rows = this.main.prepare('select model, tariff from tariffs').all();
    return Object.fromEntries(rows.map(({ model, tariff }) => [String(model), String(tariff)]));
  }

  private mark(): string | undefined {
    return this.main.prepare("select value from meta where name = 'sums'").get()?.value as string | undefined;
  }

  /** The last word: from now on nothing needs to be looked at while no name, size or time changes. */
  finish({ id, folder, plan }: PlannedRoot): void {
    const isAsListed = isAsBefore(plan) && plan.files.length + plan.filesGone.length === 0;
    if (!this.report.complete || isAsListed) return;
    this.transaction(() => {
      const remove = this.main.prepare('delete from files where root = ? and path = ?');
      for (const path of plan.filesGone) remove.run(id, path);
      const insert = this.main.prepare('insert or replace into files values (?, ?, ?, ?, ?, ?)');
      for (const { path, bytes, modified_ms, kept, ends } of plan.files)
        insert.run(id, path, bytes, modified_ms, kept ? 1 : 0, ends);
      const { names, numbers } = listingOf(folder.files);
      this.main.prepare('insert or replace into listings values (?, ?, ?)').run(id, names, numbers);
    });
  }

  private newRoot({ place, real }: AgentFolder<Source>) {
    const { lastInsertRowid } = this.main
      .prepare("insert into roots (agent, folder, links) values (?, ?, '')")
      .run(place.agent, real);
    return { id: Number(lastInsertRowid), links: '' };
  }

  private removeGone(gone: RootPlan['gone']): void {
    if (gone.length === 0) return;

    for (const { id } of gone) this.writer.remove(id);
    this.report.removed += gone.length;
    // The words go last: what the main database does not know is not found.
    for (const [shard, families] of Map.groupBy(gone, (family) => family.shard)) {
      const database = shard === null ? undefined : this.store.shards[shard];
      if (database === undefined) continue;
      const indexer = new ShardIndexer(
        shard ?? 0,
        () => database,
        () => {},
      );
      for (const { id } of families) indexer.remove(id);
      indexer.commit();
    }
  }

  private group(root: number, plan: RootPlan): void {
    const known = this.main.prepare('select id from families where root = ? and native_id = ?');
    const create = this.main.prepare(
      "insert into families (root, native_id, tier, fingerprint, links) values (?, ?, -1, '', '')",
    );
    const clear = this.main.prepare('delete from family_files where family = ?');
    const insert = this.main.prepare('insert into family_files values (?, ?, ?, ?, ?)');
    const tasks = new Map(plan.tasks.map((task) => [task.family.id, task]));
    for (const family of plan.grouping ?? []) {
      const id = Number(known.get(root, family.id)?.id ?? create.run(root, family.id).lastInsertRowid);
      const task = tasks.get(family.id);
      if (task === undefined) continue;
      task.id = id;
      clear.run(id);
      family.files.forEach(({ info, role, session_id }, i) => {
        insert.run(id, i, info.path, role, session_id);
      });
    }
  }

  private changedIn(root: number): ChangedUsage {
    const changed = this.changed.get(root) ?? noChange();
    this.changed.set(root, changed);
    return changed;
  }

  private staleSums(): void {
    this.main.exec("delete from meta where name = 'sums'");
  }

  private nextStamp(): number {
    this.stamp++;
    return this.stamp;
  }

  private transaction<T>(work: () => T): T {
    this.main.exec('begin immediate');
    try {
      const done = work();
      this.main.exec('commit');
      return done;
    } catch (error) {
      this.main.exec('rollback');
      throw error;
    }
  }
}

/** After a crash a shard may hold words of which the main database knows nothing, or lack some that it counts on. */
function heal({ main, shards }: Store): void {
  shards.forEach((database, shard) => {
    const counted = main
      .prepare('select count(*) as count, total(stamp) as stamps from families where shard = ?')
      .get(shard);
    const there = database.prepare('select count(*) as count, total(stamp) as stamps from families').get();
    if (counted?.count === there?.count && counted?.stamps === there?.stamps) return;
    const families = (from: DatabaseSync, sql: string, ...values: number[]) =>
      new Map(
        from
          .prepare(sql)
          .all(...values)
          .map(({ id, stamp }) => [Number(id), Number(stamp)]),
      );
    const known = families(main, 'select id, stamp from families where shard = ?', shard);
    const found = families(database, 'select family as id, stamp from families');
    const indexer = new ShardIndexer(
      shard,
      () => database,
      () => {},
    );
    for (const [id, stamp] of found) if (known.get(id) !== stamp) indexer.remove(id);
    indexer.commit();
    const lost = main.prepare(
      "update families set tier = -1, shard = null, stamp = null, fingerprint = '' where id = ?",
    );
    for (const [id, stamp] of known) if (found.get(id) !== stamp) lost.run(id);
  });
}
