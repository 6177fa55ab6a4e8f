// `pal search`: the language, the search over a store, snippets, patterns, and the page.

import { describe, expect, test } from 'vitest';
import type { Screen } from '../src/cli/screen.ts';
import { type ShownHit, searchJson, searchLines } from '../src/cli/search-page.ts';
import { wordFinder } from '../src/query/find-words.ts';
import { scanStore } from '../src/query/scan.ts';
import { exactPattern, narrowing, regexPattern, requiredLiterals } from '../src/query/scan-pattern.ts';
import { type SearchOptions, searchStore } from '../src/query/search.ts';
import { BadQuery, filtersFrom, matchText, parseQuery, type SearchQuery } from '../src/query/search-query.ts';
import { type MessageText, snippetOf } from '../src/query/snippet.ts';
import { snippetMaker } from '../src/query/snippet-maker.ts';
import { timeFrom } from '../src/query/time-from.ts';
import { painter } from '../src/shown.ts';
import { lettersOf } from '../src/store/letters.ts';
import type { Store } from '../src/store/open.ts';
import { WordWriter } from '../src/store/write-words.ts';
import { type MadeMessage, type MadeSession, madeStore, START, words } from './search-store.ts';

const now = Date.UTC(2026, 10, 15, 12);
const parse = (text: string) => parseQuery(text, { now });

