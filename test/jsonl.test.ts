// The line reader: places of rows, and every trouble a line can have.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, SourceRef } from '../src/schema/blocks.ts';
import { readRows, rowReader } from '../src/sources/jsonl.ts';
import { skimmer } from '../src/sources/skim.ts';
import type { Files } from '../src/sources/source.ts';
import { memoryFiles } from './support.ts';

const rowAt = rowReader();

interface Read {
  rows: { value: Json; at: [line: number, offset: number, length: number]; first: boolean }[];
  bad: number[];
  blank: number[];
  codes: string[];
  lines: number;
}

function read(content: string | Buffer, port: Files = memoryFiles({ file: content }).port): Read {
  const result: Read = { rows: [], bad: [], blank: [], codes: [], lines: 0 };
  result.lines = readRows(port, 'file', 0, {
    row: (value, { line, offset, length }, first) => result.rows.push({ value, at: [line, offset, length], first }),
    bad: (ref) => result.bad.push(ref.line),
    blank: (ref) => result.blank.push(ref.line),
    trouble: ({ code }) => result.codes.push(code),
  });
  return result;
}

test('of what was read before, nothing is seen in a line of which nothing is left', () => {
  const nuls = read('  {"a":1}\n\0\0');
  read('{'.repeat(64));
  const mark = read(Buffer.from([0xef, 0xbb, 0xbf]));
  expect([nuls.blank, nuls.bad, mark.blank, mark.bad]).toEqual([[2], [], [1], []]);
});

test('rows have line, offset and length', () => {
  expect(read('{"a":1}\n{"b":"é"}\n')).toEqual({
    rows: [
      { value: { a: 1 }, at: [1, 0, 7], first: true },
      { value: { b: 'é' }, at: [2, 8, 10], first: true },
    ],
    bad: [],
    blank: [],
    codes: [],
    lines: 2,
  });
});

test.each([
  ['an empty file', '', { rows: [], lines: 0, codes: [] }],
  ['no final line feed', '{"a":1}', { rows: [{ a: 1 }], lines: 1, codes: ['no-final-newline'] }],
  ['a torn last line', '{"a":1}\n{"b":', { rows: [{ a: 1 }], lines: 2, codes: ['torn-line', 'no-final-newline'] }],
  ['blank lines', '\n{"a":1}\n  \n', { rows: [{ a: 1 }], lines: 3, codes: ['blank-lines'] }],
  ['CR LF', '{"a":1}\r\n{"b":2}\r\n', { rows: [{ a: 1 }, { b: 2 }], lines: 2, codes: ['carriage-returns'] }],
  ['a byte order mark', '\ufeff{"a":1}\n', { rows: [{ a: 1 }], lines: 1, codes: ['byte-order-mark'] }],
  ['two objects on a line', '{"a":1}{"b":2}\n', { rows: [{ a: 1 }, { b: 2 }], lines: 1, codes: ['glued-line'] }],
  [
    'three objects on a line',
    '{"a":1} {"b":2}{"c":3}\n',
    { rows: [{ a: 1 }, { b: 2 }, { c: 3 }], lines: 1, codes: ['glued-line'] },
  ],
  [
    'a cut object and a whole one',
    '{"a":{"x":1},"b":"c{"d":{"e":2}}\n',
    { rows: [{ d: { e: 2 } }], lines: 1, codes: ['torn-line'] },
  ],
  ['a whole object and a cut one', '{"a":1}{"b":{"c":2},"d\n', { rows: [{ a: 1 }], lines: 1, codes: ['torn-line'] }],
  ['an object inside a cut one', '{"a":{"b":1},"c":[\n{"d":2}\n', { rows: [{ d: 2 }], lines: 2, codes: ['bad-json'] }],
  ['NUL bytes around', '\0\0{"a":1}\0\n', { rows: [{ a: 1 }], lines: 1, codes: ['nul-bytes'] }],
  ['NUL bytes inside', '{"a":"x\0y"}\n', { rows: [{ a: 'xy' }], lines: 1, codes: ['torn-line'] }],
  ['no JSON', 'hello\n{"a":1}\n', { rows: [{ a: 1 }], lines: 2, codes: ['bad-json'] }],
  ['a value that is no object', '[1,2]\n', { rows: [[1, 2]], lines: 1, codes: [] }],
])('%s', (_, text, expected) => {
  const { rows, lines, codes } = read(text);
  expect({ rows: rows.map(({ value }) => value), lines, codes }).toEqual(expected);
});

