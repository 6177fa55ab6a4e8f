// Kept files: nothing twice, nothing lost, and read as if they were still there.

import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type KeepResult, keeperIn, openHome, readSessions, type Session } from '../src/index.ts';
import { root, temporaryFolder } from './support.ts';

function homeWith(fixture: string): string {
  const home = temporaryFolder();
  cpSync(join(root, 'fixtures', fixture, 'native'), home, { recursive: true });
  return home;
}

function keepAll(home: string, kept: string): KeepResult {
  const files = openHome({ homes: [home] }).families.flatMap((family) => family.nativeFiles());
  const distinct = new Map(files.map((file) => [file.absolute, file]));
  const keeper = keeperIn(kept, '2026-11-16T00:00:00.000Z');
  const result = keeper.keep([...distinct.values()]);
  keeper.close();
  return result;
}

function contents(kept: string): string[] {
  return readdirSync(join(kept, 'content'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function documents(places: { homes: string[]; kept?: string }): Session[] {
  return [...readSessions(places)];
}

test.each([
  'claude-code/i_reject',
  'claude-code/p_agents',
  'claude-code/edits-held-against-backups',
  'codex/tui-backtrack',
  'codex/fork-base-packed',
  'gemini/reject',
  'gemini/migrate',
])('%s reads the same after the agent has deleted it', (fixture) => {
  const home = homeWith(fixture);
  const kept = join(temporaryFolder(), 'kept');
  const before = documents({ homes: [home] });
  const { troubles } = keepAll(home, kept);
  for (const folder of readdirSync(home)) rmSync(join(home, folder), { recursive: true });
  expect(troubles).toEqual([]);
  expect(documents({ homes: [home], kept })).toEqual(before);
});

test('a session that is there is read from there, and says so', () => {
  const home = homeWith('claude-code/i_reject');
  const kept = join(temporaryFolder(), 'kept');
  keepAll(home, kept);
  const isKept = () => openHome({ homes: [home], kept }).families.map((family) => family.isKept);
  const there = isKept();
  rmSync(join(home, '.claude/projects'), { recursive: true });
  expect([there, isKept()]).toEqual([[false], [true]]);
});

test('they are found below a home that is named by a link, also when nothing else is left there', () => {
  const home = homeWith('claude-code/i_reject');
  const kept = join(temporaryFolder(), 'kept');
  keepAll(home, kept);
  rmSync(join(home, '.claude'), { recursive: true });
  const link = join(temporaryFolder(), 'link');
  symlinkSync(home, link);
  expect(openHome({ homes: [link], kept }).families.map((family) => family.isKept)).toEqual([true]);
});

test('a copy that rots is told so', () => {
  const home = homeWith('claude-code/i_reject');
  const kept = join(temporaryFolder(), 'kept');
  keepAll(home, kept);
  rmSync(join(home, '.claude'), { recursive: true });
  for (const path of contents(kept)) {
    const bytes = readFileSync(path);
    bytes.fill(0x55, bytes.length - 40, bytes.length - 20);
    writeFileSync(path, bytes);
  }
  const said = documents({ homes: [home], kept }).flatMap(({ diagnostics }) =>
    diagnostics.map(({ message }) => message),
  );
  expect(said).toContainEqual(expect.stringMatching(/^Reading .*\.jsonl stopped: its kept copy is damaged$/));
});

test('nothing is kept twice: unchanged files are not read, equal ones share their content', () => {
  const home = homeWith('claude-code/i_reject');
  const kept = join(temporaryFolder(), 'kept');
  const first = keepAll(home, kept);
  const again = keepAll(home, kept);
  const copy = temporaryFolder();
  cpSync(home, copy, { recursive: true });
  const other = keepAll(copy, kept);
  expect([first.kept, again, other.kept, other.packed_bytes, contents(kept).length]).toEqual([
    2,
    { kept: 0, unchanged: 2, bytes: 0, packed_bytes: 0, troubles: [] },
    2,
    0,
    2,
  ]);
});

test('a file that has grown replaces what was kept of it; one that became smaller does not', () => {
  const home = homeWith('claude-code/i_reject');
  const kept = join(temporaryFolder(), 'kept');
  const path = join(home, '.claude/projects/-home-dev-src-claude-demo/cb387779-5bfc-450f-9c6a-376aba1401e0.jsonl');
  keepAll(home, kept);
  appendFileSync(path, `${readFileSync(path, 'utf8').split('\n')[0]}\n`);
  keepAll(home, kept);
  const grown = contents(kept).length;
  truncateSync(path, 1000);
  keepAll(home, kept);
  expect([grown, contents(kept).length]).toEqual([2, 3]);
});

test('pieces: a place behind the first four megabytes is read without the rest', () => {
  const home = temporaryFolder();
  mkdirSync(join(home, '.claude/projects/-x'), { recursive: true });
  const row = (i: number) => ({
    type: 'user',
    uuid: `u${i}`,
    parentUuid: i === 0 ? null : `u${i - 1}`,
    sessionId: 's',
    timestamp: '2026-01-01T00:00:00.000Z',
    message: { role: 'user', content: `${i} ${'x'.repeat(100_000)}` },
  });
  writeFileSync(
    join(home, '.claude/projects/-x/00000000-0000-4000-8000-000000000001.jsonl'),
    Array.from({ length: 100 }, (_, i) => `${JSON.stringify(row(i))}\n`).join(''),
  );
  const kept = join(temporaryFolder(), 'kept');
  const before = documents({ homes: [home] });
  keepAll(home, kept);
  rmSync(join(home, '.claude'), { recursive: true });
  expect(documents({ homes: [home], kept })).toEqual(before);
});

test('nobody else can read it', () => {
  const kept = join(temporaryFolder(), 'kept');
  keepAll(homeWith('claude-code/i_reject'), kept);
  const modes = [kept, join(kept, 'content'), join(kept, 'index.ndjson'), ...contents(kept)].map((path) =>
    (statSync(path).mode & 0o777).toString(8),
  );
  expect(modes).toEqual(['700', '700', '600', '600', '600']);
});

test('a line of the index that was cut hides no other, and its file is kept again', () => {
  const home = homeWith('claude-code/i_reject');
  const kept = join(temporaryFolder(), 'kept');
  keepAll(home, kept);
  const index = join(kept, 'index.ndjson');
  truncateSync(index, statSync(index).size - 40);
  const { kept: again, unchanged } = keepAll(home, kept);
  rmSync(join(home, '.claude'), { recursive: true });
  expect([again, unchanged, documents({ homes: [home], kept }).length]).toEqual([1, 1, 1]);
});

const SESSION = '.claude/projects/-home-dev-src-claude-demo/cb387779-5bfc-450f-9c6a-376aba1401e0.jsonl';

test.each<[what: string, rewrite: (path: string) => void]>([
  ['emptied', (path) => truncateSync(path, 0)],
  ['made smaller', (path) => truncateSync(path, 5000)],
  ['rewritten as large as it was', (path) => writeFileSync(path, 'x'.repeat(statSync(path).size))],
])('a session that was %s before it was deleted still has what was kept first', (_, rewrite) => {
  const home = homeWith('claude-code/i_reject');
  const kept = join(temporaryFolder(), 'kept');
  const before = readFileSync(join(home, SESSION));
  keepAll(home, kept);
  rewrite(join(home, SESSION));
  keepAll(home, kept);
  const full = contents(kept).filter((path) => statSync(path).size > 0);
  const all = full.map((path) => zstdDecompressSync(readFileSync(path)));
  expect(all.some((content) => content.equals(before))).toBe(true);
});

test('a session that was emptied before it was deleted reads as it was kept first', () => {
  const home = homeWith('claude-code/i_reject');
  const kept = join(temporaryFolder(), 'kept');
  const before = documents({ homes: [home] });
  keepAll(home, kept);
  truncateSync(join(home, SESSION), 0);
  keepAll(home, kept);
  rmSync(join(home, '.claude'), { recursive: true });
  expect(documents({ homes: [home], kept })).toEqual(before);
});

test.each<[what: string, damage: (path: string) => void]>([
  ['cut', (path) => truncateSync(path, statSync(path).size - 10)],
  ['changed', (path) => writeFileSync(path, Buffer.alloc(statSync(path).size, 7))],
  ['taken away', (path) => rmSync(path)],
])('a kept copy that was %s is said, and hides nothing else', (_, damage) => {
  const home = homeWith('claude-code/i_clear');
  const kept = join(temporaryFolder(), 'kept');
  keepAll(home, kept);
  rmSync(join(home, '.claude/projects'), { recursive: true });
  const [largest = ''] = contents(kept).sort((a, b) => statSync(b).size - statSync(a).size);
  damage(largest);
  const { families } = openHome({ homes: [home], kept });
  const found = documents({ homes: [home], kept }).map(({ messages, diagnostics }) => [
    messages.length > 0,
    diagnostics.length,
  ]);
  expect([families.map((family) => typeof family.lastUsed()).length, found.sort()]).toEqual([
    3,
    [
      [false, 1],
      [true, 0],
      [true, 0],
    ],
  ]);
});

test('an index that cannot be read is said, and hides no live session', () => {
  const home = homeWith('claude-code/i_reject');
  const kept = join(temporaryFolder(), 'kept');
  mkdirSync(join(kept, 'index.ndjson'), { recursive: true });
  const { families, diagnostics } = openHome({ homes: [home], kept });
  expect([families.length, diagnostics.map(({ code }) => code)]).toEqual([1, ['unreadable-folder']]);
});

test('lines of the index that are none are passed over', () => {
  const home = homeWith('claude-code/i_reject');
  const kept = join(temporaryFolder(), 'kept');
  keepAll(home, kept);
  appendFileSync(join(kept, 'index.ndjson'), 'null\n{"root":"/x"}\n[]\n{"sha256":"../../etc"}\n');
  rmSync(join(home, '.claude'), { recursive: true });
  expect(documents({ homes: [home], kept }).length).toBe(1);
});

test('a session of which only a subagent is gone is there; so is one that was moved to the archive', () => {
  const kept = join(temporaryFolder(), 'kept');
  const [agents, codex] = [homeWith('claude-code/p_agents'), homeWith('codex/tui-backtrack')];
  keepAll(agents, kept);
  keepAll(codex, kept);
  const before = documents({ homes: [codex] })[0]?.session.accounting.lines;
  const folder = join(
    agents,
    '.claude/projects/-home-dev-src-claude-demo/b8494eaa-6a89-4666-a752-ef0337e568bb/subagents',
  );
  rmSync(join(folder, 'agent-a2cfa5a24b48b0fbf.jsonl'));
  const day = join(codex, '.codex/sessions/2026/11/15');
  mkdirSync(join(codex, '.codex/archived_sessions'), { recursive: true });
  for (const name of readdirSync(day)) renameSync(join(day, name), join(codex, '.codex/archived_sessions', name));
  const found = (home: string) => openHome({ homes: [home], kept }).families.map(({ isKept }) => isKept);
  expect([found(agents), found(codex), documents({ homes: [agents], kept }).length]).toEqual([[false], [false], 3]);
  expect(documents({ homes: [codex], kept })[0]?.session.accounting.lines).toBe(before);
});

test('a lock that a dead process left is taken over', () => {
  const home = homeWith('claude-code/i_reject');
  const kept = join(temporaryFolder(), 'kept');
  mkdirSync(kept);
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  writeFileSync(join(kept, 'lock'), String(pid));
  expect([keepAll(home, kept).kept, existsSync(join(kept, 'lock'))]).toEqual([2, false]);
});

test.each(['', 'not a number'])('a lock with "%s" in it is nobody’s', (text) => {
  const kept = join(temporaryFolder(), 'kept');
  mkdirSync(kept);
  writeFileSync(join(kept, 'lock'), text);
  expect(keepAll(homeWith('claude-code/i_reject'), kept).kept).toBe(2);
});

test('content that was cut is kept again while the file is there', () => {
  const home = homeWith('claude-code/i_reject');
  const kept = join(temporaryFolder(), 'kept');
  keepAll(home, kept);
  for (const path of contents(kept)) truncateSync(path, 0);
  const { kept: again } = keepAll(home, kept);
  const before = documents({ homes: [home] });
  rmSync(join(home, '.claude'), { recursive: true });
  expect([again, documents({ homes: [home], kept })]).toEqual([2, before]);
});

test('what a process that was killed left half written is cleared away', () => {
  const kept = join(temporaryFolder(), 'kept');
  mkdirSync(join(kept, 'content'), { recursive: true });
  writeFileSync(join(kept, 'content', '.123-456'), 'half');
  keepAll(homeWith('claude-code/i_reject'), kept);
  expect(existsSync(join(kept, 'content', '.123-456'))).toBe(false);
});

test('a live session hides no kept one that has files of the same name', () => {
  const home = homeWith('claude-code/p_agents');
  const kept = join(temporaryFolder(), 'kept');
  const project = join(home, '.claude/projects/-home-dev-src-claude-demo');
  const [id, other] = ['b8494eaa-6a89-4666-a752-ef0337e568bb', '99999999-0000-4000-8000-000000000001'];
  cpSync(join(project, id), join(project, other), { recursive: true });
  writeFileSync(
    join(project, `${other}.jsonl`),
    readFileSync(join(project, `${id}.jsonl`), 'utf8').replaceAll(id, other),
  );
  keepAll(home, kept);
  rmSync(join(project, id), { recursive: true });
  rmSync(join(project, `${id}.jsonl`));
  const own = documents({ homes: [home], kept }).filter(
    ({ session }) => session.id === id || session.lineage.parent?.session_id === id,
  );
  expect(own.map(({ session }) => session.kind)).toEqual(['main', 'subagent', 'subagent']);
});

test('a session that was kept, archived, kept and packed, kept, is one file', () => {
  const home = homeWith('codex/exec-patch');
  const kept = join(temporaryFolder(), 'kept');
  const before = documents({ homes: [home] })[0]?.session.accounting;
  const { files = [] } = openHome({ homes: [home] }).families[0] ?? {};
  const rollout = join(home, files.find(({ path }) => path.includes('rollout-'))?.path ?? '');
  const archived = join(home, '.codex/archived_sessions', rollout.split('/').at(-1) ?? '');
  keepAll(home, kept);
  mkdirSync(join(home, '.codex/archived_sessions'), { recursive: true });
  renameSync(rollout, archived);
  keepAll(home, kept);
  writeFileSync(`${archived}.zst`, zstdCompressSync(readFileSync(archived)));
  rmSync(archived);
  keepAll(home, kept);
  rmSync(join(home, '.codex'), { recursive: true });
  expect(documents({ homes: [home], kept })[0]?.session.accounting).toEqual(before);
});
