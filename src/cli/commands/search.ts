import { existsSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  type AgentName,
  BadQuery,
  type CurrentStore,
  exactPattern,
  filtersFrom,
  filtersIn,
  lowestTier,
  openTexts,
  parseQuery,
  type QueryOptions,
  regexPattern,
  type SearchHit,
  scanStore,
  searchStore,
  snippetMaker,
} from '../../reports.ts';
import { fail, nothing } from '../failure.ts';
import { now } from '../now.ts';
import { say, sayOnce, writeJson } from '../output.ts';
import { writePaged } from '../pager.ts';
import { emptyHomeMessage, filterWords, placesFrom, placeWords } from '../places.ts';
import { screen } from '../screen.ts';
import { type ShownHit, searchJson, searchLines } from '../search-page.ts';
import { type StoreOptions, withStore } from '../stored.ts';

interface SearchFlags extends StoreOptions {
  ranked?: boolean;
  regex?: boolean;
  exact?: boolean;
  limit: number;
  agent?: AgentName;
  project?: string;
  since?: string;
  until?: string;
  pager: boolean;
  json?: boolean;
}

/** Tools' texts are read along where that is little work; else what was said is searched, and it is said how to add them. */
const LITTLE_BYTES = 256 * 1024 * 1024;

export async function search(words: string[], flags: SearchFlags): Promise<void> {
  // What stands behind -- is no option.
  const end = process.argv.indexOf('--');
  const given = end === -1 ? process.argv : process.argv.slice(0, end);
  const option = words.find((word) => word.startsWith('--') && given.includes(word));
  if (option !== undefined) fail(`There is no option ${option}. To search for it, use --exact -- '${option}'.`);
  const text = words.join(' ');
  const isAnswered = await withStore(
    flags,
    2,
    async (current, wasStopped) => {
      const isEnough = current.isCurrent || wasStopped;
      if (isEnough) await answer(text, flags, current);
      return isEnough;
    },
    { most: LITTLE_BYTES, needsSums: false },
  );
  if (!isAnswered) await withStore(flags, 1, (current) => answer(text, flags, current), { needsSums: false });
}

async function answer(text: string, flags: SearchFlags, current: CurrentStore): Promise<void> {
  try {
    const isScan = flags.regex === true || flags.exact === true;
    const { hits, more } = await (isScan ? scanned : looked)(text, flags, current);
    await show(hits, more, text, flags, current);
  } catch (error) {
    if (error instanceof BadQuery) fail(error.message);
    throw error;
  }
}

interface Answer {
  hits: ShownHit[];
  more: boolean;
}

/** By the words in the index. Texts are read of what was found, and only what reads those is loaded. */
async function looked(text: string, flags: SearchFlags, current: CurrentStore): Promise<Answer> {
  const { store, roots } = current;
  const { limit, ranked = false } = flags;
  const query = parseQuery(text, queryOptions(flags));
  const { hits, more } = searchStore(store, query, { limit, ranked, roots });
  if (hits.length === 0) return { hits: [], more };
  const snippet = snippetMaker(store, query);
  const agents = hits.map(({ agent }) => agent);
  return withTexts(flags, current, agents, (textsOf) => ({
    hits: hits.map((hit) => ({ hit, snippet: snippet(hit, textsOf(hit)) })),
    more,
  }));
}

/** In the texts themselves. */
function scanned(text: string, flags: SearchFlags, current: CurrentStore): Promise<Answer> {
  const { store, roots } = current;
  const { limit } = flags;
  const pattern = flags.regex === true ? regexPattern(text) : exactPattern(text);
  const filters = filtersFrom(queryOptions(flags));
  return withTexts(flags, current, undefined, (texts) => scanStore(store, pattern, filters, { limit, roots, texts }));
}

type TextsOf = Parameters<typeof scanStore>[3]['texts'];

async function withTexts(
  flags: SearchFlags,
  { store }: CurrentStore,
  agents: AgentName[] | undefined,
  work: (textsOf: TextsOf) => Answer,
): Promise<Answer> {
  const texts = await openTexts(store, placesFrom(flags, process.env).kept, agents);
  try {
    const answer = work((hit) => texts.of(hit.stored));
    // Words are found in the index, whole texts only in the files.
    for (const path of texts.unread)
      sayOnce(`Cannot read ${path} any more: what the index does not hold of it was not searched.`);
    return answer;
  } finally {
    texts.close();
  }
}

function queryOptions({ agent, project, since, until }: SearchFlags): QueryOptions {
  return {
    now: now(),
    filters: { agent, since, until, project: project === undefined ? undefined : [project, resolve(project)] },
  };
}

/** Of several homes the one that the hit is in: the same session may lie in two of them. */
function wordsByHit(flags: SearchFlags, { main }: CurrentStore['store']): (hit: SearchHit) => string {
  const homes = flags.home ?? [];
  if (homes.length < 2) return () => placeWords(flags);
  const folderOf = main.prepare('select folder from roots where id = ?');
  return ({ stored }) => {
    const folder = String(folderOf.get(stored.root)?.folder);
    const home = homes.find((one) => existsSync(one) && dirname(folder) === realpathSync(one));
    return placeWords(home === undefined ? flags : { home: [home] });
  };
}

async function show(
  hits: ShownHit[],
  more: boolean,
  text: string,
  flags: SearchFlags,
  { store, roots, isCurrent }: CurrentStore,
): Promise<void> {
  const words = placeWords(flags);
  const wordsOf = wordsByHit(flags, store);
  const hasToolTexts = lowestTier(store, roots) >= 2;
  if (flags.json === true)
    writeJson('search', { hits: searchJson(hits, wordsOf), more, tool_texts: hasToolTexts, is_current: isCurrent });
  if (roots.length === 0 && isCurrent) nothing(emptyHomeMessage(flags));
  if (!hasToolTexts && flags.json !== true)
    say(
      `Only what was said was searched: the texts of tools are not in the index yet. "pal index${words}" adds them.\n`,
    );
  if (hits.length === 0 && !isCurrent)
    nothing('Nothing was found in what the index holds so far. Try again when it has been brought up to date.');
  if (hits.length === 0) nothing(`Nothing was found${narrowed(text, flags)}.${hint(flags)}`);
  if (flags.json === true) return;
  await writePaged(searchLines(hits, screen(), { now: now(), words: wordsOf }), { wanted: flags.pager });
  if (more) say(`\n… and more: --limit ${flags.limit * 5}, or narrow it down: agent: project: tool: kind: since:`);
}

/** What a search was narrowed down to, where it was: by options, or within the query. */
function narrowed(text: string, { agent, project, since, until, exact, regex }: SearchFlags): string {
  const within = exact === true || regex === true ? [] : filtersIn(text);
  const given = [filterWords({ agent, project, since, until }).trim(), ...within].filter((one) => one !== '');
  return given.length === 0 ? '' : ` that fits ${given.join(' ')}`;
}

function hint({ exact, regex }: SearchFlags): string {
  if (exact === true || regex === true) return '';
  return ' Words are whole words: end one with * for those that begin so, or use --exact.';
}
