// The choices that each facet offers.

import type { SessionRow } from '../../api.ts';
import { type Chosen, DATES, type Facet, fits, SIZES, valuesOf } from '../../facets.ts';
import { EVENT_KINDS, NAMES } from '../parts/events.ts';
import { shortPath } from '../parts/measures.ts';
import { visible } from '../parts/visible.ts';

export interface Choice {
  value: string;
  name: string;
  count: number;
}

const MOST = 14;

/** The commonest first, and whatever is chosen; dates and sizes in their order. */
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
  return choices
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
    .filter(({ value }, place) => place < MOST || chosen[facet].includes(value));
}

function nameOf(facet: Facet, value: string): string {
  if (facet === 'event') return NAMES[EVENT_KINDS.find((kind) => kind === value) ?? 'failure'][1];
  if (facet === 'project') return value === '' ? '(no project)' : visible(shortPath(value));
  return value === '' ? '(none)' : visible(value);
}
