// What is found in the bytes of a JSON object is what `JSON.parse` finds, and what `JSON.parse` refuses is refused.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assembled } from '../scripts/assemble.ts';
import { byLength, Field, Fields } from '../src/sources/json-fields.ts';
import { lineBytes, placeOf, walkFrom } from '../src/sources/json-walk.ts';
import { SeenIds } from '../src/sources/seen-ids.ts';

interface Line {
  bytes: Buffer;
  from: number;
  to: number;
}

/** In front of other bytes, as a line stands in a buffer. */
function lineOf(text: string): Line {
  const line = Buffer.from(text);
  const bytes = Buffer.concat([Buffer.from('"}\n'), line, Buffer.from('\n{"a":1}\n')]);
  return { bytes, from: 3, to: 3 + line.length };
}

/** Where compiled code can walk over it. */
function walkedLineOf(text: string): Line {
  const { bytes, from, to } = lineOf(text);
  lineBytes?.set(bytes);
  return { bytes: lineBytes as Buffer, from, to };
}

function isParsed(text: string): boolean {
  try {
    return text.trimStart().startsWith('{') && JSON.parse(text) !== null;
  } catch {
    return false;
  }
}

const OBJECTS = [
  '{}',
  ' { } ',
  '{"a":1}',
  '\t{ "a" : [ ] , "b" : { } }\r',
  '{"a":[1,[2,[3,{"b":[]}]]],"c":{"d":{"e":null}}}',
  '{"a":-0.5e+10,"b":1E-3,"c":0,"d":-0,"e":1.25}',
  '{"a":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00"}',
  '{"a":true,"b":false,"c":null}',
  '{"é":"ü→😀"}',
  '{"":""}',
];
const OTHERS = [
  '',
  '5',
  '"a"',
  '[{"a":1}]',
  '{',
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,',
  '{"a":1,}',
  '{,"a":1}',
  '{"a" 1}',
  '{"a":1 "b":2}',
  '{a:1}',
  "{'a':1}",
  '{"a":1}}',
  '{"a":1}{"b":2}',
  '{"a":[1,]}',
  '{"a":[,1]}',
  '{"a":[1}',
  '{"a":{"b":1]}',
  '{"a":01}',
  '{"a":1.}',
  '{"a":.5}',
  '{"a":+1}',
  '{"a":-}',
  '{"a":1e}',
  '{"a":0x1}',
  '{"a":tru}',
  '{"a":trueish}',
  '{"a":nul}',
  '{"a":NaN}',
  '{"a":"\\x"}',
  '{"a":"\\u12g4"}',
  '{"a":"\\u123"}',
  '{"a":"b}',
  '{"a":"\t"}',
  '{"a":"\u001f"}',
  '{"a":"\u0000"}',
  '{"a":1}\u0000',
  '\ufeff{"a":1}',
];

const WAYS = { 'bytes that are looked at': lineOf, 'bytes that are walked over': walkedLineOf };

describe.each(Object.entries(WAYS))('%s', (_, bytesOf) => {
  const any = new Fields([new Field('a')]);
  const isRead = (text: string) => {
    const { bytes, from, to } = bytesOf(text);
    return any.areIn(bytes, from, to);
  };

  test.each(OBJECTS)('%j is an object', (text) => {
    expect({ read: isRead(text), parsed: isParsed(text) }).toEqual({ read: true, parsed: true });
  });

  test.each(OTHERS)('%j is none', (text) => {
    expect({ read: isRead(text), parsed: isParsed(text) }).toEqual({ read: false, parsed: false });
  });

  test('damaged JSON is refused where JSON.parse refuses it', () => {
    const bytes = fc.constantFrom(
      '"',
      '\\',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '0',
      '1',
      'e',
      '.',
      '-',
      ' ',
      '\t',
      '\u0001',
      '\u001f',
      'u',
    );
    const property = fc.property(fc.json(), fc.nat(), fc.nat(3), bytes, (json, place, gone, put) => {
      const text = `{"a":${json}}`;
      const at = place % (text.length + 1);
      const damaged = `${text.slice(0, at)}${put}${text.slice(at + gone)}`;
      expect({ damaged, read: isRead(damaged) }).toEqual({ damaged, read: isParsed(damaged) });
    });
    fc.assert(property, { seed: 20261116, numRuns: 5000 });
  });

  test('values are those of JSON.parse', () => {
    const inner = new Field('b');
    const fields = new Fields([new Field('a', [inner]), new Field('c', [new Field('d')])]);
    const property = fc.property(fc.json(), fc.json(), (a, inside) => {
      const text = `{"a":${a},"c":{"b":7},"a":{"b":${inside}}}`;
      const { bytes, from, to } = bytesOf(text);
      fields.areIn(bytes, from, to);
      expect({ inner: inner.value, text: inner.text, number: inner.number }).toEqual({
        inner: JSON.parse(inside),
        text: typeof JSON.parse(inside) === 'string' ? JSON.parse(inside) : undefined,
        number: typeof JSON.parse(inside) === 'number' ? JSON.parse(inside) : undefined,
      });
    });
    fc.assert(property, { seed: 20261116, numRuns: 2000 });
  });

  test('of a key that stands twice the last counts, with all that is in it', () => {
    const inner = new Field('b');
    const field = new Field('a', [inner]);
    const { bytes, from, to } = bytesOf('{"a":{"b":1},"\\u0061":5}');
    new Fields([field]).areIn(bytes, from, to);
    expect([field.value, inner.isThere]).toEqual([5, false]);
  });

  test('what another object had is not there', () => {
    const [a, b] = [new Field('a'), new Field('b')];
    const fields = new Fields([a, b]);
    for (const text of ['{"a":1}', '{"b":"x"}']) {
      const { bytes, from, to } = bytesOf(text);
      fields.areIn(bytes, from, to);
    }
    expect([a.isThere, b.text]).toEqual([false, 'x']);
  });

  const STRINGS: [written: string, asked: string, is: boolean][] = [
    ['"assistant"', 'assistant', true],
    ['"assistan"', 'assistant', false],
    ['"assistants"', 'assistant', false],
    ['"\\u0061ssistant"', 'assistant', true],
    ['"a\\nb"', 'a\\nb', false],
    ['"a\\nb"', 'a\nb', true],
    ['"é"', 'é', true],
    ['"é"', 'Ã©', false],
    ['["assistant"]', 'assistant', false],
  ];

  test.each(STRINGS)('%s is %j: %s', (written, asked, is) => {
    const field = new Field('a');
    const { bytes, from, to } = bytesOf(`{"a":${written}}`);
    new Fields([field]).areIn(bytes, from, to);
    expect([field.is(asked), field.oneOf(byLength(['', asked])) === asked]).toEqual([is, is]);
  });
});

