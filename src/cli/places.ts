// Where to look, from options and environment. The only place that asks for the home folder.

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AgentName, agentPlaces, type HomePlaces } from '../reports.ts';
import { dataFolder } from './data-folder.ts';

export interface PlaceOptions {
  home?: string[];
  sample?: boolean;
}

/** `--home` stands above everything; then the agents' own variables; then `PALIMPSEST_HOME`; then the user's home. */
export function placesFrom(options: PlaceOptions, environment: NodeJS.ProcessEnv): HomePlaces {
  if (options.sample === true) return samplePlaces();
  const kept = keptFolder(environment);
  if (options.home !== undefined && options.home.length > 0) return { homes: options.home, kept };
  const homes = [environment.PALIMPSEST_HOME || homedir()];
  const moved: Partial<Record<AgentName, string>> = {};
  for (const source of agentPlaces) {
    const folder = environment[source.root.variable];
    if (folder) moved[source.agent] = source.root.moves === 'home' ? join(folder, source.root.name) : folder;
  }
  return { homes, moved, kept };
}

export function keptFolder(environment: NodeJS.ProcessEnv): string {
  return join(dataFolder(environment), 'kept');
}

/** Where the index lies. */
export function storeFolder(
  { store, sample }: { store?: string; sample?: boolean },
  environment: NodeJS.ProcessEnv,
): string | null {
  if (sample === true) return null;
  return store ?? join(dataFolder(environment), 'index');
}

/** Sessions that come with the package, for a first look. */
export function samplePlaces(): HomePlaces {
  return { homes: [fileURLToPath(new URL('../../samples', import.meta.url))] };
}

/** What is wrong with the homes that were given by hand: they must be there, and be folders. */
export function troubleWithHomes({ homes }: HomePlaces): string | undefined {
  const missing = homes.find((home) => !existsSync(home));
  const file = homes.find((home) => missing === undefined && !statSync(home).isDirectory());
  if (missing !== undefined) return `There is no folder ${missing}.`;
  const closed = homes.find((home) => file === undefined && !isReadable(home));
  if (closed !== undefined) return `Cannot read ${closed}: permission denied.`;
  return file && `${file} is no folder.`;
}

function isReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What another command needs to find the same sessions. */
export function placeWords({ home, sample }: PlaceOptions): string {
  const homes = (home ?? []).map((folder) => ` --home ${shellWord(folder)}`).join('');
  return sample === true ? ' --sample' : homes;
}

/** Filters once more, as words. */
export function filterWords(filters: Record<string, string | string[] | boolean | undefined>): string {
  return Object.entries(filters)
    .flatMap(([name, value]) => {
      if (value === undefined || value === false) return [];
      if (value === true) return [` --${name}`];
      return (Array.isArray(value) ? value : [value]).map((one) => ` --${name} ${shellWord(one)}`);
    })
    .join('');
}

/** As shells take it, fish too, for which a backslash in quotes is not only itself: quotes and backslashes stand outside. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/['\\]/g, "'\\$&'")}'`;
}

interface Filters {
  agent?: string;
  project?: string;
  since?: string;
  until?: string;
}

/** Names what was asked for. */
export function nothingFits(what: string, { agent, project, since, until }: Filters): string {
  const given = { agent, project, since, until };
  const isOne = Object.values(given).filter((value) => value !== undefined).length === 1;
  return `No ${what} fits${filterWords(given)}${isOne ? '' : ' together'}.`;
}

export function emptyHomeMessage(options: PlaceOptions): string {
  const { homes } = placesFrom(options, process.env);
  return `No session was found in ${homes.join(', ')}.\nGive another home with --home DIR, a file by its path, or --sample for the sessions that come with Palimpsest.`;
}
