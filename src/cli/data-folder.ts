// Where Palimpsest keeps what is its own. Imports nothing: it is asked before anything else is loaded.

/** PALIMPSEST_DATA, or the folder that the platform has for that. */
export function dataFolder(environment: NodeJS.ProcessEnv): string {
  const { PALIMPSEST_DATA, PALIMPSEST_HOME, XDG_DATA_HOME, LOCALAPPDATA } = environment;
  if (PALIMPSEST_DATA) return PALIMPSEST_DATA;
  const { join } = process.getBuiltinModule('node:path');
  const home = PALIMPSEST_HOME || process.getBuiltinModule('node:os').homedir();
  const below: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: LOCALAPPDATA ?? join(home, 'AppData', 'Local'),
  };
  const shared = PALIMPSEST_HOME ? undefined : XDG_DATA_HOME;
  return join(below[process.platform] ?? (shared || join(home, '.local', 'share')), 'palimpsest');
}
