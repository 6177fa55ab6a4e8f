// What a person sees of a report, on terminals of any width.

import { expect, test } from 'vitest';
import { ratesPage, usagePage } from '../src/cli/usage-page.ts';
import { bar, dollars, painter, ratesBy, tokens, type UsageSum, usageReport, widthOf } from '../src/index.ts';
import { noTokens } from '../src/schema/tokens.ts';

function view(room: number, colour = false) {
  return { width: Math.min(room, 100), room, rows: 50, isTerminal: true, paint: painter({ colour }) };
}

function sum(changed: Partial<UsageSum>): UsageSum {
  return {
    agent: 'claude-code',
    session_id: '01234567-aaaa-4aaa-8aaa-aaaaaaaaaaaa',
    title: 'Mend the till',
    project: '/home/me/shop',
    day: '2026-11-14',
    model: 'claude-opus-5-5',
    requests: 12,
    ...noTokens(),
    input_tokens: 1200,
    cache_read_tokens: 2_000_000,
    cache_write_1h_tokens: 30_000,
    output_tokens: 9000,
    cost: 1,
    unpriced: 0,
    estimated: 0,
    ...changed,
  };
}

const UNPRICED = { model: 'my-model', requests: 3, ...noTokens(), output_tokens: 12_000, cost: 0, unpriced: 3 };
const SUMS = [
  sum({ cost: 2.5 }),
  sum({ day: '2026-11-15', cost: 1234.5 }),
  sum({ day: '2026-11-15', ...UNPRICED }),
  sum({ day: '2026-11-16', ...UNPRICED }),
];

test('80 columns', () => {
  expect([...usagePage(usageReport(SUMS, { by: 'day' }), view(80))].join('')).toBe(`\
DAY         REQUESTS  INPUT  CACHE  OUTPUT  TOKENS        COST
2026-11-14        12   1.2k   2.0M    9.0k    2.0M       $2.50  ▏
2026-11-15        15   1.2k   2.0M     21k    2.1M  ≥$1,234.50  ████████████████
2026-11-16         3      0      0     12k     12k           ?
total             30   2.4k   4.1M     42k    4.1M  ≥$1,237.00

6 requests of my-model (24k tokens) have no known price and are not in the cost:
give one with --prices.
Costs are list prices, worked out request by request: not what a subscription is
billed.
`);
});

test('120 columns, by session', () => {
  expect([...usagePage(usageReport(SUMS, { by: 'session' }), view(120))].join('')).toBe(`\
SESSION                  REQUESTS  INPUT  CACHE READ  CACHE WRITE  OUTPUT  TOKENS        COST
01234567  Mend the till        30   2.4k        4.0M          60k     42k    4.1M  ≥$1,237.00  █████████████████████████
total                          30   2.4k        4.0M          60k     42k    4.1M  ≥$1,237.00

6 requests of my-model (24k tokens) have no known price and are not in the cost: give one with
--prices.
Costs are list prices, worked out request by request: not what a subscription is billed.
`);
});

test('30 columns', () => {
  const [, ...lines] = [...usagePage(usageReport(SUMS, { by: 'day' }), view(30))];
  expect(lines.slice(0, 4).join('')).toBe(`\
2026-11-14    2.0M       $2.50
2026-11-15    2.1M  ≥$1,234.50
2026-11-16     12k           ?
total         4.1M  ≥$1,237.00
`);
});

test('where nothing has a known price the bars are of tokens, and nothing is said of costs', () => {
  const report = usageReport(
    [sum({ ...UNPRICED, requests: 1, unpriced: 1 }), sum({ day: null, ...UNPRICED, model: null, output_tokens: 6000 })],
    { by: 'day' },
  );
  expect([...usagePage(report, view(64))].join('')).toBe(`\
DAY         REQUESTS  OUTPUT  TOKENS  COST
2026-11-14         1     12k     12k     ?  ████████████████████
(no time)          3    6.0k    6.0k     ?  ██████████
total              4     18k     18k     ?

1 request of my-model (12k tokens) has no known price and is not
in the cost: give one with --prices.
3 requests without the name of a model (6.0k tokens) have no
known price and are not in the cost.
`);
});

