// Lists of words that are made here are those that FTS5 would have made, byte for byte, and FTS5 goes on with them.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compiledWords } from '../scripts/compile-words.ts';
import { newLists } from '../src/store/new-lists.ts';
import { listsIn } from '../src/store/word-lists.ts';
import { root, temporaryFolder } from './support.ts';

type Text = [id: number, text: string];

const TABLE = "create virtual table prose using fts5(text, content='', contentless_delete=1, tokenize='unicode61')";

function tableOf(pageBytes: number): DatabaseSync {
  const database = new DatabaseSync(':memory:', { defensive: false });
  // FTS5 makes a list for each transaction, unless there is no room.
  database.exec(`${TABLE};
    insert into prose(prose, rank) values ('hashsize', 1000000000);
    insert into prose(prose, rank) values ('pgsz', ${pageBytes})`);
  return database;
}

/** All that FTS5 keeps of the table, as text. */
function keptIn(database: DatabaseSync): string[] {
  return [
    'id, hex(block) from prose_data',
    'segid, hex(term), pgno from prose_idx',
    'id, hex(sz), origin from prose_docsize',
    'k, v from prose_config',
  ].flatMap((rows) =>
    database
      .prepare(`select ${rows} order by 1, 2`)
      .all()
      .map((row) => Object.values(row).join(' ')),
  );
}

/** One list for each of the groups. */
function madeByFts5(groups: readonly Text[][], pageBytes: number): string[] {
  const database = tableOf(pageBytes);
  const insert = database.prepare('insert into prose(rowid, text) values (?, ?)');
  for (const texts of groups) {
    database.exec('begin');
    for (const [id, text] of texts) insert.run(id, text);
    database.exec('commit');
  }
  return keptIn(database);
}

function madeHere(groups: readonly Text[][], pageBytes: number): string[] {
  const database = tableOf(pageBytes);
  const lists = newLists(database, 'prose', pageBytes);
  for (const texts of groups) {
    for (const [id, text] of texts) lists?.add(id, text);
    lists?.write();
  }
  return keptIn(database);
}

const PAGE = 4050;
const numbered = (texts: string[]): Text[] => texts.map((text, i) => [i + 1, text]);
const many = (count: number, text: (i: number) => string): string[] => Array.from({ length: count }, (_, i) => text(i));
/** Every letter that takes two units of UTF-16 or fewer, but for halves, between two others and alone. */
const LETTERS = many(0x20, (i) =>
  Array.from({ length: 0x1000 }, (_, j) => i * 0x1000 + j)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => `a${String.fromCodePoint(code)}b ${String.fromCodePoint(code)}`)
    .join(' '),
);

test.each<[string, Text[][], number?]>([
  ['no text', [[]]],
  ['a few', [numbered(['Hello, world: hello!', '', 'one two one', ' . ', 'HELLO'])]],
  ['no words', [numbered(['', '…', '!?']), [[9, 'words']]]],
  [
    'ids that are far apart',
    [
      [
        [7, 'a b'],
        [130, 'b'],
        [70_000, 'a'],
        [4_000_000_000, 'a b'],
      ],
    ],
  ],
  ['letters of all kinds', [numbered(LETTERS)]],
  [
    'marks that begin a word, and halves of letters',
    [numbered(['\u0301a e\u0301 \u0301', 'x\ud800y \udc00', 'ÀÉÎ àéî', 'ẞß Ⱥ', '漢字 𝒳𝒴'])],
  ],
  ['eight letters, and more', [numbered(['abcdefg abcdefgh abcdefghi abcdefghijklmnop abcdefghijklmnopq abcdefg'])]],
  ['words that begin alike', [numbered([many(3000, (i) => `word${i} ${'long'.repeat(i % 9)}${i}`).join(' ')])]],
  [
    'words longer than are kept',
    [
      numbered([
        'y'.repeat(32_767),
        'y'.repeat(32_768),
        `${'y'.repeat(40_000)} z`,
        `${'é'.repeat(20_000)} ${'漢'.repeat(20_000)}`,
      ]),
    ],
  ],
  ['a word on a page of its own', [numbered([`a ${'m'.repeat(5000)} z`])]],
  [
    'a text longer than is taken at once',
    [numbered([many(90_000, (i) => `w${i % 700}`).join(' '), many(120_000, (i) => `漢${i % 70}`).join('。')])],
  ],
  ['a word longer than is taken at once', [numbered([`${'q'.repeat(800_000)} end`, `𝒳${'𝒴'.repeat(300_000)} end`])]],
  ['a word in every text', [numbered(many(30_000, (i) => `the ${i % 13} the`))]],
  ['a word many times in one text', [numbered([many(40_000, () => 'the').join(' '), 'the'])]],
  ['lists of ids on several levels', [numbered(many(9000, (i) => `the ${i % 3} the`))], 64],
  [
    'places over pages without an id',
    [numbered([many(3000, () => 'the').join(' '), 'the', many(900, () => 'the').join(' ')])],
    48,
  ],
  [
    'more words than are looked up at first',
    [numbered(many(400, (i) => many(200, (j) => `${(i * 200 + j).toString(36)}x`).join(' ')))],
  ],
  [
    'several lists',
    [
      numbered(['a b', 'b c']),
      [[5, 'c d a']],
      [
        [6, 'd'],
        [8, 'a a a'],
      ],
    ],
  ],
])('%s', (_, groups, pageBytes = PAGE) => {
  expect(madeHere(groups, pageBytes)).toEqual(madeByFts5(groups, pageBytes));
});

