// The files of the agents' folders as they lie there now, kept ones among them. Opens none of them.

import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Diagnostic } from '../schema/session.ts';
import type { AgentName } from '../schema/words.ts';
import type { AgentPlace, FileInfo, Files } from '../sources/source.ts';
import { type Kept, type Live, openKept, withKept } from './kept-files.ts';
import { filesOf, listFiles, type Root } from './node-files.ts';

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
}

export interface AgentFolders<Place extends AgentPlace> {
  folders: AgentFolder<Place>[];
  /** Folders that could not be read. */
  diagnostics: Diagnostic[];
}

export function agentFolders<Place extends AgentPlace>(places: HomePlaces, agents: Place[]): AgentFolders<Place> {
  const kept = places.kept === undefined ? undefined : openKept(places.kept);
  const diagnostics = [...(kept?.diagnostics ?? [])];
  const folders = agents.flatMap((place) =>
    rootsOf(place, places).map((root) => {
      const listing = listFiles(root, place.places);
      diagnostics.push(...listing.diagnostics);
      const real = realPath(root.folder);
      return { place, root, real, ...withKeptFiles(place, real, { files: listing.files, port: filesOf(root) }, kept) };
    }),
  );
  return { folders, diagnostics };
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
