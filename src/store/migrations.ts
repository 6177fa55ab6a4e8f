// From one version of the tables to the next. Everything can be made anew from the agents' files, but that takes minutes for
// a large history: so what can be carried over is.

import type { DatabaseSync } from 'node:sqlite';
import { STORE_VERSION } from './tables.ts';

/** Older ones lack what later ones keep of the files: nothing can be carried over, and they are made anew. */
export const OLDEST_VERSION = 2;

/** By the version that they start from; each is one transaction. */
const STEPS: Record<number, string> = {};

export function migrate(database: DatabaseSync, from: number): void {
  for (let version = from; version < STORE_VERSION; version++)
    database.exec(`begin immediate; ${STEPS[version] ?? ''} pragma user_version = ${version + 1}; commit`);
}
