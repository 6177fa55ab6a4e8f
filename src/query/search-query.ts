// The language of searches: words, "phrases", prefixes*, -not, OR, and filters such as agent:codex. Whatever is typed is a
// query or a clear message, never an error of the database.

import { AGENTS, type AgentName, EVENT_KINDS, type EventKind, MESSAGE_KINDS } from '../schema/words.ts';
import { timeFrom } from './time-from.ts';

/** What is wrong with a query, and what to do; for the person who typed it. */
export class BadQuery extends Error {}

export interface SearchQuery {
  /** Of every group one term must be found. Without any, the filters alone decide. */
  groups: Term[][];
  /** None of these may be found. */
  not: Term[];
  filters: SearchFilters;
}

/** A word, or several that must follow one another. */
export interface Term {
  text: string;
  /** Its last word may go on. */
  prefix: boolean;
}

export interface SearchFilters {
  agent: Wanted<AgentName>;
  /** A path, or the name of its last folder. */
  project: Wanted<string>;
  /** How ids begin. */
  session: Wanted<string>;
  event: Wanted<EventKind>;
  kind: Wanted<SearchKind>;
  /** Names of tools, in any case; with * at the end, how they begin. */
  tool: Wanted<string>;
  /** In milliseconds since 1970. */
  since: number | null;
  /** The first moment that is too late. */
  until: number | null;
}

/** One of these, where there are any, and none of those. */
export interface Wanted<Value> {
  any: Value[];
  not: Value[];
}

const SEARCH_KINDS = [...MESSAGE_KINDS, 'tool'] as const;
type SearchKind = (typeof SEARCH_KINDS)[number];

const FILTERS = ['agent', 'project', 'session', 'event', 'kind', 'tool', 'since', 'until'] as const;
type FilterName = (typeof FILTERS)[number];

const EXAMPLES: Record<FilterName, string> = {
  agent: 'codex',
  project: 'shop',
  session: '1a34',
  event: 'compaction',
  kind: 'prompt',
  tool: 'Bash',
  since: '7d',
  until: '2026-11-01',
};

export interface QueryOptions {
  now: number;
  /** Filters that were given apart from the query, as options are. */
  filters?: Partial<Record<FilterName, string | readonly string[] | undefined>>;
}

/** Throws BadQuery where nothing can be looked for. */
export function parseQuery(text: string, options: QueryOptions): SearchQuery {
  const filters = filtersFrom(options);
  const [groups, not]: [Term[][], Term[]] = [[], []];
  const dropped: string[] = [];
  const pieces = piecesOf(text);
  let isOr = false;
  pieces.forEach((piece, i) => {
    const bare = FILTERS.find((name) => !piece.isQuoted && piece.text === `${name}:`);
    if (bare !== undefined)
      throw new BadQuery(
        `${bare}: needs a value right behind it: ${bare}:${EXAMPLES[bare]}. To find the word itself, put it in quotes: "${bare}".`,
      );
    if (piece.filter !== null) {
      addFilter(filters, piece.filter, piece.text, { isNot: piece.isNot, now: options.now });
      return;
    }
    if (isOperator(piece) && isWord(pieces[i - 1]) && isWord(pieces[i + 1])) {
      isOr = piece.text === 'OR';
      return;
    }
    const term = { text: piece.text, prefix: piece.prefix };
    if (!hasLetters(piece.text)) dropped.push(piece.text);
    else if (piece.isNot) not.push(term);
    else if (isOr) groups.at(-1)?.push(term);
    else groups.push([term]);
    isOr = false;
  });
  if (groups.length === 0 && not.length > 0)
    throw new BadQuery('There are only words that must not occur. Give at least one that must.');
  if (groups.length === 0 && dropped.length > 0)
    throw new BadQuery(
      `There is no letter and no digit in ${dropped.join(' ') || 'that'}, and only words are looked up. To find these very characters, use --exact.`,
    );
  if (groups.length === 0 && !hasFilter(filters))
    throw new BadQuery('Nothing to look for. Give a word, a "phrase", or a filter such as kind:prompt.');
  return { groups, not, filters };
}

/** The filters alone, for searches that have another kind of pattern. */
export function filtersFrom({ now, filters = {} }: QueryOptions): SearchFilters {
  const found: SearchFilters = {
    agent: { any: [], not: [] },
    project: { any: [], not: [] },
    session: { any: [], not: [] },
    event: { any: [], not: [] },
    kind: { any: [], not: [] },
    tool: { any: [], not: [] },
    since: null,
    until: null,
  };
  for (const name of FILTERS)
    for (const value of [filters[name] ?? []].flat()) addFilter(found, name, value, { isNot: false, now });
  return found;
}

