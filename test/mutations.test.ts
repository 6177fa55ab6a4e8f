// However a file is damaged: no exception, every line accounted for, no untouched line lost, and
// what comes out is a valid document.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { faultsOf } from '../src/schema-check.ts';
import { broken, damaged, documentsOf, type Whole, wholeFiles } from './mutations.ts';

const files = wholeFiles();

test('a damaged file loses nothing that was not damaged', () => {
  const property = fc.property(fc.nat(), fc.nat(files.length - 1), (seed, file) => {
    expect(broken(damaged(files[file] as Whole, seed))).toEqual([]);
  });
  fc.assert(property, { seed: 20261115, numRuns: 800 });
});

test('a damaged file gives a valid document', () => {
  const property = fc.property(fc.nat(), fc.nat(files.length - 1), (seed, file) => {
    const documents = documentsOf(damaged(files[file] as Whole, seed));
    expect(documents.flatMap(faultsOf)).toEqual([]);
  });
  fc.assert(property, { seed: 20261115, numRuns: 300 });
});
