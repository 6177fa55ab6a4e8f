// What requests cost. The sums are worked out by hand, line by line, from the price lists; the arithmetic is held against
// the package's own for every model; and what Claude Code itself said of its sessions is held against both.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { calcPrice, findProvider } from '@pydantic/genai-prices';
import { describe, expect, test } from 'vitest';
import { readSessions, type TokenCounts } from '../src/index.ts';
import { type Offer, offersOf } from '../src/prices/model-name.ts';
import { listedPeriods } from '../src/prices/price-list.ts';
import { loadPrices, pricesOfModels, pricesVersion } from '../src/prices/prices.ts';
import { costAt, type Tariff, tariffAt } from '../src/prices/tariff.ts';
import { addTokens, noTokens, wholeInput } from '../src/schema/tokens.ts';
import { root } from './support.ts';

const prices = await loadPrices(null);

function cost(model: string | null, usage: Partial<TokenCounts>, timestamp: string | null = null): number | null {
  const found = prices.costOf({ model, timestamp, usage: { ...noTokens(), ...usage } });
  return found === null ? null : Math.round(found * 1e9) / 1e9;
}

describe('worked out by hand', () => {
  test('250,000 tokens of input, cached or not, lie above the step of Sonnet 4.5 at 200,000', () => {
    // input        50,000 ×  6.00 = 0.300
    // cache read  180,000 ×  0.60 = 0.108
    // cache write  20,000 ×  7.50 = 0.150
    // output        2,000 × 22.50 = 0.045
    //                               0.603
    const usage = {
      input_tokens: 50_000,
      cache_read_tokens: 180_000,
      cache_write_5m_tokens: 20_000,
      output_tokens: 2_000,
    };
    expect(cost('claude-sonnet-4-5-20250929', usage)).toBe(0.603);
  });

  test('200,000 do not', () => {
    // input 200,000 ×  3 = 0.60
    // output  2,000 × 15 = 0.03
    expect(cost('claude-sonnet-4-5-20250929', { input_tokens: 200_000, output_tokens: 2_000 })).toBe(0.63);
  });

  test('writes for one hour and for five minutes have prices of their own', () => {
    // input           1,000 ×  5.00 = 0.00500
    // cache read     90,000 ×  0.50 = 0.04500
    // write, 5 min    5,000 ×  6.25 = 0.03125
    // write, 1 h     20,000 × 10.00 = 0.20000
    // output          1,000 × 25.00 = 0.02500
    //                                 0.30625
    const usage = {
      input_tokens: 1_000,
      cache_read_tokens: 90_000,
      cache_write_5m_tokens: 5_000,
      cache_write_1h_tokens: 20_000,
      output_tokens: 1_000,
    };
    expect(cost('claude-opus-4-5-20251101', usage)).toBe(0.30625);
  });

  test('web searches cost a cent each', () => {
    // input  10,000 × 1    = 0.0100
    // output    500 × 5    = 0.0025
    // searches    3 × 0.01 = 0.0300
    //                        0.0425
    const usage = { input_tokens: 10_000, output_tokens: 500, web_searches: 3 };
    expect(cost('claude-haiku-4-5-20251001', usage)).toBe(0.0425);
  });

  test('Codex: reasoning is in the output already', () => {
    // input       12,000 ×  1.250 = 0.0150
    // cache read 100,000 ×  0.125 = 0.0125
    // output       3,000 × 10.000 = 0.0300
    //                               0.0575
    const usage = { input_tokens: 12_000, cache_read_tokens: 100_000, output_tokens: 3_000, reasoning_tokens: 2_000 };
    expect(cost('gpt-5.1-codex-max', usage)).toBe(0.0575);
  });

  test('Codex: from 272,000 tokens of input on GPT-5.5 costs more', () => {
    // 271,999 ×  5 + 1,000 × 30 = 1.359995 + 0.030
    // 272,000 × 10 + 1,000 × 45 = 2.72     + 0.045
    expect([
      cost('gpt-5.5', { input_tokens: 271_999, output_tokens: 1_000 }),
      cost('gpt-5.5', { input_tokens: 272_000, output_tokens: 1_000 }),
    ]).toEqual([1.389995, 2.765]);
  });

  test('Gemini', () => {
    // input      30,000 ×  1.250 = 0.03750
    // cache read 70,000 ×  0.125 = 0.00875
    // output      4,000 × 10.000 = 0.04000
    //                              0.08625
    const usage = { input_tokens: 30_000, cache_read_tokens: 70_000, output_tokens: 4_000, reasoning_tokens: 3_500 };
    expect(cost('gemini-2.5-pro', usage)).toBe(0.08625);
  });

  test('Opus 4.6 had a step at 200,000 tokens until 2026-03-13; without a time the first prices hold', () => {
    // 250,000 × 10 + 1,000 × 37.5 = 2.50 + 0.0375
    // 250,000 ×  5 + 1,000 × 25   = 1.25 + 0.0250
    const usage = { input_tokens: 250_000, output_tokens: 1_000 };
    expect([
      cost('claude-opus-4-6', usage, '2026-03-12T23:59:59.999Z'),
      cost('claude-opus-4-6', usage, '2026-03-13T00:00:00.000Z'),
      cost('claude-opus-4-6', usage, '2026-03-13T01:00:00.000+02:00'),
      cost('claude-opus-4-6', usage, 'not a time'),
      cost('claude-opus-4-6', usage),
    ]).toEqual([2.5375, 1.275, 2.5375, 2.5375, 2.5375]);
  });

  test('Bedrock takes a tenth more in a region; what it has no price for follows from what it has', () => {
    // input      10,000 × 3.300         = 0.03300
    // write, 1 h  1,000 × 4.125 × 1.6   = 0.00660
    // output        100 × 16.500        = 0.00165
    //                                     0.04125
    const usage = { input_tokens: 10_000, cache_write_1h_tokens: 1_000, output_tokens: 100 };
    expect(cost('us.anthropic.claude-sonnet-4-5-20250929-v1:0', usage)).toBe(0.04125);
  });

  test('the sum priced at once would be something else', () => {
    // one:  100,000 × 3 + 1,000 × 15 = 0.3 + 0.015 = 0.315; a hundred of them: 31.5
    // all:  10,000,000 × 6 + 100,000 × 22.5 = 60 + 2.25 = 62.25
    const one = { ...noTokens(), input_tokens: 100_000, output_tokens: 1_000 };
    const all = noTokens();
    for (let i = 0; i < 100; i++) addTokens(all, one);
    expect([(cost('claude-sonnet-4-5', one) ?? 0) * 100, cost('claude-sonnet-4-5', all)]).toEqual([31.5, 62.25]);
  });
});

