// What measure/search.ts prints.

/** Twenty hits in one order or the other, with the rows that they come from; or as `pal search` shows them. */
export const WAYS = ['newest first', 'ranked', 'newest first, with snippets'] as const;
export type Way = (typeof WAYS)[number];

/** Milliseconds of every query. */
export interface QueryTimes {
  wall: number[];
  cpu: number[];
}

/** By kind of query, with the number of hits that they had together. */
export type SearchTimes = Record<string, Record<Way, QueryTimes> & { hits: number }>;
