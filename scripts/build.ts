// Builds dist: the program and the library, bundled (some 300 modules, one by one, took a third of a short command's time);
// their types; and the published JSON Schema.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { runInNewContext } from 'node:vm';
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from 'rolldown';
import { build } from 'vite';
import { calledFunctions } from './called-functions.ts';
import { compiledAtLoad } from './compile-at-load.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(`${root}/dist`, { recursive: true, force: true });

execFileSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});

/** Loaded by every command, or by those that are to be quick: what they in turn load is little of what a package has. */
const BUNDLED = ['@pydantic/genai-prices', 'commander', 'diff', 'get-east-asian-width'];

/** What is not needed by every command, and takes from one to ten milliseconds to load. */
const LATE = new Set([
  'node:child_process',
  'node:crypto',
  'node:timers/promises',
  'node:tty',
  'node:v8',
  'node:vm',
  'node:worker_threads',
  'node:zlib',
]);

/**
 * Node's own modules, taken without `import`: that would make all that they export, and `node:fs` alone then loads all streams.
 * Those that are needed late are loaded when something of them is called, made or asked for.
 */
const nodeModules: Plugin = {
  name: 'node-modules',
  resolveId: (id) => (id.startsWith('node:') ? `\0${id}` : undefined),
  load(id) {
    if (!id.startsWith('\0node:')) return undefined;
    const name = id.slice(1);
    const all = process.getBuiltinModule(name) as Record<string, unknown>;
    const given = `process.getBuiltinModule('${name}')`;
    const isLate = LATE.has(name);
    const code = [
      isLate ? `export default new Proxy({}, { get: (_, key) => ${given}[key] });` : `export default ${given};`,
      ...Object.keys(all)
        .filter((key) => key !== 'default')
        .map((key) => `export const ${key} = ${isLate ? lateValue(given, key, all[key]) : atOnce(given, key)};`),
    ];
    return { code: code.join('\n'), moduleSideEffects: false };
  },
};

function atOnce(given: string, key: string): string {
  return `/*#__PURE__*/ (() => ${given}.${key})()`;
}

/**
 * Stands for a function, a class or constants of a module, and loads it when it is called, made, or asked for by name. It is good for that and no
 * more: it has no names of its own to be listed. Plain values cannot wait: whoever imports one loads the module (see `src/web/library-worker.ts`).
 */
function lateValue(given: string, key: string, value: unknown): string {
  const real = `${given}.${key}`;
  if (typeof value === 'function')
    return /^[a-z]/.test(key)
      ? `(...values) => ${real}(...values)`
      : `new Proxy(function () {}, { construct: (_, values) => new (${real})(...values), get: (_, name) => ${real}[name] })`;
  return typeof value === 'object' && value !== null
    ? `new Proxy({}, { get: (_, name) => ${real}[name] })`
    : atOnce(given, key);
}