test('what has no known price costs null, not nothing; no tokens cost nothing', () => {
  const some = { input_tokens: 1_000, output_tokens: 1_000 };
  const unknown = ['gpt-6.1-sol', '<synthetic>', null, 'my-model', '', 'constructor', '__proto__', 'glm-4.6'];
  expect(unknown.map((model) => [model, cost(model, some), cost(model, {})])).toEqual(
    unknown.map((model) => [model, null, 0]),
  );
});

/** Names as histories have them, and the entry of the price list that they must be priced by. */
const NAMES: [model: string, provider: string | null, entry: string | null][] = [
  ['claude-opus-4-5-20251101', 'anthropic', 'claude-opus-4-5'],
  ['claude-opus-4-5', 'anthropic', 'claude-opus-4-5'],
  ['claude-sonnet-4-20250514', 'anthropic', 'claude-sonnet-4-0'],
  ['claude-sonnet-4-5-20250929[1m]', 'anthropic', 'claude-sonnet-4-5'],
  ['claude-opus-5[1m]', 'anthropic', 'claude-opus-5'],
  ['claude-opus-5-5', 'anthropic', 'claude-opus-5-5'],
  ['anthropic/claude-sonnet-4.5', 'anthropic', 'claude-sonnet-4-5'],
  ['us.anthropic.claude-opus-4-1-20250805-v1:0', 'aws', 'regional.anthropic.claude-opus-4-1-20250805-v1:0'],
  ['global.anthropic.claude-opus-4-6-v1', 'aws', 'global.anthropic.claude-opus-4-6-v1:0'],
  ['anthropic.claude-3-5-sonnet-20241022-v2:0', 'aws', 'regional.anthropic.claude-3-5-sonnet-20241022-v2:0'],
  [
    'arn:aws:bedrock:us-east-1:123456789012:inference-profile/eu.anthropic.claude-haiku-4-5-20251001-v1:0',
    'aws',
    'regional.anthropic.claude-haiku-4-5-20251001-v1:0',
  ],
  ['us.openai.gpt-5.6-sol', 'aws', 'regional.openai.gpt-5.6-sol'],
  ['xx.anthropic.claude-opus-5-20260801-v1:0', 'anthropic', 'claude-opus-5'],
  ['claude-opus-4-1@20250805', 'google', 'claude-4-opus'],
  ['claude-haiku-4-5@20251001', 'google', 'claude-haiku-4-5'],
  ['gpt-5.1-codex-max', 'openai', 'gpt-5.1'],
  ['gpt-5-codex', 'openai', 'gpt-5'],
  ['gpt-5-codex-2025-09-15', 'openai', 'gpt-5'],
  ['gpt-4o-2024-05-13', 'openai', 'gpt-4o-2024-05-13'],
  ['openai/gpt-5.5', 'openai', 'gpt-5.5'],
  ['codex-mini-latest', 'openai', 'codex-mini'],
  ['o3', 'openai', 'o3'],
  ['o4-mini', 'openai', 'o4-mini'],
  ['gemini-3-pro-preview', 'google', 'gemini-3-pro-preview'],
  ['models/gemini-2.5-flash', 'google', 'gemini-2.5-flash'],
  ['gpt-5.4-codex', null, null],
  ['gpt-oss:20b', null, null],
  ['claude-opus-9', null, null],
  ['sonnet', null, null],
  ['codex-auto-review', null, null],
  ['arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3', null, null],
  ['gemini', null, null],
  ['claude-'.padEnd(1_000_000, '['), null, null],
];

