// What the viewer's server answers, asked without the server.

import { expect, onTestFinished, test } from 'vitest';
import { Library } from '../src/web/library.ts';
import { homeOf, Rows, sessionId } from './browser/homes.ts';

/** Everything in these homes, read. */
async function libraryOf(...homes: string[]): Promise<Library> {
  const options = { places: { homes }, isSample: false, store: null, index: false, threads: 1 };
  const library = new Library(
    options,
    () => {},
    (message) => expect(message).toBe(''),
  );
  onTestFinished(() => library.close());
  await library.prepare();
  return library;
}

test('of very many events the list has every kind and how often, and marks for as many as can be told apart', async () => {
  const rows = new Rows(sessionId(1));
  for (let turn = 0; turn < 61; turn++) rows.prompt(`Do ${turn}`).text('Well').interruption();
  rows.prompt('And the last').failure();
  const { home } = homeOf([{ id: sessionId(1), rows: rows.rows }]);
  const [row] = (await libraryOf(home)).sessions({ from: 0, count: 1 }).rows;
  expect(row?.events).toEqual([0, 0, 61, 0, 0, 0, 1]);
  expect(row?.marks.map(([kind]) => kind)).toEqual([...Array(31).fill(2), 6]);
});
