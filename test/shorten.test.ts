// Long strings that are cut before a line is parsed: what stands in them as JSON is understood all the same.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryStore, openHome } from '../src/index.ts';
import { CUT, parsedAround, shortened } from '../src/sources/shorten.ts';
import { update } from './store-content.ts';
import { temporaryFolder } from './support.ts';

const ESCAPES = ['\n', '"', '\\', '\\"', '\\\\"', 'é', '\u2028', '\u0001', '\ud83d\ude00', 'plain '];

test.each(ESCAPES)('a JSON text that was cut anywhere in %j is one still', (piece) => {
  const texts = Array.from({ length: 13 }, (_, shift) => 'x'.repeat(shift) + piece.repeat(20_000));
  const inner = (text: string) => JSON.stringify({ output: text, metadata: { exit_code: 1 } });
  const parsed = texts.map((text) => {
    const line = Buffer.from(JSON.stringify({ text: inner(text) }));
    return parsedAround(JSON.parse((shortened(line) ?? line).toString()).text);
  });
  expect(parsed).toEqual(parsed.map(() => ({ output: expect.stringContaining(CUT), metadata: { exit_code: 1 } })));
});

test.each([
  ['a raw control character', '\u001b'],
  ['an escape that is none', '\\x'],
  ['half of an escape', '\\u00zz'],
])('a string with %s is not cut: its line is no JSON', (_, damage) => {
  const line = (middle: string) => Buffer.from(`{"text":"${'a'.repeat(14_000)}${middle}${'b'.repeat(8_000)}"}`);
  expect([shortened(line(damage)), shortened(line('\\n'))?.length]).toEqual([undefined, 16_384 + 11 + 18]);
});

test.each([
  ['a text that was not cut', '{"a":'],
  ['one that was no JSON before', `all of it ${CUT} is words`],
  ['one with two such places', `{"a":"${CUT}${CUT}"}`],
])('nothing is made of %s', (_, text) => {
  expect(parsedAround(text)).toBeUndefined();
});

const META =
  '{"timestamp":"2026-01-10T09:00:00.000Z","type":"session_meta","payload":{"id":"019ba700-0000-7000-8000-00000000000c","cwd":"/p"}}';
const PROMPT =
  '{"timestamp":"2026-01-10T09:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}}';

function item(payload: object): string {
  return JSON.stringify({ timestamp: '2026-01-10T09:00:02.000Z', type: 'response_item', payload });
}

function call(id: string, output: object): string[] {
  return [
    item({ type: 'function_call', name: 'shell', arguments: '{"command":["make"]}', call_id: id }),
    item({ type: 'function_call_output', call_id: id, output: JSON.stringify(output) }),
  ];
}

test('a long output that failed has failed in the index, too', async () => {
  const home = temporaryFolder();
  const folder = join(home, '.codex/sessions/2026/01/10');
  mkdirSync(folder, { recursive: true });
  const long = 'error: "quoted"\n'.repeat(4000);
  const rows = [
    META,
    PROMPT,
    ...call('call_1', { output: long, metadata: { exit_code: 2, duration_seconds: 1 } }),
    ...call('call_2', { output: long, metadata: { exit_code: 0, duration_seconds: 1 } }),
    ...call('call_3', { output: 'short', metadata: { exit_code: 1, duration_seconds: 1 } }),
  ];
  const name = 'rollout-2026-01-10T09-00-00-019ba700-0000-7000-8000-00000000000c.jsonl';
  writeFileSync(join(folder, name), `${rows.join('\n')}\n`);
  const store = memoryStore();
  await update(store, { homes: [home] });
  const statuses = openHome({ homes: [home] }).families.flatMap((family) =>
    family.open().sessions.flatMap(({ document }) => document.tool_calls.map(({ status }) => status)),
  );
  expect(statuses).toEqual(['error', 'ok', 'error']);
  // Tool, model, calls, and how many of them were refused, stopped, denied, failed.
  expect(JSON.parse(String(store.main.prepare('select calls from sessions').get()?.calls))).toEqual([
    ['shell', null, 3, 0, 0, 0, 2],
  ]);
});
