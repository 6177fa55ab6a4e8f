// Documents that cannot rot: what they must name, and what they must agree with.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { expect, test } from 'vitest';
import { cliDocs } from '../scripts/cli-docs.ts';
import { manPage } from '../scripts/man-page.ts';
import { EVENT_KINDS } from '../src/index.ts';
import { pal, root } from './support.ts';

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function headingsOf(path: string): string[] {
  return [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.replaceAll('`', ''));
}

test('docs/cli.md is what --help says', () => {
  expect(read('docs/cli.md')).toBe(cliDocs());
});

test('man/pal.1 is what --help says', () => {
  expect(read('man/pal.1')).toBe(manPage());
});

test('every kind of event has its heading in the schema and in detection', () => {
  const missing = ['docs/schema.md', 'docs/detection.md'].flatMap((path) =>
    EVENT_KINDS.filter((kind) => !headingsOf(path).includes(kind)).map((kind) => `${path} ${kind}`),
  );
  expect(missing).toEqual([]);
});

test('every type of block has its heading in the schema', () => {
  const types = ['text', 'thinking', 'tool_use', 'tool_result', 'image', 'attachment', 'unknown'];
  expect(types.filter((type) => !headingsOf('docs/schema.md').includes(type))).toEqual([]);
});

test('every field of the document is named in the schema', () => {
  const files = ['message', 'session', 'events', 'blocks'].map((name) => read(`src/schema/${name}.ts`)).join('\n');
  const fields = new Set(
    [
      ...files.matchAll(
        /^\s+([a-z][a-z0-9_]*): (?:z\.|index|count|timestamp|sourceRef|text|json|extra|usage|tokens|action)/gm,
      ),
    ].map(([, field = '']) => field),
  );
  const page = read('docs/schema.md');
  expect([...fields].filter((field) => !page.includes(field))).toEqual([]);
});

test('every diagnostic is explained', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
  const named = [
    ...sources.matchAll(
      /code: '([a-z0-9-]+)'|(?:trouble|note|some)\(\s*'([a-z0-9-]+)'|'((?:glued|torn)-line|bad-json)'/g,
    ),
  ];
  const codes = new Set(named.map(([, a, b, c]) => a ?? b ?? c ?? ''));
  const page = `${read('docs/schema.md')}\n${read('docs/clone.md')}`;
  expect([codes.size > 10, [...codes].filter((code) => !page.includes(code))]).toEqual([true, []]);
});

/** Fixed sentences of an agent, as they stand in its code. */
const SENTENCES: [agent: string, sentence: RegExp][] = [
  ['claude-code', /^(?:const [A-Z_]+ =\s+| {2})(?:'(\[[^']+|The user[^']+)'|"(The user[^"]+)")/gm],
  ['gemini', /'((?:Reason: |User cancelled |Got it|Request cancelled|\[The previous|<s|Plan rejected|I ran)[^'\\]+)/g],
  ['codex', /^ {2}'((?:[a-z]+ )*rejected [^']+|user [^']+|<[^']+|# AGENTS[^']+)',$/gm],
];

test.each(SENTENCES)('%s says what it knows of its files, and how', (agent, sentence) => {
  const format = read(`src/sources/${agent}/FORMAT.md`);
  const sentences = [...read(`src/sources/${agent}/signals.ts`).matchAll(sentence)].map(([, a, b]) => a ?? b ?? '');
  const missing = sentences.filter((text) => !format.includes(text));
  expect([sentences.length > 5, missing, /2026-11-15/.test(format), /observed/.test(format)]).toEqual([
    true,
    [],
    true,
    true,
  ]);
});

test.each(SENTENCES)('%s: what FORMAT.md says of our code is there', (agent) => {
  const places = [...read(`src/sources/${agent}/FORMAT.md`).matchAll(/`([a-z-]+\.ts)` ((?:`\w+`(?:, )?)+)/g)];
  const named = places.flatMap(([, file = '', names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({ file, name })),
  );
  const textOf = (file: string) => [`src/sources/${agent}/${file}`, `src/sources/${file}`].filter(existsSync).map(read);
  const missing = named.filter(({ file, name }) => !textOf(file).some((text) => text.includes(name)));
  expect([named.length > 20, missing]).toEqual([true, []]);
});

const TYPED = [...read('docs/first-five-minutes.md').matchAll(/^\$ pal (.*)$/gm)].map(([, args = '']) => args);

test.each(TYPED)('the first five minutes: pal %s', (args) => {
  const { code, out, err } = pal(args.split(' '));
  expect([code, out.length > 100 || args.startsWith('resume'), err]).toEqual([0, true, '']);
});

const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'bench/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path.split(sep).join('/')}`),
];

/** Where the links of a document lead: paths in the project, with the heading that is meant. */
function linksIn(page: string): { page: string; path: string; heading: string | undefined }[] {
  return [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].map(([, target = '', heading]) => ({
    page,
    path: target === '' ? page : posix.join(dirname(page), target),
    heading,
  }));
}

/** As GitHub makes them of headings. */
function anchorsIn(path: string): string[] {
  return headingsOf(path).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('links between documents lead somewhere', () => {
  const links = DOCUMENTS.flatMap(linksIn);
  expect(links.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
  expect(links.filter(({ path, heading }) => heading !== undefined && !anchorsIn(path).includes(heading))).toEqual([]);
});

test('links and pictures of the documents that are in the package lead to what is in it', () => {
  const { files } = JSON.parse(read('package.json')) as { files: string[] };
  const isBelow = (path: string, entry: string) => path === entry || path.startsWith(`${entry}/`);
  const isPacked = (path: string) =>
    ['README.md', 'LICENSE', ...files].some((entry) => isBelow(path, entry)) && !files.includes(`!${path}`);
  const links = DOCUMENTS.filter(isPacked).flatMap(linksIn);
  expect([links.length > 50, links.filter(({ path }) => !isPacked(path))]).toEqual([true, []]);
});

test('nothing that is published names a path of the machine it was written on, or a registry', () => {
  const files = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'docs',
    'src',
    'bench',
    'scripts',
    'package.json',
    'package-lock.json',
    '.npmrc',
    '.ci/run',
  ].flatMap((path) => textsBelow(join(root, path)));
  expect(
    files.filter(([, text]) => /\/work\/(main|shared)|registry\.npmjs|\/root\//.test(text)).map(([path]) => path),
  ).toEqual([]);
});

function textsBelow(path: string): [string, string][] {
  if (!existsSync(path)) return [];
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), 'utf8')]);
  } catch {
    return [[path, readFileSync(path, 'utf8')]];
  }
}
