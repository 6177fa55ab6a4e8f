// Diffs are made of the lines that differ alone: they must say what a diff of the whole texts says.

import { applyPatch, createTwoFilesPatch, parsePatch } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { edited } from '../src/sources/claude-code/file-texts.ts';
import { patch } from '../src/sources/unified-diff.ts';

const OPTIONS = {
  context: 3,
  headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
};
const whole = (before: string, after: string) =>
  createTwoFilesPatch('a.txt', 'a.txt', before, after, undefined, undefined, OPTIONS);

const LONG = Array.from({ length: 400 }, (_, i) => `line ${i} of a file`).join('\n');

test.each([
  ['nothing', '', ''],
  ['nothing changed', 'a\nb\n', 'a\nb\n'],
  ['a new text', '', 'a\nb\n'],
  ['all taken away', 'a\nb\n', ''],
  ['one line feed more', 'a\n', 'a\n\n'],
  ['a last line feed', 'a\nb', 'a\nb\n'],
  ['no last line feed', 'a\nb\n', 'a\nb'],
  ['a first empty line', '\na\n', 'b\n\na\n'],
  ['line feeds alone', '\n\n', '\n'],
  ['the same ends of other lines', 'x\nfoo\n', 'x\nbarfoo\n'],
  ['the same beginnings of other lines', 'foo\nx\n', 'foobar\nx\n'],
  ['a line repeated', 'a\n', 'a\na\n'],
  ['CR LF', 'a\r\nb\r\nc\r\n', 'a\r\nB\r\nc\r\n'],
  ['the first line of a long text', LONG, `first\n${LONG}`],
  ['the middle of a long text', LONG, LONG.replace('line 200 of', 'line 200, changed, of')],
  ['the last line of a long text', LONG, `${LONG} and more`],
  ['two places far apart', LONG, LONG.replace('line 7 of', 'seven of').replace('line 300 of', '300 of')],
  ['other letters', 'ä → b\nsame\n', 'ä → c\nsame\n'],
])('a diff of the lines that differ is the diff of the texts: %s', (_, before, after) => {
  expect(patch('a.txt', before, after)).toBe(whole(before, after));
});

const line = fc.constantFrom('a', 'b', 'c', '', 'a b', '\r', 'x'.repeat(600));
const text = fc
  .tuple(fc.array(line, { maxLength: 14 }), fc.constantFrom('', '\n'))
  .map(([lines, end]) => lines.join('\n') + end);
const counts = (diff: string) => {
  const lines = parsePatch(diff).flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  return ['+', '-'].map((sign) => lines.filter((one) => one.startsWith(sign)).length);
};

test('it leads from one text to the other, with as few lines as a diff of the whole texts', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = patch('a.txt', before, after);
      expect(applyPatch(before, diff)).toBe(after);
      expect(counts(diff)).toEqual(counts(whole(before, after)));
    }),
    { seed: 11, numRuns: 3000 },
  );
});

const piece = fc.constantFrom('a', 'b', 'a\n', '\nb', 'aa', 'a b', 'x', '');
const edit = fc.record({ from: piece, to: piece, all: fc.boolean() });

test('what edits left as it was need not be compared: the diff is the same', () => {
  let fits = 0;
  fc.assert(
    fc.property(text, fc.array(edit, { minLength: 1, maxLength: 3 }), (before, edits) => {
      const after = edited(before, edits);
      fits += Number(after !== undefined);
      const diffs = [after?.same, undefined].map((same) => patch('a.txt', before, after?.text ?? before, same));
      expect(diffs[0]).toBe(diffs[1]);
    }),
    { seed: 12, numRuns: 20_000 },
  );
  expect(fits).toBeGreaterThan(2_000);
});
