// How a command ended is found without parsing its output: it must be what parsing it gives.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outputEnd, outputText } from '../src/sources/codex/output-text.ts';
import { CUT } from '../src/sources/shorten.ts';

const wire = (output: string, metadata: object = { exit_code: 3, duration_seconds: 0.1 }) =>
  JSON.stringify({ output, metadata });

test.each([
  ['an output', wire('ok'), 3],
  ['one with quotes and backslashes', wire('say "\\" \\'), 3],
  ['one that ends like the document', wire('","metadata":{"exit_code":7}}'), 3],
  ['no code', wire('ok', {}), null],
  ['a code that is none', wire('ok', { exit_code: 'x' }), null],
  ['cut in the middle', wire(`a${'b'.repeat(20)}`).replace('bbb', CUT), 3],
  ['cut within an escape', wire('a"b').replace('\\"', `\\${CUT}"`), 3],
  ['what only looks like one', '{"output":"a\nb","metadata":{"exit_code":3}}', null],
  ['more behind it', '{"output":"a","metadata":{"exit_code":3},"more":{}}', 3],
  ['told twice', '{"output":"a","metadata":{"exit_code":3},"metadata":{"exit_code":4}}', 4],
  ['metadata that is none', '{"output":"a","metadata":[{}}', null],
  ['a header', 'Exit code: 5\nWall time: 1\nOutput:\nok', 5],
  ['nothing of the kind', 'ok', null],
])('%s', (_, text, exit_code) => {
  expect(outputEnd(text).exit_code).toBe(exit_code);
  expect(outputText(text).exit_code).toBe(exit_code);
});

test('the same as parsing all of it, whatever was printed', () => {
  const pieces = fc.array(fc.constantFrom('"', '\\', '\n', 'é', 'a', ',"metadata":{', '}}', '\u0001', CUT, '\ud800'));
  fc.assert(
    fc.property(pieces, fc.integer(), fc.nat(9), (printed, exit_code, at) => {
      const text = wire(printed.join(''), { exit_code });
      const cut = `${text.slice(0, at + 8)}${CUT}${text.slice(at + 10)}`;
      for (const each of [text, cut]) {
        const { exit_code, running } = outputText(each);
        expect(outputEnd(each)).toMatchObject({ exit_code, running });
      }
    }),
    { seed: 7, numRuns: 2000 },
  );
});