/** Without letters that need two bytes: one of them, and V8 takes two for each letter of the file. They stand in texts and patterns only. */
const inOneByte: Plugin = {
  name: 'in-one-byte',
  generateBundle: (_, files) => {
    for (const file of Object.values(files))
      if (file.type === 'chunk')
        file.code = file.code.replace(
          /[^\0-\x7f]/g,
          (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
  },
};

const PRICES = './prices.json';

/** All prices are one literal of 30,000 lines. As a module of JSON they are there 6 to 9 ms sooner. */
const pricesAsJson: Plugin = {
  name: 'prices-as-json',
  resolveId: (id) => (id === PRICES ? { id, external: true } : undefined),
  transform(code, id) {
    if (!id.includes('/@pydantic/genai-prices/')) return undefined;
    for (const statement of this.parse(code).body)
      for (const { init } of statement.type === 'VariableDeclaration' ? statement.declarations : [])
        if (init?.type === 'ArrayExpression' && init.end - init.start > code.length / 2) {
          this.emitFile({
            type: 'asset',
            fileName: 'parts/prices.json',
            source: jsonOf(code.slice(init.start, init.end)),
          });
          // As a module: programs that bundle the library take it along.
          const loaded = `import prices from '${PRICES}' with { type: 'json' };\n`;
          return `${loaded}${code.slice(0, init.start)}prices${code.slice(init.end)}`;
        }
    throw new Error('genai-prices has its prices in another form: see pricesAsJson.');
  },
};

function jsonOf(literal: string): string {
  const value: unknown = runInNewContext(literal);
  const json = JSON.stringify(value);
  if (!isDeepStrictEqual(JSON.parse(json), structuredClone(value))) throw new Error('Not all prices can be JSON.');
  return json;
}

/** Which module imports which, so that what is always loaded together lies together. */
const imports = new Map<string, readonly string[]>();
const noteImports: Plugin = {
  name: 'note-imports',
  moduleParsed: ({ id, importedIds }) => {
    imports.set(id, importedIds);
  },
};

function neededBy(...names: string[]): (id: string) => boolean {
  let needed: Set<string> | undefined;
  return (id) => {
    if (needed === undefined) {
      needed = new Set();
      const open = names.map((name) => `${root}src/${name}.ts`);
      for (const next of open) {
        if (!needed.has(next)) open.push(...(imports.get(next) ?? []));
        needed.add(next);
      }
    }
    return needed.has(id);
  };
}

/** What reads one agent's histories is loaded where one of its sessions is read. What several of them need goes with the rest. */
const AGENT_FOLDERS = readdirSync(`${root}/src/sources`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

function isOf(agent: string): (id: string) => boolean {
  return (id) => id.startsWith(`${root}src/sources/${agent}/`);
}

const indexes = AGENT_FOLDERS.map((agent) => `sources/${agent}/index`);
const isNeededToRead = neededBy('ingest/update', 'ingest/message-texts', ...indexes);

function neededToRead(id: string): boolean {
  return isNeededToRead(id) && !AGENT_FOLDERS.some((agent) => isOf(agent)(id));
}

/** Reading is gone on with only by the code that began it: see `src/sources/frozen.ts`. */
const sourcesCode = createHash('sha256');
for (const folder of ['schema', 'sources'])
  for (const name of readdirSync(`${root}/src/${folder}`, { recursive: true, encoding: 'utf8' }).sort())
    if (name.endsWith('.ts')) sourcesCode.update(readFileSync(`${root}/src/${folder}/${name}`));

/** What both have in common. */
const shared: InputOptions = {
  transform: { define: { SOURCES_CODE: JSON.stringify(sourcesCode.digest('hex')) } },
  cwd: root,
  platform: 'node',
  external: (id) => /^[^./\0]/.test(id) && !id.startsWith('node:') && !BUNDLED.includes(id),
};

async function write(options: InputOptions, output: OutputOptions): Promise<void> {
  const bundle = await rolldown({ ...shared, ...options });
  await bundle.write({
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    // Without comments and blanks V8 reads it in half the time. Names stay, for whoever is shown a stack.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    ...output,
  });
  await bundle.close();
}

await write(
  {
    plugins: [nodeModules, noteImports, pricesAsJson, inOneByte],
    input: {
      ...Object.fromEntries(
        [
          'index',
          'schema-check',
          'transcript',
          'sources/claude-code/native',
          'sources/codex/native',
          'sources/gemini/native',
          'cli/start',
        ].map((name) => [name, `src/${name}.ts`]),
      ),
      'parts/library-worker': 'src/web/library-worker.ts',
    },
  },
  {
    // One folder deep, as the sources are: what the code finds beside itself it finds from there too.
    chunkFileNames: 'parts/[name]-[hash].js',
    // Every file costs a millisecond: what quick commands need lies in two, what reads histories in one more.
    codeSplitting: {
      groups: [
        // Before what was compiled earlier can be used, nothing else may be loaded.
        { name: 'data-folder', test: neededBy('cli/data-folder'), priority: 4 },
        { name: 'answers', test: neededBy('reports', 'shown'), priority: 3 },
        { name: 'quick-commands', test: neededBy('cli/main'), priority: 2 },
        { name: 'reading', test: neededToRead, priority: 1 },
        ...AGENT_FOLDERS.map((agent) => ({ name: agent, test: isOf(agent), priority: 0 })),
      ],
    },
  },
);

// Threads that read have files of their own: nothing that was compiled is kept for them, and they would compile at load what they never call.
await write(
  {
    plugins: [nodeModules, inOneByte],
    input: {
      'index-worker': 'src/ingest/index-worker.ts',
      'token-worker': 'src/ingest/token-worker.ts',
    },
  },
  { dir: 'dist/parts', chunkFileNames: 'thread-[name]-[hash].js' },
);

await build({ configFile: `${root}/src/web/page/vite.config.ts`, logLevel: 'warn' });

const { jsonSchema } = (await import('../src/schema-check.ts')) as typeof import('../src/schema-check.ts');
writeFileSync(`${root}/dist/schema.json`, `${JSON.stringify(jsonSchema(), null, 2)}\n`);
writeFileSync(`${root}/dist/bundled-licenses.txt`, BUNDLED.map(licenseOf).join('\n'));

for (const [file, isCalled] of calledFunctions(root))
  writeFileSync(file, compiledAtLoad(readFileSync(file, 'utf8'), isCalled));

/** The code of others that is in dist goes with what they say about it. */
function licenseOf(name: string): string {
  const folder = `${root}/node_modules/${name}`;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry)) ?? '';
  return `${name}\n\n${readFileSync(`${folder}/${file}`, 'utf8')}`;
}
