// Whatever is typed, whatever is in the store: what must hold of every search.

import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordFinder, wordsOf } from '../src/query/find-words.ts';
import { scanStore } from '../src/query/scan.ts';
import { exactPattern, narrowing, regexPattern } from '../src/query/scan-pattern.ts';
import { type SearchOptions, searchStore } from '../src/query/search.ts';
import { BadQuery, filtersFrom, matchText, parseQuery } from '../src/query/search-query.ts';
import { snippetOf } from '../src/query/snippet.ts';
import { lettersOf } from '../src/store/letters.ts';
import { OutlineColumns } from '../src/store/outline-columns.ts';
import { OutlinePacker, type StoredMessage } from '../src/store/packed-outline.ts';
import { type MadeMessage, type MadeSession, madeStore, START } from './search-store.ts';

const now = START + 1000 * 60_000;
const words = new DatabaseSync(':memory:');
words.exec("create virtual table prose using fts5(text, tokenize='unicode61')");
const letters = lettersOf(words);

/** Whether FTS5 finds this in a text. */
function isFound(match: string, text: string): boolean {
  words.exec('delete from prose');
  words.prepare('insert into prose(rowid, text) values (1, ?)').run(text);
  return words.prepare('select 1 from prose where prose match ?').get(match) !== undefined;
}

/** Letters with something about them: case, accents, marks, signs, pictures old and new, halves of pairs. */
const LETTERS = [
  'a',
  'B',
  'é',
  'e',
  '\u0301',
  '\u0308',
  '_',
  ' ',
  '-',
  '\n',
  '日',
  '🤔',
  '🚀',
  'ß',
  'İ',
  'ǖ',
  'ſ',
  '1',
  '.',
  '"',
  '\0',
];
const text = fc.array(fc.constantFrom(...LETTERS), { maxLength: 24 }).map((list) => list.join(''));

test('whatever is typed is a query, or a message for a person', () => {
  const store = madeStore([{ id: 'a', messages: [{ said: 'a b c', tools: 'Bash', tool_text: 'a NEAR b' }] }]);
  const pieces = fc.constantFrom(
    '"',
    '-',
    '*',
    'OR',
    'AND',
    'NOT',
    'NEAR(',
    ')',
    '^',
    '+',
    '{a}:',
    'prose:',
    'a',
    'agent:',
    'kind:tool',
    'since:1d',
    ' ',
    '\0',
    '\ud800',
    '日本',
    ';--',
    "'",
  );
  const typed = fc.oneof(
    fc.string({ unit: 'binary' }),
    text,
    fc.array(pieces, { maxLength: 12 }).map((list) => list.join('')),
  );
  fc.assert(
    fc.property(typed, fc.boolean(), (query, ranked) => {
      try {
        searchStore(store, parseQuery(query, { now }), { ranked });
      } catch (error) {
        expect(error).toBeInstanceOf(BadQuery);
      }
    }),
    { numRuns: 2000 },
  );
});

test('every letter is what the word lists make of it', () => {
  const database = new DatabaseSync(':memory:');
  database.exec(`
    create virtual table prose using fts5(text, tokenize='unicode61');
    create virtual table terms using fts5vocab(prose, instance);
    begin`);
  const insert = database.prepare('insert into prose(rowid, text) values (?, ?)');
  const codes = Array.from({ length: 0x20000 }, (_, code) => code).filter(
    (code) => code > 0 && (code < 0xd800 || code > 0xdfff),
  );
  for (const code of codes) insert.run(code, `a${String.fromCodePoint(code)}b`);
  const terms = Map.groupBy(
    database.prepare('select doc, term from terms order by doc, "offset"').iterate(),
    ({ doc }) => doc,
  );
  const own = lettersOf(database);
  const wrong = codes.filter((code) => {
    const theirs = (terms.get(code) ?? []).map(({ term }) => term);
    return theirs.join(' ') !== wordsOf(`a${String.fromCodePoint(code)}b`, own).join(' ');
  });
  expect(wrong).toEqual([]);
});

test('what is marked is what was found', () => {
  const term = fc.record({ typed: text, prefix: fc.boolean() });
  fc.assert(
    fc.property(term, text, ({ typed, prefix }, within) => {
      const groups = [[{ text: typed, prefix }]];
      const match = matchText({ groups, not: [], filters: filtersFrom({ now }) }) ?? '';
      const places = [...wordFinder({ groups }, letters).places(within, 0)];
      expect(places.length > 0).toBe(wordsOf(typed, letters).length > 0 && isFound(match, within.toWellFormed()));
    }),
    { numRuns: 3000 },
  );
});

