// While a session is indexed its files are opened once, and closed when that is done.

import { expect, test } from 'vitest';
import { withFilesOpen } from '../src/ingest/files-open.ts';
import type { Files } from '../src/sources/source.ts';

function notingPort(): { port: Files; told: string[] } {
  const told: string[] = [];
  const open = (path: string) => {
    told.push(`open ${path}`);
    return { size: 1, read: () => 1, close: () => told.push(`close ${path}`) };
  };
  return { port: { open, sha256: () => '' }, told };
}

test('each file is opened once, and closed at the end', () => {
  const { port, told } = notingPort();
  const sizes = withFilesOpen(port, (held) =>
    ['a', 'b', 'a'].map((path) => {
      const file = held.open(path);
      file.close();
      return file.size;
    }),
  );
  expect([sizes, told]).toEqual([
    [1, 1, 1],
    ['open a', 'open b', 'close a', 'close b'],
  ]);
});

test('also where the work fails', () => {
  const { port, told } = notingPort();
  const work = () =>
    withFilesOpen(port, (held) => {
      held.open('a');
      throw new Error('no');
    });
  expect(work).toThrow('no');
  expect(told).toEqual(['open a', 'close a']);
});

test('what is packed is opened each time, and so are more than a process should have', () => {
  const { port, told } = notingPort();
  withFilesOpen(port, (held) => {
    for (const path of ['a.zst', 'a.zst']) held.open(path).close();
    const many = Array.from({ length: 33 }, (_, i) => String(i));
    for (const path of [...many, ...many]) held.open(path).close();
  });
  const opened = (path: string) => told.filter((word) => word === `open ${path}`).length;
  expect([opened('a.zst'), opened('0'), opened('31'), opened('32')]).toEqual([2, 1, 1, 2]);
  expect(told.filter((word) => word.startsWith('open')).length).toBe(
    told.filter((word) => word.startsWith('close')).length,
  );
});
