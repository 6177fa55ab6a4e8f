// Times are told without parsing each: they must be those that `Date.parse` tells.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { momentOf } from '../src/schema/moments.ts';

test.each([
  '2026-11-18T07:30:00.000Z',
  '2026-11-18T07:30:59.999Z',
  '2026-11-18T07:31:00.001Z',
  '2026-11-18T07:30:60.000Z',
  '2026-11-18T24:00:00.000Z',
  '2026-11-18T24:00:01.000Z',
  '2026-11-18T23:59:59.999Z',
  '2026-11-18T23:60:00.000Z',
  '2026-11-18T07-30:00.000Z',
  '2026-02-30T07:30:00.000Z',
  '2026-13-01T07:30:00.000Z',
  '2026-11-18T07:30:0x.000Z',
  '2026-11-18T07:30:00.0 0Z',
  '2026-11-18T07:30:00.00:Z',
  '2026-11-18t07:30:00.000Z',
  'yyyy-mm-ddThh:mm:00.000Z',
  '2026-11-18T07:30:00Z',
  '2026-11-18T07:30:00.123456Z',
  '2026-11-18T07:30:00.000+01:00',
  '2026-11-18',
  '',
])('%s', (time) => {
  // Asked twice: the second time the day is known.
  expect([momentOf(time), momentOf(time)]).toEqual([Date.parse(time), Date.parse(time)]);
});

test('times one after the other, whole and with a character changed', () => {
  const time = fc
    .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
    .map((date) => date.toISOString());
  const changed = fc.tuple(time, fc.nat(23), fc.constantFrom('0', '5', '9', ':', '.', 'Z', '-', ' '));
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          time,
          changed.map(([text, at, sign]) => text.slice(0, at) + sign + text.slice(at + 1)),
        ),
      ),
      (times) => {
        expect(times.map(momentOf)).toEqual(times.map((each) => Date.parse(each)));
      },
    ),
    { seed: 11, numRuns: 1000 },
  );
});
