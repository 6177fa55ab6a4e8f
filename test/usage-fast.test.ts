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
import { LONG_ROW, REWRITES } from './row-rewrites.ts';
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
    short: { 'claude-code': 166, codex: 119, gemini: 124 },
    full: [
      // Ids that come again for other replies.
      'fixtures/claude-code/numbered-anew/native',
      // Several files of one session, or the same file twice.
      'fixtures/claude-code/project-moved/native',
      'fixtures/codex/compaction-keeps-replies/native',
      'fixtures/codex/compaction-keeps-words-some-with-ids/native',
      'fixtures/codex/copies/native',
      // Forks that go on from another file.
      'fixtures/codex/fork-after-a-failure/native',
      'fixtures/codex/fork-base-missing/native',
      'fixtures/codex/fork-base-packed/native',
      'fixtures/codex/forks-that-begin-with-a-rewind/native',
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

/** Long rows are passed in another way than short ones. */
const longLogs = logs.map((log) => ({
  ...log,
  bytes: Buffer.from(
    log.bytes
      .toString('latin1')
      .split('\n')
      .map((line) => rewriteRow(line, LONG_ROW))
      .join('\n'),
    'latin1',
  ),
}));

test.each([
  ['damaged files', logs, 1500],
  ['damaged files with long rows', longLogs.filter(({ source }) => source.agent === 'codex'), 300],
])('%s', (_, candidates, count) => {
  const random = randomFrom(20261116);
  const wrong = Array.from({ length: count }, () => ({ log: random(candidates.length), seed: random(2 ** 31) })).filter(
    ({ log, seed }) => {
      const { source, contents, path, bytes } = candidates[log] as (typeof logs)[number];
      return differences(source, { ...contents, [path]: damaged({ source, path, bytes }, seed).bytes }).length > 0;
    },
  );
  expect(wrong).toEqual([]);
});

const ROLLOUT = '.codex/sessions/2026/01/10/rollout-2026-01-10T09-00-00-00000000-0000-4000-8000-000000000000.jsonl';
const LOG = '.gemini/tmp/demo/chats/session-2026-01-10T09-00-00000000.jsonl';
const SESSION = '.claude/projects/-home-me-demo/00000000-0000-4000-8000-000000000000.jsonl';

const TOTALS = (space: string) => `{"input_tokens":${space}10,"output_tokens":${space}5,"total_tokens":${space}15}`;
const COUNT = (space: string) =>
  codexRow(
    'event_msg',
    `"type":"token_count","info":{"total_token_usage":${TOTALS(space)},"last_token_usage":${TOTALS('')}}`,
  );
const THOUGHT = (text: string) => codexRow('event_msg', `"type":"agent_reasoning","text":"${text}"`);
/** Short ones are looked into. */
const OUTPUT = codexRow(
  'response_item',
  `"type":"function_call_output","call_id":"c1","output":"${'done '.repeat(500)}"`,
);

function codexRow(type: string, payload: string): string {
  return `{"timestamp":"2026-01-10T09:00:00.000Z","type":"${type}","payload":{${payload}}}`;
}

const SAID = '"tokens":{"input":10,"output":5},"model":"gemini-3"';
const LATER = '"tokens":{"input":10,"output":7},"model":"gemini-3"';
const ASKED = (id: string) => `{"id":"${id}","timestamp":"2026-01-10T09:00:00.000Z","type":"user","content":"hi"}`;
const ANSWER = (id: string, more = SAID) =>
  `{"id":"${id}","timestamp":"2026-01-10T09:00:01.000Z","type":"gemini","content":"ho",${more}}`;

const REPLY = (uuid: string, id: string, output: number) =>
  `{"type":"assistant","uuid":"${uuid}","cwd":"/home/me/demo","timestamp":"2026-01-10T09:00:00.000Z","message":{"id":"${id}","model":"claude","content":[],"usage":{"input_tokens":10,"output_tokens":${output}}}}`;

/** What each reply put out; null where the session must be read in full. */
const CASES: [what: string, path: string, lines: string[], outputs: number[] | null][] = [
  ['totals again, written otherwise', ROLLOUT, [THOUGHT('a'), COUNT(''), COUNT(' ')], [5]],
  ['thoughts after an output that may be damaged', ROLLOUT, [THOUGHT('a'), OUTPUT, THOUGHT('b'), COUNT('')], null],
  ['thoughts and an output', ROLLOUT, [THOUGHT('a'), OUTPUT, COUNT('')], [5]],
  [
    'a history recorded again under new ids',
    LOG,
    [
      ASKED('u1'),
      ANSWER('g1'),
      ASKED('u2'),
      ANSWER('g2'),
      `{"$set":{"messages":[${ASKED('u2')},${ANSWER('g2')}]}}`,
      ANSWER('g3'),
    ],
    [5, 5],
  ],
  [
    'a reply that only a loaded context tells',
    LOG,
    [ASKED('u1'), '{"$set":{"sessionId":"s"}}', `{"$set":{"messages":[${ASKED('u1')},${ANSWER('g1')}]}}`],
    null,
  ],
  ['a poorer row of a reply', LOG, [ANSWER('g1'), ANSWER('g1', '"tokens":{"input":1,"output":1}')], [5]],
  ['a row of a reply with a thought more', LOG, [ANSWER('g1'), ANSWER('g1', `"thoughts":[{}],${LATER}`)], [7]],
  [
    'a row of a reply with a result more',
    LOG,
    [ANSWER('g1', `"toolCalls":[{"id":"c"}],${SAID}`), ANSWER('g1', `"toolCalls":[{"id":"c","result":[{}]}],${LATER}`)],
    [7],
  ],
  [
    'a row of a reply with a list of no results',
    LOG,
    [ANSWER('g1', `"toolCalls":[{"id":"c"}],${SAID}`), ANSWER('g1', `"toolCalls":[{"id":"c","result":[ ]}],${LATER}`)],
    [5],
  ],
  [
    'a row of a reply with words in parts',
    LOG,
    [
      ANSWER('g1').replace('"ho"', '""'),
      ANSWER('g1', LATER).replace('"ho"', '[{"text":"ho"}]'),
      ANSWER('g2').replace('"ho"', '[]'),
      ANSWER('g2', LATER).replace('"ho"', '{"text":"ho"}'),
    ],
    [7, 7],
  ],
  [
    'a prompt with tokens in a loaded context',
    LOG,
    [`{"$set":{"messages":[3,{"id":"u1","type":"user","tokens":{}}, {"type":"gemini","tokens":{}}]}}`, ANSWER('g1')],
    [5],
  ],
  ['folders told anew', LOG, ['{"$set":{"directories":["/home/me/demo"]}}', ANSWER('g1')], [5]],
  ['a document in a log', LOG, [ANSWER('g1'), '{"messages":[],"$set":{"lastUpdated":"x"}}'], null],
  ['a rewind with an id', LOG, [ANSWER('g1'), '{"id":"g1","type":"user","$rewindTo":"g1"}'], [5]],
  ['a row again that tells other tokens', SESSION, [REPLY('a', 'm1', 5), REPLY('a', 'm1', 9)], [5]],
  ['a row again of another reply', SESSION, [REPLY('a', 'm1', 5), REPLY('a', 'm2', 9)], [5]],
  ['a second row of a reply', SESSION, [REPLY('a', 'm1', 5), REPLY('b', 'm1', 9)], [9]],
];

test.each(CASES)('%s', (_, path, lines, outputs) => {
  const source = sources.find(({ root }) => path.startsWith(root.name)) as Source;
  const [found] = bothWays(source, { [path]: Buffer.from(lines.join('\n')) });
  const put = found?.short?.flatMap(({ rows }) => rows).map(({ usage }) => usage.output_tokens) ?? null;
  expect({ put, differs: differences(source, { [path]: Buffer.from(lines.join('\n')) }) }).toEqual({
    put: outputs,
    differs: [],
  });
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
