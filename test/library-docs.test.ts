// The library, as the documents tell it: every name is told, every example compiles and runs, and prints what stands below it.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { emptyHome, expectFile, root, temporaryFolder } from './support.ts';

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

const { exports: entries } = JSON.parse(read('package.json')) as { exports: Record<string, { default?: string }> };

/** The names in the first column of the tables in a section. */
function namesTold(section: string): string[] {
  return [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name);
}

test('every name of every entry is told in docs/library.md, once, and no other', async () => {
  const [, tables = ''] = read('docs/library.md').split('\n## Every name\n');
  const files = Object.values(entries).flatMap((entry) => entry.default ?? []);
  const modules = await Promise.all(
    files.map((path) => import(/* @vite-ignore */ join(root, path.replace('dist', 'src').replace(/\.js$/, '.ts')))),
  );
  const names = new Set(modules.flatMap((module) => Object.keys(module)));
  expect(namesTold(tables).sort()).toEqual([...names].sort());
});

test('every entry is told in docs/library.md', () => {
  const page = read('docs/library.md');
  const named = Object.keys(entries)
    .map((entry) => entry.replace('.', 'palimpsest'))
    .filter((name) => name !== 'palimpsest/package.json');
  expect(named.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

/** An example, and what it prints where the document tells that. */
const EXAMPLE = /^```ts\n([\s\S]*?)^```\n(\n```text\n[\s\S]*?^```\n)?/gm;
const PAGES = ['README.md', 'docs/library.md', 'docs/usage.md', 'docs/clone.md'];
const examples = PAGES.flatMap((page) =>
  [...read(page).matchAll(EXAMPLE)].map(([, code = ''], i) => ({ name: `${page} ${i + 1}`, code })),
);
const folder = temporaryFolder();
const fileOf = (i: number) => join(folder, `example-${i}.ts`);
const homeOf = (i: number) => join(folder, `home-${i}`);

/** As a project of somebody who has installed the package. */
beforeAll(() => {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/palimpsest'));
  symlinkSync(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    types: ['node'],
    noEmit: true,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  for (const [i, { code }] of examples.entries()) {
    cpSync(join(root, 'samples'), homeOf(i), { recursive: true });
    writeFileSync(fileOf(i), code.replaceAll('/home/me', homeOf(i)));
  }
});

test('every example compiles under strict TypeScript', () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder],
    {
      encoding: 'utf8',
    },
  );
  expect([examples.length > 12, stdout, status]).toEqual([true, '', 0]);
});

/** Each is imported, one after the other, and its output caught. What is still at work at the end is let go of. */
const RUN = `
const told = [];
const write = process.stdout.write.bind(process.stdout);
for (const path of process.argv.slice(1)) {
  let out = '';
  process.stdout.write = process.stderr.write = (text) => ((out += text), true);
  const error = await import(path).then(() => null, (error) => String(error.stack));
  told.push({ out, error });
}
write(JSON.stringify(told), () => process.exit());
`;

const told = new Map<string, { out: string; error: string | null }>();

test('every example runs', () => {
  const paths = examples.map((_, i) => fileOf(i));
  const text = execFileSync(process.execPath, ['--input-type=module', '-e', RUN, ...paths], {
    env: { PATH: process.env.PATH ?? '', HOME: emptyHome, TZ: 'UTC' },
    encoding: 'utf8',
  });
  const ran = JSON.parse(text) as { out: string; error: string | null }[];
  for (const [i, { name }] of examples.entries()) told.set(name, ran[i] ?? { out: '', error: 'did not run' });
  expect([...told].filter(([, { error }]) => error !== null)).toEqual([]);
});

test.each(PAGES)('what stands below the examples of %s is what they print', (page) => {
  let i = 0;
  const retold = read(page).replace(EXAMPLE, (_, code: string, printed: string | undefined) => {
    const { out = '' } = told.get(`${page} ${++i}`) ?? {};
    return `\`\`\`ts\n${code}\`\`\`\n${printed === undefined ? '' : `\n\`\`\`text\n${out.trimEnd()}\n\`\`\`\n`}`;
  });
  expectFile(join(root, page), retold);
});
