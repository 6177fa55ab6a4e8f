// The short way to the tokens says what the full one says, or nothing; and it says something nearly always.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generateCorpus } from '../bench/corpus.ts';
import { filesOf, listFiles } from '../src/ingest/node-files.ts';
import { addTokens, noTokens } from '../src/schema/tokens.ts';
import type { UsageRow } from '../src/schema/usage-row.ts';
import { sources } from '../src/sources/index.ts';
import type { Source } from '../src/sources/source.ts';
import { damaged, randomFrom } from './mutations.ts';
import { REWRITES } from './row-rewrites.ts';
import { temporaryFolder } from './support.ts';
import { bothWays, dens, differences, isLog, withLines } from './usage-equality.ts';

const all = dens();
const logs = all.flatMap((den) =>
  Object.entries(den.contents)
    .filter(([path, bytes]) => isLog(path) && bytes.length > 0)
    .map(([path, bytes]) => ({ ...den, path, bytes })),
);

test.each(all.map((den) => [`${den.name} ${den.source.agent}`, den] as const))('%s', (_, { source, contents }) => {
  expect(differences(source, contents)).toEqual([]);
});

test('hardly anything must be read in full', () => {
  const read = all.flatMap(({ name, source, contents }) =>
    bothWays(source, contents).map(({ short }) => ({ agent: source.agent, name, isShort: short !== null })),
  );
  const short = (agent: string) => read.filter((one) => one.agent === agent && one.isShort).length;
  expect({
    short: Object.fromEntries(sources.map(({ agent }) => [agent, short(agent)])),
    full: read.filter(({ isShort }) => !isShort).map(({ name }) => name),
  }).toEqual({
    short: { 'claude-code': 91, codex: 76, gemini: 67 },
    full: [
      // Several files of one session, or the same file twice.
      'fixtures/claude-code/project-moved/native',
      'fixtures/codex/copies/native',
      // Forks that go on from another file.
      'fixtures/codex/fork-after-a-failure/native',
      'fixtures/codex/fork-base-missing/native',
      'fixtures/codex/fork-base-packed/native',
      'fixtures/codex/resume-fork/native',
      'fixtures/codex/subagent-archived-too/native',
      'fixtures/codex/ts-document/native',
      // Replies with tokens that only a loaded context tells.
      'fixtures/gemini/contexts-recorded-again/native',
    ],
  });
});

test('every line alone', () => {
  const wrong = logs.flatMap(({ name, source, contents, path, bytes }) =>
    bytes
      .toString('latin1')
      .split('\n')
      .flatMap((line, i) =>
        differences(source, { ...contents, [path]: Buffer.from(line, 'latin1') }).map(() => `${name} ${path} ${i + 1}`),
      ),
  );
  expect(wrong).toEqual([]);
});

test.each(Object.entries(REWRITES))('rows with %s', (_, rewrite) => {
  const wrong = all.filter(
    ({ source, contents }) =>
      differences(
        source,
        withLines(contents, (lines) => lines.map((line) => rewriteRow(line, rewrite))),
      ).length > 0,
  );
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

/** Lines that are no JSON object stay as they are. */
function rewriteRow(line: string, rewrite: (line: string) => string): string {
  try {
    return /^\{.*\}$/.test(line) && JSON.parse(line) !== null ? rewrite(line) : line;
  } catch {
    return line;
  }
}

test('damaged files', () => {
  const random = randomFrom(20261116);
  const wrong = Array.from({ length: 1500 }, () => ({ log: random(logs.length), seed: random(2 ** 31) })).filter(
    ({ log, seed }) => {
      const { source, contents, path, bytes } = logs[log] as (typeof logs)[number];
      return differences(source, { ...contents, [path]: damaged({ source, path, bytes }, seed).bytes }).length > 0;
    },
  );
  expect(wrong).toEqual([]);
});

test('the tokens of a corpus whose truth is known', () => {
  const home = join(temporaryFolder(), 'corpus');
  generateCorpus({ out: home, mb: 8, files: 30, seed: 7 });
  const { messages, by_model, ...truth } = JSON.parse(readFileSync(join(home, 'TRUTH.json'), 'utf8')).usage;
  const rows = sources.flatMap((source) => rowsIn(home, source));
  // A fork holds its parent's messages: each once.
  const distinct = [...new Map(rows.map((row, i) => [row.key ?? i, row])).values()];
  const total = noTokens();
  for (const { usage } of distinct) addTokens(total, usage);
  const models = [...new Set(distinct.map(({ model }) => model))].sort();
  // What of it was reasoning the truth does not say.
  expect({ messages: distinct.length, models, total }).toMatchObject({
    messages,
    models: Object.keys(by_model).sort(),
    total: truth,
  });
});

function rowsIn(home: string, source: Source): UsageRow[] {
  const place = { folder: join(home, source.root.name), name: source.root.name };
  const port = filesOf(place);
  const { families } = source.group(listFiles(place, source.places).files, port);
  return families.flatMap((family) => source.usage(family, port) ?? []).flatMap(({ rows }) => rows);
}
