// Copies of sessions: golden files for each way, and what must hold of all of them.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type CloneOptions,
  type ClonePlan,
  cloneTitle,
  type FoundFamily,
  linesOf,
  openFile,
  openHome,
  planClone,
  plannedBlocks,
  rewriteFile,
  type SessionReader,
  summarise,
  turnsOf,
} from '../src/index.ts';
import { compressed } from '../src/transform/compress.ts';
import { expectFile, fixtureFolders, temporaryFolder } from './support.ts';

/** A session of a home, with what a copy of it is. */
function cloned(
  home: string,
  options: Partial<CloneOptions>,
): { family: FoundFamily; plan: ClonePlan; session: SessionReader; text: string } {
  const family = openHome({ homes: [home] }).families[0] as FoundFamily;
  const session = family.open().sessions[0] as SessionReader;
  const plan = planClone(session, {
    summarise: (messages, level, limit) => summarise({ session, messages, level, limit: limit * 3 }),
    ...options,
  });
  return { family, session, plan, text: textOf(family, session, plan) };
}

function textOf(family: FoundFamily, session: SessionReader, plan: ClonePlan): string {
  let count = 0;
  const newId = () => `0000c0b7-0000-4000-8000-${String(count++).padStart(12, '0')}`;
  const given = { id: newId(), title: cloneTitle(session, plan), now: '2026-10-01T00:00:00.000Z', newId };
  return Buffer.concat([...linesOf(family, session, plan, given)]).toString('utf8');
}

/** A home in which a copy is the only session. */
function homeOf(text: string): string {
  const home = temporaryFolder();
  const project = join(home, '.claude', 'projects', '-home-me-shop');
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, '0000c0b7-0000-4000-8000-000000000000.jsonl'), text);
  return home;
}

const ways = fixtureFolders('claude-code')
  .filter((folder) => existsSync(join(folder, 'clones.json')))
  .flatMap((folder) =>
    Object.entries(
      JSON.parse(readFileSync(join(folder, 'clones.json'), 'utf8')) as Record<string, Partial<CloneOptions>>,
    ).map(([way, options]) => ({ name: `${basename(folder)} ${way}`, folder, way, options })),
  );

/** Reminders are sent before the words beside them, wherever they stand: see send-order.ts. */
function inPlaces(messages: { blocks: string[] }[]): { said: string[]; reminders: string[] } {
  const blocks = messages.flatMap((message) => message.blocks);
  const isReminder = (block: string) => block.startsWith('attachment ');
  return { said: blocks.filter((block) => !isReminder(block)), reminders: blocks.filter(isReminder) };
}

describe('copies', () => {
  test.each(ways)('$name', ({ folder, way, options }) => {
    mkdirSync(join(folder, 'clones'), { recursive: true });
    expectFile(join(folder, 'clones', `${way}.jsonl`), cloned(join(folder, 'native'), options).text);
  });

  test.each(ways)('$name is sound, and reads as planned', ({ folder, options }) => {
    const { family, session, plan, text } = cloned(join(folder, 'native'), options);
    const path = join(temporaryFolder(), '0000c0b7-0000-4000-8000-000000000000.jsonl');
    writeFileSync(path, text);
    const again = openFile(path)?.open().sessions[0] as SessionReader;
    const reread = planClone(again, { summarise: () => '' });
    expect({
      faults: family.writer?.check(path).faults,
      cloned_from: again.document.session.lineage.cloned_from,
      blocks: inPlaces(plannedBlocks(reread, again)),
    }).toEqual({
      faults: expect.not.arrayContaining([expect.not.objectContaining({ effect: 'normal' })]) as unknown,
      cloned_from: session.document.session.id,
      blocks: inPlaces(plannedBlocks(plan, session)),
    });
  });

  // Turns that are named by number are others in the copy.
  test.each(ways.filter(({ options }) => !Array.isArray(options.compress)))(
    '$name is the same when it is copied in the same way again',
    ({ folder, options }) => {
      const home = homeOf(cloned(join(folder, 'native'), options).text);
      const { at: _at, ...same } = options;
      const second = cloned(home, same);
      const first = openHome({ homes: [home] }).families[0]?.open().sessions[0] as SessionReader;
      expect(plannedBlocks(second.plan, second.session)).toEqual(
        plannedBlocks(planClone(first, { summarise: () => '' }), first),
      );
    },
  );
});

test.each([
  ['image-mentioned', {}, false],
  ['image-mentioned', { stripThinking: true }, false],
  ['image-mentioned', { stripImages: true }, true],
  ['clone-beginning-and-end', {}, true],
])('a plan tells whether anything is taken out: %s, %j', (fixture, options, isTouched) => {
  const home = join(import.meta.dirname, '../fixtures/claude-code', fixture, 'native');
  expect(cloned(home, options).plan.isTouched).toBe(isTouched);
});

