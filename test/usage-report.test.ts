// Sums of usage as reports: grouped, ordered, added up; for programs and for spreadsheets.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ratesBy, type UsageGrouping, type UsageSum, usageCsv, usageReport } from '../src/index.ts';
import { weekOf } from '../src/query/iso-week.ts';
import { noTokens } from '../src/schema/tokens.ts';
import { root } from './support.ts';

function sum(changed: Partial<UsageSum>): UsageSum {
  return {
    agent: 'claude-code',
    session_id: 's1',
    title: 'Mend the till',
    project: '/home/me/shop',
    day: '2026-11-14',
    model: 'claude-opus-5-5',
    requests: 1,
    ...noTokens(),
    cost: 0,
    unpriced: 0,
    estimated: 0,
    ...changed,
  };
}

/** Two sessions, three models of which one has no price, three days of two months and two weeks, and one request without a time. */
const SUMS = [
  sum({ day: '2026-11-16', requests: 3, input_tokens: 30, output_tokens: 3, cost: 0.3 }),
  sum({ day: '2026-11-15', requests: 2, input_tokens: 20, cache_read_tokens: 200, output_tokens: 2, cost: 0.2 }),
  sum({ day: '2026-10-31', model: 'claude-haiku-4-5', requests: 1, input_tokens: 1000, cost: 0.001, estimated: 1 }),
  sum({
    agent: 'codex',
    session_id: 's2',
    title: null,
    project: null,
    day: '2026-11-15',
    model: 'gpt-6.1-sol',
    requests: 4,
    input_tokens: 40,
    cache_read_tokens: 400,
    cache_write_5m_tokens: 4,
    cache_write_1h_tokens: 5,
    output_tokens: 44,
    reasoning_tokens: 14,
    web_searches: 1,
    unpriced: 4,
  }),
  sum({ agent: 'codex', session_id: 's2', project: null, day: null, model: null, output_tokens: 7, unpriced: 1 }),
];

test('a report by day, whole', () => {
  expect(usageReport(SUMS.slice(1, 4), { by: 'day' })).toEqual({
    by: 'day',
    since: null,
    until: null,
    groups: [
      {
        name: '2026-10-31',
        title: null,
        agents: ['claude-code'],
        models: ['claude-haiku-4-5'],
        requests: 1,
        ...noTokens(),
        input_tokens: 1000,
        total_tokens: 1000,
        cost: 0.001,
        unpriced_requests: 0,
        estimated_requests: 1,
      },
      {
        name: '2026-11-15',
        title: null,
        agents: ['claude-code', 'codex'],
        models: ['claude-opus-5-5', 'gpt-6.1-sol'],
        requests: 6,
        input_tokens: 60,
        cache_read_tokens: 600,
        cache_write_5m_tokens: 4,
        cache_write_1h_tokens: 5,
        output_tokens: 46,
        reasoning_tokens: 14,
        web_searches: 1,
        total_tokens: 715,
        cost: 0.2,
        unpriced_requests: 4,
        estimated_requests: 0,
      },
    ],
    totals: {
      requests: 7,
      input_tokens: 1060,
      cache_read_tokens: 600,
      cache_write_5m_tokens: 4,
      cache_write_1h_tokens: 5,
      output_tokens: 46,
      reasoning_tokens: 14,
      web_searches: 1,
      total_tokens: 1715,
      cost: 0.201,
      unpriced_requests: 4,
      estimated_requests: 1,
    },
    unpriced_models: [{ model: 'gpt-6.1-sol', requests: 4, tokens: 493 }],
    undated_requests: 0,
  });
});

const GROUPED: [by: UsageGrouping, groups: [name: string | null, requests: number, cost: number | null][]][] = [
  [
    'day',
    [
      ['2026-10-31', 1, 0.001],
      ['2026-11-15', 6, 0.2],
      ['2026-11-16', 3, 0.3],
      [null, 1, null],
    ],
  ],
  [
    'week',
    [
      ['2026-W44', 1, 0.001],
      ['2026-W46', 6, 0.2],
      ['2026-W47', 3, 0.3],
      [null, 1, null],
    ],
  ],
  [
    'month',
    [
      ['2026-10', 1, 0.001],
      ['2026-11', 9, 0.5],
      [null, 1, null],
    ],
  ],
  [
    'model',
    [
      ['claude-opus-5-5', 5, 0.5],
      ['claude-haiku-4-5', 1, 0.001],
      ['gpt-6.1-sol', 4, null],
      [null, 1, null],
    ],
  ],
  [
    'project',
    [
      ['/home/me/shop', 6, 0.501],
      [null, 5, null],
    ],
  ],
  [
    'agent',
    [
      ['claude-code', 6, 0.501],
      ['codex', 5, null],
    ],
  ],
  [
    'session',
    [
      ['s1', 6, 0.501],
      ['s2', 5, null],
    ],
  ],
];

test.each(GROUPED)('by %s: calendars from the oldest, the rest by cost, then by tokens', (by, groups) => {
  const report = usageReport(SUMS, { by });
  expect(report.groups.map(({ name, requests, cost }) => [name, requests, cost])).toEqual(groups);
  expect([report.totals.requests, report.totals.cost, report.undated_requests]).toEqual([11, 0.501, 1]);
});

test('the first day is in, the day after the last is not; what has no time is told, not counted', () => {
  const within = usageReport(SUMS, { by: 'day', since: '2026-10-31', until: '2026-11-16' });
  expect(within.groups.map(({ name }) => name)).toEqual(['2026-10-31', '2026-11-15']);
  const { since, until, totals, undated_requests } = usageReport(SUMS, { by: 'model', since: '2026-11-16' });
  expect([since, until, totals.requests, undated_requests]).toEqual(['2026-11-16', null, 3, 1]);
});

