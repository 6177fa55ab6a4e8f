// The tokens of a home's sessions in both ways: the short one must give what the full one gives, or nothing.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { zstdDecompressSync } from 'node:zlib';
import type { UsageOfSession } from '../src/schema/usage-row.ts';
import { sources } from '../src/sources/index.ts';
import type { Source } from '../src/sources/source.ts';
import { usageOfOutline } from '../src/sources/usage-of-outline.ts';
import { fixtureFolders, memoryFiles, root } from './support.ts';

type Contents = Record<string, Buffer>;

/** One agent's part of a home, in memory. */
export interface Den {
  name: string;
  source: Source;
  contents: Contents;
}

/** Every fixture, and the samples. */
export function dens(): Den[] {
  const homes = sources.flatMap(({ agent }) => fixtureFolders(agent).map((folder) => join(folder, 'native')));
  return [...homes, join(root, 'samples')].flatMap((home) =>
    sources
      .filter((source) => existsSync(join(home, source.root.name)))
      .map((source) => ({ name: relative(root, home), source, contents: contentsOf(home, source) })),
  );
}

function contentsOf(home: string, source: Source): Contents {
  const folder = join(home, source.root.name);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((file) => join(file.parentPath, file.name)).sort();
  return Object.fromEntries(paths.map((path) => [relative(home, path).split(sep).join('/'), unpacked(path)]));
}

/** As a port gives it: what is packed on the disk is not seen by a source. */
function unpacked(path: string): Buffer {
  const bytes = readFileSync(path);
  return path.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes;
}

interface BothWays {
  family: string;
  /** Null where the short way gave nothing. */
  short: UsageOfSession[] | null;
  full: UsageOfSession[];
}

export function bothWays(source: Source, contents: Contents): BothWays[] {
  const { port, files } = memoryFiles(contents);
  return source.group(files, port).families.map((family) => {
    // Apart: a source may put the files of a family in order.
    const short = source.usage(structuredClone(family), port);
    const outlines = source.outline(family, port, { content: false });
    const full = outlines.map((outline) => usageOfOutline(outline, source)).filter(({ rows }) => rows.length > 0);
    return { family: family.id, short, full };
  });
}

/** Families of which the short way says something else. */
export function differences(source: Source, contents: Contents): BothWays[] {
  return bothWays(source, contents).filter(({ short, full }) => short !== null && !isDeepStrictEqual(short, full));
}

/** Is it a log of a session, one row a line? */
export function isLog(path: string): boolean {
  return path.endsWith('.jsonl') && !/\/(history|session_index)\.jsonl$/.test(path);
}

/** Every log of a home with some of its lines changed. */
export function withLines(contents: Contents, change: (lines: string[]) => string[]): Contents {
  return Object.fromEntries(
    Object.entries(contents).map(([path, bytes]) => [
      path,
      isLog(path) ? Buffer.from(change(bytes.toString('latin1').split('\n')).join('\n'), 'latin1') : bytes,
    ]),
  );
}
