// The long strings of a line, found by compiled code and without it: both find the same, which is what stands in the line.

import { expect, test } from 'vitest';
import { longStrings, longStringsLookedFor } from '../src/sources/long-strings.ts';
import { randomFrom, wholeFiles } from './mutations.ts';

const LINES: [name: string, line: string, found: string[]][] = [
  ['none', '{"a":"bcd","e":[1,null]}', []],
  ['one, and one that is just short enough', '{"a":"bcdef","g":"hijk"}', ['bcdef']],
  ['a key', '{"a long one":1}', ['a long one']],
  ['several', '["abcdef",{"b":"ghijkl"},"mnopqr"]', ['abcdef', 'ghijkl', 'mnopqr']],
  ['escapes at the end', '{"a":"bcde\\\\","f":"ghij\\""}', ['bcde\\\\', 'ghij\\"']],
  ['escapes of many bytes', '{"a":"\\u0041\\ud83d"}', ['\\u0041\\ud83d']],
  ['letters of several bytes', '{"a":"äöü"}', ['äöü']],
  ['a string that does not end', '{"a":"abcdef","b":"ghijkl', []],
  ['a raw control character', '{"a":"abcdef","b":"gh\tjkl"}', []],
  ['an escape that is none', '{"a":"abcdef","b":"\\x"}', []],
  ['an empty line', '', []],
];

test.each(LINES)('%s', (_, line, found) => {
  const bytes = Buffer.from(line);
  const texts = [longStrings, longStringsLookedFor].map((find) => textsAt(bytes, find(bytes, 4)));
  expect(texts).toEqual([found, found]);
});

test('what an earlier line left behind does not end a string', () => {
  longStrings(Buffer.from('x'.repeat(100) + '"'.repeat(100)), 4);
  expect([...Array.from(longStrings(Buffer.from(`{"a":"${'b'.repeat(60)}`), 4))]).toEqual([]);
});

test('more of them than there is room for are none', () => {
  const many = Buffer.from(JSON.stringify(Array.from({ length: 10_000 }, () => 'abcdef')));
  expect([longStrings(many, 4).length, longStringsLookedFor(many, 4).length]).toEqual([0, 20_000]);
});

test('damaged rows', () => {
  const random = randomFrom(7);
  const lines = wholeFiles()
    .flatMap(({ bytes }) => bytes.toString('latin1').split('\n'))
    .map((line) => {
      const bytes = Buffer.from(line, 'latin1');
      if (random(2) === 0 && bytes.length > 0) bytes[random(bytes.length)] = [0x22, 0x5c, 0x0a, 0x75][random(4)] ?? 0;
      return bytes.subarray(0, random(4) === 0 ? random(bytes.length + 1) : bytes.length);
    });
  const found = lines.map((line) => Array.from(longStrings(line, 60)));
  expect(found).toEqual(lines.map((line) => longStringsLookedFor(line, 60)));
  expect(found.filter(({ length }) => length > 0).length).toBeGreaterThan(750);
});

function textsAt(line: Buffer, places: ArrayLike<number>): string[] {
  const numbers = Array.from(places);
  return numbers.flatMap((from, i) => (i % 2 === 0 ? [line.toString('utf8', from, numbers[i + 1])] : []));
}
