// Brings a store up to date: what changed is found, read, and written; the rest is not touched.

import type { DatabaseSync } from 'node:sqlite';
import { loadSources } from '../sources/load.ts';
import { agentPlaces } from '../sources/places.ts';
import type { AgentPlace, Source } from '../sources/source.ts';
import { heal } from '../store/heal.ts';
import { KeptSums, type StorePrices } from '../store/kept-sums.ts';
import { LeftReadings } from '../store/left-readings.ts';
import type { Store } from '../store/open.ts';
import { forgetListing } from '../store/packed-listing.ts';
import type { Tier } from '../store/rows.ts';
import { reading, transaction } from '../store/transaction.ts';
import { MainWriter } from '../store/write-main.ts';
import { WordWriter } from '../store/write-words.ts';
import { type AgentFolder, agentFolders, type HomePlaces } from './agent-folder.ts';
import { type PlannedTask, planRoot, type RootPlan } from './changes.ts';
import { isOfKind } from './family-readings.ts';
import type { Batch } from './index-shard.ts';
import { isCurrent, keepListing, listedIn, rootIn } from './listing.ts';
import { NOT_YET_TOLD, packedTies } from './packed-ties.ts';
import { type PlannedRoot, TaskReader, WORTH_THREADS } from './read-tasks.ts';

export interface UpdateOptions {
  tier: Tier;
  /** `storePrices` gives them. */
  prices: StorePrices;
  /** Threads that read; 1 reads in this one. */
  workers: number;
  /** The process does nothing else, and ends when it has answered: V8 is told so. */
  endsThen?: boolean;
  /** Where more bytes than this would have to be read, nothing is. */
  most?: number;
  /** Of files that grow and have at least so many bytes, only what came is read. */
  readOnFrom?: number;
  /** From so many bytes on, lists of words in a new shard are made here, and not by FTS5. */
  listsFrom?: number;
  /** Told now and then: bytes read, of all that must be. */
  progress?: (done: number, all: number) => void;
  /** Asked now and then: what has been read by then is kept. */
  isStopped?: () => boolean;
}

export interface UpdateReport {
  families: number;
  bytes: number;
  removed: number;
  fell_back: number;
  /** Everything was read. */
  complete: boolean;
}

export async function updateStore(store: Store, places: HomePlaces, options: UpdateOptions): Promise<UpdateReport> {
  const { folders } = agentFolders(places, agentPlaces, listedIn(store.main));
  return updateFolders(store, folders, places.kept, options);
}

/** The same for folders whose files were listed already. */
export async function updateFolders(
  store: Store,
  folders: readonly AgentFolder<AgentPlace>[],
  kept: string | undefined,
  options: UpdateOptions,
): Promise<UpdateReport> {
  heal(store);
  const changed = folders.filter((folder) => !isCurrent(store.main, folder, options.tier));
  // Before anything is told to V8: what was compiled earlier is used only under the flags that it was compiled under.
  const sourceOf = await loadSources(changed.map(({ place }) => place.agent));
  const update = new Update(store, options, kept ?? null);
  try {
    update.expect(folders.flatMap(({ files }) => files).reduce((sum, { bytes }) => sum + bytes, 0));
    const roots = changed.map((folder) => update.plan({ ...folder, place: sourceOf(folder.place.agent) }));
    await update.read(roots);
    await update.sum();
    for (const root of roots) update.finish(root);
    return update.report;
  } finally {
    update.end();
  }
}

/** Nothing is to be read, and nothing to be written down. */
function isAsBefore({ tasks, gone, grouping, heads, areTiesNew }: RootPlan): boolean {
  return tasks.length + gone.length + heads.length === 0 && grouping === null && !areTiesNew;
}

class Update {
  readonly report: UpdateReport = { families: 0, bytes: 0, removed: 0, fell_back: 0, complete: true };
  private readonly store: Store;
  private readonly main: DatabaseSync;
  private readonly options: UpdateOptions;
  private readonly writer: MainWriter;
  private readonly sums: KeptSums;
  private readonly reader: TaskReader;
  private stamp: number;
  /** Families that are new, and of which nothing was written yet. */
  private readonly created = new Set<number>();
  /** By family: the root that it is in; and how many bytes there are to be read in all. */
  private rootOf: ReadonlyMap<number, number> = new Map();
  private all = 0;

