// The lines of a file as bytes: whatever the file, and however little a read gives.

import { expect, test } from 'vitest';
import { lineBytes, type Mark, markOf } from '../src/sources/json-walk.ts';
import { endsIn, readLines, readMarkedLines } from '../src/sources/lines.ts';
import { Odd } from '../src/sources/odd.ts';
import type { Files } from '../src/sources/source.ts';
import { randomFrom } from './mutations.ts';

/** A file that gives no more than so many bytes at once. */
function fileOf(content: string | Buffer, most = Number.POSITIVE_INFINITY): Files {
  const bytes = Buffer.from(content);
  return {
    open: () => ({
      size: bytes.length,
      read: (into, at) => bytes.copy(into, 0, at, Math.min(bytes.length, at + Math.min(most, into.length))),
      close: () => {},
    }),
    sha256: () => '',
  };
}

function linesOf(port: Files): string[] {
  const lines: string[] = [];
  readLines(port, '', (bytes, from, to) => {
    expect(bytes[to]).toBe(0x0a);
    lines.push(bytes.toString('utf8', from, to));
  });
  return lines;
}

const long = 'x'.repeat(700_000);

const FILES: [name: string, content: string, lines: string[]][] = [
  ['an empty file', '', []],
  ['one line', 'a\n', ['a']],
  ['no line feed at the end', 'a\nb', ['a', 'b']],
  ['blank lines', '\n\na\n\n', ['', '', 'a', '']],
  ['CR LF', 'a\r\nb\r\n', ['a\r', 'b\r']],
  ['a byte order mark', '\ufeffa\n\ufeffb\n', ['   a', '\ufeffb']],
  ['long lines', `${long}\na\n${long}y`, [long, 'a', `${long}y`]],
  ['many lines', 'abc\n'.repeat(200_000), Array.from({ length: 200_000 }, () => 'abc')],
];

test.each(FILES)('%s', (_, content, lines) => {
  expect(linesOf(fileOf(content))).toEqual(lines);
});

test.each(FILES.filter(([, content]) => content.length < 100))('%s, three bytes at a time', (_, content, lines) => {
  expect(linesOf(fileOf(content, 3))).toEqual(lines);
});

test('a line of eight megabytes is held, a longer one is not', () => {
  const most = Buffer.alloc(8 * 1024 * 1024 - 1, 'x');
  const found: number[] = [];
  readMarkedLines(fileOf(most), '', TOKENS, (lines) => found.push(lines.length));
  expect(found).toEqual([most.length + 1]);
  expect(() => linesOf(fileOf(Buffer.alloc(20 * 1024 * 1024, 'x')))).toThrow(Odd);
});

const TOKENS = markOf('_tokens');

/** Each line, and whether it has the mark. */
function markedIn(port: Files, mark: Mark): [line: string, isMarked: boolean][] {
  const found: [string, boolean][] = [];
  readMarkedLines(port, '', mark, (lines, ends, base) => {
    let from = 0;
    for (let i = 0; i < ends.length; i += 2) {
      const to = (ends[i] ?? 0) - base;
      found.push([lines.toString('latin1', from, to), ends[i + 1] !== 0]);
      from = to + 1;
    }
  });
  return found;
}

test('a mark is found wherever it stands in a line, and nothing that is only like it', () => {
  // Sixty-four bytes are looked at together: in each place of these, and over their edges.
  const lines = Array.from({ length: 200 }, (_, i) => `${'x'.repeat(i)}_tokens${'y'.repeat(i % 7)}`);
  const near = lines.map((line, i) =>
    line.replace('_tokens', ['_tokns', '_token', '_tok\u00e9ns', 'tokens', '_tokeens'][i % 5] ?? ''),
  );
  const content = [...lines, '', ...near, '_tokens', ''].join('\n');
  const expected = [
    ...lines.map((line) => [line, true]),
    ['', false],
    ...near.map((line) => [line, false]),
    ['_tokens', true],
  ];
  expect(markedIn(fileOf(Buffer.from(content, 'latin1')), TOKENS)).toEqual(expected);
});

test.each(['_tok', '_token', '_tokens', '_tokens_'])('compiled code and JavaScript find the same: %s', (text) => {
  const below = randomFrom(7);
  const pieces = ['_', 't', '_t', '_tok', 'k', 'ens', '_tokens', '_tokens_', '\n', 'x'.repeat(40), '__tokens', 'kens'];
  const content = Array.from({ length: 20_000 }, () => pieces[below(pieces.length)]).join('');
  const bytes = Buffer.from(`${content}\n`);
  const told = Array.from(endsIn(bytes, markOf(text)));
  const places: number[] = [];
  let read = 0;
  readMarkedLines(fileOf(bytes), '', markOf(text), (lines, ends, base) => {
    expect(lines.buffer).toBe(lineBytes?.buffer);
    places.push(...Array.from(ends, (number, i) => (i % 2 === 0 ? number - base + read : number)));
    read += lines.length;
  });
  expect(places).toEqual(told);
});

test('more lines than there is room to note are found all the same', () => {
  const content = 'a\n_tokens\n'.repeat(60_000);
  expect(markedIn(fileOf(content), TOKENS)).toEqual(
    Array.from({ length: 120_000 }, (_, i) => (i % 2 === 0 ? ['a', false] : ['_tokens', true])),
  );
});

const BROKEN: [name: string, open: Files['open']][] = [
  [
    'a file that cannot be opened',
    () => {
      throw new Error('permission denied');
    },
  ],
  ['a file that is cut while it is read', () => ({ size: 10, read: () => 0, close: () => {} })],
  [
    'a disk that fails',
    () => ({
      size: 10,
      read: () => {
        throw new Error('EIO');
      },
      close: () => {},
    }),
  ],
];

test.each(BROKEN)('%s is odd', (_, open) => {
  expect(() => linesOf({ open, sha256: () => '' })).toThrow(Odd);
});
