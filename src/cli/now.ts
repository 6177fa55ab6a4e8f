/** The present. Tests and pictures have one of their own, in PALIMPSEST_NOW. */
export function now(environment: NodeJS.ProcessEnv = process.env): number {
  return environment.PALIMPSEST_NOW === undefined ? Date.now() : Date.parse(environment.PALIMPSEST_NOW);
}
