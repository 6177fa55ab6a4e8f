#!/usr/bin/env node
// Starts the built program. Plain JavaScript that old versions of Node can read, and without a single import where all is
// well: `node:fs` alone would take 5 ms.

const NEEDED = [22, 18];

if (isNewEnough(process.versions.node)) await import('../dist/cli/start.js').catch(explain);
else (await import('./newer-node.js')).startNewer(NEEDED.join('.'), isNewEnough);

/** node:sqlite with full text search needs it. */
function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

async function explain(error) {
  (await import('./newer-node.js')).checkBuilt();
  throw error;
}