  constructor(store: Store, options: UpdateOptions, kept: string | null) {
    this.store = store;
    this.main = store.main;
    this.options = options;
    this.writer = new MainWriter(store.main);
    this.sums = new KeptSums(store.main, { early: options.tier === 0 && options.workers > 1 });
    this.stamp = Number(this.main.prepare('select max(stamp) as stamp from families').get()?.stamp ?? 0);
    this.reader = new TaskReader({
      store,
      kept,
      workers: options.workers,
      endsThen: options.endsThen === true,
      readOnFrom: options.readOnFrom,
      listsFrom: options.listsFrom,
      nextStamp: () => ++this.stamp,
      done: (batch) => this.write(batch),
      meanwhile: () => this.sums.catchUp(options.prices),
      isStopped: options.isStopped ?? (() => false),
    });
  }

  /** Where nothing was ever read, all of it will be: threads may start while it is planned. */
  expect(bytes: number): void {
    const isFirst = this.main.prepare('select 1 from families limit 1').get() === undefined;
    const isMuch = bytes >= WORTH_THREADS && bytes <= (this.options.most ?? bytes);
    if (isFirst && isMuch && this.options.tier === 0) this.reader.startThreads();
  }

  end(): void {
    this.reader.stopThreads();
  }

  /** Finds what is to be read, gives ids to what is new, and takes out what is gone. */
  plan(folder: AgentFolder<Source>): PlannedRoot {
    const stored = rootIn(this.main, folder) ?? this.newRoot(folder);
    const plan = reading(this.main, () => planRoot(this.main, stored, folder, this.options.tier));
    if (isAsBefore(plan)) return { id: stored.id, folder, plan };
    transaction(this.main, () => {
      // Until all is done, nobody knows what is there: if this ends early, the next run looks at everything.
      forgetListing(this.main, stored.id);
      if (plan.tasks.length + plan.gone.length > 0) this.sums.unmark();
      for (const { id } of [...plan.tasks, ...plan.gone]) if (id >= 0) this.sums.willChange(stored.id, id);
      this.removeGone(plan.gone);
      if (plan.grouping !== null) this.group(stored.id, plan);
      for (const { family, head } of plan.heads)
        this.main.prepare('update families set head = ? where root = ? and native_id = ?').run(head, stored.id, family);
      const untold = this.main.prepare('update families set links = ? where id = ?');
      for (const id of plan.toldOtherwise) untold.run(NOT_YET_TOLD, id);
      if (plan.ties !== null && plan.areTiesNew)
        this.main.prepare('update roots set links = ? where id = ?').run(packedTies(plan.ties), stored.id);
    });
    return { id: stored.id, folder, plan };
  }

  async read(roots: PlannedRoot[]): Promise<void> {
    const order = this.orderOf(roots.flatMap(({ plan }) => plan.tasks));
    const tasks = roots
      .flatMap((root) => root.plan.tasks.map((task) => ({ task, root })))
      .sort((a, b) => order(a.task, b.task) || a.task.id - b.task.id);
    for (const { task } of tasks) task.bytes = this.bytesToRead(task);
    this.all = tasks.reduce((sum, { task }) => sum + task.bytes, 0);
    this.rootOf = new Map(tasks.map(({ task, root }) => [task.id, root.id]));
    const isTooMuch = this.all > (this.options.most ?? Number.POSITIVE_INFINITY);
    if (!isTooMuch) await this.reader.read(tasks);
    if (isTooMuch || this.options.isStopped?.() === true) this.report.complete = false;
  }

  /**
   * In which order families are read. Where there are words, the oldest first: ids of messages then rise nearly as times do. For tokens alone, in several
   * threads, the largest first, so that none has much left when the others have ended.
   */
  private orderOf(tasks: readonly PlannedTask[]): (a: PlannedTask, b: PlannedTask) => number {
    const areTokens = this.options.workers > 1 && tasks.every(({ tier }) => tier === 0);
    return (a, b) => (areTokens ? b.bytes - a.bytes : a.written_ms - b.written_ms);
  }

