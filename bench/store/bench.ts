// What every job is given, and what several of them do.

import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Corpus } from './corpus.ts';
import type { Row } from './table.ts';
import { timedPal } from './timed.ts';
import { difference, type Told } from './tokens.ts';

export interface Bench {
  corpus: Corpus;
  /** Everything that is written lies in here. */
  folder: string;
  /** Where other programs are installed. */
  peers: string;
  runs: number;
  seed: number;
  /** Sums of tokens that are not what they must be. */
  wrong: Set<string>;
}

export type Job = (bench: Bench) => Row[];

/** Nothing of the home of whoever runs this is seen. There is a folder for data, as with everybody who has an index. */
export function environment({ folder }: Bench, workers: number): Record<string, string> {
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true });
  const places = { HOME: folder, PALIMPSEST_HOME: folder, PALIMPSEST_DATA: data };
  return { ...places, NO_COLOR: '1', PALIMPSEST_WORKERS: String(workers) };
}

/** A folder in which there is no store yet. */
export function noStore({ folder }: Bench, name: string): string {
  const store = join(folder, name);
  rmSync(store, { recursive: true, force: true });
  return store;
}

export function indexArgs({ corpus }: Bench, store: string): string[] {
  return ['index', '--home', corpus.home, '--store', store];
}

export function usageArgs({ corpus }: Bench, store: string): string[] {
  return ['usage', '--by', 'month', '--json', '--home', corpus.home, '--store', store];
}

export const FULL = 'full';

/** A store with all there is, made only if no job before has left one. */
export function fullStore(bench: Bench): string {
  const store = join(bench.folder, FULL);
  if (!existsSync(store)) timedPal(indexArgs(bench, store), environment(bench, 2));
  return store;
}

export function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** The first one is right. Measuring goes on, so that the rest is seen, too. */
export function mustEqual({ wrong }: Bench, told: readonly Told[]): void {
  const different = difference(told);
  if (different === null || wrong.has(different)) return;
  wrong.add(different);
  console.error(`\n${different}`);
}
