// Of what tools gave, a first index reads a little. All that it makes of a session must be as if it had read it whole.

import { describe, expect, test } from 'vitest';
import type { Json } from '../src/schema/blocks.ts';
import type { Outline } from '../src/schema/outline.ts';
import { sources } from '../src/sources/index.ts';
import { parsedApart } from '../src/sources/parse-apart.ts';
import { CUT } from '../src/sources/shorten.ts';
import type { Files, Source } from '../src/sources/source.ts';
import { fixtureFolders, memoryFiles, nativeFiles } from './support.ts';

/** Long enough to be taken out of a line, and not so long that every text of its length is cut. */
const MORE = ' and so on'.repeat(300);

/** Every text of more than one word goes on and on. */
function lengthened(value: Json): Json {
  if (typeof value === 'string') return value.includes(' ') ? value + MORE : value;
  if (Array.isArray(value)) return value.map(lengthened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, lengthened(inner)]));
}

function lengthenedLine(line: string): string {
  try {
    return JSON.stringify(lengthened(JSON.parse(line)));
  } catch {
    return line;
  }
}

function contentsOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(nativeFiles(folder)).map(([path, bytes]) => [
      path,
      bytes.toString().split('\n').map(lengthenedLine).join('\n'),
    ]),
  );
}

/** What an index makes of it; how much was said in each row is not told by anybody. */
function outlinesIn(source: Source, contents: Record<string, string>, given: Partial<Files>): Partial<Outline>[] {
  const { port, files } = memoryFiles(contents);
  return source
    .group(files, port)
    .families.flatMap((family) => source.outline(family, { ...port, ...given }, { content: false, said: true }))
    .map(({ head, messages, outcomes, signals, windows, records, file_texts, diagnostics }) =>
      structuredClone({ head, messages, outcomes, signals, windows, records, file_texts, diagnostics }),
    );
}

describe.each(sources)('$agent', (source) => {
  test.each(fixtureFolders(source.agent).map((folder) => [folder.split('/').at(-1), folder]))('%s', (_, folder) => {
    const contents = contentsOf(folder ?? '');
    expect(outlinesIn(source, contents, { shortens: true })).toEqual(outlinesIn(source, contents, {}));
  });
});

const LONG = `123456789${'abcdefg →'.repeat(200)}`;
const value = { a: LONG, b: { a: LONG, isWhole: true }, c: [LONG, LONG], d: LONG };
const isLittleEnough = (name: string, holder: { [key: string]: Json }) => name === 'a' && holder.isWhole !== true;
const line = Buffer.from(JSON.stringify(value));

test('of the texts that are named, a little is left; texts in lists have no name', () => {
  expect(parsedApart(line, { isAscii: false, shortens: true, isLittleEnough })).toEqual({
    ...value,
    // 96 bytes would end within an arrow, so it is 94; and the last 32.
    a: `${LONG.slice(0, 80)}${CUT}${LONG.slice(-26)}`,
  });
});

test('where nothing is cut, nobody is asked', () => {
  expect(parsedApart(line, { isAscii: false, shortens: false, isLittleEnough })).toEqual(value);
});
