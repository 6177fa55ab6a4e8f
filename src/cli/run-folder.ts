import { existsSync } from 'node:fs';
import type { FoundFamily, SessionReader } from '../index.ts';

/**
 * The folder in which the agent goes on with a session: agents look for sessions by folder. A project that was moved was worked on in
 * both folders, and its session may name both: it is the newer one that the agent finds it in.
 */
export function runFolder({ writer }: FoundFamily, { document }: SessionReader): string | null {
  const { project, cwds } = document.session;
  // Where other agents look is not known.
  if (writer === null) return project;
  const folders = [project, ...cwds.toReversed()].filter((folder) => folder !== null);
  const path = writer.path('new', null);
  const found = folders.filter((folder) => writer.looksThere(path, folder));
  return found.find(isThere) ?? found[0] ?? folders.find(isThere) ?? project;
}

function isThere(folder: string): boolean {
  return existsSync(folder);
}
