// The histories in the home folder of whoever runs the tests are not ours. Any test that would
// read them fails.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';

const forbidden = ['.claude', '.codex', '.gemini'].map((name) => join(homedir(), name));
const empty = fs.mkdtempSync(join(tmpdir(), 'palimpsest-empty-home-'));
process.env.PALIMPSEST_HOME = empty;
process.env.HOME = empty;
for (const variable of ['CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'GEMINI_CLI_HOME']) delete process.env[variable];

for (const name of ['openSync', 'readdirSync', 'statSync', 'readFileSync', 'realpathSync'] as const) {
  const original = fs[name] as (...args: unknown[]) => unknown;
  const guarded = (...args: unknown[]): unknown => {
    const path = typeof args[0] === 'string' ? resolve(args[0]) : '';
    if (forbidden.some((folder) => path === folder || path.startsWith(folder + sep))) {
      throw new Error(`A test would read the real home: ${path}`);
    }
    return original(...args);
  };
  Object.assign(fs, { [name]: Object.assign(guarded, original) });
}
syncBuiltinESMExports();
