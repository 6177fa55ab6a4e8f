// Has anything changed? Told from names, sizes and times alone, without loading what reads histories.

import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { AgentPlace, FileInfo } from '../sources/source.ts';
import type { Tier } from '../store/rows.ts';
import { type AgentFolder, realPath } from './agent-folder.ts';

/** A hash of everything that is there. */
export function listingOf(files: readonly FileInfo[]): string {
  const hash = createHash('sha1');
  for (const { path, bytes, modified_ms, kept } of files)
    hash.update(`${path}\0${bytes}\0${modified_ms}\0${kept === true ? 1 : 0}\n`);
  return hash.digest('hex');
}

export interface StoredRoot {
  id: number;
  listing: string;
  links: string;
}

export function rootIn(main: DatabaseSync, { place, root }: AgentFolder<AgentPlace>): StoredRoot | undefined {
  return main
    .prepare('select id, listing, links from roots where agent = ? and folder = ?')
    .get(place.agent, realPath(root.folder)) as StoredRoot | undefined;
}

/** Does the store hold all of this folder, read at least so far? */
export function isCurrent(main: DatabaseSync, folder: AgentFolder<AgentPlace>, tier: Tier): boolean {
  const root = rootIn(main, folder);
  if (root === undefined) return folder.files.length === 0;
  if (root.listing !== listingOf(folder.files)) return false;
  const least = main.prepare('select min(tier) as tier from families where root = ?').get(root.id)?.tier;
  return least === null || Number(least) >= tier;
}
