// What has changed in a folder, told from two listings of it.

import { expect, test } from 'vitest';
import { isSameListing, type ListedFile, listingChanges, packListing } from '../src/store/packed-listing.ts';

const a = { path: '.claude/a.jsonl', bytes: 10, modified_ms: 1763290431234.5 };
const b = { path: '.claude/b.jsonl', bytes: 0, modified_ms: 5 };
const c = { path: '.claude/ö\nc.jsonl', bytes: 2 ** 40, modified_ms: 7 };

/** As it was, as it is, what changed, what is gone. */
const CASES: Record<string, [ListedFile[], ListedFile[], ListedFile[], string[]]> = {
  'nothing, where nothing is': [[], [], [], []],
  nothing: [[a, b, c], [a, b, c], [], []],
  'a size': [[a, b, c], [a, { ...b, bytes: 1 }, c], [{ ...b, bytes: 1 }], []],
  'a fraction of a millisecond': [
    [a, b],
    [{ ...a, modified_ms: 1763290431234.25 }, b],
    [{ ...a, modified_ms: 1763290431234.25 }],
    [],
  ],
  'a copy in place of the file': [[a, b], [a, { ...b, kept: true }], [{ ...b, kept: true }], []],
  'a new file': [[a, c], [a, b, c], [b], []],
  'a file that went': [[a, b, c], [a, c], [], [b.path]],
  'another name': [[a, b], [a, { ...b, path: '.claude/b2.jsonl' }], [{ ...b, path: '.claude/b2.jsonl' }], [b.path]],
  'a name with a line feed': [[a, b, c], [a, b], [], [c.path]],
  'the first file': [[], [a], [a], []],
  'the last file': [[a], [], [], [a.path]],
  'two that changed places': [
    [a, b],
    [
      { ...a, bytes: b.bytes, modified_ms: b.modified_ms },
      { ...b, bytes: a.bytes, modified_ms: a.modified_ms },
    ],
    [
      { ...a, bytes: b.bytes, modified_ms: b.modified_ms },
      { ...b, bytes: a.bytes, modified_ms: a.modified_ms },
    ],
    [],
  ],
};

test.each(Object.entries(CASES))('%s', (_, [before, now, changed, gone]) => {
  const [old, packed] = [packListing(before), packListing(now)];
  expect({ ...listingChanges(old, now, packed), isSame: isSameListing(old, packed) }).toEqual({
    changed,
    gone,
    isSame: changed.length + gone.length === 0,
  });
});

test('where nothing is known everything is new', () => {
  expect(listingChanges(undefined, [a, b], packListing([a, b]))).toEqual({ changed: [a, b], gone: [] });
});