describe('the language', () => {
  const matches: [typed: string, match: string | null][] = [
    ['foo bar', '("foo") AND ("bar")'],
    ['"foo bar" baz', '("foo bar") AND ("baz")'],
    ['foo*', '("foo"*)'],
    ['"foo ba"*', '("foo ba"*)'],
    ['foo -bar -"b c"', '(("foo")) NOT ("bar" OR "b c")'],
    ['a OR b c', '("a" OR "b") AND ("c")'],
    ['a AND b', '("a") AND ("b")'],
    ['OR a', '("OR") AND ("a")'],
    ['a OR', '("a") AND ("OR")'],
    ['a "OR" b', '("a") AND ("OR") AND ("b")'],
    ['a or b', '("a") AND ("or") AND ("b")'],
    // What FTS5 would take for its own language is text.
    ['NEAR(a b, 2)', '("NEAR(a") AND ("b,") AND ("2)")'],
    ['text:foo ^a +b {c} (d', '("text:foo") AND ("^a") AND ("+b") AND ("{c}") AND ("(d")'],
    ['foo_bar a.b() src/x.ts', '("foo_bar") AND ("a.b()") AND ("src/x.ts")'],
    ['https://x.org:80/a?b', '("https://x.org:80/a?b")'],
    ['"not closed', '("not closed")'],
    ['say"hi"', '("say hi ")'],
    ['a\0b \ud800x', '("a b") AND ("\ufffdx")'],
    ['日本語 naïve', '("日本語") AND ("naïve")'],
    // Signs between words are no words; an option of a command is not a negation.
    ['a => b -> - *', '("a") AND ("b")'],
    ['--exact', '("--exact")'],
    ['kind:prompt', null],
  ];
  test.each(matches)('%s', (typed, match) => {
    expect(matchText(parse(typed))).toBe(match);
  });

  test('filters, quoted and negated, any of several; the rest stays text', () => {
    const typed =
      'agent:codex agent:claude -agent:gemini project:"my shop" session:1a tool:Bash -tool:mcp__* kind:tool event:rewind since:7d until:2026-11-15 Agent:codex "agent:codex"';
    expect(parse(typed)).toEqual({
      groups: [[{ text: 'Agent:codex', prefix: false }], [{ text: 'agent:codex', prefix: false }]],
      not: [],
      filters: {
        agent: { any: ['codex', 'claude-code'], not: ['gemini'] },
        project: { any: ['my shop'], not: [] },
        session: { any: ['1a'], not: [] },
        event: { any: ['rewind'], not: [] },
        kind: { any: ['tool'], not: [] },
        tool: { any: ['Bash'], not: ['mcp__*'] },
        since: now - 7 * 86_400_000,
        until: new Date(2026, 10, 15).getTime(),
      },
    } satisfies SearchQuery);
  });

  test('options are filters, too', () => {
    const options = { now, filters: { agent: 'gemini', tool: ['Read', 'Edit'], project: undefined } };
    expect(parseQuery('a tool:Bash', options)).toEqual(parse('a agent:gemini tool:Read tool:Edit tool:Bash'));
  });

  const bad: [typed: string, message: string][] = [
    ['', 'Nothing to look for. Give a word, a "phrase", or a filter such as kind:prompt.'],
    [' \n', 'Nothing to look for. Give a word, a "phrase", or a filter such as kind:prompt.'],
    ['-foo', 'There are only words that must not occur. Give at least one that must.'],
    ['agent:codex -foo', 'There are only words that must not occur. Give at least one that must.'],
    [
      '=> 🚀',
      'There is no letter and no digit in => 🚀, and only words are looked up. To find these very characters, use --exact.',
    ],
    [
      'agent:cursor',
      'agent: takes claude-code, codex, gemini, not "cursor". To find these words themselves, put them in quotes: "agent:cursor".',
    ],
    [
      'kind:string',
      'kind: takes prompt, reply, tool_result, command, summary, interruption, notice, meta, tool, not "string". To find these words themselves, put them in quotes: "kind:string".',
    ],
    ['since:soon', 'since: takes a date such as 2026-11-01 or a number of days such as 7d, not "soon".'],
    ['-until:7d a', '-until: is not understood. Use since: instead.'],
    [
      'foo since:',
      'since: needs a value right behind it: since:7d. To find the word itself, put it in quotes: "since".',
    ],
    [
      '-tool: Bash',
      'tool: needs a value right behind it: tool:Bash. To find the word itself, put it in quotes: "tool".',
    ],
    [
      'agent: foo',
      'agent: needs a value right behind it: agent:codex. To find the word itself, put it in quotes: "agent".',
    ],
    ['project:"" a', 'project: needs a value, such as shop.'],
  ];
  test.each(bad)('%s is answered by what to do', (typed, message) => {
    expect(() => parse(typed)).toThrow(new BadQuery(message));
  });

  test('times are dates here, or days before now', () => {
    const texts = ['7d', '2026-11-01', '2026-11-01T10:30Z', '2026-11-01 10:30', '2026-13-01', '7', 'd', '99999999999d'];
    expect(texts.map((text) => timeFrom(text, now))).toEqual([
      now - 7 * 86_400_000,
      new Date(2026, 10, 1).getTime(),
      Date.UTC(2026, 10, 1, 10, 30),
      new Date(2026, 10, 1, 10, 30).getTime(),
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

/** Session and message of each hit. */
function found(store: Store, typed: string, options: SearchOptions = {}): string[] {
  return searchStore(store, parse(typed), options).hits.map(
    ({ session_id, message_index }) => `${session_id} ${message_index}`,
  );
}

const small: MadeSession[] = [
  {
    id: 'aa11',
    title: 'The shop',
    project: '/home/me/shop',
    events: ['compaction'],
    presence: [
      [0, 1, 'compaction'],
      [3, 3, ''],
    ],
    messages: [
      { at: 10, said: 'fix the login' },
      { at: 20, kind: 'reply', said: 'the login is fixed', tools: 'Bash', tool_text: 'Bash\nnpm test login' },
      { at: 21, kind: 'tool_result', tools: 'Bash', tool_text: 'login ok' },
      { at: null, kind: 'notice', said: 'login without a time' },
      { at: 22, kind: 'meta', tool_text: 'login rules' },
    ],
  },
  {
    id: 'bb22',
    agent: 'codex',
    root: 2,
    project: 'C:\\work\\shop',
    kept: true,
    messages: [
      { at: 15, said: 'where is the Login?' },
      { at: 16, kind: 'reply', said: 'nowhere', tools: 'Read mcp__web__get', tool_text: 'mcp__web__get\nlogin.html' },
    ],
  },
  { id: 'cc33', kind: 'subagent', project: '/home/me/workshop', messages: [{ at: 30, said: 'a log in of something' }] },
];

describe('the newest first', () => {
  const store = madeStore(small);

  test('by time, over shards and both texts, a message once, those without a time last', () => {
    expect(found(store, 'login')).toEqual(['aa11 4', 'aa11 2', 'aa11 1', 'bb22 1', 'bb22 0', 'aa11 0', 'aa11 3']);
  });

  test('pages of it', () => {
    const page = (offset: number) => {
      const { hits, more } = searchStore(store, parse('login'), { limit: 3, offset });
      return [...hits.map(({ message_index }) => message_index), more];
    };
    expect([page(0), page(3), page(6), page(9)]).toEqual([[4, 2, 1, true], [1, 0, 0, true], [3, false], [false]]);
  });

  const queries: [typed: string, hits: string[]][] = [
    ['login -fixed -npm', ['aa11 4', 'aa11 2', 'bb22 1', 'bb22 0', 'aa11 0', 'aa11 3']],
    ['"the login"', ['aa11 1', 'bb22 0', 'aa11 0']],
    ['log', ['cc33 0']],
    ['log*', ['cc33 0', 'aa11 4', 'aa11 2', 'aa11 1', 'bb22 1', 'bb22 0', 'aa11 0', 'aa11 3']],
    ['nowhere OR fixed', ['aa11 1', 'bb22 1']],
    ['login agent:codex', ['bb22 1', 'bb22 0']],
    ['login -agent:codex -kind:tool -kind:meta', ['aa11 1', 'aa11 0', 'aa11 3']],
    ['login project:shop', ['aa11 4', 'aa11 2', 'aa11 1', 'bb22 1', 'bb22 0', 'aa11 0', 'aa11 3']],
    ['login project:/home/me/shop/', ['aa11 4', 'aa11 2', 'aa11 1', 'aa11 0', 'aa11 3']],
    ['login project:op', []],
    ['login session:bb', ['bb22 1', 'bb22 0']],
    ['login -session:aa1', ['bb22 1', 'bb22 0']],
    ['login event:compaction kind:prompt', ['aa11 0']],
    ['login event:rewind', []],
    ['login kind:prompt', ['bb22 0', 'aa11 0']],
    ['login kind:reply', ['aa11 1']],
    ['npm kind:reply', []],
    ['login kind:tool', ['aa11 2', 'aa11 1', 'bb22 1']],
    ['login kind:meta', ['aa11 4']],
    ['login kind:tool_result', ['aa11 2']],
    ['login tool:bash', ['aa11 2', 'aa11 1']],
    ['login tool:bash kind:reply', ['aa11 1']],
    ['login tool:mcp__*', ['bb22 1']],
    ['login -tool:bash', ['aa11 4', 'bb22 1', 'bb22 0', 'aa11 0', 'aa11 3']],
    // Without words: what the filters leave.
    ['kind:prompt', ['cc33 0', 'bb22 0', 'aa11 0']],
    ['kind:tool', ['aa11 2', 'aa11 1', 'bb22 1']],
    ['tool:read', ['bb22 1']],
    ['session:aa', ['aa11 4', 'aa11 2', 'aa11 1', 'aa11 0', 'aa11 3']],
  ];
  test.each(queries)('%s', (typed, hits) => {
    expect(found(store, typed)).toEqual(hits);
  });

  test('since and until; what has no time is in neither', () => {
    const time = (minutes: number) => new Date(START + minutes * 60_000).toISOString();
    expect([
      found(store, `login since:${time(20)}`),
      found(store, `login until:${time(16)}`),
      found(store, `since:${time(16)} until:${time(22)}`),
      found(store, `login since:${time(16)} until:${time(22)}`, { ranked: true }).sort(),
    ]).toEqual([
      ['aa11 4', 'aa11 2', 'aa11 1'],
      ['bb22 0', 'aa11 0'],
      ['aa11 2', 'aa11 1', 'bb22 1'],
      ['aa11 1', 'aa11 2', 'bb22 1'],
    ]);
  });

  test('only below some roots', () => {
    expect([found(store, 'login', { roots: [2] }), found(store, 'log', { roots: [1, 2] })]).toEqual([
      ['bb22 1', 'bb22 0'],
      ['cc33 0'],
    ]);
  });

  test('a hit, whole', () => {
    const { hits } = searchStore(store, parse('npm OR nowhere'));
    expect(hits).toEqual([
      {
        session_id: 'aa11',
        agent: 'claude-code',
        session_kind: 'main',
        title: 'The shop',
        project: '/home/me/shop',
        message_index: 1,
        kind: 'reply',
        timestamp: '2026-01-01T00:20:00.000Z',
        tools: ['Bash'],
        live: false,
        left_by: 'compaction',
        kept: false,
        stored: {
          root: 1,
          shard: 0,
          family: 1,
          session: 65_536,
          paths: ['.claude/projects/demo/aa11.jsonl'],
          kind: 'reply',
          places: [[0, 2, 1000, 100]],
          shape: '[1]',
        },
      },
      {
        session_id: 'bb22',
        agent: 'codex',
        session_kind: 'main',
        title: null,
        project: 'C:\\work\\shop',
        message_index: 1,
        kind: 'reply',
        timestamp: '2026-01-01T00:16:00.000Z',
        tools: ['Read', 'mcp__web__get'],
        live: true,
        left_by: null,
        kept: true,
        stored: {
          root: 2,
          shard: 1,
          family: 2,
          session: 131_072,
          paths: ['.claude/projects/demo/bb22.jsonl'],
          kind: 'reply',
          places: [[0, 2, 1000, 100]],
          shape: '[1]',
        },
      },
    ]);
  });

  test('gone, but taken out by nothing: it was never sent', () => {
    const [hit] = searchStore(store, parse('"without a time"')).hits;
    expect([hit?.live, hit?.left_by, hit?.timestamp]).toEqual([false, null, null]);
  });
});

describe('a session of several pieces', () => {
  /** Every third message has the word, in the order of time or against it. */
  const messages = (count: number): MadeMessage[] =>
    Array.from({ length: count }, (_, i) => ({ at: i < 600 ? i : 2000 - i, said: i % 3 === 0 ? 'word' : 'other' }));
  const store = madeStore(
    [
      { id: 'a', messages: messages(1200) },
      { id: 'b', messages: [{ at: 900, said: 'word' }] },
    ],
    1,
  );

  test('is searched whole', () => {
    const { hits } = searchStore(store, parse('word'), { limit: 1000 });
    const times = hits.map(({ timestamp }) => timestamp);
    expect([
      found(store, 'word', { limit: 3 }),
      hits.length,
      times.join() === [...times].sort().reverse().join(),
      new Set(hits.map(({ stored }) => String(stored.places))).size,
      found(store, 'word session:b'),
    ]).toEqual([['a 600', 'a 603', 'a 606'], 401, true, 400, ['b 0']]);
  });

  const changes: [what: string, from: number, to: MadeMessage[]][] = [
    ['nothing', 1200, messages(1200)],
    ['more in the last piece', 1100, messages(1200)],
    ['more in another', 500, messages(1200)],
    ['a full piece more', 1024, messages(1536)],
    ['less', 1200, messages(700)],
    [
      'one in the middle',
      1200,
      messages(1200).map((one, i) => (i === 700 ? { ...one, kind: 'reply', said: 'word' } : one)),
    ],
    ['all of it', 1200, messages(1200).map((one) => ({ ...one, tools: 'Bash', tool_text: 'word' }))],
    ['all gone', 1200, []],
  ];
  test.each(changes)('changes: %s', (_, from, to) => {
    const grown = madeStore([{ id: 'a', messages: messages(from) }], 1);
    const [shard] = grown.shards;
    const writer = shard && new WordWriter(shard);
    writer?.write(1, 1, [words(to, 65_536, 2)], 2);
    writer?.commit();
    const all = (of: Store) => [
      found(of, 'word OR other', { limit: 5000 }),
      found(of, 'word', { limit: 5000 }),
      found(of, 'kind:prompt', { limit: 5000 }),
    ];
    expect(all(grown)).toEqual(all(madeStore([{ id: 'a', messages: to }], 1)));
  });
});

describe('what a shard has counts only if the store says so', () => {
  const sound: MadeSession[] = ['a', 'b', 'c', 'd'].map((id, i) => ({ id, messages: [{ at: i, said: 'word' }] }));
  const without: [what: string, spoil: string, hits: string[]][] = [
    ['nothing spoilt', 'select 1', ['d 0', 'c 0', 'b 0', 'a 0']],
    ['no such session', "delete from sessions where native_id = 'c'", ['d 0', 'b 0', 'a 0']],
    ['its words are in another shard', "update families set shard = 1 where native_id = 'c'", ['d 0', 'b 0', 'a 0']],
    ['another stamp', "update families set stamp = 7 where native_id = 'd'", ['c 0', 'b 0', 'a 0']],
    ['only its tokens were read', "update families set tier = 0 where native_id = 'd'", ['c 0', 'b 0', 'a 0']],
  ];
  test.each(without)('%s', (_, spoil, hits) => {
    const store = madeStore(sound);
    store.main.exec(spoil);
    expect([
      found(store, 'word'),
      found(store, 'word', { limit: 2 }),
      found(store, 'word kind:prompt', { ranked: true, limit: 9 }).sort(),
      found(store, 'kind:prompt', { limit: 3 }),
      found(store, 'word agent:claude'),
    ]).toEqual([hits, hits.slice(0, 2), [...hits].sort(), hits.slice(0, 3), hits]);
  });
});

describe('the best first', () => {
  const store = madeStore(
    [
      {
        id: 'a',
        messages: [
          { at: 1, said: `login ${'other words '.repeat(20)}` },
          { at: 2, said: 'login login' },
        ],
      },
      {
        id: 'b',
        messages: [
          { at: 3, said: 'a login among some more words' },
          { at: 3, said: 'x' },
        ],
      },
      {
        id: 'c',
        messages: [
          { at: 4, said: 'y' },
          { at: 4, said: 'z' },
          { at: 5, said: 'z' },
        ],
      },
    ],
    1,
  );

  test('by bm25, and by time where that is the same', () => {
    const same = madeStore(
      ['a', 'b', 'c'].map((id, i) => ({ id, messages: [{ at: i, said: 'word' }, { said: 'x' }, { said: 'y' }] })),
      1,
    );
    expect([found(store, 'login', { ranked: true }), found(same, 'word', { ranked: true })]).toEqual([
      ['a 1', 'b 0', 'a 0'],
      ['c 0', 'b 0', 'a 0'],
    ]);
  });
});

describe('snippets', () => {
  const store = madeStore([]);
  const letters = lettersOf(store.main);
  const lorem =
    'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua.\n\nUt enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat. Duis aute irure dolor in reprehenderit in voluptate velit esse cillum dolore eu fugiat nulla pariatur.';

  /** With what was found between guillemets. */
  function shown(typed: string, ...texts: string[]): string | undefined {
    const snippet = snippetOf(
      texts.map((text): MessageText => ({ kind: 'text', text })),
      wordFinder(parse(typed), letters),
      60,
    );
    if (snippet === null) return undefined;
    return snippet.marks.reduceRight(
      (text, [start, end]) => `${text.slice(0, start)}«${text.slice(start, end)}»${text.slice(end)}`,
      snippet.text,
    );
  }

  const snippets: [typed: string, shown: string | undefined, ...texts: string[]][] = [
    ['ipsum', 'Lorem «ipsum» dolor sit amet, consectetur adipiscing elit, sed…', lorem],
    ['pariatur', '…voluptate velit esse cillum dolore eu fugiat nulla «pariatur».', lorem],
    ['enim', '…magna aliqua. Ut «enim» ad minim veniam, quis nostrud…', lorem],
    // Where most of it is together, not where some of it is first.
    ['reprehenderit dolor', '…aute irure «dolor» in «reprehenderit» in voluptate velit esse…', lorem],
    ['a b', `…${'«a» '.repeat(10)}«b»${' c'.repeat(19)}…`, `${'a '.repeat(40)}b${' c'.repeat(40)}`],
    ['dolor', '«Dolor» in text two', 'none here', 'Dolor in text two'],
    ['"ut aliquip"', '…laboris nisi «ut aliquip» ex ea commodo consequat. Duis…', lorem],
    ['aliq*', '…et dolore magna «aliqua». Ut enim ad minim veniam, quis…', lorem],
    ['ipsum -dolor', 'Lorem «ipsum» dolor sit amet, consectetur adipiscing elit, sed…', lorem],
    ['ipsum OR sit', 'Lorem «ipsum» dolor «sit» amet, consectetur adipiscing elit, sed…', lorem],
    // As the word lists see it: no case, no accents, but whole words.
    ['CAFE', 'Un «café», un «Cafe\u0301», une caféine.', '  Un café,\n\n\tun Cafe\u0301, une caféine.  '],
    ['foo_bar', 'a «foo_bar», «foo bar», foo_bars', 'a foo_bar, foo bar, foo_bars'],
    ['日本語', 'これは «日本語» です', 'これは 日本語 です'],
    // Nothing of it is there: the words stand in two blocks, or there are none.
    ['"one two"', 'just one', 'just one', 'two'],
    ['kind:prompt', 'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed…', lorem],
    ['a', undefined, '', ' \n '],
    // What must not reach a terminal, and what cannot be shown.
    ['red', 'a [31m «red» [0m b \ufffd c', 'a\u001b[31m red\u001b[0m\u202e b\0 \ud800 c'],
    ['x', `…${'y'.repeat(18)} «x» ${'z'.repeat(39)}…`, `${'y'.repeat(100)} x ${'z'.repeat(100)}`],
    ['x', `…${'🚀'.repeat(9)} «x» ${'🚀'.repeat(19)}…`, `${'🚀'.repeat(100)} x ${'🚀'.repeat(100)}`],
    ['word', `«${'word'}»`, `${' '.repeat(1000)}word${' '.repeat(1000)}`.trim()],
  ];
  test.each(snippets)('%s: %s', (typed, line, ...texts) => {
    expect(shown(typed, ...texts)).toBe(line);
  });

  test('only of what the filters ask for', () => {
    const texts: MessageText[] = [
      { kind: 'thinking', text: 'the word' },
      { kind: 'tool_use', text: 'Bash word' },
    ];
    const of = (typed: string, kind: 'reply' | 'meta' = 'reply') => snippetMaker(store, parse(typed))({ kind }, texts);
    expect([
      of('word'),
      of('word kind:tool'),
      of('word kind:reply'),
      of('word kind:prompt'),
      of('word kind:meta', 'meta'),
    ]).toEqual([
      { text: 'the word', marks: [[4, 8]], from: 'thinking' },
      { text: 'Bash word', marks: [[5, 9]], from: 'tool_use' },
      { text: 'the word', marks: [[4, 8]], from: 'thinking' },
      null,
      { text: 'the word', marks: [[4, 8]], from: 'thinking' },
    ]);
  });

  test('of texts of megabytes in no long time', () => {
    const texts = ['word '.repeat(1_000_000), `${'x'.repeat(5_000_000)} word`, `${' '.repeat(5_000_000)}word`];
    const begun = performance.now();
    expect(texts.map((text) => shown('word nowhere', text)?.slice(-7))).toEqual(['«word»…', ' «word»', '…«word»']);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});

describe('patterns', () => {
  test.each([
    ['foo', [['foo', false, false]]],
    [
      '^foo\\s+bar$',
      [
        ['foo', true, true],
        ['bar', true, true],
      ],
    ],
    [
      'fo+ bar',
      [
        ['fo', false, false],
        [' bar', false, false],
      ],
    ],
    [
      'colou?r',
      [
        ['colo', false, false],
        ['r', false, false],
      ],
    ],
    [
      'ab{0,2}c{2}d',
      [
        ['a', false, false],
        ['c', false, false],
        ['d', false, false],
      ],
    ],
    ['a\\.b\\(c\\)', [['a.b(c)', false, false]]],
    ['(foo|bar)baz', [['baz', false, false]]],
    ['[(]foo[\\])]', [['foo', false, false]]],
    ['a{b', [['a{b', false, false]]],
    [
      'foo\\s*bar',
      [
        ['foo', false, false],
        ['bar', false, false],
      ],
    ],
    ['foo|bar', []],
    ['\\x41foo', []],
    ['foo\\1', []],
  ] as [string, [string, boolean, boolean][]][])('%s must have %j', (source, literals) => {
    expect(requiredLiterals(source)).toEqual(literals.map(([text, isStart, isEnd]) => ({ text, isStart, isEnd })));
  });

  test('only words that are surely whole, or surely begin so, narrow the search', () => {
    const letters = lettersOf(madeStore([]).main);
    const exact = ['foo', 'a foo', 'foo.bar baz', ' Foo-Bar ', 'x fo', '=>', 'é café b', ' \ud800a b'];
    const regex = ['^import .* from', '/^Import\\s/i', '/ größe /i', '\\bfoo\\b', 'a|b'];
    expect([
      exact.map((text) => narrowing(exactPattern(text), letters)),
      regex.map((text) => narrowing(regexPattern(text), letters)),
    ]).toEqual([
      [null, '"foo"*', '"bar baz"*', '"foo bar"', null, null, '"cafe"', null],
      ['"import" AND "from"*', '"import"', null, null, null],
    ]);
  });

  test('what is no pattern is told so', () => {
    expect(() => regexPattern('a(b')).toThrow(new BadQuery('a(b is no regular expression: Unterminated group.'));
    expect(() => exactPattern('')).toThrow(new BadQuery('Nothing to look for. Give the characters that must occur.'));
    expect(() => regexPattern('')).toThrow(new BadQuery('Nothing to look for. Give a regular expression.'));
  });

  test.each(['^', '$', '/^$/m', String.raw`\b`, '(?:)|^'])('%s fits no character, and is told so', (text) => {
    expect(() => regexPattern(text)).toThrow(
      new BadQuery(`${text} fits between characters only, so that there is nothing to show. Give one that must occur.`),
    );
  });

  test('a flag that there is not is told, a path is none', () => {
    expect(() => regexPattern('/foo/z')).toThrow(
      new BadQuery(
        '/foo/z ends in a flag that there is not: those of regular expressions are d, g, i, m, s, u, v and y. To look for its slashes, too, use --exact, or put a backslash before the first.',
      ),
    );
    const paths = ['/usr/bin', '/usr/local/z', String.raw`\/foo/z`];
    expect(
      paths.map((text) => [...regexPattern(text).finder.places(`a ${text.replace('\\', '')} b`, 0)].length),
    ).toEqual([1, 1, 1]);
  });

  const texts: Record<string, MessageText[]> = {
    'a 0': [{ kind: 'text', text: 'const a = b(c);' }],
    'a 1': [
      { kind: 'text', text: 'Const a' },
      { kind: 'tool_use', text: 'Bash const a=1' },
    ],
    'b 0': [{ kind: 'tool_result', text: `${'x '.repeat(9000)} b(c) ${'y '.repeat(9000)}` }],
    'b 1': [{ kind: 'text', text: 'nothing' }],
    'c 0': [{ kind: 'tool_result', text: 'b(c' }],
  };
  const store = madeStore([
    {
      id: 'a',
      messages: [
        { at: 1, said: 'const a = b(c);' },
        { at: 4, kind: 'reply', said: 'Const a', tools: 'Bash', tool_text: 'Bash const a=1' },
      ],
    },
    {
      id: 'b',
      messages: [
        // The word lists do not have the middle of it.
        { at: 3, kind: 'tool_result', tools: 'Bash', tool_text: 'x x y y', bytes: 40_000 },
        { at: 2, said: 'nothing' },
      ],
    },
    // Its tools have not been read yet.
    { id: 'c', tier: 1, messages: [{ at: 5, kind: 'tool_result', tools: 'Read', tool_text: 'b(c' }] },
  ]);
  const textsOf = ({ session_id, message_index }: { session_id: string; message_index: number }) =>
    texts[`${session_id} ${message_index}`] ?? [];

  const scans: [
    what: 'exact' | 'regex',
    text: string,
    filters: Record<string, string>,
    hits: string[],
    read: number,
  ][] = [
    ['exact', 'b(c', {}, ['c 0 b(c', 'b 0 …b(c', 'a 0 const a = b(c);'], 5],
    ['exact', ' b(c', {}, ['b 0 … b(c', 'a 0 const a = b(c);'], 3],
    ['exact', 'const a', {}, ['a 1 Bash const a=1', 'a 0 const a = b(c);'], 5],
    ['exact', 'const a', { kind: 'prompt' }, ['a 0 const a = b(c);'], 2],
    ['regex', '/^const \\w/i', {}, ['a 1 Const a', 'a 0 const a = b(c);'], 4],
    ['regex', '^const \\w', { agent: 'codex' }, [], 0],
    ['regex', 'b\\(c\\)?$', {}, ['c 0 b(c'], 5],
  ];
  test.each(scans)('%s %s %j', (what, text, filters, hits, read) => {
    const pattern = what === 'exact' ? exactPattern(text) : regexPattern(text);
    const result = scanStore(store, pattern, filtersFrom({ now, filters }), { texts: textsOf });
    const shown = result.hits.map(
      ({ hit, snippet }) =>
        `${hit.session_id} ${hit.message_index} ${snippet.text.length < 40 ? snippet.text : `…${snippet.text.slice(...(snippet.marks[0] ?? []))}`}`,
    );
    expect([shown, result.read, result.more]).toEqual([hits, read, false]);
  });

  test('no more than asked for, and no file that cannot have it', () => {
    const asked: string[] = [];
    const options = { texts: textsOf, limit: 1, offset: 1 };
    const pattern = exactPattern('b(c');
    const page = scanStore(store, pattern, filtersFrom({ now }), options);
    const narrowed = scanStore(store, exactPattern('st a'), filtersFrom({ now }), {
      texts: textsOf,
      mayContain: ({ paths }, letters) => {
        asked.push(`${paths[0]} ${letters}`);
        return paths[0]?.includes('a.jsonl') === true;
      },
    });
    expect([
      page.hits.map(({ hit }) => hit.session_id),
      page.more,
      narrowed.hits.map(({ hit }) => hit.message_index),
      narrowed.read,
      asked,
    ]).toEqual([
      ['b'],
      true,
      [1, 0],
      2,
      ['.claude/projects/demo/c.jsonl st', '.claude/projects/demo/a.jsonl st', '.claude/projects/demo/b.jsonl st'],
    ]);
  });
});

describe('the page', () => {
  const store = madeStore(small);
  const { hits } = searchStore(store, parse('login session:aa'));
  const [, result, call] = hits;
  const [kept] = searchStore(store, parse('nowhere')).hits;
  const snippet = {
    text: '…was the login all along, since the cookie of the login page is strict',
    marks: [
      [9, 14],
      [50, 55],
    ],
    from: 'text',
  } as const;
  const shown = [
    { hit: call, snippet: { ...snippet, from: 'tool_use' } },
    { hit: result, snippet: null },
    { hit: kept && { ...kept, session_id: '0190aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee' }, snippet },
  ] as unknown as ShownHit[];
  const view = (room: number, colour = false): Screen => ({
    width: room,
    room,
    rows: 24,
    isTerminal: true,
    paint: painter({ colour }),
  });
  const lines = (room: number, colour = false) =>
    [
      ...searchLines(shown, view(room, colour), {
        now: START + 3_600_000 * 24 * 7 + 1_200_000,
        words: () => ' --home /x',
      }),
    ].join('');

  test('with room', () => {
    expect(lines(100)).toBe(`2026-01-01  claude  The shop · shop · call of Bash · compacted away
   …was the «login» all along, since the cookie of the «login» page is strict
   pal show aa11 --at 1 --home /x

6 d ago  claude  The shop · shop · tool result
   (its text could not be read)
   pal show aa11 --at 2 --home /x

2026-01-01  codex  (no title) · shop · reply · kept
   …was the «login» all along, since the cookie of the «login» page is strict
   pal show 0190aaaa-bbbb --at 1 --home /x
`);
  });

  test('with little, nothing is wider than the terminal but the command', () => {
    expect(lines(48)).toBe(`2026-01-01  claude  The shop · call of Bash · c…
   …was the «login» all along, since the cookie
   of the «login» page is strict
   pal show aa11 --at 1 --home /x

6 d ago  claude  The shop · tool result
   (its text could not be read)
   pal show aa11 --at 2 --home /x

2026-01-01  codex  (no title) · reply · kept
   …was the «login» all along, since the cookie
   of the «login» page is strict
   pal show 0190aaaa-bbbb --at 1 --home /x
`);
  });

  test('with colours, marks need no signs', () => {
    expect(lines(100, true).split('\n')[1]).toBe(
      '   …was the \u001b[33m\u001b[1mlogin\u001b[22m\u001b[39m all along, since the cookie of the \u001b[33m\u001b[1mlogin\u001b[22m\u001b[39m page is strict',
    );
  });

  test('for scripts', () => {
    expect(searchJson(shown.slice(0, 1), () => '')).toEqual([
      {
        session_id: 'aa11',
        agent: 'claude-code',
        project: '/home/me/shop',
        title: 'The shop',
        message_index: 1,
        timestamp: '2026-01-01T00:20:00.000Z',
        kind: 'reply',
        tools: ['Bash'],
        live: false,
        left_by: 'compaction',
        kept: false,
        snippet: { ...snippet, from: 'tool_use' },
        open: 'pal show aa11 --at 1',
      },
    ]);
  });
});
