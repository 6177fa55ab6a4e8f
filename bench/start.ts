// Measures how quickly it starts and shows something. Usage: npm run bench:start -- [--files 20000] [--runs 7]
// Whole processes, wall time: only ratios, and runs on an idle machine, mean anything.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeSparseHome } from './corpus/sparse.ts';
import { generateCorpus } from './corpus.ts';

const { values } = parseArgs({
  options: { files: { type: 'string', default: '20000' }, runs: { type: 'string', default: '7' } },
});
const [files, runs] = [Number(values.files), Number(values.runs)];
const pal = fileURLToPath(new URL('../bin/palimpsest.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'palimpsest-start-'));
const env = { PATH: process.env.PATH ?? '', HOME: folder, PALIMPSEST_HOME: folder, TERM: 'xterm' };

try {
  version();
  await firstLine();
  await firstPage();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function version(): void {
  const [bare, ours]: [number[], number[]] = [[], []];
  for (let run = 0; run < runs * 3; run++) {
    bare.push(took(() => spawnSync(process.execPath, ['-e', '0'])));
    ours.push(took(() => spawnSync(process.execPath, [pal, '--version'], { env })));
  }
  const ratios = ours.map((seconds, i) => seconds / (bare[i] ?? seconds));
  console.log(`node -e 0                      ${spread(bare)} s`);
  console.log(`pal --version                  ${spread(ours)} s`);
  console.log(`ratio                          ${spread(ratios)}   limit 2.5`);
}

async function firstLine(): Promise<void> {
  const home = join(folder, 'many');
  const { bytes } = writeSparseHome({ out: home, files });
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push(await untilOutput(['--home', home], 1));
  console.log(
    `pal, first line                ${spread(times)} s   limit 1.0 (${files} files, ${(bytes / 1e9).toFixed(1)} GB apparent)`,
  );
}

/** Through less, as a person would get it. */
async function firstPage(): Promise<void> {
  for (const [agent, size] of [
    ['Claude Code', { singleMb: 200 }],
    ['Gemini', { geminiMb: 200 }],
  ] as const) {
    const home = join(folder, agent);
    generateCorpus({ out: home, ...size });
    const times: number[] = [];
    for (let run = 0; run < runs; run++) times.push(await untilOutput(['show', 'last', '--home', home], 30));
    console.log(`pal show, first page           ${spread(times)} s   limit 0.5 (a session of 200 MB, ${agent})`);
  }
}

/** Seconds until so many lines have come. A pseudo-terminal makes it write as it would for a person. */
async function untilOutput(args: string[], lines: number): Promise<number> {
  const command = [process.execPath, pal, ...args].map((word) => `'${word}'`).join(' ');
  const begun = performance.now();
  const child = spawn('script', ['-qec', `stty cols 100 rows 40; ${command}`, '/dev/null'], { env });
  let seen = 0;
  for await (const chunk of child.stdout) {
    seen += String(chunk).split('\n').length - 1;
    if (seen >= lines) break;
  }
  const seconds = (performance.now() - begun) / 1000;
  child.kill();
  return seconds;
}

function took(work: () => void): number {
  const begun = performance.now();
  work();
  return (performance.now() - begun) / 1000;
}

function spread(numbers: number[]): string {
  const sorted = [...numbers].sort((a, b) => a - b);
  const [least = 0, middle = 0, most = 0] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return `${middle.toFixed(3)} (${least.toFixed(3)} … ${most.toFixed(3)})`;
}
