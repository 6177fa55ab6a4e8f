// The command line that is tried; another build can be named.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROGRAM = process.env.PALIMPSEST_PROGRAM ?? fileURLToPath(new URL('../bin/palimpsest.js', import.meta.url));

/** Runs a command that makes a copy in a home, and gives what it says of it. */
export async function copied(home: string, args: string[]): Promise<unknown> {
  const clean = { ...process.env, HOME: home, PALIMPSEST_HOME: home, NO_COLOR: '1' };
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...args, '--home', home, '--json'], {
    env: clean,
  });
  const { kind, value } = JSON.parse(stdout) as { kind: string; value: unknown }; // what `--json` promises
  if (kind !== 'clone') throw new Error(`${args[0]} --json gave a "${kind}"`);
  return value;
}