test('what else is told: estimates, what has no time, many models without a price', () => {
  const models = Array.from({ length: 7 }, (_, i) => sum({ ...UNPRICED, model: `m${i}`, output_tokens: 70 - i }));
  const report = usageReport([...models, sum({ day: null, estimated: 2 }), sum({ estimated: 4 })], {
    by: 'month',
    since: '2026-01-01',
  });
  expect([...usagePage(report, view(200))].slice(-9)).toEqual([
    '3 requests of m0 (70 tokens) have no known price and are not in the cost: give one with --prices.\n',
    '3 requests of m1 (69 tokens) have no known price and are not in the cost: give one with --prices.\n',
    '3 requests of m2 (68 tokens) have no known price and are not in the cost: give one with --prices.\n',
    '3 requests of m3 (67 tokens) have no known price and are not in the cost: give one with --prices.\n',
    '3 requests of m4 (66 tokens) have no known price and are not in the cost: give one with --prices.\n',
    '… and 6 requests of 2 more models without a known price.\n',
    '12 requests without a recorded time: not counted, since days were asked for.\n',
    'Of 4 requests no usage is recorded: the tokens are estimates.\n',
    'Costs are list prices, worked out request by request: not what a subscription is billed.\n',
  ]);
});

test('no line is wider than the terminal, names from a history cannot draw on it, colours only where wanted', () => {
  const odd = [
    sum({ project: `/home/me/${'long/'.repeat(30)}shop`, title: '\u001b[31mred\u0007' }),
    sum({ project: '/客/漢字'.repeat(20), model: '\u001b]0;x\u0007mine', unpriced: 12 }),
  ];
  const rates = ratesBy([{ tool: 'x'.repeat(90), model: null, calls: 9999, ...ENDS }], 'tool');
  const pages = (room: number) => [
    ...(['day', 'week', 'month', 'model', 'project', 'agent', 'session'] as const).flatMap((by) => [
      ...usagePage(usageReport(odd, { by }), view(room)),
    ]),
    ...ratesPage(rates, 'tool', view(room)),
  ];
  const lines = [30, 40, 60, 64, 80, 100, 120].flatMap((room) =>
    pages(room).map((line) => ({ room, line: line.trimEnd() })),
  );
  expect(lines.filter(({ room, line }) => widthOf(line) > room)).toEqual([]);
  expect(lines.filter(({ line }) => line.includes('\u001b'))).toEqual([]);
  expect([...usagePage(usageReport(SUMS, { by: 'day' }), view(80, true))][2]).toBe(
    '\u001b[1m2026-11-15\u001b[22m        15   1.2k   2.0M     21k    2.1M  ≥$1,234.50  \u001b[32m████████████████\u001b[39m\n',
  );
});

const ENDS = { rejected: 100, interrupted: 10, denied: 1, failed: 3000 };

test('rates: counts and rates where there is room, else rates', () => {
  const rates = ratesBy(
    [
      { tool: 'Bash', model: null, calls: 1200, rejected: 14, interrupted: 3, denied: 0, failed: 80 },
      { tool: 'Edit', model: null, calls: 400, rejected: 44, interrupted: 0, denied: 1, failed: 8 },
    ],
    'tool',
  );
  expect([...ratesPage(rates, 'tool', view(90)), ...ratesPage(rates, 'tool', view(40))].join('')).toBe(`\
TOOL  CALLS  REJECTED  /100  INTERRUPTED  /100  DENIED  /100  FAILED  /100
Bash  1,200        14   1.2            3   0.3                    80   6.7
Edit    400        44  11.0                          1   0.3       8   2.0
Of 100 calls:

TOOL  CALLS  REJECTED  FAILED
Bash  1,200       1.2     6.7
Edit    400      11.0     2.0
`);
});

test.each([
  [0, 10, ''],
  [10, 10, '████'],
  [5, 10, '██'],
  [1, 10, '▍'],
  [0.0001, 10, '▏'],
  [9.99, 10, '████'],
  [Number.NaN, 10, ''],
  [1, 0, ''],
])('a bar of %d in %d, four columns wide', (part, whole, drawn) => {
  expect(bar(part, whole, 4)).toBe(drawn);
});

test.each([
  [0, '$0.00'],
  [0.0001, '<$0.01'],
  [0.005, '$0.01'],
  [0.42, '$0.42'],
  [1234.5, '$1,234.50'],
])('%d dollars', (amount, written) => {
  expect(dollars(amount)).toBe(written);
});

test.each([
  [999_949_999, '999.9M'],
  [999_950_000, '1.0B'],
  [12_340_000_000, '12.3B'],
])('%d tokens', (count, written) => {
  expect(tokens(count)).toBe(written);
});

test('rates are rounded once, and a tool without a name has a word', () => {
  const none = { rejected: 0, interrupted: 0, denied: 0, failed: 0 };
  const rates = ratesBy([{ tool: '', model: null, calls: 76, ...none, denied: 3 }], 'tool');
  expect([...ratesPage(rates, 'tool', view(90))].join('').split('\n')[1]?.split(/ {2,}/)).toEqual([
    '(no name)',
    '76',
    '3',
    '3.9',
  ]);
});

test('whose prices they are', () => {
  expect([...usagePage(usageReport([sum({})], { by: 'day' }), view(200), true)].join('')).toContain(
    'Costs are by your own prices, and by list prices where these name no model, worked out',
  );
});
