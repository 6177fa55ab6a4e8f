// Tokens and cost by day and model, kept right while sessions change. They count only under a mark, which names the prices and the
// clock that they were made with: it goes before anything is changed, and comes back last.

import type { DatabaseSync } from 'node:sqlite';
import { EarlySums } from './early-sums.ts';
import type { PackedUsage } from './packed-usage.ts';
import type { CostOf } from './session-sums.ts';
import { transaction } from './transaction.ts';
import {
  type ChangedUsage,
  modelsIn,
  noChange,
  noteUsage,
  planAllSums,
  planSums,
  sumsMark,
  writeSums,
} from './usage-sums.ts';

/** What models cost, as texts. */
export type Tariffs = Readonly<Record<string, string>>;

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
  /** Where there was nothing before, and all sessions are told of. */
  private readonly early: EarlySums | undefined;

  /** `early`: somebody will call `catchUp` while sessions are written. */
  constructor(main: DatabaseSync, { early }: { early: boolean }) {
    this.main = main;
    this.markBefore = this.mark();
    const isEmpty = main.prepare('select 1 from usage limit 1').get() === undefined;
    this.early = early && isEmpty && this.markBefore === undefined ? new EarlySums(main) : undefined;
  }

  /** From now on those that are there are not right. */
  unmark(): void {
    this.main.exec("delete from meta where name = 'sums'");
  }

  /** To be called before anything of a family is changed. */
  willChange(root: number, family: number): void {
    noteUsage(this.main, family, this.changedIn(root));
  }

  written(root: number, session: number, usage: PackedUsage): void {
    this.changedIn(root).sessions.add(session);
    this.early?.written(root, session, usage);
  }

  /** While others are still read: what can be added up by then. */
  async catchUp(prices: StorePrices): Promise<void> {
    await this.early?.catchUp(prices);
  }

  /** Where prices or the clock of this place changed, or a crash left some behind, all of them are made anew. */
  async bringUp({ version, load }: StorePrices): Promise<void> {
    const { main } = this;
    const wanted = sumsMark(version);
    if (this.mark() === wanted) return;
    const areSome = this.markBefore === wanted;
    const { plans, models } = transaction(main, () => {
      const made = areSome
        ? [...this.changed].map(([root, usage]) => planSums(main, root, usage))
        : this.allRoots().map((root) => planAllSums(main, root, this.early));
      const sessions = made.flatMap((plan) => [...plan.sessions]);
      return { plans: made, models: modelsIn(main, sessions) };
    });
    const known = areSome ? this.tariffs() : {};
    const { costOf, tariffs } = await load(models, { ...known, ...this.early?.tariffs });
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
