// Other programs that we are held against. One that cannot be had is not run, and the rest goes on.

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';

export type Installed = { path: string } | { notRun: string };

/** The program itself, not the script of Node that starts it: that is faster, and what it is good at. */
export function ccusage(version: string, folder: string): Installed {
  const place = join(folder, `ccusage-${version}`);
  const path = join(place, `node_modules/@ccusage/ccusage-${process.platform}-${process.arch}/bin/ccusage`);
  if (!existsSync(path)) {
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error'];
    const { status, stderr } = spawnSync('npm', ['install', ...options, '--prefix', place, `ccusage@${version}`], {
      encoding: 'utf8',
    });
    if (status !== 0) return { notRun: `npm could not install it (${firstLine(stderr)})` };
    if (!existsSync(path)) return { notRun: `it has no program for ${process.platform} on ${process.arch}` };
  }
  chmodSync(path, 0o755);
  return runs(path) ? { path } : { notRun: 'it does not start' };
}

export function ripgrep(): Installed {
  if (!runs('rg') && process.getuid?.() === 0) spawnSync('apt-get', ['install', '-y', 'ripgrep']);
  return runs('rg') ? { path: 'rg' } : { notRun: 'rg is not on the path, and apt-get could not install it' };
}

function runs(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0;
}

function firstLine(text: string | null): string {
  return text?.trim().split('\n')[0] ?? 'it is not there';
}
