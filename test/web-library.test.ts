// What the viewer's server answers, asked without the server.

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { chosenIn } from '../src/web/facets.ts';
import { Library } from '../src/web/library.ts';
import { choicesOf } from '../src/web/page/list/choices.ts';
import { compared, leftWords } from '../src/web/page/session/layer-words.ts';
import { SessionModel } from '../src/web/page/session/model.ts';
import { homeOf, Rows, sessionId } from './browser/homes.ts';
import { root, temporaryFolder } from './support.ts';

/** Everything in these homes, read into an index. */
async function libraryOf(...homes: string[]): Promise<Library> {
  const library = unread(...homes);
  await library.prepare();
  return library;
}

/** Of which only names are known. */
function unread(...homes: string[]): Library {
  const options = { places: { homes }, isSample: false, store: temporaryFolder(), index: true, threads: 1 };
  const library = new Library(
    options,
    () => {},
    (message) => expect(message).toBe(''),
  );
  onTestFinished(() => library.close());
  return library;
}

const ANY = chosenIn(new URLSearchParams());

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

test('sessions of the same ids in two homes are not mixed: in searches, threads, folds and links', async () => {
  const homes = ['first', 'second'].map((word) => {
    const cleared = join(root, 'fixtures/claude-code/i_clear/native');
    const rows = new Rows(sessionId(1)).prompt('The same question').text(`The answer of the ${word}`).rows;
    const { home } = homeOf([{ id: sessionId(1), rows }]);
    cpSync(cleared, home, { recursive: true });
    return home;
  });
  const library = await libraryOf(...homes);
  const [first, second, third] = [
    '28a756f3-a498-4c90-aec1-3a65a7ca6568',
    '1b13ad11-89d2-4912-828e-5ca7497fd59f',
    '3309d484-d831-4683-ae1f-14053eb16974',
  ].map((id) => `claude-code:${id}`);
  const told = (key: string) => ({
    under: library.rows({ keys: [key] }).rows.map(({ folded_under }) => folded_under),
    thread: library.thread({ key }).nodes.map((node) => node.key),
    goesOnIn: library.session({ key }).events.map(({ next }) => next),
  });
  const hits = async (text: string) => (await library.search({ text, chosen: ANY })).hits.map(({ key }) => key);
  expect([told(`${first}`), told(`${second}~1`)]).toEqual([
    { under: [third], thread: [first, second, third], goesOnIn: [second] },
    { under: [`${third}~1`], thread: [`${first}~1`, `${second}~1`, `${third}~1`], goesOnIn: [`${third}~1`] },
  ]);
  expect([await hits('first'), await hits('second')]).toEqual([
    [`claude-code:${sessionId(1)}`],
    [`claude-code:${sessionId(1)}~1`],
  ]);
});

test('a search of what was said is narrowed by whatever the list is narrowed by', async () => {
  const made = (number: number, model: string) => {
    const message = { id: 'msg', role: 'assistant', model, content: [{ type: 'text', text: 'zyzzyva' }] };
    const rows = new Rows(sessionId(number)).prompt('A word?').row({ type: 'assistant', uuid: model, message }).rows;
    return { id: sessionId(number), rows };
  };
  const { home } = homeOf([made(1, 'claude-opus-5-5'), made(2, 'claude-haiku-5-5')]);
  const library = await libraryOf(home);
  const hits = async (query: string) => {
    const answer = await library.search({ text: 'zyzzyva', chosen: chosenIn(new URLSearchParams(query)) });
    return answer.hits.map(({ key }) => key);
  };
  const [first, second] = [1, 2].map((number) => `claude-code:${sessionId(number)}`);
  const asked = ['', 'model=claude-haiku-5-5', 'size=below 100 kB', 'size=above 10 MB', 'date=older', 'agent=codex'];
  expect(await Promise.all(asked.map(hits))).toEqual([[first, second], [second], [first, second], [], [], []]);
});

test('a choice that is made is offered, however many others are commoner', async () => {
  const made = (number: number) => ({
    id: sessionId(number),
    rows: [
      { type: 'user', uuid: `u${number}`, cwd: `/home/dev/${number % 20}`, message: { role: 'user', content: 'Hi' } },
    ],
  });
  const { home } = homeOf(Array.from({ length: 39 }, (_, i) => made(i)));
  const { rows } = (await libraryOf(home)).sessions({ from: 0, count: 100 });
  const offered = (query: string) => choicesOf(rows, 'project', chosenIn(new URLSearchParams(query)), 0);
  expect([offered('').length, offered('project=/home/dev/19').at(-1)]).toEqual([
    14,
    { value: '/home/dev/19', name: 'dev/19', count: 1 },
  ]);
});

test('while sessions are being read, one that may be in another of them is not said to be deleted', async () => {
  const library = unread(join(root, 'fixtures/claude-code/subagent-in-progress-rows/native'));
  const open = (key: string) => () => library.session({ key });
  expect(open('claude-code:abc1234')).toThrow(
    'There is no such session among those that have been read so far. The others are being read.',
  );
  await library.prepare();
  expect(open('claude-code:abc1234')().session.id).toBe('abc1234');
  expect(open('claude-code:nobody')).toThrow('There is no such session: it may have been deleted.');
});
