// Searches the store.

import type { Store } from '../store/open.ts';
import type { Found } from './found.ts';
import { messagesByTime } from './messages-by-time.ts';
import { newestWords } from './newest.ts';
import { rankedWords } from './ranked.ts';
import { HitReader, type SearchHit } from './search-hit.ts';
import { matchText, type SearchQuery } from './search-query.ts';
import { type NameOf, sessionNames } from './session-names.ts';
import { ShardMessages } from './shard-messages.ts';
import { anyTextTest, type SessionOptions, sessionsWanted, wholeSessions, wordTables } from './wanted-messages.ts';
import { WordList } from './word-list.ts';

export interface SearchOptions {
  /** How many hits; 20 where nothing is said. */
  limit?: number;
  /** How many to leave out first. */
  offset?: number;
  /** The best first, by bm25 among the newest; else the newest first. */
  ranked?: boolean;
  /** Only sessions below these roots of the store. */
  roots?: readonly number[];
  /** Only these sessions, with their subagents. */
  families?: SessionOptions['families'];
}

export interface SearchResult {
  hits: SearchHit[];
  /** There are others. */
  more: boolean;
}

export const SEARCH_LIMIT = 20;

export function searchStore(store: Store, query: SearchQuery, options: SearchOptions = {}): SearchResult {
  const { limit = SEARCH_LIMIT, offset = 0, roots, families, ranked = false } = options;
  const end = offset + limit;
  const reader = new HitReader(store);
  const messages = store.shards.map((database, shard) => new ShardMessages(database, shard));
  const nameOf = sessionNames(store);
  const wanted = sessionsWanted(store, query.filters, { roots, families });
  const look = (sessions: string[] | null) => lookUp(messages, query, { sessions, most: end + 1, ranked, nameOf });
  let found = look(wanted);
  // Seldom: then all sessions are asked for, so that what does not count does not take the place of what does.
  if (!found.every((one) => reader.isWhole(one))) found = look(wholeSessions(store, wanted));
  const hits = found.slice(offset, end).flatMap((one) => {
    const shard = messages[one.shard];
    return (shard && reader.hit(one, shard)) ?? [];
  });
  return { hits, more: found.length > end };
}

const SEVERAL_WORDS = /[\p{L}\p{N}][^\p{L}\p{N}]+[\p{L}\p{N}]/u;

interface LookOptions {
  sessions: string[] | null;
  most: number;
  ranked: boolean;
  nameOf: NameOf;
}

function lookUp(
  shards: readonly ShardMessages[],
  query: SearchQuery,
  { sessions, most, ranked, nameOf }: LookOptions,
): Found[] {
  const { filters, groups, not } = query;
  const sessionsOf = ({ shard }: ShardMessages) => sessions?.[shard] ?? null;
  const match = matchText(query);
  if (match === null) {
    const isWanted = anyTextTest(filters);
    const timed = shards.map((messages) => ({ messages, sessions: sessionsOf(messages), isWanted }));
    return [...messagesByTime(timed, { since: filters.since, nameOf }).take(most)];
  }
  const terms = [...groups, not].flat();
  const isCostly = terms.some(({ prefix }) => prefix);
  const isHard = isCostly || terms.some(({ text }) => SEVERAL_WORDS.test(text));
  const { since, until } = filters;
  const asked = shards.map((messages) => {
    const given = { messages, match, isCostly, isHard, since, between: messages.between(since, until) };
    return { ...given, sessions: sessionsOf(messages) };
  });
  // What was said comes first: of that there is least, and what is older than enough of it need not be looked at in the rest.
  const lists = wordTables(filters).flatMap(({ table, isWanted, isFiltered }) =>
    asked.map(
      (given) => new WordList({ ...given, table, isWanted, isFiltered: isFiltered || given.sessions !== null }),
    ),
  );
  return ranked ? rankedWords(lists, most, nameOf) : newestWords(lists, { most, since, nameOf });
}