test('bytes that are no UTF-8 are read as U+FFFD, and said; the character itself is no trouble', () => {
  const invalid = Buffer.concat([Buffer.from('{"a":"x'), Buffer.from([0xff]), Buffer.from('y"}\n{"b":"\ufffd"}\n')]);
  const { rows, codes } = read(invalid);
  expect({ values: rows.map(({ value }) => value), codes }).toEqual({
    values: [{ a: 'x\ufffdy' }, { b: '\ufffd' }],
    codes: ['invalid-utf8'],
  });
});

test('places of glued objects lead back to them', () => {
  const text = '{"é":1}{"b":2}\n';
  const { port } = memoryFiles({ file: text });
  const values = read(text).rows.map(({ at: [line, offset, length] }) =>
    rowAt(port.open('file'), { file: 0, line, offset, length, pointer: null }),
  );
  expect(values).toEqual([{ é: 1 }, { b: 2 }]);
});

test('places of glued objects are bytes, also where bytes are no UTF-8', () => {
  const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('é"}{"b":2}\n')]);
  const { port } = memoryFiles({ file: bytes });
  const values = read(bytes).rows.map(({ at: [line, offset, length] }) =>
    rowAt(port.open('file'), { file: 0, line, offset, length, pointer: null }),
  );
  expect(values).toEqual([{ a: '\ufffd\ufffdé' }, { b: 2 }]);
});

describe('long lines', () => {
  const long = 'y'.repeat(9 * 1024 * 1024);
  const text = `{"a":1}\n{"b":"${long}","c":"kept","d":["${long}"]}\n{"e":2}\n`;

  test('a line beyond the limit is skimmed: its longest strings stay in the file', () => {
    const { rows, lines, codes } = read(text);
    const omitted = (offset: number) => ({ omitted_bytes: long.length, offset });
    expect({ values: rows.map(({ value }) => value), lines, codes }).toEqual({
      values: [{ a: 1 }, { b: omitted(14), c: 'kept', d: [omitted(14 + long.length + 19)] }, { e: 2 }],
      lines: 3,
      codes: ['giant-line'],
    });
  });

  test('read back by its place it is skimmed again, to the same value', () => {
    const { port } = memoryFiles({ file: text });
    const [, giant] = read(text).rows;
    const [line, offset, length] = giant?.at ?? [0, 0, 0];
    expect(rowAt(port.open('file'), { file: 0, line, offset, length, pointer: null })).toEqual(giant?.value);
  });

  test('a giant line that is cut is torn, and the file goes on', () => {
    const { rows, bad, codes } = read(`{"b":"${long}\n{"e":2}\n`);
    expect({ values: rows.map(({ value }) => value), bad, codes }).toEqual({
      values: [{ e: 2 }],
      bad: [1],
      codes: ['giant-line', 'bad-json'],
    });
  });

  test('a line just below the limit is whole', () => {
    const { rows, codes } = read(`{"b":"${'z'.repeat(8 * 1024 * 1024 - 100)}"}\n{"e":2}\n`);
    expect({ count: rows.length, codes }).toEqual({ count: 2, codes: [] });
  });
});

test('of a giant line of many strings the less is kept the more there is; ids stay', () => {
  const id = '01a1e06e-0eee-75c3-8643-b73123944d4b';
  const items = Array.from({ length: 20_000 }, () => ({ id, text: 'z'.repeat(1000) }));
  const [row] = read(`${JSON.stringify(items)}\n`).rows;
  const told = (row?.value ?? []) as { id: string; text: unknown }[];
  const kept = told.filter(({ text }) => typeof text === 'string').length;
  const ids = new Set(told.map((item) => item.id));
  expect({ kept: kept > 500 && kept < 1500, ids: [...ids] }).toEqual({ kept: true, ids: [id] });
});

