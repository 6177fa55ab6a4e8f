// Texts are known again by a number: texts that differ a little must not share one.

import { expect, test } from 'vitest';
import { hashOf } from '../src/schema/text-hash.ts';

const DIGITS = Array.from({ length: 100_000 }, (_, i) => String(i).padStart(5, '0'));

test.each<[name: string, text: (digits: string) => string]>([
  ['numbers', (digits) => `The row that I would like you to check: ${digits}.`],
  ['every second letter', (digits) => `The row that I would like you to check: [${[...digits].join()}]`],
  ['every second letter, one place on', (digits) => `A row that I would like you to check: [${[...digits].join()}]`],
  ['both ends of a long text', (digits) => `${digits[0]}${'x'.repeat(200)}${digits.slice(1)}`],
  [
    'letters of two bytes',
    (digits) => [...digits].map((digit) => String.fromCharCode(0x4e00 + Number(digit))).join(''),
  ],
])('%s', (_, text) => {
  expect(new Set(DIGITS.map((digits) => hashOf(text(digits)))).size).toBe(DIGITS.length);
});

test('short ones', () => {
  const texts = ['', 'a', 'b', 'aa', 'ab', 'ba', '\0', '\0\0', 'a\0', '\0a'];
  expect(new Set(texts.map(hashOf)).size).toBe(texts.length);
});