interface Piece {
  isNot: boolean;
  filter: FilterName | null;
  text: string;
  prefix: boolean;
  isQuoted: boolean;
}

// What stands before a colon is a filter only if it is one: code and addresses are full of colons. Two hyphens are an option
// of a command that somebody looks for. A quote that is never closed goes to the end.
const PIECE = new RegExp(
  `(?<not>-(?=[^\\s-]))?(?:(?<filter>${FILTERS.join('|')}):(?=\\S))?(?:"(?<quoted>[^"]*)(?:"|$)(?<star>\\*)?|(?<plain>\\S+))`,
  'g',
);

function piecesOf(text: string): Piece[] {
  return [...text.matchAll(PIECE)].map(({ groups = {} }) => {
    const plain = groups.plain ?? '';
    const isStarred = groups.quoted === undefined ? plain.endsWith('*') : groups.star !== undefined;
    const filter = FILTERS.find((name) => name === groups.filter) ?? null;
    return {
      isNot: groups.not !== undefined,
      filter,
      text: groups.quoted ?? (isStarred && filter === null ? plain.slice(0, -1) : plain),
      prefix: isStarred,
      isQuoted: groups.quoted !== undefined,
    };
  });
}

/** The filters of a query, as they were typed. */
export function filtersIn(text: string): string[] {
  return [...text.matchAll(PIECE)].filter(({ groups }) => groups?.filter !== undefined).map(([piece]) => piece);
}

function isOperator({ text, isNot, isQuoted }: Piece): boolean {
  return !isNot && !isQuoted && (text === 'OR' || text === 'AND');
}

function isWord(piece: Piece | undefined): boolean {
  return piece !== undefined && piece.filter === null && !piece.isNot && !isOperator(piece) && hasLetters(piece.text);
}

/** Words are made of these; there are more of them in the word lists, newer pictures for one, but none that people look for. */
function hasLetters(text: string): boolean {
  return /[\p{L}\p{N}\p{Co}]/u.test(text);
}

function addFilter(
  filters: SearchFilters,
  name: FilterName,
  value: string,
  { isNot, now }: { isNot: boolean; now: number },
): void {
  if (value.trim() === '') throw new BadQuery(`${name}: needs a value, such as ${EXAMPLES[name]}.`);
  const put = <Value>(wanted: Wanted<Value>, found: Value) => (isNot ? wanted.not : wanted.any).push(found);
  switch (name) {
    case 'agent':
      put(filters.agent, oneOf(AGENTS, value, name));
      return;
    case 'event':
      put(filters.event, oneOf(EVENT_KINDS, value, name));
      return;
    case 'kind':
      put(filters.kind, oneOf(SEARCH_KINDS, value, name));
      return;
    case 'project':
    case 'session':
    case 'tool':
      put(filters[name], value);
      return;
    case 'since':
    case 'until': {
      if (isNot)
        throw new BadQuery(`-${name}: is not understood. Use ${name === 'since' ? 'until' : 'since'}: instead.`);
      const time = timeFrom(value, now);
      if (time === undefined)
        throw new BadQuery(`${name}: takes a date such as 2026-11-01 or a number of days such as 7d, not "${value}".`);
      filters[name] = time;
    }
  }
}

/** A word of a list, or how one of them begins: agent:claude. */
function oneOf<Value extends string>(values: readonly Value[], text: string, name: FilterName): Value {
  const exact = values.find((value) => value === text);
  const [near, ...others] = values.filter((value) => value.startsWith(text));
  const found = exact ?? (others.length === 0 ? near : undefined);
  if (found !== undefined) return found;
  throw new BadQuery(
    `${name}: takes ${values.join(', ')}, not "${text}". To find these words themselves, put them in quotes: "${name}:${text}".`,
  );
}

function hasFilter({ since, until, ...wanted }: SearchFilters): boolean {
  return since !== null || until !== null || Object.values(wanted).some(({ any, not }) => any.length + not.length > 0);
}

/** The query for FTS5: nothing of what was typed is left outside of quotes. Null where there are no words. */
export function matchText({ groups, not }: SearchQuery): string | null {
  if (groups.length === 0) return null;
  const wanted = groups.map((group) => `(${group.map(quoted).join(' OR ')})`).join(' AND ');
  return not.length === 0 ? wanted : `(${wanted}) NOT (${not.map(quoted).join(' OR ')})`;
}

/** Quotes would end it, a NUL would end the query, and half a pair of code units is no text. */
function quoted({ text, prefix }: Term): string {
  return `"${text.toWellFormed().replace(/["\0]/g, ' ')}"${prefix ? '*' : ''}`;
}
