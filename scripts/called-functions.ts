// Which functions of the built program quick commands call, found by running them on the bundled samples.

import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IsCalled } from './compile-at-load.ts';

/** As V8 tells what was called (`NODE_V8_COVERAGE`): the first range of a function is all of it. */
interface Coverage {
  result: { url: string; functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[] }[];
}

/** By built file: is the function that begins and ends there called? */
export function calledFunctions(root: string): Map<string, IsCalled> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-build-'));
  try {
    const told = join(folder, 'told');
    runQuickCommands(root, folder, told);
    const called = new Map<string, Set<string>>();
    for (const name of readdirSync(told)) {
      const { result } = JSON.parse(readFileSync(join(told, name), 'utf8')) as Coverage;
      for (const { url, functions } of result) {
        const file = url.startsWith('file:') ? fileURLToPath(url) : '';
        if (!file.startsWith(join(root, 'dist') + sep)) continue;
        const places = called.get(file) ?? new Set();
        called.set(file, places);
        for (const { ranges } of functions)
          if (ranges[0] !== undefined && ranges[0].count > 0)
            places.add(`${ranges[0].startOffset} ${ranges[0].endOffset}`);
      }
    }
    return new Map([...called].map(([file, places]) => [file, ({ start, end }) => places.has(`${start} ${end}`)]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Those for which people wait: tokens are read for the first time; an index is there, and is as it was, or a session of one of the agents has grown. */
function runQuickCommands(root: string, folder: string, told: string): void {
  const home = join(folder, 'home');
  cpSync(join(root, 'samples'), home, { recursive: true });
  mkdirSync(join(folder, 'data'), { mode: 0o700 });
  const places = { HOME: folder, PALIMPSEST_HOME: home, PALIMPSEST_DATA: join(folder, 'data') };
  const env = { PATH: process.env.PATH, ...places, PALIMPSEST_WORKERS: '1' };
  const pal = (args: string[], more: object = { NODE_V8_COVERAGE: told }) => {
    const program = [join(root, 'bin', 'palimpsest.js'), ...args];
    execFileSync(process.execPath, program, { env: { ...env, ...more }, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const [usage, search] = [
    ['usage', '--by', 'month', '--json'],
    ['search', 'the', '--json'],
  ];
  pal(usage);
  pal(['index'], {});
  for (const command of [usage, search, ['ls', '--json']]) pal(command);
  for (const session of oneSessionOfEachAgent(home)) {
    growByOneRow(session, 'first');
    pal(usage);
    growByOneRow(session, 'second');
    pal(search);
  }
}

function oneSessionOfEachAgent(home: string): string[] {
  return ['.claude/projects', '.codex/sessions', '.gemini/tmp'].flatMap((place) => {
    const files = readdirSync(join(home, place), { recursive: true, withFileTypes: true });
    const sessions = files.filter((file) => file.isFile() && file.name.endsWith('.jsonl'));
    return sessions.slice(0, 1).map(({ parentPath, name }) => join(parentPath, name));
  });
}

/** What was said last is said once more, in a row of its own. */
function growByOneRow(path: string, name: string): void {
  const said =
    readFileSync(path, 'utf8')
      .split('\n')
      .findLast((line) => line.includes('"text"')) ?? '{}';
  appendFileSync(path, `${said.replaceAll(/"(uuid|id|requestId)":"/g, `$&${name}-`)}\n`);
}
