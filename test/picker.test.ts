// The picker without its terminal, threads, and words that are nearly right.

import { describe, expect, test } from 'vitest';
import type { ListedSession } from '../src/cli/listed.ts';
import { nearest } from '../src/cli/near.ts';
import { afterKey, emptyState, fitting, type Key, type PickerState } from '../src/cli/picker-state.ts';
import { foldThreads } from '../src/render/threads.ts';

function session(id: string, more: Partial<ListedSession> = {}): ListedSession {
  return {
    id,
    agent: 'codex',
    kind: 'main',
    title: `Title of ${id}`,
    project: '/home/dev/shop',
    started_at: null,
    ended_at: null,
    last_used: null,
    bytes: 0,
    messages: 0,
    turns: 0,
    events: {},
    subagent_events: {},
    models: [],
    subagent_models: [],
    subagents: 0,
    parent: null,
    kept: false,
    forked_from: null,
    cloned_from: null,
    cleared_from: null,
    goes_on_in: [],
    ...more,
  };
}

const three: PickerState = { ...emptyState(), rows: ['aa', 'bb', 'ab'].map((id) => session(id)) };
const typed = (text: string): Key[] => [...text].map((letter) => ({ text: letter, name: letter }));
const after = (keys: Key[], from: PickerState = three) => keys.reduce(afterKey, from);

describe('the picker', () => {
  test('typing filters by title, project, agent and id; every word must fit', () => {
    const ids = (text: string) => fitting(after(typed(text))).map(({ id }) => id);
    expect([ids('title of a'), ids('SHOP bb'), ids('codex'), ids('nothing')]).toEqual([
      ['aa', 'ab'],
      ['bb'],
      ['aa', 'bb', 'ab'],
      [],
    ]);
  });

  test('the choice stays within what fits, and begins anew when that changes', () => {
    const down = { name: 'down' };
    expect([
      after([down, down, down, down]).selected,
      after([{ name: 'up' }]).selected,
      after([down, down, ...typed('a')]).selected,
      after([{ name: 'end' }]).selected,
      after([{ name: 'n', ctrl: true, text: 'n' }]).selected,
    ]).toEqual([2, 0, 0, 2, 1]);
  });

  test('Enter takes what is there, and nothing where nothing fits; Esc and Ctrl-C leave', () => {
    expect([
      after([{ name: 'return' }]).ended,
      after([...typed('zzz'), { name: 'return' }]).ended,
      after([{ name: 'escape' }]).ended,
      after([{ name: 'c', ctrl: true }]).ended,
    ]).toEqual(['chosen', null, 'left', 'left']);
  });

  test('letters, words and all of it can be taken back', () => {
    const query = (key: Key) => after([...typed('one two'), key]).query;
    expect([
      query({ name: 'backspace' }),
      query({ name: 'w', ctrl: true }),
      query({ name: 'u', ctrl: true }),
      query({ name: 'f5' }),
    ]).toEqual(['one tw', 'one ', '', 'one two']);
  });
});

describe('threads', () => {
  const folded = (sessions: ListedSession[]) =>
    foldThreads(sessions).map((row) => [row.session.id, ...row.earlier.map(({ id }) => id)]);

  test('clears, forks and clones are folded below the newest', () => {
    expect(
      folded([
        session('c', { forked_from: 'b' }),
        session('x'),
        session('b'),
        session('a', { goes_on_in: ['b'] }),
        session('y', { cloned_from: 'x', turns: 2 }),
      ]),
    ).toEqual([['c', 'b', 'a'], ['x'], ['y']]);
  });

  test('a copy takes the place of its origin when somebody has gone on with it', () => {
    expect(folded([session('y', { cloned_from: 'x', turns: 2 }), session('x')])).toEqual([['y', 'x']]);
  });

  test('copies that nobody has gone on with are told of at their origin', () => {
    // A summary that was written into one is a message, but nobody's turn.
    const copies = [session('z', { cloned_from: 'y', messages: 1 }), session('y', { cloned_from: 'x' }), session('x')];
    const rows = foldThreads(copies).map((row) => [row.session.id, row.copies.map(({ id }) => id)]);
    expect(rows).toEqual([['x', ['z', 'y']]]);
  });

  test('copies that name one another, or one that is not there, stay', () => {
    const circle = [session('a', { cloned_from: 'b' }), session('b', { cloned_from: 'a' })];
    expect([folded(circle), folded([session('c', { cloned_from: 'gone' })])]).toEqual([[['a', 'b']], [['c']]]);
  });

  test('two that go on from one: the older branch is a row of its own', () => {
    expect(folded([session('c', { forked_from: 'a' }), session('b', { forked_from: 'a' }), session('a')])).toEqual([
      ['c', 'a'],
      ['b'],
    ]);
  });

  test('links in a circle hide nothing', () => {
    expect(folded([session('a', { forked_from: 'b' }), session('b', { forked_from: 'a' })])).toEqual([['a', 'b']]);
  });
});

test.each([
  ['shwo', 'show'],
  ['evnts', 'events'],
  ['exp', 'export'],
  ['stat', 'stats'],
  ['xyzzy', undefined],
  ['l', 'ls'],
])('%s is nearly %s', (word, meant) => {
  expect(nearest(word, ['overview', 'ls', 'show', 'events', 'export', 'stats'])).toBe(meant);
});