const WORDS = fc.oneof(
  fc.constantFrom('the', 'a', 'of', 'Of', 'é', '漢字', '...', '_', 'naïve'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ maxLength: 40 }),
);

test('any texts, on pages of any size', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.array(WORDS, { maxLength: 60 }), { maxLength: 40 }), { minLength: 1, maxLength: 3 }),
      fc.constantFrom(32, 50, 100, 400, PAGE),
      fc.integer({ min: 1, max: 1000 }),
      (groups, pageBytes, step) => {
        const texts = groups.map((group, i) =>
          group.map((words, j): Text => [(i * 40 + j + 1) * step, words.join(' ')]),
        );
        expect(madeHere(texts, pageBytes)).toEqual(madeByFts5(texts, pageBytes));
      },
    ),
    { numRuns: 40, seed: 7 },
  );
});

test('more words than one list is made of: it is written, and the next one begun', () => {
  const texts = numbered(many(50, (i) => many(90_000, (j) => ((i * j) % 500).toString(36)).join(' ')));
  // As many as one text may go beyond.
  const first = texts.findIndex((_, i) => (i + 1) * 90_000 > 7 * 2 ** 19) + 1;
  expect(madeHere([texts], PAGE)).toEqual(madeByFts5([texts.slice(0, first), texts.slice(first)], PAGE));
});

test('FTS5 goes on with them: words are found, deleted, added and merged', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'words.db');
  const fts5 = new DatabaseSync(path);
  fts5.exec(TABLE);
  const found = (query: string) =>
    fts5
      .prepare('select rowid from prose where prose match ? order by rowid desc limit 3')
      .all(query)
      .map(({ rowid }) => rowid);
  const before = found('the');
  const own = new DatabaseSync(path, { defensive: false });
  const lists = newLists(own, 'prose');
  let id = 0;
  for (const texts of [many(5000, (i) => `the first ${i}`), many(5000, (i) => `the second ${i}`)]) {
    own.exec('begin');
    for (const text of texts) lists?.add(++id, text);
    lists?.write();
    own.exec('commit');
  }
  own.close();
  const told = { before, phrase: found('"the first"'), prefix: found('sec*'), one: found('first 4321') };
  fts5.exec(
    "delete from prose where rowid in (4322, 5000); insert into prose(rowid, text) values (20000, 'the first of all')",
  );
  const later = { phrase: found('"the first"'), one: found('first 4321'), lists: listsIn(fts5, 'prose') };
  fts5.exec("insert into prose(prose) values ('optimize'); insert into prose(prose) values ('integrity-check')");
  expect({ told, later, last: { phrase: found('"the first"'), lists: listsIn(fts5, 'prose') } }).toEqual({
    told: { before: [], phrase: [5000, 4999, 4998], prefix: [10_000, 9999, 9998], one: [4322] },
    later: { phrase: [20_000, 4999, 4998], one: [], lists: 3 },
    last: { phrase: [20_000, 4999, 4998], lists: 1 },
  });
  fts5.close();
  rmSync(folder, { recursive: true });
});

test('the code that is run is what its text says', async () => {
  expect(readFileSync(join(root, 'src/store/words-code.ts'), 'utf8')).toBe(await compiledWords());
});
