// Lines whose long strings are taken out and put back: the value is the one that JSON.parse gives, or there is none.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRows } from '../src/sources/jsonl.ts';
import { APART_BYTES, parsedApart } from '../src/sources/parse-apart.ts';
import { CUT } from '../src/sources/shorten.ts';
import { randomFrom, wholeFiles } from './mutations.ts';

const LONG = 'x'.repeat(1100);
const parsed = (text: string, isAscii = false) => parsedApart(Buffer.from(text), { isAscii, shortens: false });

test.each<[name: string, value: object]>([
  ['one long string', { a: LONG, b: 1 }],
  ['one in a list in an object', { a: [null, { b: [LONG, 'c', LONG] }], d: LONG }],
  ['every short escape', { a: `"\\/\b\f\n\r\t${LONG}`, b: '\n' }],
  ['letters of one, two and three bytes, and pairs that are not escaped', { a: `aä→😀${LONG}→` }],
  ['an escape at the very end', { a: `${LONG}\n` }],
  ['nothing but escapes', { a: '\n"\\'.repeat(500) }],
  ['a key that is no name to inherit from', JSON.parse(`{"__proto__":"${LONG}","b":{"__proto__":"${LONG}"}}`)],
  ['the same text several times, and others as long', { a: LONG, b: `${LONG}1`, c: LONG, d: [`${LONG}2`, `${LONG}1`] }],
  ['as many long strings as are taken out', Array.from({ length: 1024 }, (_, i) => LONG + i)],
  ['numbers as keys', { 2: LONG, 1: `${LONG}1`, a: `${LONG}2` }],
])('%s', (_, value) => {
  expect(parsed(JSON.stringify(value))).toEqual(value);
});

test('escapes of letters', () => {
  const text = `{"a":"\\u0041\\u00e4\\u2192\\u001b\\u0000\\uFFFD${LONG}"}`;
  expect(parsed(text, true)).toEqual({ a: `Aä→\u001b\u0000\ufffd${LONG}` });
});

test.each<[name: string, text: string]>([
  ['no string is long', '{"a":"b"}'],
  ['more strings are long than are taken out', JSON.stringify(Array(1025).fill(LONG))],
  ['a name is long', `{"${LONG}":1}`],
  ['a key stands twice', `{"a":"${LONG}","a":"${LONG}1"}`],
  ['half a pair', `{"a":"\\ud83d${LONG}"}`],
  ['a pair in escapes', `{"a":"\\ud83d\\ude00${LONG}"}`],
  ['a text that looks like a mark', `{"a":"${LONG}","b":"\\u0000\\u00010"}`],
  ['a long name, and a text that looks like its mark', `{"${LONG}":1,"b":"\\u0000\\u00010"}`],
  ['a key that stands twice, and such a text', `{"a":"${LONG}","a":"${LONG}1","b":"\\u0000\\u00010"}`],
  ['a string that does not end', `{"a":"${LONG}`],
  ['a raw control character', `{"a":"${LONG}\t"}`],
  ['an escape that is none', `{"a":"${LONG}\\x"}`],
  ['an escape cut short', `{"a":"${LONG}\\u12"}`],
  ['no JSON around it', `{"a":"${LONG}"`],
  ['something behind it', `{"a":"${LONG}"}}`],
  ['nested deeper than anything can be looked at', `${'['.repeat(200_000)}"${LONG}"${']'.repeat(200_000)}`],
])('left to JSON.parse: %s', (_, text) => {
  expect(parsed(text)).toBeUndefined();
});

test('left to JSON.parse: bytes that are no UTF-8', () => {
  const line = Buffer.from(`{"a":"${LONG}","b":"c"}`);
  const damaged = [10, line.length - 3].map((at) => Buffer.from(line.map((byte, i) => (i === at ? 0xff : byte))));
  expect(damaged.map((bytes) => parsedApart(bytes, { isAscii: false, shortens: false }))).toEqual([
    undefined,
    undefined,
  ]);
});

test.each(['a', 'ä', '→', '😀', 'a→', '\n'])('of a very long text of %j, the beginning and the end', (piece) => {
  const texts = Array.from({ length: 4 }, (_, shift) => 'x'.repeat(shift) + piece.repeat(20_000));
  const cut = texts.map((text) =>
    parsedApart(Buffer.from(JSON.stringify([text])), { isAscii: false, shortens: true }),
  ) as string[][];
  const halves = cut.map(([text = '']) => text.split(CUT));
  expect(halves.map(([head = '', tail = ''], i) => [texts[i]?.startsWith(head), texts[i]?.endsWith(tail)])).toEqual(
    Array(4).fill([true, true]),
  );
  const short = halves.filter(
    ([head = '', tail = '']) => Buffer.byteLength(head) < 12 * 1024 - 3 || Buffer.byteLength(tail) < 4 * 1024 - 3,
  );
  expect(short).toEqual([]);
});