/** Fields whose names are in the tables of the walk in every way: of one length, longer than sixteen bytes, empty, inside others. */
const deep = new Field('input_tokens');
const ASKED = new Fields([
  new Field(''),
  new Field('type'),
  new Field('uuid'),
  new Field('cache_creation_input_tokens'),
  new Field('ephemeral_5m_input_tokens'),
  new Field('ephemeral_1h_input_tokens'),
  new Field('message', [new Field('usage', [deep])]),
]);

const WALKED: [text: string, isWalked: boolean][] = [
  ...OBJECTS.filter((text) => text.startsWith('{')).map((text): [string, boolean] => [text, true]),
  ...OTHERS.filter((text) => text.startsWith('{')).map((text): [string, boolean] => [text, false]),
  ['{"message":{"usage":{"input_tokens":12}}}', true],
  // Left to the other way: keys in escapes, and keys that stand twice with something inside.
  ['{"\\u0061":1}', false],
  ['{"message":{},"message":{}}', false],
  ['{"type":1,"type":2}', true],
  [`{"a":${'['.repeat(512)}${']'.repeat(512)}}`, true],
  [`{"a":${'['.repeat(513)}${']'.repeat(513)}}`, false],
];

test.each(WALKED)('%j is walked over: %s', (text, isWalked) => {
  const { bytes, from, to } = walkedLineOf(text);
  const begin = placeOf(bytes) + from;
  expect(walkFrom(begin, ASKED.table, 2 ** 30) === placeOf(bytes) + to).toBe(isWalked);
});

test('names that are alike are told apart', () => {
  const names = [
    'ephemeral_5m_input_tokens',
    'ephemeral_1h_input_tokens',
    'ephemeral_1h_input_token',
    'type',
    'typo',
    '',
  ];
  const fields = names.map((name) => new Field(name));
  const { bytes, from, to } = walkedLineOf(JSON.stringify(Object.fromEntries(names.map((name, i) => [name, i]))));
  new Fields(fields).areIn(bytes, from, to);
  expect(fields.map((field) => field.number)).toEqual([0, 1, 2, 3, 4, 5]);
});

test('the walk is what its source says', () => {
  expect(readFileSync('src/sources/json-walk-code.ts', 'utf8')).toBe(assembled());
});

test('ids that were there before are known, however many there are', () => {
  const seen = new SeenIds();
  const ids = Array.from({ length: 20_000 }, (_, i) => Buffer.from(`${i.toString(16).padStart(8, '0')}-4000-8000`));
  const first = ids.filter((id) => seen.add(id, 0, id.length));
  const again = ids.filter((id) => seen.add(id, 0, id.length));
  expect([first.length, again.length]).toEqual([0, 20_000]);
});

test('ids that differ in their length alone, or in one byte, are others', () => {
  const seen = new SeenIds();
  const ids = [
    '',
    '0',
    '\0',
    '\0\0',
    '\0\0\0\0',
    '\0\0\0\0\0',
    'abcd',
    'abcde',
    'abcd\0',
    'abcf',
    'bbcd',
    'aacd',
    'abdd',
  ];
  expect(ids.filter((id) => seen.add(Buffer.from(`xx${id}yy`), 2, 2 + id.length))).toEqual([]);
  expect(ids.filter((id) => !seen.add(Buffer.from(id), 0, id.length))).toEqual([]);
});
