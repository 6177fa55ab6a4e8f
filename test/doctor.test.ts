// What the doctor says of sessions that are broken in one way each, and what a repaired copy sends.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  examine,
  type FoundFamily,
  isWrong,
  linesOf,
  openFile,
  openHome,
  planClone,
  plannedBlocks,
  type SessionReader,
} from '../src/index.ts';
import { expectFile, pal, root, temporaryFolder } from './support.ts';

const folder = join(root, 'fixtures', 'claude-code', 'broken-sessions');
const { families } = openHome({ homes: [join(folder, 'native')] });

function repaired(family: FoundFamily): string {
  const session = family.open().sessions[0] as SessionReader;
  const codes = new Set(family.check()?.faults.map(({ code }) => code));
  const stripThinking = codes.has('thinking-refused') || codes.has('unsigned-thinking');
  const plan = planClone(session, { mend: true, stripThinking, summarise: () => '' });
  let count = 0;
  const newId = () => `0000c0b7-0000-4000-8000-${String(count++).padStart(12, '0')}`;
  const given = { id: newId(), title: 'repaired', now: '2026-10-01T00:00:00.000Z', newId };
  const path = join(temporaryFolder(), `${given.id}.jsonl`);
  writeFileSync(path, Buffer.concat([...linesOf(family, session, plan, given)]));
  return path;
}

function sentBy(path: string): string[] {
  const session = openFile(path)?.open().sessions[0] as SessionReader;
  return plannedBlocks(planClone(session, { summarise: () => '' }), session).flatMap(({ role, blocks }) =>
    blocks.map((block) => `${role}: ${block}`),
  );
}

test('each is told, and each repaired copy sends what it should', () => {
  const told = families.map((family) => {
    const { sent, of, faults } = family.check() ?? { sent: null, of: null, faults: [] };
    return {
      id: family.id.slice(0, 8),
      sent,
      of,
      faults: faults.map(({ code, effect, count, message, source }) => ({
        code,
        effect,
        count,
        line: source?.line ?? null,
        message,
      })),
      repaired: sentBy(repaired(family)),
    };
  });
  expectFile(join(folder, 'doctor.json'), `${JSON.stringify(told, null, 2)}\n`);
});

test.each(families.map((family) => [family.id, family] as const))('the repaired copy of %s is whole', (_, family) => {
  const path = repaired(family);
  const report = openFile(path)?.check();
  expect({ faults: report?.faults, isWhole: report?.sent === report?.of }).toEqual({ faults: [], isWhole: true });
});

test('an image that no server takes is told, and left out of the repaired copy', () => {
  const [first] = families;
  const folder = temporaryFolder();
  const path = join(folder, `${first?.id}.jsonl`);
  const source = { type: 'base64', media_type: 'image/png', data: 'A'.repeat(6 * 1024 * 1024) };
  const content = JSON.stringify([
    { type: 'text', text: 'List the files.' },
    { type: 'image', source },
  ]);
  const whole = readFileSync(nativeFile(first as FoundFamily), 'utf8');
  writeFileSync(path, whole.replace('"content":"List the files."', `"content":${content}`));
  const family = openFile(path) as FoundFamily;
  const copy = readFileSync(repaired(family), 'utf8');
  expect([family.check()?.faults.map(({ code }) => code), copy.length < 20_000]).toEqual([['oversized-image'], true]);
});

function nativeFile(family: FoundFamily): string {
  return family.nativeFiles().find(({ isCompanion }) => !isCompanion)?.absolute ?? '';
}

test('a whole session is none that something is wrong with', () => {
  const wrong = families.filter((family) => family.check()?.faults.some(isWrong) === true);
  expect(wrong.map(({ id }) => id.slice(0, 8))).not.toContain('0000d0c1');
});

test('a line that is broken is not called nothing', () => {
  const lines = readFileSync(
    join(
      root,
      'fixtures/claude-code/p_plain/native/.claude/projects/-home-dev-src-claude-demo/edc8ddc5-b3a7-4901-bb0b-ea7a04497cd5.jsonl',
    ),
    'utf8',
  ).split('\n');
  const path = join(temporaryFolder(), 'cut.jsonl');
  writeFileSync(path, lines.with(5, lines[5]?.slice(0, 50) ?? '').join('\n'));
  expect(pal(['doctor', path]).out.trimEnd().split('\n').at(-1)).toBe(
    'What stood in 1 broken line is lost; a resume goes on without it.',
  );
});

const fixtures = readdirSync(join(root, 'fixtures'))
  .filter((agent) => !agent.includes('.'))
  .flatMap((agent) =>
    readdirSync(join(root, 'fixtures', agent)).map((name) => join(root, 'fixtures', agent, name, 'native')),
  )
  .filter((home) => existsSync(home));

test('no session is made of more bytes than it has', () => {
  const plain = fixtures
    .flatMap((home) => openHome({ homes: [home] }).families)
    .filter(({ files }) => !files.some(({ path }) => path.endsWith('.zst')))
    .map(examine);
  const more = plain.filter(
    ({ shares, bytes }) => shares.reduce((sum, share) => sum + share.bytes, 0) > bytes + shares.length,
  );
  expect([plain.length > 300, more.map(({ id }) => id)]).toEqual([true, []]);
});

test('what a document of one value is made of', () => {
  const home = join(root, 'fixtures', 'gemini', 'rejopt_v0_30_1', 'native');
  const [family] = openHome({ homes: [home] }).families;
  expect(examine(family as FoundFamily).shares).toEqual([
    { name: 'replies', bytes: 9697 },
    { name: 'prompts', bytes: 1292 },
    { name: 'tool results', bytes: 563 },
    { name: 'notices', bytes: 471 },
    { name: 'header', bytes: 290 },
  ]);
});

test.each([
  ['patches-given-to-the-shell', '019c0000-0000'],
  ['ts-document', '5f0c2a9e'],
])('a session that newer clients do not go on with: %s', (name, id) => {
  const home = join(root, 'fixtures', 'codex', name, 'native');
  const resume = pal(['resume', 'last', '--home', home]);
  const one = pal(['doctor', 'last', '--home', home]);
  const all = pal(['doctor', '--home', home]);
  expect([resume.code, resume.out, one.code, all.code]).toEqual([1, '', 1, 0]);
  expect(resume.err).toBe(
    `It is in the form of Codex 0.31 and earlier: newer clients take it for an empty one, and refuse to go on with it.
It can be read, not resumed. pal doctor ${id} --home ${home} tells more.
`,
  );
  expect(all.out).toContain('! sessions that newer clients do not go on with: 1 in 1 session\n');
});
