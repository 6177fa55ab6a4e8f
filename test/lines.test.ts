// The lines of a file as bytes: whatever the file, and however little a read gives.

import { expect, test } from 'vitest';
import { readLines, readManyLines } from '../src/sources/lines.ts';
import { Odd } from '../src/sources/odd.ts';
import type { Files } from '../src/sources/source.ts';

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
  readManyLines(fileOf(most), '', (lines) => found.push(lines.length));
  expect(found).toEqual([most.length + 1]);
  expect(() => linesOf(fileOf(Buffer.alloc(20 * 1024 * 1024, 'x')))).toThrow(Odd);
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