test('what was refused in a session is told of its copy, too, though it did not happen there', () => {
  const home = join(import.meta.dirname, '../fixtures/claude-code/i_reject/native');
  const told = (from: string) => {
    const stripped = cloned(from, { stripTools: 'all' });
    const { summary } = cloned(from, { compress: [{ from: 1, to: 99, level: 'full' }] }).plan.draft;
    return {
      events: stripped.session.document.rejections.length,
      said: plannedBlocks(stripped.plan, stripped.session).flatMap(({ blocks }) =>
        blocks.filter((block) => block.includes('who said:')),
      ),
      refused: summary?.text.split('\n\n').find((section) => section.startsWith('## Refused')),
    };
  };
  const said = ['Use a different file name please', 'Keep beta lower case, second time'];
  const refused = `## Refused by the person or by a rule
- (1) Bash \`touch forbidden.txt\` was refused; no reason was given.
- (2) Bash \`touch forbidden.txt\` was refused; no reason was given.
- (3) Bash \`touch forbidden.txt\` was refused: "${said[0]}"
- (4) Edit of \`a.txt\` (\`BETA\`) was refused; no reason was given.
- (7) Edit of \`a.txt\` (\`BETA\`) was refused: "${said[1]}"
- (8) Bash \`touch p1\` was refused (and 1 beside it fell with it); no reason was given.`;
  const blocks = [
    `text [A call of Bash was refused by the user, who said:]\n${said[0]}`,
    `text [A call of Edit was refused by the user, who said:]\n${said[1]}`,
  ];
  expect([told(home), told(homeOf(cloned(home, {}).text))]).toEqual([
    { events: 6, said: blocks, refused },
    { events: 0, said: blocks, refused },
  ]);
});

