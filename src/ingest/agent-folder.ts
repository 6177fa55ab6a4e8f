// The files of the agents' folders as they lie there now, kept ones among them. Opens none of them.

import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Diagnostic } from '../schema/session.ts';
import type { AgentName } from '../schema/words.ts';
import type { AgentPlace, FileInfo, Files } from '../sources/source.ts';
import { type FolderTimes, type ListedBefore, listedAgain, NotedTimes } from './folder-times.ts';
import { type Kept, type Live, openKept, withKept } from './kept-files.ts';
import { filesOf, type Listing, listFiles, type Root } from './node-files.ts';

/** Where to look: a home folder, and folders of single agents that were moved out of it. */
export interface HomePlaces {
  homes: string[];
  /** Root folders by agent, in place of the ones in the homes. */
  moved?: Partial<Record<AgentName, string>>;
  /** A folder with kept files: what an agent has deleted is read from there. */
  kept?: string;
}

export interface AgentFolder<Place extends AgentPlace> {
  place: Place;
  root: Root;
  /** The folder itself, wherever links lead to it from. */
  real: string;
  files: FileInfo[];
  port: Files;
  /** When its folders were last changed; null where that cannot be relied on, or nobody asked. */
  times: FolderTimes | null;
}

/** What was there when a folder was listed before, by agent and real path; undefined where nobody knows. */
export type AskBefore = (agent: AgentName, real: string) => ListedBefore | undefined;

export interface AgentFolders<Place extends AgentPlace> {
  folders: AgentFolder<Place>[];
  /** Folders that could not be read. */
  diagnostics: Diagnostic[];
}

/** With `before`, folders that are as they were are not listed again. */
export function agentFolders<Place extends AgentPlace>(
  places: HomePlaces,
  agents: Place[],
  before?: AskBefore,
): AgentFolders<Place> {
  const kept = places.kept === undefined ? undefined : openKept(places.kept);
  const diagnostics = [...(kept?.diagnostics ?? [])];
  const folders = agents.flatMap((place) =>
    rootsOf(place, places).map((root) => {
      const real = realPath(root.folder);
      const listing = timedListing(root, place, real, before);
      diagnostics.push(...listing.diagnostics);
      const { files, port } = withKeptFiles(place, real, { files: listing.files, port: filesOf(root) }, kept);
      return { place, root, real, files, port, times: listing.times };
    }),
  );
  return { folders, diagnostics };
}

function timedListing(root: Root, place: AgentPlace, real: string, before: AskBefore | undefined): TimedListing {
  const { agent, places } = place;
  if (before === undefined) return { ...listFiles(root, places), times: null };
  const known = before(agent, real);
  const again = known === undefined ? undefined : listedAgain(root, places, known);
  if (known !== undefined && again !== undefined) return { files: again, diagnostics: [], times: known.times };
  const noted = new NotedTimes(root);
  const { files, diagnostics } = listFiles(root, places, { folder: (path) => noted.note(path) });
  // What cannot be read is told of each time.
  return { files, diagnostics, times: diagnostics.length > 0 ? null : noted.all };
}

interface TimedListing extends Listing {
  times: FolderTimes | null;
}

function withKeptFiles(place: AgentPlace, real: string, live: Live, kept: Kept | undefined): Live {
  return kept === undefined ? live : withKept(live, kept.filesOf(real), kept.open, place);
}

/** Opens the files of a root by name, those that are gone from what was kept of them. */
export function portTo(place: AgentPlace, root: Root, kept: string | undefined): Files {
  const live = { files: [], port: filesOf(root) };
  return withKeptFiles(place, realPath(root.folder), live, kept === undefined ? undefined : openKept(kept)).port;
}

/** An agent's folders, whether they are there or not. */
export function rootsOf({ agent, root }: AgentPlace, { homes, moved }: HomePlaces): Root[] {
  const elsewhere = moved?.[agent];
  const folders = elsewhere === undefined ? homes.map((home) => join(home, root.name)) : [elsewhere];
  const distinct = new Map(folders.map((folder) => [realPath(folder), folder]));
  return [...distinct.values()].map((folder) => ({ folder, name: root.name }));
}

/** The same home given twice is one. Of a folder that is gone, what there is of its path counts: kept files are known by it. */
export function realPath(folder: string): string {
  const path = resolve(folder);
  if (existsSync(path)) return realpathSync(path);
  return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path));
}
