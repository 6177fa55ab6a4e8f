// Measures the store: how long it takes to tell all tokens, to index a history, to search it, to notice that it grew; how
// much memory and room that takes. Whole processes, interleaved: ratios of one run mean something, seconds little.
//
//   npm run bench:store -- [--home DIR] [--mb 1200] [--files 2000] [--runs 5] [--seed 1] [--only usage,index,search,grow,memory] [--peers FOLDER]
//
// --home takes a history that is there, with TRUTH.json or MANIFEST.json beside it if it has one; nothing is written into it.
// --peers is where other programs are installed, and stay for the next time.

import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Bench, environment, type Job } from './store/bench.ts';
import { linkedCorpus, madeCorpus } from './store/corpus.ts';
import { measureGrowing } from './store/growing.ts';
import { measureIndexing } from './store/indexing.ts';
import { measureMemory } from './store/memory.ts';
import { measureSearching } from './store/searching.ts';
import { table } from './store/table.ts';
import { timedScript } from './store/timed.ts';
import { measureUsage } from './store/usage.ts';

/** In this order: `search` and `grow` use the store that `index` leaves, and `grow` changes the history. */
const JOBS: Record<string, Job> = {
  usage: measureUsage,
  index: measureIndexing,
  search: measureSearching,
  memory: measureMemory,
  grow: measureGrowing,
};

const { values } = parseArgs({
  options: {
    home: { type: 'string' },
    mb: { type: 'string', default: '1200' },
    files: { type: 'string', default: '2000' },
    runs: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: Object.keys(JOBS).join(',') },
    peers: { type: 'string', default: join(tmpdir(), 'palimpsest-bench-peers') },
  },
});
const only = values.only.split(',');
const unknown = only.filter((name) => JOBS[name] === undefined);
if (unknown.length > 0) throw new Error(`--only takes ${Object.keys(JOBS).join(', ')}, not ${unknown.join(', ')}.`);

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-store-'));
// Ctrl-C ends the process that is measured; that is an error here, and then the folder is taken away.
process.on('SIGINT', () => {});
try {
  measure(benchFrom());
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function benchFrom(): Bench {
  const [runs, seed] = [number('runs'), number('seed')];
  const home = join(folder, 'home');
  const corpus =
    values.home === undefined
      ? madeCorpus(home, { mb: number('mb'), files: number('files'), seed })
      : linkedCorpus(home, resolve(values.home));
  return { corpus, folder, peers: resolve(values.peers), runs, seed, wrong: new Set() };
}

function number(option: 'mb' | 'files' | 'runs' | 'seed'): number {
  const given = Number(values[option]);
  if (!(given >= 1)) throw new Error(`--${option} must be a number, 1 or more, not "${values[option]}".`);
  return given;
}

function measure(bench: Bench): void {
  const { files, bytes, home } = bench.corpus;
  console.log(
    `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; ` +
      `${files.length} transcripts, ${(bytes / 1e6).toFixed(0)} MB, ${bench.runs} interleaved runs; median (least … most)`,
  );
  if (availableParallelism() > 2)
    console.log('The gates are for two cores: begin the command with "taskset -c 0,1" to have no more.');
  // So that the first run finds the files in the page cache, as the others do.
  timedScript('parse.ts', [home], environment(bench, 1));
  for (const [name, job] of Object.entries(JOBS)) if (only.includes(name)) console.log(`\n${table(job(bench))}`);
  if (bench.wrong.size === 0) return;
  console.error(`\n${[...bench.wrong].join('\n\n')}\n\nNo figure above counts while tokens are wrong.`);
  process.exitCode = 1;
}