test('a snippet is one line of no control characters, its marks in order and in it', () => {
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 4 }),
      fc.constantFrom('a', 'e*', '"a b"', 'a OR 1'),
      fc.integer({ min: 8, max: 40 }),
      (texts, typed, length) => {
        const finder = wordFinder(parseQuery(typed, { now }), letters);
        const snippet = snippetOf(
          texts.map((one) => ({ kind: 'text', text: one })),
          finder,
          length,
        );
        const places = (snippet?.marks ?? []).flat();
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
        expect(/[\u0000-\u001f]| {2}|^ | $/.test(snippet?.text ?? '')).toBe(false);
        expect(snippet?.text.isWellFormed() ?? true).toBe(true);
        expect((snippet?.text.length ?? 0) <= length + 2).toBe(true);
        expect(places).toEqual([...places].sort((a, b) => a - b));
        expect(places.every((place) => place >= 0 && place <= (snippet?.text.length ?? 0))).toBe(true);
        expect(snippet === null).toBe(texts.every((one) => one.replace(/[\s\0]/g, '') === ''));
      },
    ),
    { numRuns: 2000 },
  );
});

const message: fc.Arbitrary<MadeMessage> = fc.record(
  {
    at: fc.option(fc.integer({ min: 0, max: 40 }), { nil: null }),
    kind: fc.constantFrom('prompt', 'reply', 'tool_result', 'summary', 'meta'),
    said: fc.constantFrom('', 'one', 'two', 'one two', 'three one'),
    tools: fc.constantFrom('Bash', 'Read Edit'),
    tool_text: fc.constantFrom('', 'one', 'two three', 'one two'),
  },
  { requiredKeys: ['at', 'kind'] },
);
const sessions: fc.Arbitrary<MadeSession[]> = fc
  .array(
    fc.record({ agent: fc.constantFrom('claude-code', 'codex'), messages: fc.array(message, { maxLength: 12 }) }),
    { maxLength: 40 },
  )
  .map((list) => list.map((session, i) => ({ ...session, id: `s${i}` })));

const queries = fc.record({
  words: fc.constantFrom('one', 'two', 'one two', '"one two"', 'thr*', 'one -two', 'three OR two'),
  filter: fc.constantFrom(
    '',
    'agent:codex',
    'kind:reply',
    'kind:tool',
    'tool:Bash',
    '-kind:prompt',
    'session:s1',
    since(10),
    `${since(5)} ${until(20)}`,
    until(30),
  ),
  limit: fc.integer({ min: 1, max: 8 }),
  offset: fc.integer({ min: 0, max: 4 }),
});

function since(minutes: number): string {
  return `since:${new Date(START + minutes * 60_000).toISOString()}`;
}

function until(minutes: number): string {
  return `until:${new Date(START + minutes * 60_000).toISOString()}`;
}

interface Plain extends MadeMessage {
  session: number;
  position: number;
  agent: string;
}