  /** Where reading goes on from what was kept, that is not read again. What was kept of a reading of another kind is of no use. */
  private bytesToRead({ id, had, tier, shard, family, bytes }: PlannedTask): number {
    const database = had === null || shard === null ? undefined : this.store.shards[shard];
    if (database === undefined) return bytes;
    const usable = new LeftReadings(database).of(id).filter(({ bound }) => isOfKind(bound, { said: tier === 1 }));
    const reach = new Map(usable.map((left) => [left.path, left.reach]));
    return family.files.reduce((sum, { info }) => sum + Math.max(0, info.bytes - (reach.get(info.path) ?? 0)), 0);
  }

  private write({ facts, bytes, fell_back }: Batch): void {
    transaction(this.main, () => {
      for (const family of facts) {
        this.writer.write(family, { isNew: this.created.delete(family.id) });
        const root = this.rootOf.get(family.id) ?? -1;
        for (const { id, usage } of family.sessions) this.sums.written(root, id, usage);
      }
    });
    this.report.families += facts.length;
    this.report.bytes += bytes;
    this.report.fell_back += fell_back;
    this.options.progress?.(this.report.bytes, this.all);
  }

  sum(): Promise<void> {
    return this.sums.bringUp(this.options.prices);
  }

  /** The last word: from now on nothing needs to be looked at while no name, size or time changes. */
  finish({ id, folder, plan }: PlannedRoot): void {
    const isAsListed = isAsBefore(plan) && plan.files.length + plan.filesGone.length === 0;
    if (!this.report.complete || isAsListed) return;
    transaction(this.main, () => {
      const remove = this.main.prepare('delete from files where root = ? and path = ?');
      for (const path of plan.filesGone) remove.run(id, path);
      const insert = this.main.prepare('insert or replace into files values (?, ?, ?, ?, ?, ?)');
      for (const { path, bytes, modified_ms, kept, ends } of plan.files)
        insert.run(id, path, bytes, modified_ms, kept ? 1 : 0, ends);
      keepListing(this.main, id, folder);
    });
  }

  private newRoot({ place, real }: AgentFolder<Source>) {
    const { lastInsertRowid } = this.main
      .prepare("insert into roots (agent, folder, links) values (?, ?, '')")
      .run(place.agent, real);
    return { id: Number(lastInsertRowid), links: '' };
  }

  private removeGone(gone: RootPlan['gone']): void {
    for (const { id } of gone) this.writer.remove(id);
    this.report.removed += gone.length;
    // The words go last: what the main database does not know is not found.
    for (const [shard, families] of Map.groupBy(gone, (family) => family.shard)) {
      const database = shard === null ? undefined : this.store.shards[shard];
      if (database === undefined) continue;
      const words = new WordWriter(database);
      for (const { id } of families) words.remove(id);
      words.commit();
    }
  }

  private group(root: number, plan: RootPlan): void {
    const known = this.main.prepare('select id from families where root = ? and native_id = ?');
    const create = this.main.prepare(
      "insert into families (root, native_id, tier, fingerprint, links) values (?, ?, -1, '', '')",
    );
    const clear = this.main.prepare('delete from family_files where family = ?');
    const insert = this.main.prepare('insert into family_files values (?, ?, ?, ?, ?)');
    // Numbered as they are going to be read, new ones are written one behind the other, and each page of a table once.
    const inOrder = plan.tasks.toSorted(this.orderOf(plan.tasks));
    const tasks = new Map(inOrder.map((task) => [task.family.id, task]));
    const others = (plan.grouping ?? []).filter(({ id }) => !tasks.has(id));
    const isFirst = this.main.prepare('select 1 from families where root = ? limit 1').get(root) === undefined;
    for (const family of [...inOrder.map((task) => task.family), ...others]) {
      const before = isFirst ? undefined : known.get(root, family.id)?.id;
      const id = Number(before ?? create.run(root, family.id).lastInsertRowid);
      if (before === undefined) this.created.add(id);
      const task = tasks.get(family.id);
      if (task === undefined) continue;
      task.id = id;
      if (before !== undefined) clear.run(id);
      family.files.forEach(({ info, role, session_id }, i) => {
        insert.run(id, i, info.path, role, session_id);
      });
    }
  }
}