test.each(NAMES)('%s is sold by %s as %s', (model, provider, entry) => {
  const found = offersOf(model).flatMap((offer) => {
    const listed = calcPrice({}, offer.name, { providerId: offer.provider });
    return listed === null ? [] : [[offer.provider, listed.model.id]];
  });
  expect(found[0] ?? [null, null]).toEqual([provider, entry]);
  expect(cost(model, { input_tokens: 1, output_tokens: 1 }) === null).toBe(entry === null);
});

/** Every entry of four lists, by a name that it is found by: regional ones stand for all regions, fine-tuned ones for all dates. */
const LISTED = (['anthropic', 'openai', 'google', 'aws'] as const).flatMap((provider) =>
  (findProvider({ providerId: provider })?.models ?? []).map(({ id }) => ({
    provider,
    name: id.replace('regional.', 'us.').replace(/^ft:gpt-4o(-mini)?$/, 'ft:gpt-4o$1-2024-07-18'),
  })),
);
/** Before, at and after the days on which prices changed. */
const TIMES = [
  '2025-01-01T00:00:00.000Z',
  '2025-06-10T00:00:00.000Z',
  '2026-03-12T23:59:59.999Z',
  '2026-03-13T00:00:00.000Z',
  '2026-08-30T12:00:00.000Z',
  '2027-02-01T00:00:00.000Z',
];
/** Around every bound of a step, and up to a window of a million. */
const INPUTS = [0, 1, 127_999, 128_001, 199_999, 200_000, 200_001, 271_999, 272_000, 272_001, 999_999];

test('every model of the lists costs what the package itself comes to, whatever the request and its time', () => {
  const numbers = random(7);
  const compared = LISTED.flatMap((offer) => {
    const periods = listedPeriods(offer, calcPrice);
    return TIMES.flatMap((timestamp) => {
      const tariff = tariffAt(periods, timestamp);
      return tariff === undefined ? [] : INPUTS.map((input) => comparison(offer, tariff, timestamp, input, numbers));
    });
  });
  expect(compared.length).toBeGreaterThan(10_000);
  expect(compared.filter(({ ours, theirs }) => !(Math.abs(ours - theirs) < 1e-9))).toEqual([]);
});

function comparison(offer: Offer, tariff: Tariff, timestamp: string, input: number, numbers: () => number) {
  const options = { providerId: offer.provider, timestamp: new Date(timestamp) };
  const usage = usageOf(input, calcPrice({}, offer.name, options)?.model_price ?? {}, numbers);
  const theirs = calcPrice(asTheirs(usage), offer.name, options)?.total_price ?? Number.NaN;
  return { ...offer, timestamp, usage, ours: costAt(tariff, usage), theirs };
}

test('only what is not sold by tokens read and written is left out', () => {
  const without = LISTED.filter((offer) => listedPeriods(offer, calcPrice).length === 0);
  expect(without.map(({ name }) => name)).toEqual([
    'gpt-transcribe',
    'text-embedding-3-large',
    'text-embedding-3-small',
    'text-embedding-ada-002',
    'whisper-1',
    'gemini-embedding-001',
    'gemini-embedding-2',
    'amazon.titan-embed-text-v1',
  ]);
});

test('of Anthropic, one-hour writes cost twice the input, and 1.6 times the five-minute ones', () => {
  const rates = LISTED.filter(({ provider }) => provider === 'anthropic').flatMap((offer) =>
    listedPeriods(offer, calcPrice).flatMap(({ tariff }) => tariff.map(({ rates }) => ({ ...offer, ...rates }))),
  );
  const odd = rates.filter(
    ({ input, cache_write_5m, cache_write_1h }) =>
      Math.abs(cache_write_1h - 2 * input) > 1e-9 || Math.abs(cache_write_1h - 1.6 * cache_write_5m) > 1e-9,
  );
  // The first two have no cache; of Claude 3 Haiku the list has 0.30 for 0.3125.
  expect(odd.map(({ name }) => name)).toEqual(['claude-2', 'claude-3-haiku', 'claude-v1']);
});

