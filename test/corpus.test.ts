// The corpus of the benchmarks is written from the format's description, apart from the reader, with the
// truth beside it: what the reader finds in it must be that truth.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generateCorpus } from '../bench/corpus.ts';
import { readSessions } from '../src/index.ts';
import { temporaryFolder } from './support.ts';

const home = join(temporaryFolder(), 'corpus');
generateCorpus({ out: home, mb: 12, files: 40, seed: 3 });
const truth = JSON.parse(readFileSync(join(home, 'TRUTH.json'), 'utf8'));
const sessions = [...readSessions({ homes: [home] })];

function total(count: (session: (typeof sessions)[number]) => number): number {
  return sessions.reduce((sum, session) => sum + count(session), 0);
}

test('every event, and none that did not happen', () => {
  expect({
    compactions: total((session) => session.compaction.boundaries.length),
    clears: total((session) => session.context_clears.length),
    interruptions: total((session) => session.interruptions.length),
    rejections: total((session) => session.rejections.length),
    rewinds: total((session) => session.rewinds.length),
    denials: total((session) => session.denials.length),
    failures: total((session) => session.failures.length),
  }).toEqual(truth.events);
});

test('the tokens of every API message, once', () => {
  expect({
    input_tokens: total(({ session }) => session.usage.input_tokens),
    cache_read_tokens: total(({ session }) => session.usage.cache_read_tokens),
    cache_write_5m_tokens: total(({ session }) => session.usage.cache_write_5m_tokens),
    cache_write_1h_tokens: total(({ session }) => session.usage.cache_write_1h_tokens),
    output_tokens: total(({ session }) => session.usage.output_tokens),
  }).toEqual({
    input_tokens: truth.usage.input_tokens,
    cache_read_tokens: truth.usage.cache_read_tokens,
    cache_write_5m_tokens: truth.usage.cache_write_5m_tokens,
    cache_write_1h_tokens: truth.usage.cache_write_1h_tokens,
    output_tokens: truth.usage.output_tokens,
  });
});

test('every line', () => {
  const own = sessions.filter(({ session }) => session.kind === 'main' || session.source.files[0]?.role === 'subagent');
  expect(own.reduce((sum, { session }) => sum + session.accounting.lines, 0)).toBe(truth.lines);
});
