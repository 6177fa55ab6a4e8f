// How long it takes to be up to date after one of many files has grown by one line.

import { randomUUID } from 'node:crypto';
import { appendFileSync, copyFileSync, readFileSync, renameSync } from 'node:fs';
import { basename } from 'node:path';
import { type Bench, environment, fullStore, mustEqual, usageArgs } from './bench.ts';
import type { Corpus } from './corpus.ts';
import type { Row } from './table.ts';
import { middle, type Taken, timedPal, timedScript } from './timed.ts';
import { fromPal, fromReport, type ReportTotals, type Tokens } from './tokens.ts';
import { atMost } from './verdict.ts';

/** Of each kind, in every run. */
const TIMES = 3;

export function measureGrowing(bench: Bench): Row[] {
  const all = bench.corpus.files.filter(({ path }) => path.includes('.claude')).sort((a, b) => a.bytes - b.bytes);
  const sessions = all.filter(({ path }) => !basename(path).startsWith('agent-'));
  const session = wholeSession(sessions.slice(sessions.length >> 1));
  const largest = wholeSession(all.toReversed());
  if (session === undefined || largest === undefined)
    return [{ name: 'one of many files grew', notRun: 'there is no Claude Code session with replies' }];
  const store = fullStore(bench);
  const usage = () => timedPal(usageArgs(bench, store), environment(bench, 2));
  makeOwn(session.path);
  makeOwn(largest.path);
  let tokens = fromPal(usage().stdout);
  check(bench, bench.corpus.truth ?? tokens, tokens);
  const grow = (word: string, grown = session) => {
    grown.last = replyAfter(grown.last, word);
    appendFileSync(grown.path, `${JSON.stringify(grown.last)}\n`);
    tokens = { ...tokens, input: tokens.input + REPLY.input_tokens, output: tokens.output + REPLY.output_tokens };
  };
  const inProcess = (word: string, grown: GrowingSession): Taken => {
    grow(word, grown);
    const told = timedScript('grown.ts', [bench.corpus.home, store], environment(bench, 1)).stdout;
    const { totals, ...taken }: Taken & { totals: ReportTotals } = JSON.parse(told);
    check(bench, tokens, fromReport(totals));
    return taken;
  };
  // The first time all of it is read, and what was made of it is kept; from then on only what came is read.
  const first = inProcess('grown-first', largest);
  const rounds = Array.from({ length: bench.runs }, (_, run) => ({
    inProcess: several((time) => inProcess(`grown-${run}-${time}`, session)),
    largest: several((time) => inProcess(`grown-${run}-${time}`, largest)),
    usage: several((time) => {
      grow(`grown-${run}-${time}`);
      const taken = usage();
      check(bench, tokens, fromPal(taken.stdout));
      return taken;
    }),
    search: several((time) => {
      // No word of a corpus is like it.
      const word = `grownqzx${run}x${time}`;
      grow(word);
      return searchFor(word, bench, store);
    }),
  }));
  const grew = `one of ${bench.corpus.files.length} files grew`;
  const much = `the largest file (${Math.round(largest.bytes / 1e6)} MB) grew`;
  return [
    rowOf(
      `${grew}, in process`,
      45,
      rounds.map(({ inProcess }) => inProcess),
    ),
    rowOf(
      `${grew}, pal usage`,
      110,
      rounds.map(({ usage }) => usage),
    ),
    rowOf(
      `${grew}, pal search`,
      110,
      rounds.map(({ search }) => search),
    ),
    rowOf(`${much} for the first time, in process`, null, [first]),
    rowOf(
      `${much} again, in process`,
      null,
      rounds.map(({ largest }) => largest),
    ),
  ];
}

function several(measure: (time: number) => Taken): Taken {
  return middle(Array.from({ length: TIMES }, (_, time) => measure(time)));
}

function rowOf(name: string, gate: number | null, taken: readonly Taken[]): Row {
  return {
    name,
    unit: 'ms',
    ours: taken.map(({ wall }) => wall * 1000),
    cpu: taken.map(({ cpu }) => cpu * 1000),
    ...(gate !== null && { gate: atMost(gate) }),
  };
}

function check(bench: Bench, expected: Tokens, told: Tokens): void {
  mustEqual(bench, [
    ['the history', expected],
    ['the store', told],
  ]);
}

interface ReplyRow {
  type: 'assistant';
  uuid: string;
  message: { id: string; usage: object };
}

interface GrowingSession {
  path: string;
  bytes: number;
  last: ReplyRow;
}

/** The first of these files whose last line is whole, and that has replies near its end. */
function wholeSession(sessions: Corpus['files']): GrowingSession | undefined {
  for (const { path, bytes } of sessions) {
    const text = readFileSync(path).subarray(-END_BYTES).toString();
    const last = text.trimEnd().split('\n').map(parsed).findLast(isReply);
    if (text.endsWith('\n') && last !== undefined) return { path, bytes, last };
  }
  return undefined;
}

/** A string cannot hold the largest sessions. */
const END_BYTES = 16 * 1024 * 1024;

function parsed(line: string): Partial<ReplyRow> {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

function isReply(row: Partial<ReplyRow>): row is ReplyRow {
  return row.type === 'assistant' && row.uuid !== undefined && row.message?.usage !== undefined;
}

/** The file may be a link to one that is not ours. */
function makeOwn(path: string): void {
  copyFileSync(path, `${path}.copy`);
  renameSync(`${path}.copy`, path);
}

const REPLY = { input_tokens: 3, output_tokens: 5 };

function replyAfter(last: ReplyRow, word: string): ReplyRow {
  const id = randomUUID();
  const content = [{ type: 'text', text: `One more line: ${word}.` }];
  const message = { ...last.message, id: `msg_${id}`, content, usage: REPLY };
  const ids = { parentUuid: last.uuid, uuid: id, requestId: `req_${id}` };
  return { ...last, ...ids, message };
}

function searchFor(word: string, bench: Bench, store: string): Taken {
  const args = ['search', word, '--json', '--home', bench.corpus.home, '--store', store];
  const taken = timedPal(args, environment(bench, 2));
  if (!taken.stdout.includes(word)) throw new Error(`${word} was not found after it had been written.`);
  return taken;
}