test('unpriced models: most tokens first, each once', () => {
  const again = sum({ model: 'gpt-6.1-sol', day: '2026-11-01', requests: 3, input_tokens: 10, unpriced: 2 });
  expect(usageReport([...SUMS, again], { by: 'month' }).unpriced_models).toEqual([
    { model: 'gpt-6.1-sol', requests: 6, tokens: 503 },
    { model: null, requests: 1, tokens: 7 },
  ]);
});

test('a session has its title; the same id with two agents is two sessions', () => {
  const sums = [sum({ cost: 1 }), sum({ agent: 'gemini', title: 'Another' })];
  const { groups } = usageReport(sums, { by: 'session' });
  expect(groups.map(({ name, title, agents }) => [name, title, agents])).toEqual([
    ['s1', 'Mend the till', ['claude-code']],
    ['s1', 'Another', ['gemini']],
  ]);
});

test('costs are added without the noise of binary fractions; nothing costs nothing', () => {
  const tenth = sum({ cost: 0.1 });
  expect(usageReport([tenth, tenth, tenth], { by: 'day' }).totals.cost).toBe(0.3);
  const middle = [4.000004075, 6.000004798, 2.000005342].map((cost) => sum({ cost }));
  const costs = [middle, middle.toReversed()].map((sums) => usageReport(sums, { by: 'day' }).totals.cost);
  expect(costs).toEqual([12.00001422, 12.00001422]);
  expect(usageReport([], { by: 'day' })).toMatchObject({ groups: [], totals: { requests: 0, cost: 0 } });
});

test.each([
  ['2026-11-15', '2026-W46'],
  ['2026-11-16', '2026-W47'],
  ['2026-01-01', '2026-W01'],
  ['2025-12-29', '2026-W01'],
  ['2025-12-28', '2025-W52'],
  ['2027-01-01', '2026-W53'],
  ['2027-01-03', '2026-W53'],
  ['2027-01-04', '2027-W01'],
  ['2024-02-29', '2024-W09'],
])('%s lies in %s', (day, week) => {
  expect(weekOf(day)).toBe(week);
});

const CALLS = [
  { tool: 'Bash', model: 'claude-opus-5-5', calls: 150, rejected: 3, interrupted: 1, denied: 0, failed: 50 },
  { tool: 'Bash', model: null, calls: 50, rejected: 1, interrupted: 0, denied: 0, failed: 0 },
  { tool: 'Edit', model: 'claude-opus-5-5', calls: 3, rejected: 1, interrupted: 0, denied: 0, failed: 0 },
  { tool: 'Never', model: null, calls: 0, rejected: 0, interrupted: 0, denied: 0, failed: 0 },
];
const NO_ENDS = { rejected: 0, interrupted: 0, denied: 0, failed: 0 };

test('rates of a hundred calls, by tool', () => {
  expect(ratesBy(CALLS, 'tool')).toEqual([
    {
      name: 'Bash',
      calls: 200,
      rejected: 4,
      interrupted: 1,
      denied: 0,
      failed: 50,
      per_100: { rejected: 2, interrupted: 0.5, denied: 0, failed: 25 },
    },
    { name: 'Edit', calls: 3, ...NO_ENDS, rejected: 1, per_100: { ...NO_ENDS, rejected: 33.33 } },
    { name: 'Never', calls: 0, ...NO_ENDS, per_100: NO_ENDS },
  ]);
});

test('and by model', () => {
  expect(ratesBy(CALLS, 'model').map(({ name, calls, per_100 }) => [name, calls, per_100.rejected])).toEqual([
    ['claude-opus-5-5', 153, 2.61],
    [null, 50, 2],
  ]);
});

test('CSV: what is not known is empty, quotes are doubled, formulas are harmless', () => {
  const titles = ['=1+1', '+1', '-1', '@a', ' \t=1', '\u001b[31m=1', 'a=1', 'say "no", then\nstop', null];
  const sums = titles.map((title, i) => sum({ title, session_id: `s${i}`, requests: 1, unpriced: 1 }));
  expect([...usageCsv(usageReport(sums, { by: 'session' }))].map((line) => line.split(',claude-code,')[0])).toEqual([
    'session,title,agents,models,requests,input_tokens,cache_read_tokens,cache_write_5m_tokens,cache_write_1h_tokens,output_tokens,reasoning_tokens,total_tokens,web_searches,cost_usd,unpriced_requests,estimated_requests\r\n',
    "s0,'=1+1",
    "s1,'+1",
    "s2,'-1",
    "s3,'@a",
    "s4,' \t=1",
    "s5,'=1",
    's6,a=1',
    's7,"say ""no"", then\nstop"',
    's8,',
  ]);
});

test('CSV: figures as they are in the report', () => {
  expect([...usageCsv(usageReport(SUMS, { by: 'agent' }))].slice(1)).toEqual([
    'claude-code,,claude-code,claude-haiku-4-5 claude-opus-5-5,6,1050,200,0,0,5,0,1255,0,0.501,0,1\r\n',
    'codex,,codex,gpt-6.1-sol,5,40,400,4,5,51,14,500,1,,5,0\r\n',
  ]);
});

test('every field and every column is in the docs', () => {
  const page = readFileSync(join(root, 'docs/usage.md'), 'utf8');
  const report = usageReport(SUMS, { by: 'day' });
  const [heading = ''] = [...usageCsv(report)];
  const names = [
    ...Object.keys(report),
    ...report.groups.flatMap((group) => Object.keys(group)),
    ...heading.trim().split(','),
    ...ratesBy(CALLS, 'tool').flatMap((rates) => Object.keys(rates)),
  ];
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
