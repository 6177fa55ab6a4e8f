// What the list, and searches of what was said, can be narrowed to.

import { EVENT_KINDS } from '../schema/words.ts';
import type { SessionRow } from './api.ts';

export const FACETS = ['agent', 'event', 'date', 'model', 'size', 'project'] as const;
export type Facet = (typeof FACETS)[number];
/** What is wanted of each; nothing where all is. */
export type Chosen = Record<Facet, string[]>;

const DAY = 86_400_000;
export const SIZES: [name: string, most: number][] = [
  ['below 100 kB', 1e5],
  ['100 kB to 1 MB', 1e6],
  ['1 to 10 MB', 1e7],
  ['above 10 MB', Number.POSITIVE_INFINITY],
];
export const DATES: [name: string, days: number][] = [
  ['today', 1],
  ['last 7 days', 7],
  ['last 30 days', 30],
  ['older', Number.POSITIVE_INFINITY],
];

export function chosenIn(query: URLSearchParams): Chosen {
  return Object.fromEntries(FACETS.map((facet) => [facet, query.getAll(facet)])) as Chosen;
}

export function isAny(chosen: Chosen): boolean {
  return FACETS.every((facet) => chosen[facet].length === 0);
}

/** Rows that fit every facet but one, so that its other choices can still be seen. */
export function fits(row: SessionRow, chosen: Chosen, now: number, except?: Facet): boolean {
  return FACETS.every((facet) => {
    const wanted = chosen[facet];
    return facet === except || wanted.length === 0 || valuesOf(row, facet, now).some((value) => wanted.includes(value));
  });
}

export function valuesOf(row: SessionRow, facet: Facet, now: number): string[] {
  switch (facet) {
    case 'agent':
      return [row.agent];
    case 'event':
      return EVENT_KINDS.filter((_, number) => (row.events[number] ?? 0) > 0);
    case 'date': {
      const age = (now - Date.parse(row.last_used ?? '')) / DAY;
      return DATES.filter(([name, days]) => (name === 'older' ? !(age <= 30) : age <= days)).map(([name]) => name);
    }
    case 'model':
      return row.models;
    case 'size':
      return [SIZES.find(([, most]) => row.bytes < most)?.[0] ?? ''];
    case 'project':
      return [row.project ?? ''];
  }
}