function byId(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The same by looking at every message. */
function slowly(made: MadeSession[], words: string, filter: string): Plain[] {
  const has = (of: string | undefined) => {
    const there = ` ${of ?? ''} `;
    const [one, two, three] = ['one', 'two', 'three'].map((word) => there.includes(` ${word} `));
    const answers: Record<string, boolean | undefined> = {
      one,
      two,
      'one two': one && two,
      '"one two"': there.includes(' one two '),
      'thr*': three,
      'one -two': one && !two,
      'three OR two': three || two,
    };
    return answers[words] === true;
  };
  const fits = ({ kind, at, tools, agent, session, said, tool_text }: Plain) => {
    const [isSaid, isTool] = [has(said), has(tool_text)];
    const time = at ?? Number.NaN;
    const answers: Record<string, boolean> = {
      '': isSaid || isTool,
      'agent:codex': (isSaid || isTool) && agent === 'codex',
      'kind:reply': isSaid && kind === 'reply',
      'kind:tool': isTool && kind !== 'meta',
      'tool:Bash': isTool && tools === 'Bash',
      '-kind:prompt': (isSaid || isTool) && kind !== 'prompt',
      'session:s1': (isSaid || isTool) && `s${session}`.startsWith('s1'),
      [since(10)]: (isSaid || isTool) && time >= 10,
      [`${since(5)} ${until(20)}`]: (isSaid || isTool) && time >= 5 && time < 20,
      [until(30)]: (isSaid || isTool) && time < 30,
    };
    return answers[filter] === true;
  };
  return made
    .flatMap(({ agent = '', messages }, session) =>
      messages.map((one, position) => ({ ...one, agent, session, position })),
    )
    .filter(fits)
    .sort((a, b) => (b.at ?? -1) - (a.at ?? -1) || byId(`s${a.session}`, `s${b.session}`) || b.position - a.position);
}

test('the newest are the newest, in their order, whatever order they were written in', () => {
  fc.assert(
    fc.property(sessions, queries, (made, { words, filter, limit, offset }) => {
      const { hits, more } = searchStore(madeStore(made), parseQuery(`${words} ${filter}`, { now }), { limit, offset });
      const expected = slowly(made, words, filter);
      expect(hits.map((hit) => `${hit.session_id} ${hit.message_index}`)).toEqual(
        expected.slice(offset, offset + limit).map(({ session, position }) => `s${session} ${position}`),
      );
      expect(more).toBe(expected.length > offset + limit);
    }),
    { numRuns: 200 },
  );
});

/** Written nearly in the order of time, as histories are, with some that were gone on with much later, and many at the same moment. */
const nearly = fc
  .array(
    fc.record({
      agent: fc.constantFrom('claude-code', 'codex'),
      late: fc.option(fc.integer({ min: 0, max: 12 }), { freq: 8, nil: 0 }),
      messages: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 60, maxLength: 120 },
  )
  .map((list) =>
    list.map(({ agent, late, messages }, i): MadeSession => {
      const at = Math.floor(i / 10) + late;
      const message: MadeMessage = { at, kind: i % 3 === 0 ? 'reply' : 'prompt', said: 'one' };
      // Numbers of families do not rise with the ids of messages: one that changes is written anew.
      return { id: `s${i}`, family: 1000 - i, agent, messages: Array.from({ length: messages }, () => message) };
    }),
  );

test('of many hits the newest are found without looking at all of them', () => {
  fc.assert(
    fc.property(nearly, fc.constantFrom('', 'agent:codex'), fc.integer({ min: 1, max: 12 }), (made, filter, limit) => {
      const expected = slowly(made, 'one', filter).slice(0, limit);
      expect(found(made, `one ${filter}`, { limit })).toEqual(
        expected.map(({ session, position }) => `s${session} ${position}`),
      );
    }),
    { numRuns: 100 },
  );
});

/** Sessions of two projects, agents and homes that go on beside one another for hours: what is wanted lies among what is not. */
const beside = fc
  .array(
    fc.record({
      project: fc.constantFrom('/home/me/shop', '/home/me/blog', null),
      agent: fc.constantFrom('claude-code', 'codex'),
      root: fc.constantFrom(1, 2),
      event: fc.constantFrom('clear', 'rewind'),
      begins: fc.nat(300),
      every: fc.integer({ min: 1, max: 9 }),
      said: fc.constantFrom('apple pie', 'apple tart', 'apricot'),
      messages: fc.integer({ min: 1, max: 60 }),
    }),
    { minLength: 2, maxLength: 50 },
  )
  .map((list) =>
    list.map(({ begins, every, said, messages, event, ...session }, i): MadeSession => {
      const all = Array.from({ length: messages }, (_, number) => ({ at: begins + number * every, said }));
      return { ...session, id: `s${i}`, events: [event], messages: all };
    }),
  );

/** What is asked for of sessions, and the same as a test. */
const OF_SESSIONS: Record<string, (session: MadeSession) => boolean> = {
  'project:shop': ({ project }) => project === '/home/me/shop',
  '-project:blog': ({ project }) => project !== '/home/me/blog',
  'agent:codex': ({ agent }) => agent === 'codex',
  '-agent:codex': ({ agent }) => agent !== 'codex',
  'event:clear': ({ events }) => events?.includes('clear') === true,
  'session:s1': ({ id }) => id.startsWith('s1'),
  'project:shop event:clear': ({ project, events }) =>
    project === '/home/me/shop' && events?.includes('clear') === true,
  '': () => true,
};
const WORDS: Record<string, (said: string) => boolean> = {
  'app*': (said) => said.startsWith('app'),
  apple: (said) => said.startsWith('apple'),
  '"apple pie"': (said) => said === 'apple pie',
  'a* -pie': (said) => said !== 'apple pie',
};

test('what is asked of a session holds for every hit, whatever was said beside it', () => {
  const asked = fc.record({
    word: fc.constantFrom(...Object.keys(WORDS)),
    filter: fc.constantFrom(...Object.keys(OF_SESSIONS)),
    roots: fc.constantFrom<number[]>([1], [2], [1, 2]),
    shards: fc.constantFrom(1, 2),
    limit: fc.integer({ min: 1, max: 24 }),
  });
  fc.assert(
    fc.property(beside, asked, (made, { word, filter, roots, shards, limit }) => {
      const expected = made
        .flatMap((session) =>
          session.messages.map(({ at, said = '' }, position) => ({ session, position, at: at ?? 0, said })),
        )
        .filter(({ session, said }) => OF_SESSIONS[filter]?.(session) === true && WORDS[word]?.(said) === true)
        .filter(({ session }) => roots.includes(session.root ?? 1))
        .sort((a, b) => b.at - a.at || byId(a.session.id, b.session.id) || b.position - a.position)
        .map(({ session, position }) => `${session.id} ${position}`);
      const query = parseQuery(`${word} ${filter}`, { now });
      const { hits, more } = searchStore(madeStore(made, shards), query, { limit, roots });
      expect(hits.map((hit) => `${hit.session_id} ${hit.message_index}`)).toEqual(expected.slice(0, limit));
      expect(more).toBe(expected.length > limit);
    }),
    { numRuns: 300 },
  );
});

test('without words, the newest that the filters leave', () => {
  fc.assert(
    fc.property(nearly, fc.integer({ min: 1, max: 12 }), (made, limit) => {
      const expected = slowly(made, 'one', 'kind:reply').slice(0, limit);
      expect(found(made, 'kind:reply', { limit })).toEqual(
        expected.map(({ session, position }) => `s${session} ${position}`),
      );
    }),
    { numRuns: 30 },
  );
});

function found(made: MadeSession[], typed: string, options: SearchOptions): string[] {
  const { hits } = searchStore(madeStore(made, 1), parseQuery(typed, { now }), options);
  return hits.map((hit) => `${hit.session_id} ${hit.message_index}`);
}

test('ranked, the best are those that bm25 says', () => {
  fc.assert(
    fc.property(sessions, queries, (made, { words, filter, limit }) => {
      const store = madeStore(made);
      const query = parseQuery(`${words} ${filter}`, { now });
      const scores = new Map<string, number>();
      const tables = { 'kind:reply': ['prose'], 'kind:tool': ['tool_texts'], 'tool:Bash': ['tool_texts'] }[filter] ?? [
        'prose',
        'tool_texts',
      ];
      for (const shard of store.shards)
        for (const table of tables)
          for (const row of shard
            .prepare(
              `select session, start + ${table}.rowid - first as number, bm25(${table}) as score from ${table}
               join runs on ${table}.rowid between first and last where ${table} match ?`,
            )
            .all(matchText(query))) {
            const key = `s${Number(row.session) / 65_536 - 1} ${row.number}`;
            scores.set(key, Math.min(scores.get(key) ?? 0, Number(row.score)));
          }
      const { hits } = searchStore(store, query, { limit, ranked: true });
      const expected = slowly(made, words, filter)
        .map(({ session, position }) => `s${session} ${position}`)
        .sort((a, b) => (scores.get(a) ?? 0) - (scores.get(b) ?? 0));
      expect(hits.map((hit) => `${hit.session_id} ${hit.message_index}`)).toEqual(expected.slice(0, limit));
    }),
    { numRuns: 200 },
  );
});

const stored: fc.Arbitrary<StoredMessage[]> = fc.array(
  fc.record({
    position: fc.nat(5000),
    kind: fc.nat(7),
    time: fc.option(fc.integer({ min: 0, max: 2e12 }), { nil: null }),
    shape: fc.nat(400),
    tools: fc.constantFrom(null, ' Bash ', ' Read Edit '),
    places: fc.array(fc.tuple(fc.nat(3), fc.nat(100_000), fc.nat(1e9), fc.nat(1e8)), { minLength: 1, maxLength: 4 }),
  }),
);

test('the columns of an outline are its messages', () => {
  fc.assert(
    fc.property(stored, (messages) => {
      const packer = new OutlinePacker();
      const inOrder = messages.toSorted((a, b) => a.position - b.position);
      for (const one of inOrder) {
        const places = one.places.map(([file = 0, line = 0, offset = 0, length = 0]) => ({
          file,
          line,
          offset,
          length,
        }));
        packer.add({ ...one, places, shape: '' }, one.shape);
      }
      const columns = new OutlineColumns(packer.finish());
      const numbers = Array.from({ length: columns.count }, (_, number) => number);
      expect(numbers.map((number) => columns.message(number))).toEqual(inOrder);
      expect(numbers.map((number) => columns.longestRow(number))).toEqual(
        inOrder.map(({ places }) => Math.max(...places.map(([, , , length = 0]) => length))),
      );
    }),
  );
});

/** Pieces of regular expressions, with and without what can be looked up. */
const pattern = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '.',
        '.*',
        '\\s',
        '\\s+',
        '\\s*',
        '\\w+',
        'a?',
        'e+',
        'B{0,2}',
        '1{2}',
        '[aé]',
        '(a|B)',
        '(?:e1)',
        '^',
        '$',
        '\\b',
        '(?=a)',
        '\\.',
        '\\n',
        '日',
        '🤔',
        '🤔?',
        '-',
      ),
      text.map((literal) => literal.replace(/[\\^$.*+?()[\]{}|/\0-]/g, '')),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((list) => list.join(''))
  // What fits between characters only is no pattern.
  .filter((source) => source.replace(/\\b|[$^|]/gi, '') !== '');

test('no text that fits a pattern is missed for the sake of the word lists', () => {
  const within = fc
    .array(fc.oneof(text, fc.constantFrom('a e1', ' foo', 'éB')), { maxLength: 4 })
    .map((list) => list.join(''));
  const exact = fc.tuple(within, fc.nat(), fc.nat()).map(([all, from, length]) => {
    const start = from % (all.length + 1);
    return { all, made: exactPattern(all.slice(start, start + 1 + (length % 12)) || 'a') };
  });
  const regex = fc.tuple(within, pattern, fc.constantFrom('', 'i', 'm')).map(([all, source, flags]) => ({
    all,
    made: regexPattern(flags === '' ? source : `/${source}/${flags}`),
  }));
  let narrowed = 0;
  fc.assert(
    fc.property(fc.oneof(exact, regex), ({ all, made }) => {
      const match = narrowing(made, letters);
      const fits = made.finder.places(all, 0)[Symbol.iterator]().next().done !== true;
      if (fits && match !== null) narrowed++;
      expect(fits && match !== null && !isFound(match, all.toWellFormed())).toBe(false);
    }),
    { numRuns: 6000 },
  );
  expect(narrowed).toBeGreaterThan(300);
});

test('a scan finds what looking at every message finds', () => {
  fc.assert(
    fc.property(
      sessions,
      fc.constantFrom('ne', ' two', 'one two', 'three ', '/ONE\\s/i', '/^t.*o$/'),
      (made, typed) => {
        const isRegex = typed.startsWith('/');
        const store = madeStore(made);
        const textsOf = ({ session_id, message_index }: { session_id: string; message_index: number }) => {
          const one = made[Number(session_id.slice(1))]?.messages[message_index];
          return [
            { kind: 'text', text: one?.said ?? '' } as const,
            { kind: 'tool_use', text: one?.tool_text ?? '' } as const,
          ];
        };
        const { hits } = scanStore(store, isRegex ? regexPattern(typed) : exactPattern(typed), filtersFrom({ now }), {
          limit: 1000,
          texts: textsOf,
        });
        const test = isRegex
          ? new RegExp(typed.slice(1, typed.lastIndexOf('/')), typed.slice(typed.lastIndexOf('/') + 1))
          : new RegExp(typed);
        const expected = made.flatMap(({ messages }, session) =>
          messages.flatMap((one, position) =>
            test.test(one.said ?? '') || test.test(one.tool_text ?? '') ? [`s${session} ${position}`] : [],
          ),
        );
        expect(hits.map(({ hit }) => `${hit.session_id} ${hit.message_index}`).sort()).toEqual(expected.sort());
      },
    ),
    { numRuns: 200 },
  );
});
