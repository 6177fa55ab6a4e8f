// For a start that fails: looks for a Node that is new enough and starts that one, or says what is missing.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const entry = join(root, 'dist', 'cli', 'start.js');

export function checkBuilt() {
  if (existsSync(entry)) return;
  console.error(`Palimpsest is not built: ${entry} is missing.\nRun "npm ci" (or "npm run build") in ${root}.`);
  process.exit(1);
}

export function startNewer(needed, isNewEnough) {
  checkBuilt();
  const versionOf = (path) => {
    const asked = spawnSync(path, ['--version'], { encoding: 'utf8' });
    return asked.status === 0 ? asked.stdout.trim().replace(/^v/, '') : '0.0.0';
  };
  const node = candidates().find((path) => existsSync(path) && isNewEnough(versionOf(path)));
  if (node === undefined) {
    console.error(
      `Palimpsest needs Node ${needed} or newer; this is Node ${process.versions.node}, and no newer one was found.\n` +
        'Install one, or name it: PALIMPSEST_NODE=/path/to/node',
    );
    process.exit(1);
  }
  follow(spawn(node, [entry, ...process.argv.slice(2)], { stdio: 'inherit' }));
}

/** This process ends when that one does, and as it does; what is sent to this one is meant for that one. */
function follow(child) {
  const own = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  // A terminal sends Ctrl-C to both of them: sent on, it would count as a second one.
  for (const signal of own)
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal));
  child.on('error', (error) => {
    console.error(`Cannot start ${child.spawnfile}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (status, signal) => {
    for (const name of own) process.removeAllListeners(name);
    if (signal !== null) process.kill(process.pid, signal);
    else process.exit(status ?? 1);
  });
}

function candidates() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name));
  return [
    process.env.PALIMPSEST_NODE,
    join(root, 'node_modules', 'node', 'bin', name),
    join(root, '..', 'node', 'bin', name),
    ...onPath,
  ].filter(Boolean);
}
