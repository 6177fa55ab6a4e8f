// A folder under fixtures/ is a test: native input, expected documents.

import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readSessions } from '../src/index.ts';
import { faultsOf } from '../src/schema-check.ts';
import { expectFile, fixtureFolders } from './support.ts';

describe.each(['claude-code', 'codex', 'gemini'])('%s', (agent) => {
  test.each(fixtureFolders(agent).map((folder) => [basename(folder), folder]))(
    '%s gives its documents',
    (_, folder) => {
      const documents = [...readSessions({ homes: [join(folder, 'native')] })];
      expectFile(join(folder, 'expected.json'), `${JSON.stringify(documents, null, 2)}\n`);
    },
  );
});

const folders = ['claude-code', 'codex', 'gemini']
  .flatMap(fixtureFolders)
  .filter((folder) => existsSync(join(folder, 'expected.json')));

describe('every expected document', () => {
  test.each(folders.map((folder) => [basename(folder), folder]))('of %s is valid', (_, folder) => {
    const documents = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as unknown[];
    expect(documents.flatMap(faultsOf)).toEqual([]);
  });

  test.each(folders.map((folder) => [basename(folder), folder]))('of %s points at rows that are there', (_, folder) => {
    const documents = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Document[];
    expect(documents.flatMap((document) => lostReferences(document, join(folder, 'native')))).toEqual([]);
  });

  test.each(folders.map((folder) => [basename(folder), folder]))('of %s says what it shows', (_, folder) => {
    expect(readFileSync(join(folder, 'about.md'), 'utf8').length).toBeGreaterThan(80);
  });
});

/** Native values, and diagnostics: they point at what could not be read. */
const SKIPPED = new Set(['data', 'details', 'input', 'diagnostics']);

interface Reference {
  file: number;
  line: number;
  offset: number;
  length: number;
  pointer: string | null;
}

interface Document {
  session: { source: { files: { path: string }[] } };
}

/** References whose bytes are no JSON value, or whose line does not begin there, or whose pointer leads nowhere. */
function lostReferences(document: Document, home: string): Reference[] {
  const bytes = document.session.source.files.map((file) => unpacked(readFileSync(join(home, file.path)), file.path));
  return referencesIn(document).filter((reference) => !isThere(reference, bytes[reference.file]));
}

/** Places in a compressed file are places in its text. */
function unpacked(bytes: Buffer, path: string): Buffer {
  return path.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes;
}

function isThere({ line, offset, length, pointer }: Reference, bytes: Buffer | undefined): boolean {
  if (bytes === undefined) return false;
  const before = bytes.subarray(0, offset).filter((byte) => byte === 10).length;
  if (before !== line - 1) return false;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8', offset, offset + length));
    return valueAt(value, pointer ?? '') !== undefined;
  } catch {
    return false;
  }
}

function valueAt(value: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1);
  return keys.reduce((at, key) => (at as Record<string, unknown> | null | undefined)?.[key], value);
}

function referencesIn(value: unknown): Reference[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('offset' in value && 'length' in value && 'line' in value && 'file' in value) return [value as Reference];
  return Object.entries(value).flatMap(([key, inner]) => (SKIPPED.has(key) ? [] : referencesIn(inner)));
}
