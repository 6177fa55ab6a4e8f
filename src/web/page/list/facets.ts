// What the list can be narrowed to.

import type { SessionRow } from '../../api.ts';
import { EVENT_KINDS, NAMES } from '../parts/events.ts';
import { shortPath } from '../parts/measures.ts';
import { visible } from '../parts/visible.ts';

export const FACETS = ['agent', 'event', 'date', 'model', 'size', 'project'] as const;
export type Facet = (typeof FACETS)[number];
export type Chosen = Record<Facet, string[]>;

export interface Choice {
  value: string;
  name: string;
  count: number;
}

const DAY = 86_400_000;
const SIZES: [name: string, most: number][] = [
  ['below 100 kB', 1e5],
  ['100 kB to 1 MB', 1e6],
  ['1 to 10 MB', 1e7],
  ['above 10 MB', Number.POSITIVE_INFINITY],
];
const DATES: [name: string, days: number][] = [
  ['today', 1],
  ['last 7 days', 7],
  ['last 30 days', 30],
  ['older', Number.POSITIVE_INFINITY],
];

function valuesOf(row: SessionRow, facet: Facet, now: number): string[] {
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

export function chosenIn(query: URLSearchParams): Chosen {
  return Object.fromEntries(FACETS.map((facet) => [facet, query.getAll(facet)])) as Chosen;
}

/** Rows that fit every facet but one, so that its other choices can still be seen. */
export function fits(row: SessionRow, chosen: Chosen, now: number, except?: Facet): boolean {
  return FACETS.every((facet) => {
    const wanted = chosen[facet];
    return facet === except || wanted.length === 0 || valuesOf(row, facet, now).some((value) => wanted.includes(value));
  });
}

/** A search of what was said, narrowed by what is ticked, as far as the index knows of it. First, since the words may end within quotes. */
export function askedFor(text: string, chosen: Chosen): string {
  const filters = (['agent', 'event', 'project'] as const).flatMap((facet) =>
    chosen[facet].filter((value) => value !== '' && !value.includes('"')).map((value) => `${facet}:"${value}"`),
  );
  return [...filters, text].join(' ');
}

const MOST = 14;

/** The commonest first; dates and sizes in their order. */
export function choicesOf(rows: readonly SessionRow[], facet: Facet, chosen: Chosen, now: number): Choice[] {
  const counts = new Map<string, number>();
  for (const row of rows)
    if (fits(row, chosen, now, facet))
      for (const value of valuesOf(row, facet, now)) counts.set(value, (counts.get(value) ?? 0) + 1);
  for (const value of chosen[facet]) if (!counts.has(value)) counts.set(value, 0);
  const choices = [...counts].map(([value, count]) => ({ value, name: nameOf(facet, value), count }));
  const order = {
    date: DATES.map(([name]) => name),
    size: SIZES.map(([name]) => name),
    event: [...EVENT_KINDS] as string[],
  };
  if (facet === 'date' || facet === 'size' || facet === 'event')
    return choices.sort((a, b) => order[facet].indexOf(a.value) - order[facet].indexOf(b.value));
  return choices.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)).slice(0, MOST);
}

function nameOf(facet: Facet, value: string): string {
  if (facet === 'event') return NAMES[EVENT_KINDS.find((kind) => kind === value) ?? 'failure'][1];
  if (facet === 'project') return value === '' ? '(no project)' : visible(shortPath(value));
  return value === '' ? '(none)' : visible(value);
}
