// The state of a builder, kept as bytes and filled into one that was made anew.

import { expect, test } from 'vitest';
import { RowIndex } from '../src/sources/claude-code/row-index.ts';
import { freeze } from '../src/sources/freeze.ts';
import { makerOf } from '../src/sources/frequent-objects.ts';
import { Unkeepable } from '../src/sources/frozen.ts';
import { newMessage } from '../src/sources/new-message.ts';
import { thaw } from '../src/sources/thaw.ts';

class Counter {
  count = 0;
  readonly list: unknown[];

  constructor(list: unknown[]) {
    this.list = list;
  }
}

class Builder {
  readonly list: unknown[] = [];
  readonly counter = new Counter(this.list);
  readonly byName = new Map<string, unknown>();
  readonly seen = new Set<unknown>();
  readonly tools = { add: (value: unknown) => this.list.push(value), last: null as unknown };
  readonly given: object;
  anything: unknown = null;

  constructor(given: object = {}) {
    this.given = given;
  }
}

const NOTHING = { given: new Set<object>(), forgotten: new Set<object>() };

function goneOn(builder: Builder, fresh = new Builder()): Builder {
  const given = new Set([builder.given]);
  thaw(freeze(builder, new Builder(), { ...NOTHING, given }), fresh);
  return fresh;
}

test('what is shared stays shared, and what a constructor tied stays tied', () => {
  const builder = new Builder();
  const shared = { a: 1 };
  const circle: Record<string, unknown> = { shared };
  circle.self = circle;
  builder.tools.add(shared);
  builder.tools.last = shared;
  builder.anything = circle;
  builder.counter.count = 7;
  const fresh = goneOn(builder);
  fresh.tools.add('more');
  expect(fresh.counter.list).toBe(fresh.list);
  expect(fresh.list).toEqual([{ a: 1 }, 'more']);
  expect(fresh.tools.last).toBe(fresh.list[0]);
  expect(fresh.anything).toMatchObject({ shared: { a: 1 } });
  expect((fresh.anything as typeof circle).self).toBe(fresh.anything);
  expect(fresh.counter.count).toBe(7);
});

test('two that were one in a new builder and no longer are', () => {
  class Pair {
    first: unknown[] = [];
    second = this.first;
  }
  const pair = new Pair();
  pair.second = ['other'];
  pair.first.push('one');
  const fresh = new Pair();
  thaw(freeze(pair, new Pair(), NOTHING), fresh);
  expect(fresh).toEqual(pair);
  expect(fresh.first).not.toBe(fresh.second);
});

const holes: unknown[] = [1];
holes[3] = undefined;
const bare = Object.assign(Object.create(null), { a: 1, __proto__: 2 });

test.each([
  ['numbers', [0, 1, -1, -0, 0.5, 2 ** 31, 2 ** 47, -(2 ** 47), 2 ** 48, 2 ** 53, NaN, Infinity, -Infinity]],
  ['words', ['', 'a', 'ü\xff', '\u0100', '😀', '\ud800', 'a\0b', 'x'.repeat(100_000)]],
  ['what is not there', [undefined, null, true, false, holes]],
  ['a key that would be the prototype', JSON.parse('[{"__proto__":{"a":1},"b":2},{"__proto__":3,"b":2}]')],
  ['an object without prototype', [bare]],
  ['objects alike, and not quite', [{ a: 1, b: null }, { a: 1, b: null }, { a: 2, b: {} }, { b: null, a: 1 }, {}]],
  [
    'a key that is like several',
    [{ [Object.keys({ file: 0, line: 0, offset: 0, length: 0, pointer: 0 }).join(' ')]: 1 }],
  ],
  ['many keys', [0, 1].map((n) => Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, n * i])))],
  ['thirty keys', [0, 1].map((n) => Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`k${i}`, n * i])))],
  [
    'maps and sets',
    [
      new Map<unknown, unknown>([
        [1, new Set(['a'])],
        ['b', new Map()],
        [holes, 0],
      ]),
    ],
  ],
])('%s', (_, value) => {
  const builder = new Builder();
  builder.anything = value;
  const { anything } = goneOn(builder);
  expect(anything).toStrictEqual(value);
  expect(JSON.stringify(anything)).toBe(JSON.stringify(value));
});

