// A broken document fails validation; the published schema says what the checker says.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultsOf, jsonSchema } from '../src/schema-check.ts';
import { root } from './support.ts';

const documents = [
  'i_compact',
  'i_reject',
  'i_interrupt',
  'i_rewind',
  'i_clear',
  'p_deny',
  'api-errors',
  'bad-lines',
  'fork-that-says-so',
  'subagent-in-progress-rows',
].flatMap(
  (name) => JSON.parse(readFileSync(join(root, 'fixtures/claude-code', name, 'expected.json'), 'utf8')) as Value[],
);

type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

/** Native values and what only one agent has: open by design. */
const OPEN = new Set(['extra', 'input', 'details', 'data', 'native_types', 'unknown_types', 'by_model']);

/** One place of every kind of field there is: `/messages/content/text` stands for all such texts. */
function fieldsOf(value: Value, kind: string, found: Map<string, () => { without: Value; restore: () => void }>): void {
  if (Array.isArray(value)) for (const entry of value) fieldsOf(entry, kind, found);
  else if (typeof value === 'object' && value !== null) {
    const type = typeof value.type === 'string' ? `:${value.type}` : '';
    for (const key of Object.keys(value)) {
      const name = `${kind}${type}/${key}`;
      if (!found.has(name)) {
        found.set(name, () => {
          const old = value[key] as Value;
          delete value[key];
          return { without: old, restore: () => Object.assign(value, { [key]: old }) };
        });
      }
      if (!OPEN.has(key)) fieldsOf(value[key] as Value, name, found);
    }
  }
}

describe('a document without one of its fields', () => {
  const cases = documents.flatMap((document, i) => {
    const found = new Map<string, () => { restore: () => void; without: Value }>();
    fieldsOf(document, '', found);
    return [...found].map(([name, remove]) => ({ name, document, remove, i }));
  });
  const once = [...new Map(cases.map((entry) => [entry.name, entry])).values()];

  test('covers the fields of every part', () => {
    expect(once.length).toBeGreaterThan(200);
  });

  test.each(once)('$name is refused', ({ document, remove }) => {
    const { restore } = remove();
    const faults = faultsOf(structuredClone(document));
    restore();
    expect(faults).not.toEqual([]);
  });
});

const [whole] = documents as [
  Value & {
    messages: { index: number; source: { file: number }[] }[];
    session: { accounting: { lines: number }; counts: { messages: number } };
    compaction: { boundaries: { turn: number }[] };
    context: { windows: { index: number }[] };
  },
];
const PLACE = { file: 0, line: 1, offset: 0, length: 1, pointer: null };
const TEXT = { type: 'text', text: 'x', source: PLACE, cleared_by: null };

test.each<[string, (document: typeof whole) => void]>([
  ['a field that is not in the schema', (document) => Object.assign(document, { more: 1 })],
  ['a word that is not in its list', (document) => Object.assign(document.messages[0] ?? {}, { kind: 'thought' })],
  ['lines that do not add up', (document) => document.session.accounting.lines++],
  ['messages that are not counted', (document) => document.session.counts.messages++],
  ['an index out of order', (document) => Object.assign(document.messages[1] ?? {}, { index: 7 })],
  [
    'two messages with one id',
    (document) =>
      Object.assign(document.messages[1] ?? {}, { id: (document.messages[0] as unknown as { id: string }).id }),
  ],
  ['a file that is not listed', (document) => Object.assign(document.messages[0]?.source[0] ?? {}, { file: 9 })],
  [
    'an index of a message that is not there',
    (document) => Object.assign(document.messages[0] ?? {}, { left_at_index: 9999 }),
  ],
  [
    'a file of a block that is not listed',
    (document) => Object.assign(document.messages[0] ?? {}, { content: [{ ...TEXT, source: { ...PLACE, file: 9 } }] }),
  ],
  ['a turn that is not there', (document) => Object.assign(document.compaction.boundaries[0] ?? {}, { turn: 99 })],
  ['a window out of order', (document) => Object.assign(document.context.windows[0] ?? {}, { index: 7 })],
])('%s is a fault', (_, damage) => {
  const document = structuredClone(whole);
  damage(document);
  expect(faultsOf(document)).not.toEqual([]);
});

test('the published schema is closed, but for what is open by design', () => {
  const open: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('properties' in value && (value as { additionalProperties?: unknown }).additionalProperties !== false)
      open.push(path);
    for (const [key, inner] of Object.entries(value)) visit(inner, `${path}/${key}`);
  };
  visit(jsonSchema(), '');
  expect(open).toEqual([]);
});

test('the published schema names its dialect and the version of the document', () => {
  const schema = jsonSchema() as { $schema: string; properties: { schema_version: unknown } };
  expect([schema.$schema, schema.properties.schema_version]).toEqual([
    'https://json-schema.org/draft/2020-12/schema',
    { type: 'string', const: '1.0' },
  ]);
});
