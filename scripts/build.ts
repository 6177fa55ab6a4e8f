// Builds dist: the program and the library, bundled (some 300 modules, one by one, took a third of a short command's time);
// their types; and the published JSON Schema.

import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(`${root}/dist`, { recursive: true, force: true });

execFileSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});

const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  external: /^[^./]/,
  input: Object.fromEntries(
    [
      'index',
      'schema-check',
      'transcript',
      'sources/claude-code/native',
      'sources/codex/native',
      'sources/gemini/native',
      'cli/start',
      'parts/index-worker',
      'parts/token-worker',
    ].map((name) => [name, `src/${name.replace(/^parts\//, 'ingest/')}.ts`]),
  ),
});
await bundle.write({
  dir: 'dist',
  format: 'esm',
  entryFileNames: '[name].js',
  // One folder deep, as the sources are: what the code finds beside itself it finds from there too.
  chunkFileNames: 'parts/[name]-[hash].js',
});
await bundle.close();

const { jsonSchema } = (await import('../src/schema-check.ts')) as typeof import('../src/schema-check.ts');
writeFileSync(`${root}/dist/schema.json`, `${JSON.stringify(jsonSchema(), null, 2)}\n`);
