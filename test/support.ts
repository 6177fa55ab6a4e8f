import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { FileInfo, Files } from '../src/sources/source.ts';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Folders below fixtures/<agent>: each is a test. */
export function fixtureFolders(agent: string): string[] {
  const folder = join(root, 'fixtures', agent);
  return readdirSync(folder).map((name) => join(folder, name));
}

/** The files of a fixture, by their paths in its home. */
export function nativeFiles(folder: string): Record<string, Buffer> {
  const native = join(folder, 'native');
  const paths = readdirSync(native, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(native, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(native, path))]));
}

/**
 * Compares with a file that was read and committed. A missing one is written for you to read,
 * except in CI; UPDATE=1 writes it anew.
 */
export function expectFile(path: string, text: string): void {
  const mayWrite = process.env.CI === undefined && (process.env.UPDATE === '1' || !existsSync(path));
  if (mayWrite) writeFileSync(path, text);
  expect(text).toBe(existsSync(path) ? readFileSync(path, 'utf8') : `(${path} is missing)`);
}

/** A folder of its own below the temporary one. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'palimpsest-test-'));
}

/** Files that are only in memory. */
export function memoryFiles(contents: Record<string, string | Buffer>): { port: Files; files: FileInfo[] } {
  const bytes = new Map(Object.entries(contents).map(([path, content]) => [path, Buffer.from(content)]));
  const port: Files = {
    open(path) {
      const content = bytes.get(path);
      if (content === undefined) throw Object.assign(new Error(`no ${path}`), { code: 'ENOENT' });
      return { size: content.length, read: (into, at) => content.copy(into, 0, at), close: () => {} };
    },
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
  };
  const files = [...bytes].map(([path, content]) => ({ path, bytes: content.length, modified_ms: 0 }));
  return { port, files };
}

/** A home without any history. */
export const emptyHome = temporaryFolder();

/** What a command gave. */
interface Ran {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the command line as people do, away from this machine's home. */
export function pal(
  args: string[],
  options: { home?: string; cwd?: string; input?: string; env?: Record<string, string> } = {},
): Ran {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: emptyHome,
    TZ: 'UTC',
    PALIMPSEST_HOME: options.home ?? emptyHome,
    ...options.env,
  };
  const ran = spawnSync(process.execPath, [join(root, 'bin/palimpsest.js'), ...args], {
    env,
    cwd: options.cwd ?? emptyHome,
    input: options.input,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: ran.status, out: ran.stdout, err: ran.stderr };
}
