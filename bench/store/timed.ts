// Runs whole processes and says what they took.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from './verdict.ts';

export interface Taken {
  /** Seconds. */
  wall: number;
  /** Seconds of all its threads, user and system. */
  cpu: number;
}

export interface Timed extends Taken {
  stdout: string;
  stderr: string;
}

const pal = fileURLToPath(new URL('../../bin/palimpsest.js', import.meta.url));

/** Only `env` is passed on: no process here may find the home of whoever runs this. */
export function timed(
  command: string,
  args: readonly string[],
  env: Record<string, string>,
  /** Exit codes that are no failure. */
  fine: readonly (number | null)[] = [0],
): Timed {
  // The shell's own clock: it sees the time of all threads of a program in any language.
  const shell = ['-c', 'TIMEFORMAT="%R %U %S"; time "$@"', 'bash', command, ...args];
  const { status, signal, stdout, stderr, error } = spawnSync('bash', shell, {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  if (!fine.includes(status))
    throw new Error(`${command} ${args.join(' ')} ended with ${status ?? signal ?? error}:\n${stderr}`);
  const lines = stderr.trimEnd().split('\n');
  const [wall = 0, user = 0, system = 0] = (lines.pop() ?? '').split(' ').map(Number);
  return { wall, cpu: user + system, stdout, stderr: lines.join('\n') };
}

/** One of the scripts in measure/. */
export function timedScript(name: string, args: readonly string[], env: Record<string, string>): Timed {
  return timed(process.execPath, [fileURLToPath(new URL(`../measure/${name}`, import.meta.url)), ...args], env);
}

/** `pal` in this very Node. */
export function timedPal(args: readonly string[], env: Record<string, string>): Timed {
  return timed(process.execPath, [pal, ...args], env);
}

/** The median of each. */
export function middle(taken: readonly Taken[]): Taken {
  return { wall: median(taken.map(({ wall }) => wall)), cpu: median(taken.map(({ cpu }) => cpu)) };
}

/** Megabytes at the peak of a `pal`. */
export function peakOfPal(args: readonly string[], env: Record<string, string>): number {
  const preload = new URL('../measure/used-at-exit.ts', import.meta.url).href;
  const { stderr } = timed(process.execPath, ['--import', preload, pal, ...args], env);
  return JSON.parse(stderr.split('\n').at(-1) ?? '').rss / 1024;
}
