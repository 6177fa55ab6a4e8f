// How much a store holds, and how much room it takes.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../store/open.ts';

export interface StoreExtent {
  sessions: number;
  /** Of the agents' files. */
  history_bytes: number;
}

export function storeExtent({ main }: Store, roots: readonly number[]): StoreExtent {
  const which = `root in (${roots.map(() => '?').join(', ')})`;
  const sessions = main
    .prepare(`select count(*) as count from sessions join families on families.id = sessions.family where ${which}`)
    .get(...roots);
  const files = main.prepare(`select total(bytes) as bytes from files where ${which}`).get(...roots);
  return {
    sessions: Number(sessions?.count),
    history_bytes: Number(files?.bytes),
  };
}

/** How far all sessions of these roots have been read. */
export function lowestTier({ main }: Store, roots: readonly number[]): number {
  const which = roots.map(() => '?').join(', ');
  return Number(
    main.prepare(`select min(tier) as tier from families where root in (${which})`).get(...roots)?.tier ?? 0,
  );
}

/** How much room a store takes. To be asked when it is closed: until then, what was written last lies beside it once more. */
export function storeBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
