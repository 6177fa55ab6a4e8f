// What was said in any session, from the index.

import { BadQuery, type CurrentStore, openTexts, parseQuery, searchStore, snippetMaker } from '../reports.ts';
import type { SearchAnswer, TextHit } from './api.ts';
import { keyOf } from './rows.ts';

const MOST_HITS = 30;

interface SearchWithin {
  /** Where kept files are. */
  kept: string | undefined;
  /** Only these; all where it is undefined. */
  families: readonly { folder: string; id: string }[] | undefined;
  /** The key of a session by its agent's folder and its id: two homes may have the same. */
  keyAt: (folder: string, id: string) => string | undefined;
}

export async function searchAll(
  text: string,
  { store, roots, folders, isCurrent }: CurrentStore,
  { kept, families, keyAt }: SearchWithin,
): Promise<SearchAnswer> {
  const texts = await openTexts(store, kept);
  const rootOf = new Map([...folders].map(([root, folder]) => [folder, root]));
  const wanted = families?.map(({ folder, id }) => [rootOf.get(folder) ?? -1, id] as const);
  try {
    const query = parseQuery(text, { now: Date.now() });
    const { hits, more } = searchStore(store, query, { limit: MOST_HITS, roots, families: wanted });
    const snippet = snippetMaker(store, query);
    const shown = hits.map((hit): TextHit => {
      const { agent, session_id, title, project, message_index, kind, timestamp, live, left_by, stored } = hit;
      const found = snippet(hit, texts.of(stored));
      return {
        key: keyAt(folders.get(stored.root) ?? '', session_id) ?? keyOf(agent, session_id, 0),
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
