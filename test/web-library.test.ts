// What the viewer's server answers, asked without the server.

import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Library } from '../src/web/library.ts';
import { compared, leftWords } from '../src/web/page/session/layer-words.ts';
import { SessionModel } from '../src/web/page/session/model.ts';
import { homeOf, Rows, sessionId } from './browser/homes.ts';
import { root } from './support.ts';

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

test('a result whose content was cleared counts as gone from then on, and not before', async () => {
  const library = await libraryOf(join(root, 'fixtures/claude-code/micro-compaction/native'));
  const { key = '' } = library.sessions({ from: 0, count: 1 }).rows[0] ?? {};
  const answer = library.session({ key });
  const model = new SessionModel(answer);
  const told = (at: number) => [at, model.clearedBy(2, at), leftWords(model, at)];
  expect([answer.cleared, answer.events.map(({ id, after }) => [id, after])]).toEqual([
    [[2, 0]],
    [['compaction:b1', 5]],
  ]);
  expect([told(2), told(5), told(6)]).toEqual([
    [2, [], 'Nothing had left.'],
    [5, [], 'Nothing had left.'],
    [6, ['compaction:b1'], 'Of these, the content of 1 message had left.'],
  ]);
  expect([compared(model, 5, 6), compared(model, 2, 6), compared(model, 6, 5)]).toEqual([
    'Between 5 and 6 it forgot 1 (only the content) and learnt 0.',
    'Between 2 and 6 it forgot 1 (only the content) and learnt 3.',
    'Between 6 and 5 it forgot 0 and learnt 1.',
  ]);
});
