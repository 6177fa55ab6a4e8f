// The user's own prices: they stand above the lists, and a mistake in them is told.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TokenCounts } from '../src/index.ts';
import { loadPrices } from '../src/prices/prices.ts';
import { noTokens } from '../src/schema/tokens.ts';
import { root } from './support.ts';

async function costWith(file: unknown, model: string, usage: Partial<TokenCounts>): Promise<number | null> {
  const prices = await loadPrices({ path: 'prices.json', text: JSON.stringify(file) });
  return prices.costOf({ model, timestamp: null, usage: { ...noTokens(), ...usage } });
}

const MILLION = 1_000_000;
const EVERY_KIND = {
  input_tokens: MILLION,
  cache_read_tokens: MILLION,
  cache_write_5m_tokens: MILLION,
  cache_write_1h_tokens: MILLION,
  output_tokens: MILLION,
  web_searches: 100,
};

test('every kind has its price', async () => {
  // 3 + 15 + 0.3 + 3.75 + 6 + 100 × 0.02
  const models = {
    mine: { input: 3, output: 15, cache_read: 0.3, cache_write_5m: 3.75, cache_write_1h: 6, web_search: 0.02 },
  };
  expect(await costWith({ models }, 'mine', EVERY_KIND)).toBeCloseTo(30.05, 9);
});

test('what is left out is priced as input; one-hour writes by the five-minute ones; searches at a cent', async () => {
  // 3 + 15 + 3 + 3 + 3 + 100 × 0.01
  expect(await costWith({ models: { mine: { input: 3, output: 15 } } }, 'mine', EVERY_KIND)).toBeCloseTo(28, 9);
  // 3 + 15 + 3 + 3.75 + 3.75 × 1.6 + 1
  const models = { mine: { input: 3, output: 15, cache_write_5m: 3.75 } };
  expect(await costWith({ models }, 'mine', EVERY_KIND)).toBeCloseTo(31.75, 9);
});

test('a mark of the encoding at the beginning does no harm', async () => {
  const text = '\uFEFF{"models":{"mine":{"input":3,"output":15}}}';
  const prices = await loadPrices({ path: 'prices.json', text });
  expect(prices.costOf({ model: 'mine', timestamp: null, usage: { ...noTokens(), input_tokens: MILLION } })).toBe(3);
});

test('the example in the docs can be used', async () => {
  const [, text = ''] = /```json\n([^`]+)```/.exec(readFileSync(join(root, 'docs/usage.md'), 'utf8')) ?? [];
  const { models } = JSON.parse(text);
  const input = (model: string) => costWith({ models }, model, { input_tokens: MILLION });
  expect(await Promise.all(['my-model', 'claude-opus-5-5', 'glm-4.6'].map(input))).toEqual([3, 8, 0.6]);
});

const STEPS = {
  models: {
    mine: {
      input: 1,
      output: 10,
      above: [
        { input_tokens: 500_000, input: 4 },
        { input_tokens: 200_000, input: 2, output: 20 },
      ],
    },
  },
};

test.each([
  [200_000, 0.2 + 10],
  [200_001, 0.400002 + 20],
  [500_000, 1 + 20],
  [600_000, 2.4 + 20],
])('of %i tokens the whole costs what its step says; a step changes only what it names', async (input, dollars) => {
  expect(await costWith(STEPS, 'mine', { input_tokens: input, output_tokens: MILLION })).toBeCloseTo(dollars, 9);
});

test('a file stands above the lists; the whole name above a beginning, and the longer beginning above the shorter', async () => {
  const models = {
    'claude-*': { input: 1, output: 0 },
    'claude-opus-*': { input: 2, output: 0 },
    'claude-opus-5': { input: 3, output: 0 },
  };
  const names = ['claude-opus-5', 'claude-opus-5[1m]', 'claude-sonnet-4-5', 'claude', 'gpt-5', 'Claude-opus-5'];
  const costs = await Promise.all(names.map((name) => costWith({ models }, name, { input_tokens: 100_000 })));
  // The last two are not in the file; the list has GPT-5 at 1.25, and Opus 5 at 5, whatever its letters.
  expect(costs).toEqual([0.3, 0.2, 0.1, null, 0.125, 0.5]);
});

const WRONG: [text: string, what: string][] = [
  ['{', "it is no JSON (Expected property name or '}' in JSON at position 1 (line 1 column 2))"],
  ['[]', 'the whole is [], and must be an object'],
  ['{}', 'models is missing, and must be an object'],
  ['{"models":{},"currency":"EUR"}', 'the whole has "currency", and may have only models'],
  ['{"models":{"m":3}}', 'models["m"] is 3, and must be an object'],
  ['{"models":{"m":{"input":3}}}', 'models["m"].output is missing, and must be a number of dollars, 0 or more'],
  [
    '{"models":{"m":{"input":"3","output":15}}}',
    'models["m"].input is "3", and must be a number of dollars, 0 or more',
  ],
  [
    '{"models":{"m":{"input":3,"output":15,"cache_write":4}}}',
    'models["m"] has "cache_write", and may have only input, output, cache_read, cache_write_5m, cache_write_1h, web_search, above',
  ],
  [
    '{"models":{"m":{"input":3,"output":15,"cache_read":-1}}}',
    'models["m"].cache_read is -1, and must be a number of dollars, 0 or more',
  ],
  ['{"models":{"m":{"input":3,"output":15,"above":{}}}}', 'models["m"].above is {}, and must be a list'],
  [
    '{"models":{"m":{"input":3,"output":15,"above":[{"input":6}]}}}',
    'models["m"].above[0].input_tokens is missing, and must be a number of tokens',
  ],
];

test.each(WRONG)('%s', async (text, what) => {
  await expect(loadPrices({ path: 'prices.json', text })).rejects.toThrow(
    new Error(
      `Cannot use the price file prices.json: ${what}.\nCorrect it, or do without it. Prices are dollars per million tokens, such as {"models": {"my-model": {"input": 3, "output": 15, "cache_read": 0.3}}}.`,
    ),
  );
});
