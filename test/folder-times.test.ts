// Folders in which nothing came or went are not listed again; in whatever way something did, they are.

import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { currentStore } from '../src/index.ts';
import { listedAgain, NotedTimes } from '../src/ingest/folder-times.ts';
import { listFiles } from '../src/ingest/node-files.ts';
import { contentOf, freshContent, UPDATE } from './store-content.ts';
import { temporaryFolder } from './support.ts';

const PLACES = ['projects', 'history.jsonl', 'later'];
/** The clock of file systems moves on within this. */
const TICK_MS = 30;
/** ext4, tmpfs, overlayfs, xfs, btrfs: where tests are run. */
const isKept = [0xef53, 0x01021994, 0x794c7630, 0x58465342, 0x9123683e].includes(
  statfsSync(temporaryFolder()).type >>> 0,
);

afterEach(() => {
  vi.restoreAllMocks();
});

/** A root with two projects, and how it was listed: long after it was made, as far as anybody can tell. */
async function listed() {
  const folder = temporaryFolder();
  const root = { folder, name: '.claude' };
  for (const path of ['projects/a/sub', 'projects/b']) mkdirSync(join(folder, path), { recursive: true });
  for (const path of ['history.jsonl', 'projects/a/1.jsonl', 'projects/a/sub/2.jsonl', 'projects/b/3.jsonl'])
    writeFileSync(join(folder, path), '{}\n');
  const noted = new NotedTimes(root, Date.now() + 10_000);
  const { files } = listFiles(root, PLACES, { folder: (path) => noted.note(path) });
  await setTimeout(TICK_MS);
  return { root, folder, files, before: { files: files.map(({ path }) => path), times: noted.all ?? {} } };
}

test.runIf(isKept)('where nothing came or went, files are as if they had been listed', async () => {
  const { root, folder, before } = await listed();
  appendFileSync(join(folder, 'projects/a/sub/2.jsonl'), '{}\n');
  utimesSync(join(folder, 'projects/b/3.jsonl'), 5, 5);
  writeFileSync(join(folder, 'elsewhere.txt'), '');
  expect(listedAgain(root, PLACES, before)).toEqual(listFiles(root, PLACES).files);
});

const CHANGES: Record<string, (folder: string) => void> = {
  'a new file': (folder) => writeFileSync(join(folder, 'projects/a/sub/new.jsonl'), ''),
  'a file that went': (folder) => rmSync(join(folder, 'projects/a/sub/2.jsonl')),
  'another name': (folder) => renameSync(join(folder, 'projects/b/3.jsonl'), join(folder, 'projects/b/4.jsonl')),
  'a file in another folder': (folder) =>
    renameSync(join(folder, 'projects/b/3.jsonl'), join(folder, 'projects/a/3.jsonl')),
  'a new folder': (folder) => mkdirSync(join(folder, 'projects/c')),
  'a folder in place of a file': (folder) => {
    rmSync(join(folder, 'projects/a/1.jsonl'));
    mkdirSync(join(folder, 'projects/a/1.jsonl'));
  },
  'a link in place of a folder': (folder) => {
    renameSync(join(folder, 'projects/b'), join(folder, 'moved'));
    symlinkSync(join(folder, 'moved'), join(folder, 'projects/b'));
  },
  'a place that was not there': (folder) => mkdirSync(join(folder, 'later')),
  'a place that went': (folder) => rmSync(join(folder, 'history.jsonl')),
  'a folder whose other time was set back': (folder) => {
    writeFileSync(join(folder, 'projects/b/new.jsonl'), '');
    utimesSync(join(folder, 'projects/b'), 5, 5);
  },
  'no folder at all': (folder) => rmSync(folder, { recursive: true }),
};

test.runIf(isKept).each(Object.entries(CHANGES))('%s is noticed', async (_, change) => {
  const { root, folder, before } = await listed();
  change(folder);
  expect(listedAgain(root, PLACES, before)).toBe(undefined);
});

test('a folder that was changed just before tells nothing', async () => {
  const { root } = await listed();
  const noted = new NotedTimes(root);
  listFiles(root, PLACES, { folder: (path) => noted.note(path) });
  expect(noted.all).toBe(null);
});

test.runIf(isKept)('an index that knows the times of folders follows every change', async () => {
  const home = temporaryFolder();
  const store = temporaryFolder();
  const project = join(home, '.claude/projects/-p');
  mkdirSync(project, { recursive: true });
  const row = (id: string, text: string) =>
    `${JSON.stringify({ type: 'user', uuid: id, parentUuid: null, sessionId: 's', timestamp: '2026-01-01T00:00:00Z', message: { role: 'user', content: text } })}\n`;
  vi.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + 3_600_000);
  const steps: (() => void)[] = [
    () => writeFileSync(join(project, 'a.jsonl'), row('a1', 'first')),
    () => appendFileSync(join(project, 'a.jsonl'), row('a2', 'more')),
    () => writeFileSync(join(project, 'b.jsonl'), row('b1', 'second')),
    () => {},
    () => rmSync(join(project, 'a.jsonl')),
    () => appendFileSync(join(project, 'b.jsonl'), row('b2', 'more')),
    () => mkdirSync(join(home, '.codex/sessions'), { recursive: true }),
  ];
  for (const step of steps) {
    await setTimeout(TICK_MS);
    step();
    const current = await currentStore({ ...UPDATE, tier: 2, folder: store, places: { homes: [home] }, say: () => {} });
    const known = current.store.main.prepare("select count(*) as count from meta where name like 'folders %'").get();
    expect([current.isCurrent, Number(known?.count) > 0, contentOf(current.store)]).toEqual([
      true,
      true,
      await freshContent({ homes: [home] }),
    ]);
    current.close();
  }
});
