// A file that is read on from where it was left gives what it gives when it is read whole: every fixture, cut between lines and within them.

import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { Outline } from '../src/schema/outline.ts';
import { sources } from '../src/sources/index.ts';
import type { Family, Files, KeptReadings, LeftReading, OutlineOptions, Source } from '../src/sources/source.ts';
import { fixtureFolders, memoryFiles, nativeFiles } from './support.ts';

/** Of longer files only some lines. */
const EACH_LINE = 24;

interface Grown {
  contents: Record<string, Buffer>;
  family: Family;
  path: string;
}

/** Every file of a session in the fixtures of an agent, with all that belongs to it. */
function grownFiles(source: Source, folder: string): Grown[] {
  const contents = nativeFiles(folder);
  const { port, files } = memoryFiles(contents);
  return source
    .group(files, port)
    .families.flatMap((family) =>
      family.files
        .filter(({ role }) => role !== 'companion')
        .map(({ info }) => ({ contents, family, path: info.path })),
    );
}

/** Ends of lines, and places within them. */
function cutsOf(content: Buffer): number[] {
  const ends = [...content.keys()].filter((at) => content[at] === 0x0a).map((at) => at + 1);
  const last = ends.length - 1;
  const wanted =
    ends.length <= EACH_LINE ? ends : [0, 1, last >> 2, last >> 1, last - 1, last].map((i) => ends[i] ?? 0);
  const cuts = wanted.flatMap((end, i) => [end, Math.floor((end + (wanted[i + 1] ?? content.length)) / 2)]);
  return [...new Set([...cuts, content.length])].sort((a, b) => a - b);
}

function cutTo({ contents, family, path }: Grown, bytes: number): { family: Family; port: Files } {
  const cut = { ...contents, [path]: contents[path]?.subarray(0, bytes) ?? Buffer.alloc(0) };
  const files = family.files.map((file) =>
    file.info.path === path ? { ...file, info: { ...file.info, bytes } } : file,
  );
  return { family: { ...family, files }, port: memoryFiles(cut).port };
}

class Kept implements KeptReadings {
  readonly left = new Map<string, LeftReading | null>();
  /** Those that were gone on with. */
  readonly used = new Set<string>();

  leftAt(path: string, made: string): LeftReading | undefined {
    const left = this.left.get(path);
    if (left?.made !== made) return undefined;
    const use = () => {
      this.used.add(path);
      return left.state;
    };
    return {
      ...left,
      get state() {
        return use();
      },
    };
  }

  isWanted(): boolean {
    return true;
  }

  keep(path: string, left: LeftReading | null): void {
    this.left.set(path, left);
  }
}

/** Texts that were held before are not kept. */
function withoutTexts(outlines: Outline[], other: Outline[]): Outline[] {
  outlines.forEach(({ messages }, i) => {
    for (const [at, message] of messages.entries()) if (other[i]?.messages[at]?.said === null) message.said = null;
  });
  return outlines;
}

/** Reads the file at every cut, each time from where it was left at the one before. */
function growth(source: Source, grown: Grown, options: OutlineOptions, shortens: boolean) {
  const readings = new Kept();
  const wrong: number[] = [];
  for (const cut of cutsOf(grown.contents[grown.path] ?? Buffer.alloc(0))) {
    const { family, port } = cutTo(grown, cut);
    const reading = shortens ? { ...port, shortens: true as const } : port;
    const readOn = source.outline(family, reading, { ...options, readings });
    const whole = withoutTexts(source.outline(family, reading, options), readOn);
    // The order of keys shows in what is stored.
    if (!isDeepStrictEqual(readOn, whole) || JSON.stringify(readOn) !== JSON.stringify(whole)) wrong.push(cut);
  }
  return { wrong, isUsed: readings.used.has(grown.path) };
}

/** Threads of Codex that go on from another one, or hold lines of it that are found only by comparing both. */
function isFork(content: Buffer): boolean {
  const head = content.subarray(0, Math.max(content.indexOf(0x0a), 0)).toString();
  if (/"history_base"/.test(head)) return true;
  return /"(forked_from_id|parent_thread_id)":"/.test(head) && !head.includes('"subagent_history_start_ordinal"');
}

/** Why a file is always read whole; null where it is read on. */
function whyWhole({ family, path, contents }: Grown): string | null {
  const file = family.files.find(({ info }) => info.path === path);
  const others = family.files.filter(
    ({ role, session_id }) => session_id === file?.session_id && role !== 'companion' && role !== 'base',
  );
  const content = contents[path] ?? Buffer.alloc(0);
  if (!content.subarray(0, -1).includes(0x0a)) return 'it has no line after which it could grow';
  if (!path.endsWith('.jsonl')) return 'it is one document, or packed: it is written anew each time';
  if (file?.role === 'base') return 'it is read for a fork of it: as far as that goes';
  if (isFork(content)) return 'it is a fork';
  return others.length > 1 ? 'its session lies in several files' : null;
}

test.each(sources.map((source) => [source.agent, source] as const))('%s', (agent, source) => {
  const grown = fixtureFolders(agent).flatMap((folder) =>
    grownFiles(source, folder).map((file) => ({ file, name: `${basename(folder)}: ${file.path}` })),
  );
  const told = grown.map(({ file, name }) => {
    const runs = [
      growth(source, file, { content: false }, false),
      growth(source, file, { content: false, said: true }, true),
    ];
    const isReadOn = whyWhole(file) === null;
    return {
      wrong: runs.flatMap(({ wrong }) => wrong.map((cut) => `${name} at ${cut}`)),
      unexpected: runs.some(({ isUsed }) => isUsed !== isReadOn) ? [`${name}: ${isReadOn ? 'whole' : 'read on'}`] : [],
    };
  });
  expect(told.flatMap(({ wrong }) => wrong)).toEqual([]);
  expect(told.flatMap(({ unexpected }) => unexpected)).toEqual([]);
});
