// Sessions that are given by the path of a file: where it lies decides what can be done with it.

import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFile } from '../src/index.ts';
import { pal, root, temporaryFolder } from './support.ts';

const ID = '00000014-0000-4000-8000-000000000000';
const PROJECT = '.claude/projects/-home-me-demo';
const SESSION = join(root, 'fixtures/claude-code/rows-appended-again/native', PROJECT, `${ID}.jsonl`);

/** A folder with the session in this place. */
function withSessionAt(place: string): { folder: string; file: string } {
  const folder = temporaryFolder();
  const file = join(folder, place);
  cpSync(SESSION, file, { recursive: true });
  return { folder, file };
}

test.each([
  [`${PROJECT}/${ID}.jsonl`, '.claude'],
  ['elsewhere/projects/C--Users-me-demo/a.jsonl', 'elsewhere'],
  // A folder that happens to be called so is no agent's.
  ['code/projects/app/session.jsonl', null],
  ['session.jsonl', null],
])('%s lies in the folder of its agent: %s', (place, expected) => {
  const { folder, file } = withSessionAt(place);
  expect(openFile(file)?.agentFolder).toBe(expected === null ? null : join(folder, expected));
});

test('links and relative paths lead to the same folder', () => {
  const { folder, file } = withSessionAt(`${PROJECT}/${ID}.jsonl`);
  symlinkSync(join(folder, PROJECT), join(folder, 'link'));
  const ran = pal(['clone', `./${ID}.jsonl`, '--dry-run'], { cwd: join(folder, PROJECT) });
  expect([openFile(join(folder, 'link', `${ID}.jsonl`))?.agentFolder, openFile(file)?.agentFolder]).toEqual([
    join(folder, '.claude'),
    join(folder, '.claude'),
  ]);
  expect(ran.code).toBe(0);
});

test('nothing is written where no agent looks', () => {
  const { folder, file } = withSessionAt('code/projects/app/session.jsonl');
  const ran = [
    ['clone', file],
    ['clone', file, '--into', folder],
    ['resume', file],
    ['keep', file],
  ].map((args) => {
    const { code, err } = pal(args, { env: { PALIMPSEST_DATA: join(folder, 'data') } });
    return [code, err.includes('lies where its agent does not look')];
  });
  expect(ran).toEqual([1, 1, 1, 1].map((code) => [code, true]));
  expect(readdirSync(join(folder, 'code/projects'), { recursive: true })).toEqual(['app', 'app/session.jsonl']);
});

test('what is kept by its path is read again when the agent has deleted it', () => {
  const { folder, file } = withSessionAt(`${PROJECT}/${ID}.jsonl`);
  const env = { PALIMPSEST_DATA: join(folder, 'data') };
  expect(pal(['keep', file], { env }).code).toBe(0);
  const before = pal(['export', ID], { home: folder, env }).out;
  rmSync(file);
  expect(pal(['export', ID], { home: folder, env }).out).toBe(before);
  // What the agent has deleted, it does not resume.
  const { out } = pal(['doctor'], { home: folder, env });
  expect([out.includes('1 session deleted by the agent'), out.includes('Nothing is wrong')]).toEqual([true, false]);
});

test('the file of a subagent is told as what it is', () => {
  const folder = temporaryFolder();
  const native = join(root, 'fixtures/claude-code/subagent-inline-and-in-a-file/native');
  cpSync(native, folder, { recursive: true });
  const file = join(folder, PROJECT, 'agent-abcdef12.jsonl');
  const { code, err } = pal(['resume', file]);
  expect([code, err.split(':')[0]]).toEqual([1, 'This is the file of a subagent']);
});

test('paths that the system refuses are no bugs', () => {
  const folder = temporaryFolder();
  symlinkSync(join(folder, 'circle'), join(folder, 'circle'));
  const refused = [join(folder, 'circle'), `/${'a'.repeat(5000)}`].map((path) => pal(['show', path]));
  expect(refused.map(({ code, err }) => [code, err.split(': ').at(-1)])).toEqual([
    [1, 'its links go in a circle.\n'],
    [1, 'the path is too long.\n'],
  ]);
});

test('a title that is written like a path is a title', () => {
  const { folder, file } = withSessionAt(`${PROJECT}/${ID}.jsonl`);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"Question"', '"fix package.json"'));
  const shown = pal(['show', 'Fix package.json', '--no-pager'], { home: folder });
  const missing = pal(['show', 'no such file.json'], { home: folder });
  expect([shown.code, shown.out.split('\n')[0], missing.code, missing.err]).toEqual([
    0,
    'fix package.json',
    1,
    'There is no file no such file.json.\n',
  ]);
});