test.each([1, 7, 16, 40, 300])(
  'of very long texts in one line, each its own beginning and end; a line feed after every %i letters',
  (every) => {
    const digits = Array.from({ length: 10_000 }, (_, i) => String(i).padStart(7, '0')).join('→');
    const counted = digits.replaceAll(new RegExp(`.{${every}}`, 'gs'), '$&\n');
    // Ends at all distances from where writing begins anew.
    const texts = Array.from({ length: 40 }, (_, i) => counted.slice(i, 30_000 + i * 1000));
    const told = parsedApart(Buffer.from(JSON.stringify(texts)), { isAscii: false, shortens: true }) as string[];
    const expected = texts.map((text) => {
      const bytes = Buffer.from(text);
      // A letter has up to three bytes, and is not cut through.
      const head = bytes
        .subarray(0, 12 * 1024 + 1)
        .toString()
        .replace(/\ufffd+$/, '');
      const tail = bytes
        .subarray(-4 * 1024)
        .toString()
        .replace(/^\ufffd+/, '');
      return [head, tail];
    });
    const halves = told.map((text) => text.split(CUT));
    expect(halves.map(([head = ''], i) => expected[i]?.[0]?.startsWith(head.slice(0, 12 * 1024 - 3)))).toEqual(
      Array(40).fill(true),
    );
    expect(halves.map(([, tail]) => tail)).toEqual(expected.map(([, tail]) => tail));
    expect(halves.map(([head = '']) => Buffer.byteLength(head) > 12 * 1024 - 3)).toEqual(Array(40).fill(true));
  },
);

test('of a very long text that is nothing but damage, nothing is told, and what stands beside it is as it was', () => {
  const line = Buffer.from(`["${'a'.repeat(20_000)}","${LONG}"]`);
  line.fill(0x80, 2, 20_002);
  const told = parsedApart(line, { isAscii: false, shortens: true });
  expect([told, parsed(JSON.stringify([LONG, `${LONG}2`]))]).toEqual([
    [CUT, LONG],
    [LONG, `${LONG}2`],
  ]);
});

test('a text that is very long only for its escapes is whole', () => {
  const text = '\n'.repeat(15_000);
  expect(parsedApart(Buffer.from(JSON.stringify([text])), { isAscii: true, shortens: true })).toEqual([text]);
});

test('what an earlier line left behind belongs to no string', () => {
  parsed(`{"a":"${'"'.repeat(3000).replaceAll('"', '\\"')}"}`);
  expect(parsed(`{"a":"${LONG}`)).toBeUndefined();
});

test('any value, or none', () => {
  const long = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).map((text) => text.repeat(400));
  const value = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), long, fc.array(long, { maxLength: 3 })));
  let found = 0;
  fc.assert(
    fc.property(value, (any) => {
      const text = JSON.stringify(any);
      const told = parsed(text);
      found += told === undefined ? 0 : 1;
      expect(told ?? JSON.parse(text)).toEqual(JSON.parse(text));
    }),
    { seed: 5, numRuns: 1500 },
  );
  expect(found).toBeGreaterThan(700);
});

test('rows of all fixtures, as they are and damaged, wherever they lie in what is read at once', () => {
  const random = randomFrom(3);
  const filler = `{"filler":"${'y'.repeat(5000)}","ä":"${'\\n'.repeat(3000)}"}\n`;
  for (const { bytes } of wholeFiles()) {
    const copy = Buffer.concat([bytes, Buffer.from(bytes.at(-1) === 10 ? '' : '\n')]);
    if (random(2) === 0) copy[random(copy.length)] = [0x22, 0x5c, 0x00, 0xff][random(4)] ?? 0;
    const all = Buffer.concat([Buffer.from(filler.repeat(1 + random(60))), copy, Buffer.from(filler)]);
    expect(rowsIn(all)).toEqual(plainRowsIn(all));
  }
});

test('lines that are longer than what is read at once', () => {
  const lines = [300_000, 10, 1_100_000, 5000, 262_144, 4_000_000, 20, 8_388_000, 30].map(
    (length) => `{"a":"${'z\\n→'.repeat(length / 6)}"}`,
  );
  expect(rowsIn(Buffer.from(lines.join('\n')))).toEqual(lines.map((line) => JSON.parse(line)));
});

function rowsIn(bytes: Buffer): unknown[] {
  const rows: unknown[] = [];
  const file = { size: bytes.length, read: (into: Uint8Array, at: number) => bytes.copy(into, 0, at), close: () => {} };
  const port = { open: () => file, sha256: () => '' };
  const none = () => {};
  readRows(port, 'x', 0, { row: (row) => rows.push(row), bad: none, blank: none, trouble: none });
  return rows;
}

/** With every line below the length from which strings are taken out, one by one. */
function plainRowsIn(bytes: Buffer): unknown[] {
  const rows: unknown[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from) === -1 ? bytes.length : bytes.indexOf(10, from);
    const line = bytes.subarray(from, end);
    const value = parsedOrNot(line.toString('utf8'));
    if (value === undefined) rows.push(...rowsIn(line));
    else rows.push(value);
    from = end + 1;
  }
  return rows;
}

function parsedOrNot(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

test('lines are looked at from a length on that these tests reach', () => {
  expect(APART_BYTES).toBeLessThan(5000);
});
