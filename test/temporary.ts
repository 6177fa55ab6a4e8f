// All that a run of the tests writes lies in one folder, which goes when the run is over.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-tests-'));
  // Run by root, some tests become another user.
  chmodSync(folder, 0o755);
  // The first is asked for on Linux and macOS, the others on Windows.
  for (const variable of ['TMPDIR', 'TEMP', 'TMP']) process.env[variable] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
