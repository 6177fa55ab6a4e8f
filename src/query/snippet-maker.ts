import { lettersOf } from '../store/letters.ts';
import type { Store } from '../store/open.ts';
import { wordFinder } from './find-words.ts';
import type { SearchHit } from './search-hit.ts';
import type { SearchQuery } from './search-query.ts';
import { type MessageText, type Snippet, snippetOf } from './snippet.ts';
import { textsInScope } from './wanted-messages.ts';

/** Gives the snippet of a hit from its texts; null where there are none that the query is about. */
export function snippetMaker(
  { main }: Store,
  query: SearchQuery,
): (hit: Pick<SearchHit, 'kind'>, texts: readonly MessageText[]) => Snippet | null {
  const finder = wordFinder(query, lettersOf(main));
  const inScope = textsInScope(query.filters);
  return ({ kind }, texts) => snippetOf(inScope(kind, texts), finder);
}
