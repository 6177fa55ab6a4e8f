// Files that are cut, or gone, between the time when a session was read and the time when its text is asked for.

import { cpSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openHome } from '../src/index.ts';
import { sources } from '../src/sources/index.ts';
import { fixtureFolders, temporaryFolder } from './support.ts';

const WAYS: [how: string, change: (path: string) => void][] = [
  ['cut', (path) => truncateSync(path, 0)],
  ['cut in the middle of rows', (path) => truncateSync(path, 700)],
  ['gone', (path) => rmSync(path, { force: true })],
];

const homes = sources.flatMap(({ agent }) => fixtureFolders(agent).map((folder) => join(folder, 'native')));

test.each(WAYS)('a file that is %s: what was read stands, and it is told', (_, change) => {
  const told = homes.flatMap((native) => {
    const home = temporaryFolder();
    cpSync(native, home, { recursive: true });
    const opened = openHome({ homes: [home] }).families.map((family) => ({ family, open: family.open() }));
    for (const { family, open } of opened) {
      open.rest();
      for (const { absolute } of family.nativeFiles()) change(absolute);
    }
    const documents = opened.flatMap(({ open }) => open.sessions.map((session) => ({ session, read: session.read() })));
    for (const { session } of documents) for (const record of session.records({ raw: true })) void record.data;
    for (const { open } of opened) open.close();
    rmSync(home, { recursive: true });
    return documents.map(({ session, read }) => ({
      isWhole: read.messages.length === session.messageCount,
      isTold: read.diagnostics.some(({ code }) => code === 'changed-while-read'),
    }));
  });
  expect(told.filter(({ isWhole }) => !isWhole)).toEqual([]);
  expect(told.filter(({ isTold }) => isTold).length).toBeGreaterThan(300);
});
