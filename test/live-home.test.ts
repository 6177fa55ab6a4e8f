// A home that is kept up to date by what changes in it is, at every moment, what a home opened anew is.

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ChangedFiles, type FoundFamily, type LiveFamily, liveHome, openHome, sources } from '../src/index.ts';
import { fixtureFolders, root, temporaryFolder } from './support.ts';

type Documents = Record<string, string>;

function documentsOf(families: (readonly [key: string, family: FoundFamily])[]): Documents {
  return Object.fromEntries(
    families.map(([key, family]) => {
      const open = family.open();
      const text = JSON.stringify(
        open.sessions.map(({ document }) => document),
        withoutSizes,
      );
      open.close();
      return [key, text];
    }),
  );
}

/** How large a file is that another session only cites is of no account. */
function withoutSizes(_: string, value: unknown): unknown {
  const { role } = (value ?? {}) as { role?: unknown };
  return role === 'companion' ? { ...(value as object), bytes: 0 } : value;
}

function liveDocuments(families: LiveFamily[]): Documents {
  return documentsOf(
    families.flatMap(({ agent, id, family }) => (family === null ? [] : [[`${agent} ${id}`, family]])),
  );
}

function freshDocuments(home: string): Documents {
  return documentsOf(openHome({ homes: [home] }).families.map((family) => [`${family.agent} ${family.id}`, family]));
}

/** What `watch` would tell. */
function changeAt(home: string, path: string): ChangedFiles {
  const place = sources.find((source) => path.startsWith(`${source.root.name}/`)) ?? sources[0];
  const found = statSync(join(home, path), { throwIfNoEntry: false });
  return {
    agent: place?.agent ?? 'codex',
    folder: join(home, place?.root.name ?? ''),
    files: found === undefined ? [] : [{ path, bytes: found.size, modified_ms: found.mtimeMs }],
    gone: found === undefined ? [path] : [],
  };
}

function historiesIn(folder: string): string[] {
  const places = sources.flatMap((source) => source.places.map((place) => `${source.root.name}/${place}`));
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => places.some((place) => path === place || path.startsWith(`${place}/`)))
    .sort();
}

/** Homes with sessions in several files: subagents, forks, clears, copies, companions. */
const HOMES = sources
  .flatMap(({ agent }) => fixtureFolders(agent))
  .map((folder) => join(folder, 'native'))
  .filter((native) => historiesIn(native).length > 1)
  // A title that stands in another session's file is known when the session itself changes: see LiveRoot.tie.
  .filter((native) => !native.includes('/titles/'))
  .map((native) => [relative(join(root, 'fixtures'), dirname(native)), native] as const);

const ORDERS = {
  'by name': (paths: string[]) => paths,
  'the other way round': (paths: string[]) => paths.toReversed(),
};

/** Each file is empty at first, then cut in the middle, then whole; a path in a file is written at once. In the end one after the other goes. */
function actsIn(home: string, native: string, paths: string[]): (() => string)[] {
  const written = paths.flatMap((path) => {
    const bytes = readFileSync(join(native, path));
    const sizes = bytes.length < 100 ? [0, bytes.length] : [0, bytes.length / 2, bytes.length];
    return sizes.map((size) => () => {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), bytes.subarray(0, size));
      return path;
    });
  });
  const removed = paths.map((path) => () => {
    rmSync(join(home, path));
    return path;
  });
  return [...written, ...removed];
}

describe.each(Object.entries(ORDERS))('files come %s', (_, ordered) => {
  test.each(HOMES)('%s', (_, native) => {
    const home = temporaryFolder();
    const live = liveHome({ homes: [home] });
    let before = liveDocuments(live.families());
    for (const act of actsIn(home, native, ordered(historiesIn(native)))) {
      const path = act();
      const told = [...live.update(changeAt(home, path)), ...live.tie()].map(({ agent, id }) => `${agent} ${id}`);
      const documents = liveDocuments(live.families());
      const keys = [...new Set([...Object.keys(before), ...Object.keys(documents)])];
      const untold = keys.filter((key) => before[key] !== documents[key] && !told.includes(key));
      expect({ path, documents, untold }).toEqual({ path, documents: freshDocuments(home), untold: [] });
      before = documents;
    }
  });
});
