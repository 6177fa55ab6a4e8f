// Text for a terminal: widths, Markdown, amounts, and what must never reach a terminal.

import { describe, expect, test } from 'vitest';
import { ago, cut, cutStart, fit, painter, plain, printable, size, tokens, widthOf, wrapText } from '../src/index.ts';
import { markdownLines } from '../src/render/markdown.ts';

const bare = painter({ colour: false });

describe('columns', () => {
  test.each([
    ['plain', 5],
    ['日本語', 6],
    ['é', 1],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['', 0],
  ])('%s takes %i', (text, columns) => {
    expect(widthOf(text)).toBe(columns);
  });

  test('cut and filled by columns, never through a letter', () => {
    expect([cut('日本語', 6), cut('日本語', 5), cut('日本語', 4), cut('abc', 2), cut('abc', 0)]).toEqual([
      '日本語',
      '日本…',
      '日…',
      'a…',
      '',
    ]);
    expect([cut('naïve – café', 9), cut('cafe\u0301s', 4), cutStart('über\u00a0alles…', 4)]).toEqual([
      'naïve – …',
      'caf…',
      '…es…',
    ]);
    expect([fit('日本', 6), cutStart('/home/dev/日本', 7), fit('👩‍👩‍👧 family', 4)]).toEqual([
      '日本  ',
      '…v/日本',
      '👩‍👩‍👧 …',
    ]);
  });

  test('lines break between words, in a long word where they must, and keep line feeds', () => {
    expect(wrapText('one two three four five', 9)).toEqual(['one two', 'three', 'four five']);
    expect(wrapText('abcdefghijklmnopqrst', 8)).toEqual(['abcdefgh', 'ijklmnop', 'qrst']);
    expect(wrapText('日本語日本語', 8)).toEqual(['日本語日', '本語']);
    // Once this took time that grew with its square: minutes.
    expect(wrapText('x'.repeat(1_000_000), 80)).toEqual(Array.from({ length: 12_500 }, () => 'x'.repeat(80)));
    expect(wrapText('a\n\nb', 8)).toEqual(['a', '', 'b']);
    expect(wrapText('  indented text here', 12)).toEqual(['  indented', 'text here']);
    expect(wrapText('if x:\n    return 1', 12)).toEqual(['if x:', '    return 1']);
    expect(wrapText('    deep  inside', 10)).toEqual(['    deep', 'inside']);
  });
});

describe('Markdown', () => {
  const lines = (text: string, width = 40) => markdownLines(text, { width, paint: bare });
  const CASES: [name: string, text: string, lines: string[]][] = [
    ['a heading and a paragraph', '# One\ntext', ['One', '', 'text']],
    ['a list, and one in it', '- a\n  - b\n- c', ['• a', '  • b', '• c']],
    ['numbers go on', '3. a\n4. b', ['3. a', '4. b']],
    ['a long item is set in', '- one two three four', ['• one two', '  three', '  four']],
    ['code is not broken', '```ts\nconst long = "line that is long";\n```', ['│ const long = "line that is long";']],
    ['code in words keeps its marks without colours', 'a `b` c', ['a `b` c']],
    ['bold and italic leave no marks', '**a** and *b*', ['a and b']],
    ['a link shows where it leads', '[here](https://example.invalid)', ['here', '(https://', 'example.i', 'nvalid)']],
    ['a quote', '> a\n> b', ['▏ a', '▏ b']],
    ['a table', '| a | bb |\n|---|---|\n| ccc | d |', ['a   │ bb', 'ccc │ d']],
    ['HTML is the text that it is', '<b onclick="x">a</b>', ['<b', 'onclick="', 'x">a</b>']],
    ['line feeds stay', 'a\nb', ['a', 'b']],
    ['a rule', 'a\n\n---\n\nb', ['a', '', '─────────', '', 'b']],
    ['an open fence', '```\nx', ['│ x']],
    ['nothing', '', []],
  ];
  test.each(CASES)('%s', (_, text, expected) => {
    expect(lines(text, 9)).toEqual(expected);
  });

  test('with colours', () => {
    expect(markdownLines('# A\n`b`', { width: 20, paint: painter({ colour: true }) })).toEqual([
      '\u001b[4m\u001b[1mA\u001b[22m\u001b[24m',
      '',
      '\u001b[33mb\u001b[39m',
    ]);
  });

  test('a very long text is not parsed, and not lost', () => {
    const text = `${'- x\n'.repeat(60_000)}`;
    expect(lines(text).length).toBe(60_001);
  });
});

describe('what must not reach a terminal', () => {
  test.each([
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['the title of the window', '\u001b]0;gone\u0007shown', 'shown'],
    ['a link', '\u001b]8;;https://example.invalid\u001b\\shown\u001b]8;;\u001b\\', 'shown'],
    ['a screen that is cleared', '\u001b[2J\u001b[Hshown', 'shown'],
    ['a bell', 'a\u0007b', 'ab'],
    ['a line written over', 'bad\rgood', 'bad\ngood'],
    ['a sequence in eight bits', 'a\u009b31mb', 'a31mb'],
    ['writing turned around', 'a\u202eb\u2066c', 'abc'],
    ['what is begun and never ended', 'a\u001b]0;b', 'a]0;b'],
  ])('%s', (_, text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  test('not by way of Markdown either: links that are decoded, entities', () => {
    const text = '<http://x/%1b[2J%07> [a](http://y/%1b%5d0;t%07) &#x202e; &#27; `\u001b[1m`';
    const letters = [...markdownLines(text, { width: 200, paint: bare }).join('\n')];
    expect(letters.filter((letter) => letter !== '\n' && printable(letter) === '')).toEqual([]);
  });

  test('one line stays one', () => {
    expect(plain('a\n\tb\r\n c')).toBe('a b c');
  });
});

test('amounts', () => {
  const now = Date.parse('2026-11-16T12:00:00Z');
  expect([size(0), size(999), size(1000), size(35_400), size(2_000_000), size(14_200_000_000)]).toEqual([
    '0 B',
    '999 B',
    '1.0 kB',
    '35 kB',
    '2.0 MB',
    '14 GB',
  ]);
  expect([tokens(999), tokens(3371), tokens(171_400), tokens(9_400_000)]).toEqual(['999', '3.4k', '171k', '9.4M']);
  expect(
    [
      '2026-11-16T12:00:30Z',
      '2026-11-16T11:50:00Z',
      '2026-11-16T02:00:00Z',
      '2026-11-01T00:00:00Z',
      '2024-01-01T00:00:00Z',
      'x',
    ].map((time) => ago(time, now)),
  ).toEqual(['now', '10 min', '10 h', '15 d', '2 y', '?']);
});
