// Any recording, any options: what must hold of every copy.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CloneOptions,
  cloneTitle,
  type FoundFamily,
  linesOf,
  type Message,
  openFile,
  type PlannedMessage,
  planClone,
  plannedBlocks,
  plannedMessages,
  type SessionReader,
} from '../src/index.ts';
import { retold } from '../src/transform/compress.ts';
import { wordsAtCalls } from '../src/transform/words-at-calls.ts';
import { markOf, planted } from './planted.ts';
import { fixtureFolders, temporaryFolder } from './support.ts';

const folder = temporaryFolder();

/** Every main session of the fixtures with a mark in each of its blocks. */
const sessions = fixtureFolders('claude-code')
  .filter((fixture) => basename(fixture) !== 'bad-lines') // no marks can be put into lines that are no JSON
  .flatMap((fixture) => readdirSync(join(fixture, 'native'), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && /^[0-9a-f-]{36}\.jsonl$/.test(entry.name))
  .map((entry, i) => {
    const place = join(folder, String(i));
    mkdirSync(place);
    const path = join(place, entry.name);
    writeFileSync(path, planted(readFileSync(join(entry.parentPath, entry.name), 'utf8')));
    return path;
  });

/** Those in which something was thought. */
const thoughtful = sessions.filter((path) => readFileSync(path, 'utf8').includes('"type":"thinking"'));

const options = fc.record(
  {
    stripTools: fc.constantFrom('all', 'old', 'outputs'),
    tools: fc.constantFrom(['Bash'], ['Read', 'Edit']),
    stripThinking: fc.boolean(),
    stripImages: fc.boolean(),
    compress: fc.constantFrom('full', 'brief', [{ from: 1, to: 1, level: 'full' }]),
    keepLast: fc.nat({ max: 3 }),
    budget: fc.constantFrom(1, 19_000, 21_000, 30_000),
    mend: fc.boolean(),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Partial<CloneOptions>>;

interface Copied {
  family: FoundFamily;
  session: SessionReader;
  planned: PlannedMessage[];
  blocks: string[];
  path: string;
  text: string;
  title: string;
}

let count = 0;

function copied(path: string, given: Partial<CloneOptions>, cut: number): Copied {
  const family = openFile(path) as FoundFamily;
  const session = family.open().sessions[0] as SessionReader;
  const at = Math.floor(cut * Math.max(0, session.messageCount - 1));
  const summarise = () => 'SUMMARY';
  const planned = planClone(session, { ...given, at, summarise });
  // Of what does not fit into a budget nobody else is asked for a summary: it has ours, which quotes.
  const plan = { ...planned, draft: retold(planned.draft, { summarise, ofText: planned.model.ofText }) };
  const title = cloneTitle(session, plan);
  const id = `0000c0b7-0000-4000-8000-${String(count++).padStart(12, '0')}`;
  const newId = () => `0000c0b7-0000-4000-8001-${String(count++).padStart(12, '0')}`;
  const text = Buffer.concat([
    ...linesOf(family, session, plan, { id, title, now: '2026-10-01T00:00:00.000Z', newId }),
  ]);
  const copy = join(folder, `${id}.jsonl`);
  writeFileSync(copy, text);
  const blocks = said(plannedBlocks(plan, session));
  return {
    family,
    session,
    planned: [...plannedMessages(plan.draft, session)],
    blocks,
    path: copy,
    text: text.toString(),
    title,
  };
}

/** Whose side an attachment is sent on is told by rows that a copy does not have, and with it its place: see send-order.ts. */
function said(messages: { kind: string; blocks: string[] }[]): string[] {
  const isMeta = ({ kind, blocks }: { kind: string; blocks: string[] }) =>
    kind === 'meta' && blocks.every((block) => block.startsWith('attachment '));
  return messages.filter((message) => !isMeta(message)).flatMap(({ blocks }) => blocks);
}

/** Marks of blocks that are gone, and of what stood beside results that were changed. What the person said to a call stays, in a note of it. */
function goneMarks({ session, planned }: Copied): string[] {
  const left = new Map(planned.map((one) => [one.message.index, one]));
  const words = [...wordsAtCalls(session).values()].map(({ said }) => said).join('\n');
  const marks = [...session.messages()].flatMap((message) =>
    message.content.flatMap((block, i) => {
      const now = left.get(message.index)?.blocks[i] ?? null;
      const isChanged = JSON.stringify(now) !== JSON.stringify(block);
      // A text in place of a result is what the person said in it.
      const isGone = now === null || (now.type === 'text' && block.type !== 'text' && block.type !== 'tool_result');
      const beside = block.type === 'tool_result' && isChanged ? [markOf(block.source?.line ?? 0, 'd')] : [];
      return [...(isGone ? [markAt(message, i)] : []), ...beside];
    }),
  );
  return marks.filter((mark) => !words.includes(mark));
}

function markAt(message: Message, i: number): string {
  const source = message.content[i]?.source;
  const pointer = source?.pointer ?? '';
  const place = pointer.startsWith('/attachment') ? 'a' : (/^\/message\/content\/(\d+)$/.exec(pointer)?.[1] ?? 's');
  return markOf(source?.line ?? 0, place);
}

const cut = fc.oneof(
  { weight: 3, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
);

test('a copy is sound: nothing in it that its client would lose, mend or refuse', () => {
  fc.assert(
    fc.property(fc.constantFrom(...sessions), options, cut, (path, given, at) => {
      const { family, path: copy, planned } = copied(path, given, at);
      const faults = family.writer
        ?.check(copy)
        .faults.filter(({ effect, code }) => effect !== 'normal' && code !== 'invalid-utf8');
      expect(planned.length === 0 ? [] : faults).toEqual([]);
    }),
    { numRuns: 250, seed: 6 },
  );
});

test('what is kept of a session reads the same in its copy, in the same order', () => {
  fc.assert(
    fc.property(fc.constantFrom(...sessions), options, cut, (path, given, at) => {
      const { path: copy, blocks } = copied(path, given, at);
      const again = openFile(copy)?.open().sessions[0] as SessionReader;
      expect(said(plannedBlocks(planClone(again, { summarise: () => '' }), again))).toEqual(blocks);
    }),
    { numRuns: 250, seed: 7 },
  );
});

test('what "Summarize from here" kept before its summary is there in the copy', () => {
  const { path, blocks } = copied(sessions.find((one) => one.includes('904312c5')) ?? '', {}, 1);
  const again = openFile(path)?.open().sessions[0] as SessionReader;
  expect(blocks.slice(0, 2)).toEqual([expect.stringContaining('One.'), expect.stringContaining('Conformance answer.')]);
  expect(said(plannedBlocks(planClone(again, {}), again))).toEqual(blocks);
});

test('what was taken out is in no byte of the copy, nor in its title', () => {
  fc.assert(
    fc.property(fc.constantFrom(...sessions), options, cut, (path, given, at) => {
      const copy = copied(path, given, at);
      const gone = goneMarks(copy);
      expect(gone.filter((mark) => copy.text.includes(mark) || copy.title.includes(mark))).toEqual([]);
    }),
    { numRuns: 250, seed: 8 },
  );
});

test('a reply keeps all of its thinking or none, and none where anything else of it was changed', () => {
  fc.assert(
    fc.property(fc.constantFrom(...thoughtful), options, cut, (path, given, at) => {
      const torn = copied(path, given, at).planned.filter(({ message, blocks }) => {
        const thoughts = message.content.map(({ type }) => type === 'thinking');
        const kept = blocks.filter((block, i) => thoughts[i] === true && block !== null).length;
        const isChanged = blocks.some((block, i) => block !== message.content[i]);
        return kept > 0 && isChanged;
      });
      expect(torn).toEqual([]);
    }),
    { numRuns: 250, seed: 9 },
  );
});

/** The blocks of each message of the API, as the rows of a file have them; a row that stands there twice is one. */
function apiMessages(text: string): Map<string, string[]> {
  const messages = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const line of text.split('\n').filter((row) => row.includes('"type":"assistant"'))) {
    const { message, uuid } = JSON.parse(line) as { message: { id: string; content: unknown }; uuid: string };
    if (seen.has(uuid)) continue;
    seen.add(uuid);
    messages.set(message.id, [...(messages.get(message.id) ?? []), JSON.stringify(message.content)]);
  }
  return messages;
}

test('a message of the API that has thinking in the copy is the one that it was, but for texts of blanks', () => {
  fc.assert(
    fc.property(fc.constantFrom(...thoughtful), options, cut, (path, given, at) => {
      const before = apiMessages(readFileSync(path, 'utf8'));
      const thinking = [...apiMessages(copied(path, given, at).text)].filter(([, blocks]) =>
        blocks.some((block) => /"type":"(redacted_)?thinking"/.test(block)),
      );
      const sent = (blocks: string[]) =>
        String(blocks.filter((block) => !/^\[\{"type":"text","text":"(\\n|\s)*"\}\]$/.test(block)));
      expect(thinking.filter(([id, blocks]) => sent(before.get(id) ?? []) !== sent(blocks))).toEqual([]);
    }),
    { numRuns: 250, seed: 10 },
  );
});

test('marks are where they are looked for', () => {
  const found = sessions.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    const session = openFile(path)?.open().sessions[0] as SessionReader;
    return [...session.messages()].flatMap((message) =>
      message.extra.subtype === 'compact_boundary'
        ? []
        : message.content.map((block, i) =>
            block.type === 'unknown' || text.includes(markAt(message, i)) ? '' : `${path} ${JSON.stringify(block)}`,
          ),
    );
  });
  expect([found.length > 500, found.filter((lost) => lost !== '')]).toEqual([true, []]);
});