test('a skimmed text is the same JSON, wherever it was cut into chunks', () => {
  const piece = fc.stringMatching(/^["\\éx→\n😀]{0,12}$/u);
  const value = fc.array(fc.tuple(piece, fc.nat(1)).map(([text, long]) => (long === 1 ? text.repeat(12_000) : text)));
  const property = fc.property(
    value,
    fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1 }),
    (texts, sizes) => {
      const bytes = Buffer.from(JSON.stringify(texts));
      const skim = skimmer();
      for (let at = 0, i = 0; at < bytes.length; i++) {
        const size = sizes[i % sizes.length] ?? 1;
        skim.take(bytes.subarray(at, at + size), at);
        at += size;
      }
      const whole = JSON.parse(skim.end(), (_, part) =>
        part !== null && typeof part === 'object' && 'omitted_bytes' in part
          ? JSON.parse(`"${bytes.toString('utf8', part.offset, part.offset + part.omitted_bytes)}"`)
          : part,
      );
      expect(whole).toEqual(texts);
    },
  );
  fc.assert(property, { seed: 20261115, numRuns: 150 });
});

test('escaped quotes in a skimmed string do not end it', () => {
  const tricky = `${'x'.repeat(9 * 1024 * 1024)}\\"\\\\`;
  expect(read(`{"a":"${tricky}","b":"\\"short\\""}\n`).rows.map(({ value }) => value)).toEqual([
    { a: { omitted_bytes: tricky.length, offset: 6 }, b: '"short"' },
  ]);
});

describe('files that change or fail while they are read', () => {
  const content = Buffer.from('{"a":1}\n{"b":2}\n{"c":3}\n');

  test('a file that grows is read to the size it had', () => {
    const port: Files = {
      sha256: () => '',
      open: () => ({ size: 16, read: (into, at) => content.copy(into, 0, at, 16), close: () => {} }),
    };
    expect(read('', port).rows.map(({ value }) => value)).toEqual([{ a: 1 }, { b: 2 }]);
  });

  test('a file that was cut gives what is left', () => {
    const port: Files = {
      sha256: () => '',
      open: () => ({ size: 1000, read: (into, at) => content.copy(into, 0, at), close: () => {} }),
    };
    expect(read('', port).rows).toHaveLength(3);
  });

  test('a disk that fails in mid-file is a diagnostic', () => {
    const fail = (): number => {
      throw Object.assign(new Error('EIO'), { code: 'EIO' });
    };
    const port: Files = {
      sha256: () => '',
      open: () => ({
        size: 1000,
        read: (into, at) => (at === 0 ? content.copy(into, 0, 0, 8) : fail()),
        close: () => {},
      }),
    };
    const { rows, codes } = read('', port);
    expect({ values: rows.map(({ value }) => value), codes }).toEqual({ values: [{ a: 1 }], codes: ['read-error'] });
  });

  test('a file that cannot be opened is a diagnostic', () => {
    const port: Files = {
      sha256: () => '',
      open: () => {
        throw Object.assign(new Error('no'), { code: 'EACCES' });
      },
    };
    expect(read('', port)).toEqual({ rows: [], bad: [], blank: [], codes: ['unreadable-file'], lines: 0 });
  });
});

test('every place leads back to its row, whatever the sizes', () => {
  const rows = Array.from({ length: 300 }, (_, i) => JSON.stringify({ i, text: 'ü'.repeat((i * 7919) % 30_000) }));
  const { port } = memoryFiles({ file: `${rows.join('\n')}\n` });
  const found = read(`${rows.join('\n')}\n`).rows;
  const back = found.map(({ at: [line, offset, length] }) =>
    rowAt(port.open('file'), { file: 0, line, offset, length, pointer: null } satisfies SourceRef),
  );
  expect(back).toEqual(rows.map((row) => JSON.parse(row)));
});
