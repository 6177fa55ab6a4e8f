// Tokens and cost by day and model, kept right while sessions change. They count only under a mark, which names the prices and the
// clock that they were made with: it goes before anything is changed, and comes back last.

import type { DatabaseSync } from 'node:sqlite';
import { transaction } from './transaction.ts';
import {
  type ChangedUsage,
  type CostOf,
  modelsIn,
  noChange,
  noteUsage,
  planSums,
  sumsMark,
  writeSums,
} from './usage-sums.ts';

/** What models cost, as texts. */
type Tariffs = Readonly<Record<string, string>>;

/** What requests cost, and by which name these prices go. `load` is given what it told of single models before, under the same name. */
export interface StorePrices {
  version: string;
  load: (models: Iterable<string>, known: Tariffs) => Promise<{ costOf: CostOf; tariffs: Tariffs }>;
}

export class KeptSums {
  private readonly main: DatabaseSync;
  /** Sessions whose sums are no longer right, by root. */
  private readonly changed = new Map<number, ChangedUsage>();
  /** The mark when nothing had been changed; undefined where the sums cannot be relied on. */
  private readonly markBefore: string | undefined;

  constructor(main: DatabaseSync) {
    this.main = main;
    this.markBefore = this.mark();
  }

  /** From now on those that are there are not right. */
  unmark(): void {
    this.main.exec("delete from meta where name = 'sums'");
  }

  /** To be called before anything of a family is changed. */
  willChange(root: number, family: number): void {
    noteUsage(this.main, family, this.changedIn(root));
  }

  written(root: number, session: number): void {
    this.changedIn(root).sessions.add(session);
  }

  /** Where prices or the clock of this place changed, or a crash left some behind, all of them are made anew. */
  async bringUp({ version, load }: StorePrices): Promise<void> {
    const { main } = this;
    const wanted = sumsMark(version);
    if (this.mark() === wanted) return;
    const areSome = this.markBefore === wanted;
    const changed = areSome ? [...this.changed] : this.allRoots().map((root) => [root, null] as const);
    const { plans, models } = transaction(main, () => {
      const made = changed.map(([root, usage]) => planSums(main, root, usage));
      const sessions = made.flatMap((plan) => [...plan.sessions]);
      return { plans: made, models: modelsIn(main, sessions) };
    });
    const known = areSome ? this.tariffs() : {};
    const { costOf, tariffs } = await load(models, known);
    transaction(main, () => {
      for (const plan of plans) writeSums(main, plan, costOf);
      if (!areSome) main.exec('delete from tariffs');
      const insert = main.prepare('insert or ignore into tariffs values (?, ?)');
      for (const [model, tariff] of Object.entries(tariffs)) if (known[model] === undefined) insert.run(model, tariff);
      main.prepare("insert or replace into meta values ('sums', ?)").run(wanted);
    });
  }

  private changedIn(root: number): ChangedUsage {
    const changed = this.changed.get(root) ?? noChange();
    this.changed.set(root, changed);
    return changed;
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
}
