// Builds dist: the compiled sources and the published JSON Schema.

import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(`${root}/dist`, { recursive: true, force: true });
execFileSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
const { jsonSchema } = (await import('../src/schema-check.ts')) as typeof import('../src/schema-check.ts');
writeFileSync(`${root}/dist/schema.json`, `${JSON.stringify(jsonSchema(), null, 2)}\n`);
