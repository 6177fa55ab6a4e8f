// A prompt of which a compaction kept less: an index reads long strings cut, and must not take it for the whole prompt.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codex } from '../src/sources/codex/index.ts';
import { CUT } from '../src/sources/shorten.ts';
import type { Files } from '../src/sources/source.ts';
import { memoryFiles, root } from './support.ts';

const PATH = '.codex/sessions/2026/10/10/rollout-2026-10-10T09-00-00-019ba710-0000-7000-8000-000000000051.jsonl';
/** Longer than what is read of a long string. */
const LONG = 'x'.repeat(20_000);
const text = readFileSync(join(root, 'fixtures/codex/compaction-cuts-a-prompt-short/native', PATH), 'utf8')
  .replaceAll('one, two, three, four, five, six, seven', `${LONG}, two, three, four, five, six, ${LONG}`)
  .replaceAll('one…12 tokens truncated…', `${LONG}…12 tokens truncated…${LONG}, `);

function outlineOf(given: Partial<Files>) {
  const { port, files } = memoryFiles({ [PATH]: text });
  const { families } = codex.group(files, port);
  const [outline] = families.flatMap((family) => codex.outline(family, { ...port, ...given }, { content: false }));
  return outline;
}

test('read whole, what was kept is another message', () => {
  expect(outlineOf({})?.messages[4]?.extra.shortened_from).toBe('msg_u_t1');
});

test('read cut, nothing tells them apart, and the event says so: it must be read whole', () => {
  const signals = outlineOf({ shortens: true })?.signals ?? [];
  expect(signals.map(({ extra }) => JSON.stringify(extra).includes(JSON.stringify(CUT)))).toEqual([true, true]);
});
