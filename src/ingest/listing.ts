// Has anything changed? Told from names, sizes and times alone, without loading what reads histories.

import type { DatabaseSync } from 'node:sqlite';
import type { AgentPlace, FileInfo } from '../sources/source.ts';
import { isSameListing, listingIn, type PackedListing, packListing } from '../store/packed-listing.ts';
import type { Tier } from '../store/rows.ts';
import type { AgentFolder } from './agent-folder.ts';
import { canBeOpened, unreadIn } from './unread-files.ts';

const packed = new WeakMap<readonly FileInfo[], PackedListing>();

/** Everything that is there. Packed once: it is asked for before, while and after the store is brought up to date. */
export function listingOf(files: readonly FileInfo[]): PackedListing {
  const known = packed.get(files) ?? packListing(files);
  packed.set(files, known);
  return known;
}

export interface StoredRoot {
  id: number;
  links: string;
}

export function rootIn(main: DatabaseSync, { place, real }: AgentFolder<AgentPlace>): StoredRoot | undefined {
  return main.prepare('select id, links from roots where agent = ? and folder = ?').get(place.agent, real) as
    | StoredRoot
    | undefined;
}

/** Does the store hold all of this folder, read at least so far? */
export function isCurrent(main: DatabaseSync, folder: AgentFolder<AgentPlace>, tier: Tier): boolean {
  const root = rootIn(main, folder);
  if (root === undefined) return folder.files.length === 0;
  const listing = listingIn(main, root.id);
  if (listing === undefined || !isSameListing(listing, listingOf(folder.files))) return false;
  const least = main.prepare('select min(tier) as tier from families where root = ?').get(root.id)?.tier;
  if (least !== null && Number(least) < tier) return false;
  return !unreadIn(main, root.id).some(({ path }) => canBeOpened(folder.port, path));
}
