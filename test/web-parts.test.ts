// Parts of the viewer that need no browser.

import { expect, test } from 'vitest';
import { contextSizes } from '../src/web/context-size.ts';
import { addressOf, sessionAddress } from '../src/web/page/address.ts';
import { type DiffRow, diffRows, type Side } from '../src/web/page/parts/diff-rows.ts';
import { duration } from '../src/web/page/parts/measures.ts';
import { visible } from '../src/web/page/parts/visible.ts';

const usage = (input_tokens: number, output_tokens: number) => ({
  input_tokens,
  cache_read_tokens: 0,
  cache_write_5m_tokens: 0,
  cache_write_1h_tokens: 0,
  output_tokens,
  reasoning_tokens: 0,
  web_searches: 0,
  estimated: false,
});
const said = (bytes: number) => ({ sent: true, usage: null, bytes });
const reply = (input: number, output: number) => ({ sent: true, usage: usage(input, output), bytes: 80 });

test('the context is as replies recorded it, and spread between them as the rows are long', () => {
  const messages = [said(800), reply(1000, 100), said(300), said(100), reply(1500, 50)];
  expect(contextSizes(messages, [{ opened_at_index: 0, start: [] }])).toEqual({
    tokens: [1000, 1000, 1400, 1500, 1500],
    recorded: [false, true, false, false, true],
  });
});

test('a compaction begins anew with what the window holds, until a reply tells', () => {
  const messages = [said(800), reply(9000, 100), said(160), said(80), reply(500, 10), said(80)];
  const windows = [
    { opened_at_index: 0, start: [] },
    { opened_at_index: 2, start: [[2, 2]] as [number, number][] },
  ];
  expect(contextSizes(messages, windows)).toEqual({
    tokens: [9000, 9000, 20, 500, 500, 520],
    recorded: [false, true, false, false, true, false],
  });
});

test('what a window begins with is counted once, also where no reply ever tells', () => {
  const windows = [
    { opened_at_index: 0, start: [] },
    { opened_at_index: 1, start: [[1, 1]] as [number, number][] },
  ];
  expect(contextSizes([said(800), said(160), said(80)], windows).tokens).toEqual([100, 20, 30]);
});

test('where nothing was recorded, the rows alone tell, and it is said', () => {
  expect(
    contextSizes([said(80), { ...said(800), sent: false }, said(160)], [{ opened_at_index: 0, start: [] }]),
  ).toEqual({
    tokens: [10, 10, 30],
    recorded: [false, false, false],
  });
});

type SideTold = [number: number | null, text: string, kind: Side['kind']];

function lines(...sides: [SideTold, SideTold]): DiffRow {
  const [left, right] = sides.map(([number, text, kind]) => ({ number, text, kind })) as [Side, Side];
  return { kind: 'lines', left, right };
}

test('lines that went and came together stand beside one another', () => {
  const diff =
    '--- a/x\n+++ b/x\n@@ -3,4 +3,3 @@\n same\n--- old one\n-old two\n+++ new one\n end\n\\ No newline at end of file\n';
  expect(diffRows(diff)).toEqual([
    { kind: 'file', name: 'a/x → b/x' },
    lines([3, 'same', 'same'], [3, 'same', 'same']),
    lines([4, '-- old one', 'less'], [4, '++ new one', 'more']),
    lines([5, 'old two', 'less'], [null, '', 'none']),
    lines([6, 'end', 'same'], [5, 'end', 'same']),
  ]);
});

test('each file of a change is named once, and no heading is taken for a line', () => {
  const diff = [
    ...['--- /home/me/a.ts', '+++ /home/me/a.ts', '@@ -1 +1 @@', '-one', '+two', ''],
    ...['--- /home/me/a.ts', '+++ /home/me/a.ts', '@@ -8 +8 @@', '-eight', '+nine', ''],
    ...['--- /dev/null', '+++ /home/me/b.ts', '@@ -0,0 +1,2 @@', '+b', '+++ c', ''],
    ...['--- /home/me/c.ts', '+++ /dev/null', ''],
    ...['Index: d.ts', '====', '--- d.ts\tCurrent', '+++ d.ts\tProposed', '@@ -1 +0,0 @@', '-d', ''],
  ].join('\n');
  expect(diffRows(diff)).toEqual([
    { kind: 'file', name: '/home/me/a.ts' },
    lines([1, 'one', 'less'], [1, 'two', 'more']),
    { kind: 'gap' },
    lines([8, 'eight', 'less'], [8, 'nine', 'more']),
    { kind: 'file', name: '/home/me/b.ts (new)' },
    lines([null, '', 'none'], [1, 'b', 'more']),
    lines([null, '', 'none'], [2, '++ c', 'more']),
    { kind: 'file', name: '/home/me/c.ts (deleted)' },
    { kind: 'file', name: 'd.ts' },
    lines([1, 'd', 'less'], [null, '', 'none']),
  ]);
});

test.each([
  ['plain\ntext\twith tabs', 'plain\ntext\twith tabs'],
  ['\u001b[31mred\u0007', '␛[31mred␇'],
  ['abc\u202edcb', 'abc⟨202E⟩dcb'],
  ['zero\u200bwidth', 'zero⟨200B⟩width'],
  ['line\r\nend', 'line\nend'],
  ['grüße 漢字 👍🏽', 'grüße 漢字 👍🏽'],
])('%j is shown so that nothing in it is unseen', (text, shown) => {
  expect(visible(text)).toBe(shown);
});

test.each([
  ['/', '', '', { key: null, message: null }],
  ['/s/claude-code%3Aa%2Fb', '', '#msg%201', { key: 'claude-code:a/b', message: 'msg 1' }],
  ['/s/%E0%A4%A', '', '', { key: '%E0%A4%A', message: null }],
])('the address %s%s%s', (pathname, search, hash, expected) => {
  const { key, message } = addressOf({ pathname, search, hash });
  expect({ key, message }).toEqual(expected);
});

test('an address leads back to what it was made of', () => {
  const address = sessionAddress('codex:x/../y?#', 'id with / and #');
  const [pathname = '', hash = ''] = address.split('#');
  expect(addressOf({ pathname, search: '', hash: `#${hash}` })).toMatchObject({
    key: 'codex:x/../y?#',
    message: 'id with / and #',
  });
});

test.each([
  [999, '999 ms'],
  [1000, '1.0 s'],
  [59_960, '1 min 0 s'],
  [119_600, '2 min 0 s'],
  [3_599_600, '1 h 0 min'],
  [10_805_000, '3 h 0 min'],
])('%i milliseconds are %s', (ms, told) => {
  expect(duration(new Date(0).toISOString(), new Date(ms).toISOString())).toBe(told);
});
