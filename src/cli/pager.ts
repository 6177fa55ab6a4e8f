// Long text on a terminal goes through a pager; short text, and text for another program, does not.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { say, writeAll } from './output.ts';
import { screen } from './screen.ts';

interface PagerOptions {
  /** Without --no-pager. */
  wanted: boolean;
  /** It has events: e and E go from one to the next. */
  events?: boolean;
  /** The line that is at the top of the first page; the first one where absent. */
  top?: number;
}

/** Writes pieces as they come, in pages where they do not fit on the screen. */
export async function writePaged(pieces: Iterable<string>, { wanted, events, top = 1 }: PagerOptions): Promise<void> {
  const { isTerminal, rows } = screen();
  const command = wanted && isTerminal ? pagerCommand(events === true, top) : null;
  if (command === null) {
    writeAll(pieces);
    return;
  }
  const iterator = pieces[Symbol.iterator]();
  let held = '';
  let next = iterator.next();
  while (next.done !== true && held.split('\n').length < rows) {
    held += next.value;
    next = iterator.next();
  }
  if (next.done === true && held.split('\n').length <= rows) writeAll([held]);
  else await page(command, held, next, iterator);
}

interface PagerCommand {
  file: string;
  args: string[];
  shell: boolean;
  env: Record<string, string>;
}

/** `PAGER` is a command of the shell; an empty one, or cat, means none. */
function pagerCommand(hasEvents: boolean, top: number): PagerCommand | null {
  const { PAGER } = process.env;
  if (PAGER === '' || PAGER === 'cat' || process.env.TERM === 'dumb') return null;
  if (PAGER !== undefined && !isThere(PAGER)) {
    say(`There is no pager "${PAGER}": set PAGER, or leave it empty.`);
    return null;
  }
  if (PAGER !== undefined && PAGER !== 'less') return { file: PAGER, args: [], shell: true, env: {} };
  const from = top === 1 ? [] : [`+${top}`];
  if (!hasEvents) return { file: 'less', args: ['-R', ...from], shell: false, env: {} };
  return {
    file: 'less',
    // -G: what is jumped to is not marked as found. -A: the search begins behind the line at the top, else it finds that again.
    args: ['-R', '-G', '-A', '-Ps e next event   E back   / search   q quit $', ...from],
    shell: false,
    // Versions of less before 582 do not know it, and have no such keys.
    env: { LESSKEYIN: fileURLToPath(new URL('../../bin/less-keys', import.meta.url)) },
  };
}

/** A shell would start, and only then find that there is no such command. */
function isThere(command: string): boolean {
  const [word = ''] = command.trim().split(/\s+/);
  return /[^\w./+-]/.test(word) || spawnSync('sh', ['-c', 'command -v -- "$1"', 'sh', word]).status === 0;
}

/** Less shows colours only when it is told to. */
function lessOptions({ LESS }: NodeJS.ProcessEnv): string {
  return LESS === undefined ? 'R' : /^-*[A-Za-z]*R|-R/.test(LESS) ? LESS : `${LESS} -R`;
}

async function page(
  { file, args, shell, env }: PagerCommand,
  held: string,
  first: IteratorResult<string>,
  iterator: Iterator<string>,
): Promise<void> {
  const pager = spawn(file, args, {
    stdio: ['pipe', 'inherit', 'inherit'],
    shell,
    // What we write is UTF-8, whatever the locale says.
    env: { LESSCHARSET: 'utf-8', ...env, ...process.env, LESS: lessOptions(process.env) },
  });
  // Ctrl-C is the pager's while it runs.
  const ignore = () => {};
  process.on('SIGINT', ignore);
  const ended = once(pager, 'exit').catch(() => {});
  const started = await hasStarted(pager);
  if (!started) writeAll([held, ...rest(first, iterator)]);
  else await feed(pager, held, first, iterator);
  if (started) await ended;
  process.off('SIGINT', ignore);
}

async function hasStarted(pager: ChildProcess): Promise<boolean> {
  try {
    await once(pager, 'spawn');
    return true;
  } catch {
    return false;
  }
}

function* rest(first: IteratorResult<string>, iterator: Iterator<string>): Generator<string> {
  for (let next = first; next.done !== true; next = iterator.next()) yield next.value;
}

const CHUNK = 32 * 1024;

async function feed(
  pager: ChildProcess,
  held: string,
  first: IteratorResult<string>,
  iterator: Iterator<string>,
): Promise<void> {
  const { stdin } = pager;
  if (stdin === null) return;
  // The pager was left before the end: there is nobody to read the rest.
  let gone = false;
  stdin.on('error', () => {
    gone = true;
  });
  pager.on('exit', () => {
    gone = true;
  });
  await flush(stdin, held, () => gone);
  let text = '';
  for (const piece of rest(first, iterator)) {
    if (gone) break;
    text += piece;
    if (text.length < CHUNK) continue;
    await flush(stdin, text, () => gone);
    text = '';
  }
  await flush(stdin, text, () => gone);
  stdin.end();
}

async function flush(stdin: NonNullable<ChildProcess['stdin']>, text: string, isGone: () => boolean): Promise<void> {
  if (isGone() || text === '') return;
  const isTaken = stdin.write(text);
  if (isTaken) await new Promise((resume) => setImmediate(resume));
  else await Promise.race([once(stdin, 'drain'), once(stdin, 'close')]).catch(() => {});
}
