// Measures what we promise: the cost of documents as a ratio to JSON.parse of every line, and the
// memory of large sessions. Usage: npm run bench -- [--mb 1000] [--runs 5] [--seed 1]
// Ratios are taken in one interleaved run: the machine may be busy, but it is equally busy for both.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { generateCorpus } from './corpus.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const { values } = parseArgs({
  options: {
    mb: { type: 'string', default: '1000' },
    runs: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
  },
});
const [mb, runs, seed] = [Number(values.mb), Number(values.runs), Number(values.seed)];

interface Measured {
  cpu: number;
  rss: number;
}

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-'));
try {
  console.log(
    `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
  );
  documents();
  memory();
  clones();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function documents(): void {
  const home = join(folder, 'many');
  const truth = generateCorpus({ out: home, mb, files: Math.max(12, mb * 2), seed });
  const megabytes = truth.bytes / 1e6;
  const parse: number[] = [];
  const read: number[] = [];
  for (let run = 0; run < runs; run++) {
    parse.push(measured('parse.ts', [home]).cpu);
    read.push(measured('documents.ts', [home]).cpu);
  }
  console.log(
    `\ndocuments of ${truth.files} files, ${megabytes.toFixed(0)} MB, ${truth.lines} lines (seed ${seed}), ${runs} interleaved runs, CPU seconds:`,
  );
  console.log(`  JSON.parse of every line  ${spread(parse)}`);
  console.log(
    `  documents                 ${spread(read)}   ${(megabytes / median(read)).toFixed(0)} MB per CPU second`,
  );
  const ratios = read.map((seconds, i) => seconds / (parse[i] ?? seconds));
  console.log(`  ratio                     ${spread(ratios)}   limit 2.0`);
}

function memory(): void {
  const large = join(folder, 'large');
  const giant = join(folder, 'giant');
  generateCorpus({ out: large, singleMb: 200, seed });
  const gemini = join(folder, 'gemini');
  const compacted = join(folder, 'compacted');
  generateCorpus({ out: gemini, geminiMb: 200, seed });
  generateCorpus({ out: giant, giantLineMb: 100, seed });
  generateCorpus({ out: compacted, compactedMb: 300, seed });
  console.log('\npeak memory, MB (limit 350):');
  for (const format of ['records', 'ndjson']) {
    console.log(`  a session of 200 MB as ${format.padEnd(8)} ${megabytesOf(measured('export.ts', [large, format]))}`);
    console.log(
      `  a Gemini log of 200 MB as ${format.padEnd(8)} ${megabytesOf(measured('export.ts', [gemini, format]))}`,
    );
    console.log(`  a line of 100 MB as ${format.padEnd(8)}     ${megabytesOf(measured('export.ts', [giant, format]))}`);
    const compactions = megabytesOf(measured('export.ts', [compacted, format]));
    console.log(`  300 MB of compactions as ${format.padEnd(8)} ${compactions}`);
  }
}

/** What a copy costs: reading, planning, writing and checking it. */
function clones(): void {
  const home = join(folder, 'large');
  const ways: Record<string, object> = {
    'as it is': {},
    'without tools and thinking': { stripTools: 'all', stripThinking: true },
    'a summary and 5 turns': { compress: 'full', keepLast: 5 },
    'to a budget of 40k': { budget: 40_000, keepLast: 1 },
  };
  console.log(
    `\na copy of a session of 200 MB, ${runs} interleaved runs: CPU as a ratio to JSON.parse of every line (limit 3.0), peak MB (limit 400):`,
  );
  for (const [way, options] of Object.entries(ways)) {
    const measures = Array.from({ length: runs }, () => {
      const floor = measured('parse.ts', [home]).cpu;
      const copy = measured('clone.ts', [home, JSON.stringify(options)]);
      return { ratio: copy.cpu / floor, rss: copy.rss };
    });
    const most = Math.max(...measures.map(({ rss }) => rss));
    console.log(`  ${way.padEnd(28)} ${spread(measures.map(({ ratio }) => ratio))}   ${(most / 1024).toFixed(0)} MB`);
  }
}

/** Runs a script of its own process, which prints nothing but what it used. */
function measured(script: string, args: string[]): Measured {
  const ran = spawnSync(process.execPath, [join(here, 'measure', script), ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  if (ran.status !== 0) throw new Error(`${script} failed: ${ran.stderr}`);
  return JSON.parse(ran.stderr.trim().split('\n').at(-1) ?? '') as Measured;
}

function megabytesOf({ rss }: Measured): string {
  return (rss / 1024).toFixed(0);
}

function median(numbers: number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function spread(numbers: number[]): string {
  return `${median(numbers).toFixed(2)} (${Math.min(...numbers).toFixed(2)} … ${Math.max(...numbers).toFixed(2)})`;
}
