// Runs the command line.

import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { UserError } from './failure.ts';
import { say } from './output.ts';
import { program } from './program.ts';

/** Of the package. */
export function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Runs the command line; gives the exit code. */
export async function run(version: string, argv: string[]): Promise<number> {
  const pal = programFor(version, argv);
  pal.exitOverride();
  for (const command of pal.commands) command.exitOverride();
  try {
    await pal.parseAsync(argv, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return exitCodeFor(error);
  }
}

/** These speak of other commands. */
const NEED_ALL = ['overview', 'complete'];

/** Most times one command is enough: to describe all of them takes a twentieth of a short command's time. */
function programFor(version: string, [first = '']: string[]): Command {
  const one = program(version, NEED_ALL.includes(first) ? '' : first);
  return one.commands.length === 1 ? one : program(version);
}

function exitCodeFor(error: unknown): number {
  // Commander has printed its own message: help and version are fine, the rest is a wrong call.
  const { code, exitCode } = error as { code?: unknown; exitCode?: unknown };
  if (typeof code === 'string' && code.startsWith('commander.')) return exitCode === 0 ? 0 : 1;
  if (code === 'EPIPE') return 0;
  if ((error as NodeJS.ErrnoException).syscall === 'uv_cwd') {
    say('The current folder is gone: go to another one, and try again.');
    return 1;
  }
  if (error instanceof UserError) {
    say(error.message);
    // Where Ctrl-C has ended the reading, that is why.
    return Number(process.exitCode ?? 1);
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  say(`This is a bug of Palimpsest. Please report it with the lines below.\n${stack}`);
  return 2;
}
