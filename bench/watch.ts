// Measures how soon a change is told, and what watching costs when nothing happens.
// Usage: npm run bench:watch -- [--files 2000] [--appends 100] [--quiet 60]. Whole processes, wall time: run it on an idle machine.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeSparseHome } from './corpus/sparse.ts';
import { appender } from './measure/append.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '2000' },
    appends: { type: 'string', default: '100' },
    quiet: { type: 'string', default: '60' },
  },
});
const [files, appends, quiet] = [Number(values.files), Number(values.appends), Number(values.quiet)];
const home = mkdtempSync(join(tmpdir(), 'palimpsest-watch-'));
const env = { PATH: process.env.PATH ?? '', HOME: home, PALIMPSEST_HOME: home };

try {
  writeSparseHome({ out: home, files });
  library();
  await command();
} finally {
  rmSync(home, { recursive: true, force: true });
}

function library(): void {
  const measure = fileURLToPath(new URL('measure/watch.ts', import.meta.url));
  const { stdout } = spawnSync(process.execPath, [measure, home, String(appends), String(quiet)], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { times, cpu, rss } = JSON.parse(stdout) as { times: number[]; cpu: number; rss: number };
  report('watch(), append to told', times);
  console.log(`watch(), ${quiet} quiet seconds      ${cpu.toFixed(3)} s of CPU, ${(rss / 1e6).toFixed(0)} MB`);
}

async function command(): Promise<void> {
  const pal = fileURLToPath(new URL('../bin/palimpsest.js', import.meta.url));
  const child = spawn(process.execPath, [pal, 'ls', '--watch', '--json'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  await once(child.stderr, 'data');
  let told = (_: string) => {};
  child.stdout.on('data', (chunk) => told(String(chunk)));
  const next = appender(home);
  const times: number[] = [];
  for (let i = 0; i < appends; i++) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { id, append } = next();
    told = (text) => text.includes(id) && resolve();
    const begun = performance.now();
    append();
    await promise;
    times.push(performance.now() - begun);
    await new Promise((resume) => setTimeout(resume, 20 + ((i * 37) % 100)));
  }
  report('pal ls --watch --json, append to line', times);
  // What comes by way of others comes a second later: that is not quiet yet.
  await new Promise((resume) => setTimeout(resume, 3000));
  const before = cpuOf(child.pid);
  await new Promise((resume) => setTimeout(resume, quiet * 1000));
  console.log(
    `pal ls --watch, ${quiet} quiet seconds  ${(cpuOf(child.pid) - before).toFixed(3)} s of CPU, ${residentMb(child.pid)} MB`,
  );
  child.kill();
  await once(child, 'close');
}

function report(what: string, times: number[]): void {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1);
  console.log(
    `${what.padEnd(38)} median ${at(0.5)} ms, 95 % ${at(0.95)} ms, most ${at(1)} ms   limit 100 (${sorted.length} appends)`,
  );
}

/** User and system seconds of a process: the 14th and 15th field, in hundredths. */
function cpuOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function residentMb(pid: number | undefined): string {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kilobytes) / 1000).toFixed(0);
}
