// Sums of sessions that were just written, while others are still being read. A first run has to add up all that it reads: done at its
// end, that would be the work of one thread. They count as little as all others until the mark of the sums is set.

import type { DatabaseSync } from 'node:sqlite';
import type { StorePrices, Tariffs } from './kept-sums.ts';
import { keysIn, type PackedUsage } from './packed-usage.ts';
import { GatheredKeys } from './request-places.ts';
import { SessionSums } from './session-sums.ts';
import { transaction } from './transaction.ts';
import { modelsIn } from './usage-sums.ts';

export class EarlySums {
  /** What models cost, as far as they were asked for. */
  tariffs: Tariffs = {};
  private readonly main: DatabaseSync;
  private readonly keys = new Map<number, GatheredKeys>();
  /** Sessions by root, whose sums are to be written, and whose sums were. */
  private readonly waiting = new Map<number, number[]>();
  private readonly summed = new Set<number>();

  constructor(main: DatabaseSync) {
    this.main = main;
  }

  written(root: number, session: number, { keys }: PackedUsage): void {
    if (keys.length === 0) return;
    this.keysOf(root).add(session, keysIn(keys));
    const waiting = this.waiting.get(root) ?? [];
    this.waiting.set(root, waiting);
    waiting.push(session);
  }

  /** The keys of all sessions of a root. */
  keysOf(root: number): GatheredKeys {
    const keys = this.keys.get(root) ?? new GatheredKeys();
    this.keys.set(root, keys);
    return keys;
  }

  /** Is its sum there, as if no other session had any of its requests? */
  has(session: number): boolean {
    return this.summed.has(session);
  }

  /** Adds up what was written so far. Where prices cannot be had, that is left to the end, when it is told. */
  async catchUp({ load }: StorePrices): Promise<void> {
    const roots = [...this.waiting];
    this.waiting.clear();
    if (roots.length === 0) return;
    const models = modelsIn(
      this.main,
      roots.flatMap(([, sessions]) => sessions),
    );
    const prices = await load(models, this.tariffs).catch(() => undefined);
    if (prices === undefined) return;
    const { costOf } = prices;
    this.tariffs = prices.tariffs;
    const sums = new SessionSums(this.main);
    transaction(this.main, () => {
      for (const [root, sessions] of roots) for (const session of sessions) sums.write(root, session, costOf);
    });
    for (const [, sessions] of roots) for (const session of sessions) this.summed.add(session);
  }
}
