// Where to look, from options and environment. The only place that asks for the home folder.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AgentName, type HomePlaces, sources } from '../index.ts';

export interface PlaceOptions {
  home?: string[];
  sample?: boolean;
}

/** `--home` stands above everything; then the agents' own variables; then `PALIMPSEST_HOME`; then the user's home. */
export function placesFrom(options: PlaceOptions, environment: NodeJS.ProcessEnv): HomePlaces {
  if (options.sample === true) return samplePlaces();
  if (options.home !== undefined && options.home.length > 0) return { homes: options.home };
  const homes = [environment.PALIMPSEST_HOME || homedir()];
  const moved: Partial<Record<AgentName, string>> = {};
  for (const source of sources) {
    const folder = environment[source.root.variable];
    if (folder) moved[source.agent] = source.root.moves === 'home' ? join(folder, source.root.name) : folder;
  }
  return { homes, moved };
}

/** Sessions that come with the package, for a first look. */
export function samplePlaces(): HomePlaces {
  return { homes: [fileURLToPath(new URL('../../samples', import.meta.url))] };
}

/** Homes given by hand must be there. */
export function missingHomes(places: HomePlaces): string[] {
  return places.homes.filter((home) => !existsSync(home));
}
