#!/usr/bin/env node
// Starts the built program. Plain JavaScript that old versions of Node can read: it looks for a
// Node that is new enough (node:sqlite with full text search needs 22.18) and starts that one.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const NEEDED = [22, 18];
const root = fileURLToPath(new URL('..', import.meta.url));
const entry = join(root, 'dist', 'cli', 'start.js');

if (!existsSync(entry)) {
  console.error(`Palimpsest is not built: ${entry} is missing.\nRun "npm ci" (or "npm run build") in ${root}.`);
  process.exit(1);
}
if (isNewEnough(process.versions.node)) await import(pathToFileURL(entry).href);
else startNewer(await import('node:child_process'));

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

function startNewer({ spawnSync }) {
  const versionOf = (path) => {
    const asked = spawnSync(path, ['--version'], { encoding: 'utf8' });
    return asked.status === 0 ? asked.stdout.trim().replace(/^v/, '') : '0.0.0';
  };
  const node = candidates().find((path) => existsSync(path) && isNewEnough(versionOf(path)));
  if (node === undefined) {
    console.error(
      `Palimpsest needs Node ${NEEDED.join('.')} or newer; this is Node ${process.versions.node}, and no newer one was found.\n` +
        'Install one, or name it: PALIMPSEST_NODE=/path/to/node',
    );
    process.exit(1);
  }
  const started = spawnSync(node, [entry, ...process.argv.slice(2)], { stdio: 'inherit' });
  if (started.signal) process.kill(process.pid, started.signal);
  process.exit(started.status ?? 1);
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
