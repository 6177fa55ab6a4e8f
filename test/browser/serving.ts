// `pal serve` as people start it, away from this machine's home.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface ServingProgram {
  url: string;
  pid: number;
  end(): void;
}

/** `home` is its home, with no session of anybody's in it. */
export async function startServing(args: string[], home: string): Promise<ServingProgram> {
  const child = spawn(process.execPath, [join(root, 'bin/palimpsest.js'), 'serve', '--json', ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: home, PALIMPSEST_HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let told = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (piece: Buffer) => {
      told += piece.toString();
      const [, found] = /"url": ?"([^"]+)"/.exec(told) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.on('exit', (code) => reject(new Error(`pal serve ended with ${code}: ${told}`)));
  });
  return { url, pid: child.pid ?? 0, end: () => void child.kill() };
}