test('what stands in maps and objects of a new builder is filled, and goes where it is gone', () => {
  const make = () => {
    const builder = new Builder();
    builder.byName.set('counter', new Counter([]));
    builder.anything = { gone: 1, stays: { inner: 0 } };
    return builder;
  };
  const builder = make();
  const counter = builder.byName.get('counter') as Counter;
  counter.count = 3;
  builder.byName.set('other', counter);
  builder.anything = { stays: { inner: 5 }, added: true };
  builder.seen.add(counter);
  const fresh = make();
  const known = fresh.byName.get('counter');
  thaw(freeze(builder, make(), { ...NOTHING, given: new Set([builder.given]) }), fresh);
  expect(fresh.byName.get('other')).toBe(known);
  expect(fresh.seen.has(known)).toBe(true);
  expect(known).toMatchObject({ count: 3 });
  expect(JSON.stringify(fresh.anything)).toBe('{"stays":{"inner":5},"added":true}');
});

test('what it was made from stays, and texts are left out', () => {
  const [old, its] = [{ old: true }, { old: false }];
  const builder = new Builder(old);
  const text = ['long'];
  builder.anything = { text, other: ['long'] };
  const fresh = new Builder(its);
  thaw(freeze(builder, new Builder({}), { given: new Set([old]), forgotten: new Set([text]) }), fresh);
  expect(fresh.given).toBe(its);
  expect(fresh.anything).toEqual({ text: null, other: ['long'] });
});

test.each([
  ['an object of a class that no constructor made', new Counter([])],
  ['a function that no constructor made', () => 1],
  ['a date', new Date(0)],
  ['a symbol', Symbol('s')],
  ['a big number', 1n],
])('%s is refused', (_, value) => {
  const builder = new Builder();
  builder.anything = [value];
  expect(() => goneOn(builder)).toThrow(Unkeepable);
});

test('a class that works otherwise now does not go on', () => {
  class One {
    state = 0;
  }
  class Other {
    state = 0;
    next() {
      return this.state + 1;
    }
  }
  const bytes = freeze(new One(), new One(), NOTHING);
  expect(() => thaw(bytes, new Other())).toThrow(Unkeepable);
  expect(() => thaw(bytes, { state: 0 })).toThrow(Unkeepable);
  thaw(bytes, new One());
});

test('the objects of which there are most are made at once', () => {
  const ref = { file: 0, line: 1, offset: 2, length: 3, pointer: null };
  const block = { type: 'text' as const, row: ref, pointer: '/a', tool_use_id: null, name: null };
  const given = {
    id: 'm',
    role: 'user',
    kind: 'prompt',
    timestamp: null,
    blocks: [block],
    source: [ref],
    extra: {},
  } as const;
  const message = newMessage({ ...given, blocks: [block], source: [ref] });
  const place = new RowIndex([], new Map()).note('u', null, 1) ?? {};
  expect([ref, block, message, place].map((object) => makerOf(Object.keys(object)))).not.toContain(undefined);
  const builder = new Builder();
  builder.anything = [message, { ...message, id: 'n', ends_turn: true }, block, ref, place, { ...ref, line: 9 }];
  const { anything } = goneOn(builder);
  expect(anything).toStrictEqual(builder.anything);
  expect(JSON.stringify(anything)).toBe(JSON.stringify(builder.anything));
});

test('bytes that are cut, longer or damaged are refused or at least come to an end', () => {
  const builder = new Builder();
  builder.anything = [{ a: 'one', b: [1, 2] }, new Map([['k', 'v']])];
  const bytes = freeze(builder, new Builder(), { ...NOTHING, given: new Set([builder.given]) });
  for (let length = 0; length < bytes.length; length++)
    expect(() => thaw(bytes.subarray(0, length), new Builder())).toThrow(Unkeepable);
  expect(() => thaw(Buffer.concat([bytes, Buffer.from([0])]), new Builder())).toThrow(Unkeepable);
  expect(() => thaw(Buffer.alloc(0), new Builder())).toThrow(Unkeepable);
});
