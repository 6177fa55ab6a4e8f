// Searches the texts themselves, from the newest message on: for what is no word.

import { lettersOf } from '../store/letters.ts';
import type { Store } from '../store/open.ts';
import type { Found } from './found.ts';
import { messagesByTime, type TimedShard } from './messages-by-time.ts';
import { narrowing, type ScanPattern } from './scan-pattern.ts';
import type { SearchOptions } from './search.ts';
import { SEARCH_LIMIT } from './search.ts';
import { HitReader, type SearchHit, type StoredPlace } from './search-hit.ts';
import type { SearchFilters } from './search-query.ts';
import { sessionNames } from './session-names.ts';
import { ShardMessages } from './shard-messages.ts';
import { type MessageText, type Snippet, snippetOf } from './snippet.ts';
import { rowsOf } from './statements.ts';
import { anyTextTest, sessionsWanted, textsInScope, wholeSessions } from './wanted-messages.ts';

export interface ScanOptions extends Omit<SearchOptions, 'ranked'> {
  /** The texts of a message, as they were written into the word lists, but whole. */
  texts: (hit: SearchHit) => readonly MessageText[];
  /** Whether these letters stand anywhere in the files of a session: asked once for each, before anything of it is read. */
  mayContain?: (session: StoredPlace, letters: string) => boolean;
}

export interface ScanResult {
  hits: { hit: SearchHit; snippet: Snippet }[];
  /** It was stopped before all messages were looked at. */
  more: boolean;
  /** Messages that were read. */
  read: number;
}

export function scanStore(
  store: Store,
  pattern: ScanPattern,
  filters: SearchFilters,
  { limit = SEARCH_LIMIT, offset = 0, roots, texts, mayContain }: ScanOptions,
): ScanResult {
  const shards = store.shards.map((database, shard) => new ShardMessages(database, shard));
  const reader = new HitReader(store);
  const inScope = textsInScope(filters);
  const result: ScanResult = { hits: [], more: false, read: 0 };
  const isLikely = likelySessions(pattern, mayContain);
  let left = offset;
  for (const found of candidates(store, shards, pattern, filters, roots)) {
    const messages = shards[found.shard];
    const hit = messages && reader.hit(found, messages);
    if (!hit || !isLikely(hit.stored)) continue;
    result.read++;
    const whole = inScope(hit.kind, texts(hit));
    const isFound = whole.some(({ text }) => pattern.finder.places(text, 0)[Symbol.iterator]().next().done !== true);
    if (!isFound || --left >= 0) continue;
    if (result.hits.length === limit) {
      result.more = true;
      break;
    }
    const snippet = snippetOf(whole, pattern.finder);
    if (snippet !== null) result.hits.push({ hit, snippet });
  }
  return result;
}

/** A message is looked at if the word lists say that it may fit, or do not hold all of it. */
function candidates(
  store: Store,
  shards: readonly ShardMessages[],
  pattern: ScanPattern,
  filters: SearchFilters,
  roots: readonly number[] | undefined,
): Iterable<Found> {
  const sessions = wholeSessions(store, sessionsWanted(store, filters, { roots }));
  const isWanted = anyTextTest(filters);
  const match = narrowing(pattern, lettersOf(store.main));
  const unread = new Set(rowsOf(store.main, UNREAD).map(([session]) => session));
  const timed = shards.map((messages): TimedShard => {
    const known = match === null ? null : idsWith(messages, match);
    return {
      messages,
      sessions: sessions[messages.shard] ?? '[]',
      isWanted: (message, id, session) =>
        isWanted(message) &&
        (known === null ||
          known.has(id) ||
          unread.has(session) ||
          message.outline.longestRow(message.at) > WHOLE_BYTES),
    };
  });
  return messagesByTime(timed, { since: filters.since, nameOf: sessionNames(store) });
}

/** Of longer texts the word lists hold the beginning and the end: see search-text.ts. A text has no more bytes than its row. */
const WHOLE_BYTES = 16 * 1024;

/** Sessions of which the texts of tools have not been read yet. */
const UNREAD = 'select s.id from sessions s join families f on f.id = s.family where f.tier < 2';

function idsWith({ database }: ShardMessages, match: string): Set<number> {
  const rows = rowsOf(
    database,
    'select rowid from prose where prose match ? union all select rowid from tool_texts where tool_texts match ?',
    match,
    match,
  );
  return new Set(rows.map(([id]) => Number(id)));
}

function likelySessions(
  { required, isCaseSensitive }: ScanPattern,
  mayContain: ScanOptions['mayContain'],
): (place: StoredPlace) => boolean {
  // Only letters and digits stand in every file as they are: all else may be written in several ways.
  const runs = isCaseSensitive ? required.flatMap(({ text }) => text.match(/[A-Za-z0-9]+/g) ?? []) : [];
  const longest = runs.reduce((most, run) => (run.length > most.length ? run : most), '');
  if (mayContain === undefined || longest === '') return () => true;
  const known = new Map<number, boolean>();
  return (place) => {
    const answer = known.get(place.session) ?? mayContain(place, longest);
    known.set(place.session, answer);
    return answer;
  };
}