/** Sessions of which the client has counted exactly the requests that the files hold: none of a subagent's, none of a compaction. */
test.each(['i_reject', 'i_tools', 'i_rewind', 'p_plain', 'i_autocompact_notriggered'])(
  'Claude Code came to the same cost of %s',
  (folder) => {
    const home = join(root, 'fixtures/claude-code', folder, 'native');
    const ours = [...readSessions({ homes: [home] })]
      .flatMap(({ messages }) => messages)
      .reduce(
        (sum, { model, timestamp, usage }) => sum + (usage === null ? 0 : (cost(model, usage, timestamp) ?? 0)),
        0,
      );
    expect(ours).toBeCloseTo(costByClient(home), 9);
  },
);

test('the version tells the package and the file', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect([pricesVersion(null), prices.version]).toEqual([
    `genai-prices ${dependencies['@pydantic/genai-prices']}, rules 1, price file none`,
    pricesVersion(null),
  ]);
  const versions = ['{}', '{}', '{ }'].map((text) => pricesVersion({ path: 'prices.json', text }));
  expect(new Set([...versions, pricesVersion(null)]).size).toBe(3);
});

const REQUESTS = ['2020-01-01T00:00:00.000Z', '2026-11-16T00:00:00.000Z', null].flatMap((timestamp) =>
  [1000, 250_000].map((input_tokens) => ({
    timestamp,
    usage: { ...noTokens(), input_tokens, output_tokens: 100, cache_write_1h_tokens: 10, web_searches: 1 },
  })),
);

test('prices that were kept come to the same cost, and no list is asked for them', async () => {
  const models = ['claude-sonnet-4-5-20250929', 'gemini-2.5-pro', 'gpt-5.1-codex', 'nobody-knows'];
  const asked = await pricesOfModels(null, models, {});
  const kept = await pricesOfModels({ path: 'none', text: 'no price file' }, models, asked.tariffs);
  const costs = (from: { costOf: typeof prices.costOf }) =>
    models.map((model) => REQUESTS.map((request) => from.costOf({ model, ...request })));
  expect([costs(asked), costs(kept), kept.tariffs]).toEqual([costs(prices), costs(prices), asked.tariffs]);
});

test('where one model is not among the kept prices, the list is asked', async () => {
  const known = { mine: JSON.stringify([{ from: null, tariff: [] }]) };
  const { tariffs } = await pricesOfModels(null, ['mine', 'nobody-knows'], known);
  expect(tariffs).toEqual({ ...known, 'nobody-knows': '[]' });
});

test('a price file that cannot be used is noticed before any price is known', async () => {
  await expect(pricesOfModels({ path: 'prices.json', text: 'rubbish' }, [], {})).rejects.toThrow('it is no JSON');
});

/** What a list does not price apart is not asked of it: it would count that as nothing. */
function usageOf(input: number, listed: object, numbers: () => number): TokenCounts {
  const has = (key: string) => (key in listed ? 1 : 0);
  const read = Math.floor(input * numbers());
  const five = Math.floor((input - read) * numbers());
  const hour = Math.floor((input - read - five) * numbers()) * has('cache_write_1h_mtok');
  return {
    input_tokens: input - read - five - hour,
    cache_read_tokens: read,
    cache_write_5m_tokens: five,
    cache_write_1h_tokens: hour,
    output_tokens: Math.floor(50_000 * numbers()),
    reasoning_tokens: 0,
    web_searches: Math.floor(5 * numbers()) * has('web_searches_kcount'),
  };
}

function asTheirs(usage: TokenCounts): Record<string, number> {
  return {
    input_tokens: wholeInput(usage),
    cache_read_tokens: usage.cache_read_tokens,
    cache_write_tokens: usage.cache_write_5m_tokens + usage.cache_write_1h_tokens,
    cache_write_1h_tokens: usage.cache_write_1h_tokens,
    output_tokens: usage.output_tokens,
    web_searches: usage.web_searches,
  };
}

/** Numbers from 0 to 1, the same at every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** The last sum that the client wrote into the file of a session. */
function costByClient(home: string): number {
  const rows = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
    .flatMap((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').split('\n'))
    .filter((line) => line.includes('"type":"cost-state"'));
  return JSON.parse(rows.at(-1) ?? '{}').totalCostUSD;
}