/** Rows of a session, one hanging on the other. */
function rowsOf(...given: object[]): string {
  const rows = given.map((row, i) => ({
    ...{ uuid: `u${i}`, parentUuid: i === 0 ? null : `u${i - 1}`, sessionId: 's', cwd: '/home/me/shop' },
    ...{ version: '2.1.168', timestamp: `2026-10-01T00:00:${String(i).padStart(2, '0')}.000Z` },
    ...row,
  }));
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

function user(content: unknown): object {
  return { type: 'user', message: { role: 'user', content } };
}

function reply(id: string, ...content: object[]): object {
  return { type: 'assistant', message: { id, role: 'assistant', model: 'claude-opus-4-8', content } };
}

test('what the person answered to a question stays where the call goes', () => {
  const ask = (id: string, question: string) => ({
    ...{ type: 'tool_use', id, name: 'AskUserQuestion', input: { questions: [{ question, options: [] }] } },
  });
  const answer = (tool_use_id: string, content: string) => [{ type: 'tool_result', tool_use_id, content }];
  const home = homeOf(
    rowsOf(
      user('Begin.'),
      reply('m1', ask('toolu_1', 'Which database?')),
      user(answer('toolu_1', 'You were told: "Which database?"="Never postgres".')),
      reply('m2', ask('toolu_2', 'Which port?')),
      user(answer('toolu_2', '8080, and no other.')),
      reply('m3', { type: 'text', text: 'Done.' }),
      user('Go on.'),
      reply('m4', { type: 'text', text: 'Gone on.' }),
    ),
  );
  const { plan, session } = cloned(home, { stripTools: 'all' });
  const low = cloned(home, { budget: 1, keepLast: 1 });
  const notes = { ...low.plan, draft: low.plan.ladder?.rungs[4]?.draft ?? low.plan.draft };
  const blocksOf = (one: ClonePlan, of: SessionReader) => plannedBlocks(one, of).flatMap(({ blocks }) => blocks);
  expect([blocksOf(plan, session).slice(1, 4), blocksOf(notes, low.session).slice(1, 3)]).toEqual([
    [
      'text [2 tool calls and their results were left out of this copy (AskUserQuestion ×2): session 0000c0b7-0000-4000-8000-000000000000, message u1.]',
      'text [The user was asked, and answered:]\nYou were told: "Which database?"="Never postgres".',
      'text [The user was asked "Which port?", and answered:]\n8080, and no other.',
    ],
    [
      'text [AskUserQuestion — ok; the user was asked, and answered: You were told: "Which database?"="Never postgres".]',
      'text [AskUserQuestion — ok; the user was asked "Which port?", and answered: 8080, and no other.]',
    ],
  ]);
});

test('replies between which something was taken out are one message, and counted as one', () => {
  const home = homeOf(
    rowsOf(
      user('Begin.'),
      reply('m1', { type: 'text', text: 'I look.' }, { type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }),
      user([{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' }]),
      // A note of which the client sends nothing again.
      { type: 'attachment', attachment: { type: 'task_reminder', content: [], itemCount: 0 } },
      reply('m2', { type: 'text', text: 'I look again.' }),
      user([{ type: 'text', text: 'Go on.' }]),
      reply('m3', { type: 'text', text: 'Done.' }),
    ),
  );
  const { plan, text } = cloned(home, { stripTools: 'all' });
  const again = cloned(homeOf(text), {});
  const ids = [...text.matchAll(/"message":\{"id":"(\w+)"/g)].map(([, id]) => id);
  expect([plan.before.messages, plan.after.messages, again.plan.before.messages, ids]).toEqual([
    6,
    4,
    4,
    ['m1', 'm1', 'm3'],
  ]);
});

test.each([{}, { mend: true }])('a row that stands before its parent follows it in the copy: %j', (options) => {
  const home = homeOf(
    rowsOf(
      user('First.'),
      reply('m1', { type: 'text', text: 'One.' }),
      { ...reply('m2', { type: 'text', text: 'Two.' }), parentUuid: 'u3' },
      { ...user('Second.'), parentUuid: 'u1' },
      { ...user('Third.'), parentUuid: 'u2' },
      reply('m3', { type: 'text', text: 'Three.' }),
    ),
  );
  const { plan, session } = cloned(home, options);
  expect(plannedBlocks(plan, session).flatMap(({ blocks }) => blocks)).toEqual([
    ...['text First.', 'text One.', 'text Second.', 'text Two.', 'text Third.', 'text Three.'],
  ]);
});

test('an image that no server takes is left out of every copy', () => {
  const home = temporaryFolder();
  const project = join(home, '.claude', 'projects', '-home-me-shop');
  mkdirSync(project, { recursive: true });
  const data = 'A'.repeat(5 * 1024 * 1024 + 4);
  const source = { type: 'base64', media_type: 'image/png', data };
  const beside = { sessionId: 'big', version: '2.1.325', cwd: '/home/me/shop', timestamp: '2026-10-01T00:00:00.000Z' };
  const rows = [
    {
      ...beside,
      type: 'user',
      uuid: 'u1',
      parentUuid: null,
      message: { role: 'user', content: [{ type: 'image', source }] },
    },
    {
      ...{ ...beside, type: 'assistant', uuid: 'u2', parentUuid: 'u1' },
      message: { id: 'm1', role: 'assistant', model: 'claude-opus-4-8', content: [{ type: 'text', text: 'A cup.' }] },
    },
  ];
  writeFileSync(join(project, 'big.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const { plan, session } = cloned(home, { stripThinking: true });
  expect(plan.hadOversizedImages).toBe(true);
  expect(plannedBlocks(plan, session).flatMap(({ blocks }) => blocks)).toEqual([
    'text [An image was left out of this copy: session big, message u1.]',
    'text A cup.',
  ]);
});

test('what was summed up before stays, before what is summed up now', () => {
  const { session, plan } = cloned(join(fixtureFolders('claude-code')[0] ?? '', '..', 'clone-ways', 'native'), {});
  const again = (draft: typeof plan.draft, text: string) =>
    compressed(draft, [{ from: 1, to: 1, level: 'full' }], {
      ...{ summarise: () => text, limitOf: () => 100, ofText: plan.model.ofText },
    });
  const { summary, messages } = again(again(plan.draft, 'First turn.'), 'Second turn.');
  const gone = session.messageCount - messages.length - (summary?.replaced.length ?? 0);
  expect([summary?.text, turnsOf({ ...plan.draft, messages }).length, gone]).toEqual([
    'First turn.\n\nSecond turn.',
    1,
    2,
  ]);
});

const files = readdirSync(join(import.meta.dirname, '../fixtures/claude-code'), {
  recursive: true,
  withFileTypes: true,
})
  .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl') && entry.parentPath.includes('native'))
  .map((entry) => join(entry.parentPath, entry.name));

/** A value with bytes that are no text cannot be put back as text. */
function readable(row: { keys(): string[]; text(key: string): string | undefined }): string[] {
  return row.keys().filter((key) => row.text(key)?.includes('\ufffd') === false);
}

describe('a file written once more', () => {
  test.each(files.map((file) => [file.split('fixtures/')[1], file]))('%s is the same without changes', (_, file) => {
    expect(Buffer.concat([...rewriteFile('claude-code', file)]).equals(readFileSync(file))).toBe(true);
  });

  test.each(files.map((file) => [file.split('fixtures/')[1], file]))(
    '%s is the same with every value put where it was',
    (_, file) => {
      const same = rewriteFile('claude-code', file, (row) =>
        Object.fromEntries(readable(row).map((key) => [key, row.text(key) ?? null])),
      );
      expect(Buffer.concat([...same]).equals(readFileSync(file))).toBe(true);
    },
  );
});
