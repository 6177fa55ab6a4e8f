// Has anything changed? Told from names, sizes and times alone, without loading what reads histories.

import type { DatabaseSync } from 'node:sqlite';
import type { AgentPlace, FileInfo } from '../sources/source.ts';
import {
  isSameListing,
  listingIn,
  liveNames,
  type PackedListing,
  packListing,
  putListing,
} from '../store/packed-listing.ts';
import type { Tier } from '../store/rows.ts';
import type { AgentFolder, AskBefore } from './agent-folder.ts';
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

/** An agent's folder, wherever links lead to it from. */
interface KnownRoot {
  place: Pick<AgentPlace, 'agent'>;
  real: string;
}

export function rootIn(main: DatabaseSync, { place, real }: KnownRoot): StoredRoot | undefined {
  return main.prepare('select id, links from roots where agent = ? and folder = ?').get(place.agent, real) as
    | StoredRoot
    | undefined;
}

/** What the store knows of how folders were when they were last listed. A store that cannot tell is no reason not to list them: what is wrong with it shows itself elsewhere. */
export function listedIn(main: DatabaseSync): AskBefore {
  return (agent, real) => {
    try {
      const root = rootIn(main, { place: { agent }, real });
      const listing = root && listingIn(main, root.id);
      if (root === undefined || listing === undefined) return undefined;
      const times = main.prepare(TIMES).get(timesOf(root.id))?.value;
      return times === undefined ? undefined : { files: liveNames(listing), times: JSON.parse(String(times)) };
    } catch {
      return undefined;
    }
  };
}

const TIMES = 'select value from meta where name = ?';

function timesOf(root: number): string {
  return `folders ${root}`;
}

/** Keeps how a folder is listed now. */
export function keepListing(main: DatabaseSync, root: number, { files, times }: AgentFolder<AgentPlace>): void {
  putListing(main, root, listingOf(files));
  const [name, text] = [timesOf(root), times === null ? undefined : JSON.stringify(times)];
  if (main.prepare(TIMES).get(name)?.value === text) return;
  if (text === undefined) main.prepare('delete from meta where name = ?').run(name);
  else main.prepare('insert or replace into meta values (?, ?)').run(name, text);
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
