// What was said in any session, from the index.

import { BadQuery, type CurrentStore, openTexts, parseQuery, searchStore, snippetMaker } from '../reports.ts';
import type { SearchAnswer, TextHit } from './api.ts';

const MOST_HITS = 30;

export async function searchAll(
  text: string,
  { store, roots, isCurrent }: CurrentStore,
  kept: string | undefined,
  keyOf: (agent: string, id: string) => string,
): Promise<SearchAnswer> {
  const texts = await openTexts(store, kept);
  try {
    const query = parseQuery(text, { now: Date.now() });
    const { hits, more } = searchStore(store, query, { limit: MOST_HITS, roots });
    const snippet = snippetMaker(store, query);
    const shown = hits.map((hit): TextHit => {
      const { agent, session_id, title, project, message_index, kind, timestamp, live, left_by } = hit;
      const found = snippet(hit, texts.of(hit.stored));
      return {
        key: keyOf(agent, session_id),
        title,
        agent,
        project,
        message_index,
        kind,
        timestamp,
        live,
        left_by,
        snippet: found === null ? [] : pieces(found.text, found.marks),
      };
    });
    return { api_version: 1, hits: shown, more, is_current: isCurrent, trouble: null };
  } catch (error) {
    if (error instanceof BadQuery)
      return { api_version: 1, hits: [], more: false, is_current: isCurrent, trouble: error.message };
    throw error;
  } finally {
    texts.close();
  }
}

/** Every second piece is a hit. */
function pieces(text: string, marks: readonly [number, number][]): string[] {
  const found: string[] = [];
  let at = 0;
  for (const [start, end] of marks) {
    found.push(text.slice(at, start), text.slice(start, end));
    at = end;
  }
  return [...found, text.slice(at)];
}
