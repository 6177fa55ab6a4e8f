// Who may import whom: the data goes one way, and so do the imports.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './support.ts';

const MAY_IMPORT: Record<string, string[]> = {
  schema: [],
  sources: ['schema'],
  detect: ['schema'],
  render: ['schema'],
  transform: ['schema'],
  prices: ['schema'],
  query: ['schema', 'store', 'prices'],
  store: ['schema'],
  ingest: ['schema', 'sources', 'detect', 'store', 'thread-options.ts'],
  clone: ['schema', 'sources', 'ingest', 'transform'],
  doctor: ['schema', 'sources', 'ingest', 'transform'],
  'index.ts': [
    'reports.ts',
    'shown.ts',
    'schema',
    'sources',
    'detect',
    'render',
    'ingest',
    'transform',
    'clone',
    'doctor',
    'prices',
    'query',
    'store',
  ],
  'reports.ts': ['schema', 'sources', 'ingest', 'store', 'query', 'prices'],
  'shown.ts': ['render', 'schema'],
  'schema-check.ts': ['schema'],
  'transcript.ts': ['render'],
  web: ['index.ts', 'reports.ts', 'shown.ts', 'schema', 'thread-options.ts'],
  cli: ['web', 'index.ts', 'reports.ts', 'shown.ts', 'schema-check.ts', 'transcript.ts', 'schema'],
};

const src = join(root, 'src');
const files = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name));

const imports = files.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)].map(([, target = '']) => ({
    file: relative(src, file),
    target,
  })),
);

test('of the schema, surfaces use only the words', () => {
  const others = imports.filter(
    ({ file, target }) => file.startsWith(`cli${sep}`) && target.includes('/schema/') && !target.endsWith('/words.ts'),
  );
  expect(others).toEqual([]);
});

function folderOf(path: string): string {
  return path.split(sep)[0] ?? '';
}

test('folders import only what they may', () => {
  const wrong = imports
    .filter(({ target }) => target.startsWith('.'))
    .map(({ file, target }) => ({
      file,
      from: folderOf(file),
      to: folderOf(relative(src, join(src, dirname(file), target))),
    }))
    .filter(({ from, to }) => from !== to && MAY_IMPORT[from]?.includes(to) !== true);
  expect(wrong).toEqual([]);
});

test("one agent's folder never imports another's", () => {
  const agents = readdirSync(join(src, 'sources'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const wrong = imports.filter(({ file, target }) =>
    agents.some(
      ({ name }) =>
        file.startsWith(join('sources', name) + sep) &&
        agents.some((other) => other.name !== name && target.includes(`/${other.name}/`)),
    ),
  );
  expect(wrong).toEqual([]);
});

test('sources open no files, and know no clock and no environment', () => {
  const nodeImports = imports.filter(
    ({ file, target }) => /^(sources|detect|render|schema|transform)/.test(file) && target.startsWith('node:'),
  );
  const words = files
    .filter((file) => /^(sources|detect|render|schema|transform)/.test(relative(src, file)))
    .filter((file) => /\bprocess\.|Date\.now\(|new Date\(\)/.test(readFileSync(file, 'utf8')));
  expect({ nodeImports, words }).toEqual({ nodeImports: [], words: [] });
});

test("the agents' words stay in the agents' folders", () => {
  const agentWords =
    /compact_boundary|isCompactSummary|toolUseResult|parentUuid|isSidechain|turn_aborted|replacement_history|response_item|event_msg|history_base|thread_rolled_back|session_index|apply_patch|exec_command|token_count|\$rewindTo|meta\.json|custom-title|'\.claude|'\.codex|codex_|'\.gemini|state_snapshot|functionResponse|resultDisplay|displayContent|\$set/;
  const elsewhere = files
    .filter((file) => !/^sources\/[^/]+\//.test(relative(src, file)))
    .filter((file) => agentWords.test(readFileSync(file, 'utf8')));
  expect(elsewhere.map((file) => relative(src, file))).toEqual([]);
});
