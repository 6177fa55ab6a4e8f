import type { Family } from '../sources/source.ts';

/**
 * Families that the store holds, in the order in which they are found without one: files are listed by their paths, and a family is found with the first of
 * its own. The store has them as they were read, by times that a copy of a home may change.
 */
export function inFoundOrder<T>(all: readonly T[], familyOf: (one: T) => Family): T[] {
  const first = new Map(all.map((one) => [one, firstPath(familyOf(one))]));
  const path = (one: T) => first.get(one) ?? '';
  return all.toSorted((a, b) => (path(a) < path(b) ? -1 : path(a) > path(b) ? 1 : 0));
}

/** Of a file that it begins with, or that tells more of it, others may be the owners. */
function firstPath({ files }: Family): string {
  let first: string | undefined;
  for (const { role, info } of files)
    if (role !== 'companion' && role !== 'base' && (first === undefined || info.path < first)) first = info.path;
  return first ?? '';
}
