// The store in trouble: damaged, too new, not to be written, on a full disk, used by two at once, killed.

import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { indexedRuns, killedRuns, threadedRuns } from '../scripts/soak-store.ts';
import { currentStore, memoryStore, type UpdateOptions, updateStore } from '../src/index.ts';
import { PAGE_BYTES } from '../src/store/open.ts';
import { READING } from '../src/store/tables.ts';
import { contentOf, freshContent, UPDATE, update } from './store-content.ts';
import { pal, root, temporaryFolder } from './support.ts';

/** A home with an index, and what the index says. */
function indexed(): { home: string; env: Record<string, string>; index: string; usage: string } {
  const home = temporaryFolder();
  cpSync(join(root, 'samples'), home, { recursive: true });
  const env = { PALIMPSEST_DATA: join(home, 'data') };
  pal(['index'], { home, env });
  return { home, env, index: join(home, 'data/index'), usage: pal(['usage', '--json'], { home, env }).out };
}

test('one that an earlier version made is made anew, and says so', () => {
  const { home, env, index, usage } = indexed();
  const main = new DatabaseSync(join(index, 'main.db'));
  main.exec('drop table listings; pragma user_version = 1');
  main.close();
  const again = pal(['usage', '--json'], { home, env });
  const later = pal(['usage', '--json'], { home, env });
  expect([again, later]).toEqual([
    {
      code: 0,
      out: usage,
      err: `The index in ${index} was made by an earlier version. It is made anew; nothing is lost, since all of it comes from the agents' files.\n`,
    },
    { code: 0, out: usage, err: '' },
  ]);
});

/** The main database as it was before version 6. */
const MAIN_BEFORE_6 = `
  alter table listings add column names blob;
  update listings set names = (select names from listed_names where listed_names.root = listings.root);
  drop table listed_names;`;

test('one of version 2 is carried over: what was read stays, sums are added up anew', () => {
  const { home, env, index, usage } = indexed();
  const families = 'select id, native_id, tier, shard, stamp from families order by id';
  const table = "select sql from sqlite_master where name = 'families'";
  const main = new DatabaseSync(join(index, 'main.db'));
  const before = [...main.prepare(families).all(), main.prepare(table).get()];
  const sql = String(main.prepare(table).get()?.sql);
  main.exec(`
    ${MAIN_BEFORE_6}
    alter table families rename to newer;
    ${sql.replace('autoincrement', '')};
    insert into families select * from newer;
    drop table newer;
    create index families_by_tier on families (root, tier);
    create index families_by_shard on families (shard, stamp);
    drop table unread;
    update usage_sums set root = 1;
    pragma user_version = 2`);
  main.close();
  for (const name of readdirSync(index).filter((file) => /^words-\d+\.db$/.test(file))) {
    const shard = new DatabaseSync(join(index, name));
    shard.exec('drop table readings; pragma user_version = 2');
    shard.close();
  }
  expect(pal(['usage', '--json'], { home, env })).toEqual({ code: 0, out: usage, err: '' });
  const after = new DatabaseSync(join(index, 'main.db'), { readOnly: true });
  expect([...after.prepare(families).all(), after.prepare(table).get()]).toEqual(before);
  after.close();
});

test('of one of version 3, what could not be read is looked at again', () => {
  const { home, env, index, usage } = indexed();
  const main = new DatabaseSync(join(index, 'main.db'));
  // A file that could not be read had no message, and its diagnostics said so.
  main.exec(`
    ${MAIN_BEFORE_6}
    drop table unread;
    update sessions set diagnostics = '[{"code":"unreadable-file"}]', title = 'nothing was read';
    delete from usage_sums;
    delete from usage_days;
    delete from usage;
    pragma user_version = 3`);
  main.close();
  expect(pal(['usage', '--json'], { home, env })).toEqual({ code: 0, out: usage, err: '' });
});

test('of one of version 4, all stays, and sessions that grow are read on', () => {
  const { home, env, index, usage } = indexed();
  const tables = (database: DatabaseSync) =>
    database.prepare('select name, sql from sqlite_master order by name').all();
  const names = readdirSync(index).filter((file) => /^(main|words-\d+)\.db$/.test(file));
  const before = names.map((name) => {
    const database = new DatabaseSync(join(index, name));
    const found = tables(database);
    database.exec(`${name === 'main.db' ? MAIN_BEFORE_6 : 'drop table readings;'} pragma user_version = 4`);
    database.close();
    return found;
  });
  expect(pal(['usage', '--json'], { home, env })).toEqual({ code: 0, out: usage, err: '' });
  const after = names.map((name) => {
    const database = new DatabaseSync(join(index, name), { readOnly: true });
    const found = tables(database);
    database.close();
    return found;
  });
  expect(after).toEqual(before);
});

test('of one of version 5, all stays, and words are merged as in a new one', () => {
  const { home, env, index, usage } = indexed();
  const names = readdirSync(index).filter((file) => /^words-\d+\.db$/.test(file));
  const settings = (database: DatabaseSync) =>
    ['prose', 'tool_texts'].map((list) => database.prepare(`select k, v from ${list}_config order by k`).all());
  const before = names.map((name) => {
    const database = new DatabaseSync(join(index, name));
    const found = settings(database);
    database.exec(`
      insert into prose(prose, rank) values ('crisismerge', 16);
      insert into tool_texts(tool_texts, rank) values ('crisismerge', 16);
      pragma user_version = 5`);
    database.close();
    return found;
  });
  const main = new DatabaseSync(join(index, 'main.db'));
  const listed = 'select * from listings join listed_names using (root) order by root';
  const listings = main.prepare(listed).all();
  main.exec(`${MAIN_BEFORE_6} pragma user_version = 5`);
  main.close();
  expect(pal(['usage', '--json'], { home, env })).toEqual({ code: 0, out: usage, err: '' });
  expect(new DatabaseSync(join(index, 'main.db'), { readOnly: true }).prepare(listed).all()).toEqual(listings);
  const after = names.map((name) => settings(new DatabaseSync(join(index, name), { readOnly: true })));
  expect(after).toEqual(before);
});

test('what an earlier version read otherwise from the same files is read again', () => {
  const { home, env, index, usage } = indexed();
  const events = pal(['events', '--json'], { home, env });
  const main = new DatabaseSync(join(index, 'main.db'));
  main.exec(`
    update listings set numbers = cast(zeroblob(8) || substr(numbers, 9) as blob);
    update families set fingerprint = replace(fingerprint, '[[${READING}],', '[[0],');
    delete from events;
    delete from usage_sums;
    delete from usage_days;
    delete from usage`);
  main.close();
  expect([pal(['events', '--json'], { home, env }), pal(['usage', '--json'], { home, env })]).toEqual([
    events,
    { code: 0, out: usage, err: '' },
  ]);
});

test('only its owner may read it', () => {
  const { index } = indexed();
  const modes = readdirSync(index).map((name) => [name, (statSync(join(index, name)).mode & 0o777).toString(8)]);
  expect(modes).toEqual([['main.db', '600'], ...modes.slice(1).map(([name]) => [name, '600'])]);
});

test.each([
  ['no database at all', (path: string) => writeFileSync(path, 'hello, world\n'.repeat(1000))],
  ['with a page of rubbish', (path: string) => overwrite(path, PAGE_BYTES)],
  ['with its first page lost', (path: string) => overwrite(path, 0)],
  ['cut', (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2))],
  ['empty', (path: string) => truncateSync(path, 0)],
  ['gone', (path: string) => rmSync(path)],
])('a main database that is %s is made anew, and says the same', (_, damage) => {
  const { home, env, index, usage } = indexed();
  rmSync(join(index, 'main.db-wal'), { force: true });
  damage(join(index, 'main.db'));
  const again = pal(['usage', '--json'], { home, env });
  const once_more = pal(['usage', '--json'], { home, env });
  expect({ code: again.code, out: again.out, later: once_more.out, err: once_more.err }).toEqual({
    code: 0,
    out: usage,
    later: usage,
    err: '',
  });
});

function overwrite(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0xa5, at, at + PAGE_BYTES);
  writeFileSync(path, bytes);
}

test('a damaged one says so, once', () => {
  const { home, env, index } = indexed();
  writeFileSync(join(index, 'main.db'), 'hello, world\n'.repeat(1000));
  const { err } = pal(['usage'], { home, env });
  expect(err).toBe(
    `The index in ${index} was damaged. It is made anew; nothing is lost, since all of it comes from the agents' files.\n`,
  );
});

/** A home with an index, two threads' words in it, and what a search says. */
function searched() {
  const { home, env, index } = indexed();
  const ask = () => pal(['search', 'the', '--json', '--limit', '1000'], { home, env });
  return { home, env, index, ask, before: ask() };
}

test.each([1, 3, 6])('words that are damaged from page %i on are found out, and made anew', (from) => {
  const { index, ask, before } = searched();
  const path = join(index, 'words-0.db');
  const bytes = readFileSync(path);
  bytes.fill(0xa5, from * PAGE_BYTES);
  writeFileSync(path, bytes);
  const [first, second] = [ask(), ask()];
  const said = `The index in ${index} was damaged. It is made anew; nothing is lost, since all of it comes from the agents' files.\n`;
  expect([first, second]).toEqual([{ ...before, err: said }, before]);
});

test('a damaged page of the main database that only an answer meets is found out, too', () => {
  const { home, env, index } = indexed();
  const before = pal(['events', '--json'], { home, env });
  const path = join(index, 'main.db');
  const main = new DatabaseSync(path, { readOnly: true });
  const page = Number(main.prepare("select rootpage from sqlite_master where name = 'events'").get()?.rootpage);
  main.close();
  const bytes = readFileSync(path);
  bytes.fill(0xa5, (page - 1) * PAGE_BYTES, page * PAGE_BYTES);
  writeFileSync(path, bytes);
  const first = pal(['events', '--json'], { home, env });
  const second = pal(['events', '--json'], { home, env });
  expect([first.out, first.code, /was damaged/.test(first.err), second]).toEqual([before.out, 0, true, before]);
});

test.each(['words-0.db', 'words-1.db'])('where %s is missing, what stood in it is read again', (name) => {
  const { index, ask, before } = searched();
  for (const file of readdirSync(index).filter((one) => one.startsWith(name))) rmSync(join(index, file));
  expect([ask(), ask()]).toEqual([before, before]);
});

test('one of a newer version is left alone', () => {
  const { home, env, index } = indexed();
  const main = new DatabaseSync(join(index, 'main.db'));
  main.exec('pragma user_version = 999');
  main.close();
  const { code, out, err } = pal(['usage'], { home, env });
  const after = new DatabaseSync(join(index, 'main.db'), { readOnly: true });
  const version = after.prepare('pragma user_version').get()?.user_version;
  after.close();
  expect({ code, out, err, version }).toEqual({
    code: 1,
    out: '',
    err: `${index} was made by a newer version of Palimpsest. Update it, or give another folder with --store.\n`,
    version: 999,
  });
});

test('where it cannot be written, the files are read', () => {
  const { home, env, usage } = indexed();
  const store = join(home, 'data/index/main.db/inside');
  const { code, out, err } = pal(['usage', '--json', '--store', store], { home, env });
  expect({ code, out, err }).toEqual({
    code: 0,
    out: usage,
    err: `Cannot write the index in ${store}: it is no folder.\nThe files are read instead, and nothing is kept.\n`,
  });
});

test('who asks for nothing but the index is told by the exit code that there is none', () => {
  const { home, env } = indexed();
  const store = join(home, 'data/index/main.db/inside');
  expect(pal(['index', '--store', store], { home, env })).toEqual({
    code: 1,
    out: '',
    err: `Cannot write the index in ${store}: it is no folder.\n`,
  });
});

test.skipIf(process.platform !== 'linux')('where the system makes no folder, it says so and does not hang', () => {
  const { home, env, usage } = indexed();
  const { code, out, err } = pal(['usage', '--json', '--store', '/proc/nowhere'], { home, env });
  expect({ code, out, err }).toEqual({
    code: 0,
    out: usage,
    err: 'Cannot write the index in /proc/nowhere: there is no such folder.\nThe files are read instead, and nothing is kept.\n',
  });
});

test('while another process brings it up to date, what it held before is told at once', () => {
  const { home, env, index, usage } = indexed();
  const main = new DatabaseSync(join(index, 'main.db'));
  // As a run leaves it that is not done yet.
  main.exec('delete from listings');
  main.close();
  writeFileSync(join(index, 'lock'), String(process.pid));
  expect(pal(['usage', '--json'], { home, env })).toEqual({
    code: 0,
    out: usage,
    err: 'Another process is bringing the index up to date: this is what it holds so far.\n',
  });
});

test('while another process makes it, it is waited for', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'lock'), String(process.ppid));
  const said: string[] = [];
  const asked = currentStore({
    ...UPDATE,
    folder,
    places: { homes: [join(root, 'samples')] },
    say: (text) => said.push(text),
  });
  rmSync(join(folder, 'lock'));
  const { isCurrent, close } = await asked;
  close();
  expect([isCurrent, said]).toEqual([true, ['Another process is making the index: waiting for it.']]);
});

test('where another process writes, it is read as it is', () => {
  const { home, env, index, usage } = indexed();
  writeFileSync(join(index, 'lock'), String(process.pid));
  mkdirSync(join(home, '.claude/projects/-new'), { recursive: true });
  cpSync(join(root, 'fixtures/claude-code/i_clear/native/.claude/projects'), join(home, '.claude/projects'), {
    recursive: true,
  });
  const meanwhile = pal(['usage', '--json'], { home, env });
  rmSync(join(index, 'lock'));
  const after = pal(['usage', '--json'], { home, env });
  expect({ out: meanwhile.out, err: meanwhile.err, isMore: after.out !== usage }).toEqual({
    out: usage,
    err: 'Another process is bringing the index up to date: this is what it holds so far.\n',
    isMore: true,
  });
});

test('while another process writes, prices and days are those that are asked for', () => {
  const { home, env, index, usage } = indexed();
  const prices = join(home, 'prices.json');
  writeFileSync(prices, JSON.stringify({ models: { 'claude-*': { input: 1000, output: 1000 } } }));
  const ask = () => pal(['usage', '--json', '--prices', prices], { home, env: { ...env, TZ: 'Pacific/Kiritimati' } });
  writeFileSync(join(index, 'lock'), String(process.pid));
  const meanwhile = ask();
  rmSync(join(index, 'lock'));
  const after = ask();
  expect({ meanwhile, after: after.err, isOther: after.out !== usage }).toEqual({
    meanwhile: {
      code: 0,
      out: after.out,
      err: 'Another process is bringing the index up to date: this is what it holds so far.\n',
    },
    after: '',
    isOther: true,
  });
});

test('while another process adds words to tokens, who asks for words waits for it', async () => {
  const request = { ...UPDATE, folder: temporaryFolder(), places: { homes: [join(root, 'samples')] } };
  const said: string[] = [];
  const tokens = await currentStore({ ...request, tier: 0, say: (text) => said.push(text) });
  tokens.close();
  writeFileSync(join(request.folder, 'lock'), String(process.ppid));
  const asked = currentStore({ ...request, tier: 1, say: (text) => said.push(text) });
  rmSync(join(request.folder, 'lock'));
  const { isCurrent, close } = await asked;
  close();
  expect([isCurrent, said]).toEqual([true, ['Another process is making the index: waiting for it.']]);
});

test.each([
  ['', [], false],
  [', though its log is not put away', ['log'], true],
])(
  'one that may only be read%s, has the prices that are asked for; for what it does not know the files are read',
  (_, log, hasLog) => {
    const home = temporaryFolder();
    chmodSync(home, 0o755);
    cpSync(join(root, 'fixtures/claude-code/api-errors/native'), home, { recursive: true });
    const script = join(root, 'test/unwritable-store.ts');
    const ran = spawnSync(process.execPath, [script, home, join(home, 'index'), ...log], { encoding: 'utf8' });
    expect(ran.stderr).toBe('');
    const cannot = 'Cannot write the index in FOLDER: it is read-only.';
    const id = '00000006-0000-4000-8000-000000000000';
    expect(JSON.parse(ran.stdout)).toEqual({
      hasLog,
      said: [
        cannot,
        'It is read as it was written last: what changed since then is not in it.',
        cannot,
        'The files are read instead, and nothing is kept.',
      ],
      costs: [{ requests: 1, cost: 1000 }],
      found: [id, id, id, id],
    });
  },
);

/** No file may grow beyond 320 KB: for a database that is a full disk. */
function palOnFullDisk(args: string[], home: string, env: Record<string, string>) {
  const script = 'trap "" XFSZ; ulimit -f 640; exec "$@"';
  const command = [process.execPath, join(root, 'dist/cli/start.js'), ...args];
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', script, 'sh', ...command], {
    env: { PATH: process.env.PATH ?? '', HOME: home, PALIMPSEST_HOME: home, TZ: 'UTC', ...env },
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

test('on a full disk it holds what could be written, says so, and goes on when there is room', () => {
  const { home, env, usage } = indexed();
  const store = join(home, 'small');
  const full = palOnFullDisk(['index', '--store', store], home, env);
  const after = pal(['usage', '--json', '--store', store], { home, env });
  expect({
    code: full.code,
    says: /could not be written to the end/.test(full.err),
    after: after.out,
    err: after.err,
  }).toEqual({
    code: 1,
    says: true,
    after: usage,
    err: '',
  });
});

test.each([
  ['usage', '--json', '--by', 'session'],
  ['search', 'lock', '--json'],
])('on a full disk without an index, %s answers from the files', (...args) => {
  const { home, env } = indexed();
  const { code, out, err } = palOnFullDisk([...args, '--store', join(home, 'small')], home, env);
  const { out: usual } = pal(args, { home, env });
  expect({
    code,
    isAnswered: out === usual,
    err: err
      .replace(/(in ).*( could)/, '$1…$2')
      .split('\n')
      .slice(1),
  }).toEqual({
    code: 0,
    isAnswered: true,
    err: [
      'That is not enough to answer from, so the files are read. Make room, or give another folder with --store.',
      '',
    ],
  });
});

test('a full disk is told of also where threads read', () => {
  const { home, env } = indexed();
  // More than is read without threads.
  const long = { type: 'user', uuid: 'long', message: { role: 'user', content: 'x '.repeat(9 * 1024 * 1024) } };
  mkdirSync(join(home, '.claude/projects/-p'), { recursive: true });
  writeFileSync(join(home, '.claude/projects/-p/00000000-0000-4000-8000-000000000001.jsonl'), JSON.stringify(long));
  const { code, err } = palOnFullDisk(['index', '--store', join(home, 'small')], home, env);
  expect([code, err.replace(/ in [^\n]*( could not)/, '$1').split('\n')[0]]).toEqual([
    1,
    'The index could not be written to the end: reading or writing failed. It holds what was written until then.',
  ]);
});

test('on a full disk without an index, tokens that threads read are told from the files', () => {
  const home = temporaryFolder();
  mkdirSync(join(home, '.claude/projects/-p'), { recursive: true });
  const reply = (id: string) => ({
    type: 'assistant',
    uuid: id,
    timestamp: '2026-01-01T00:00:00Z',
    message: { id, model: 'claude-sonnet-4-5', usage: { input_tokens: 1, output_tokens: 2 }, content: [] },
  });
  // More than is read without threads, and more than there is room for.
  const rows = Array.from(
    { length: 12_000 },
    (_, i) => `${JSON.stringify({ ...reply(`a${i}`), pad: 'x'.repeat(1500) })}\n`,
  );
  writeFileSync(join(home, '.claude/projects/-p/00000000-0000-4000-8000-000000000001.jsonl'), rows.join(''));
  const full = palOnFullDisk(['usage', '--json', '--store', join(home, 'small')], home, { PALIMPSEST_WORKERS: '2' });
  expect([full.code, JSON.parse(full.out).value.totals.requests, full.err.split('\n')[1]]).toEqual([
    0,
    12_000,
    'That is not enough to answer from, so the files are read. Make room, or give another folder with --store.',
  ]);
});

test('a file that may not be read is named each time, and read as soon as it may be', () => {
  const home = temporaryFolder();
  chmodSync(home, 0o755);
  const folder = '.claude/projects/-home-me-demo';
  const [open, shut] = [6, 53].map((number) => `000000${String(number).padStart(2, '0')}-0000-4000-8000-000000000000`);
  const inside = `${folder}/${shut}.jsonl`;
  cpSync(
    join(root, `fixtures/claude-code/api-errors/native/${folder}/${open}.jsonl`),
    join(home, folder, `${open}.jsonl`),
  );
  cpSync(join(root, 'fixtures/claude-code/agent-stopped-while-running/native', inside), join(home, inside));
  const script = join(root, 'test/unread-file.ts');
  const ran = spawnSync(process.execPath, [script, home, join(home, 'index'), join(home, inside)], {
    encoding: 'utf8',
  });
  expect(ran.stderr).toBe('');
  const diagnostics = [`Cannot read ${inside}: permission denied. Everything else was read.`];
  const unread = { session: shut, messages: 0, requests: 0 };
  const [tokens, read] = [0, 11].map((messages) => ({ session: open, messages, requests: 1 }));
  expect(JSON.parse(ran.stdout)).toEqual({
    answers: [
      { isCurrent: true, diagnostics, read: [tokens, unread] },
      { isCurrent: true, diagnostics, read: [read, unread] },
      { isCurrent: true, diagnostics, read: [read, unread] },
      // It can be read by now, and was not.
      { isCurrent: false, diagnostics, read: [read, unread] },
      {
        isCurrent: true,
        diagnostics: [],
        read: [read, { session: shut, messages: 6, requests: 2 }, { session: 'abc1234', messages: 3, requests: 1 }],
      },
    ],
    isAsFresh: true,
  });
});

/** A store of the samples; `ended` brings it up to date, but is ended after a session was read and before that was noted. */
async function endedEarly() {
  const home = temporaryFolder();
  cpSync(join(root, 'samples'), home, { recursive: true });
  const folder = join(home, '.claude/projects/-home-dev-src-shop');
  const path = join(folder, 'cb387779-5bfc-450f-9c6a-376aba1401e0.jsonl');
  const [store, places] = [memoryStore(), { homes: [home] }];
  await update(store, places);
  const ended = async () => {
    let asked = 0;
    await updateStore(store, places, { ...UPDATE, isStopped: () => asked++ > 0 });
  };
  return { store, places, folder, path, ended };
}

const rowOf = (word: string) =>
  `${JSON.stringify({ type: 'user', uuid: word, message: { role: 'user', content: word } })}\n`;

test('ended early, it does not take other words of the same length for those that it has', async () => {
  const { store, places, path, ended } = await endedEarly();
  const { size } = statSync(path);
  appendFileSync(path, rowOf('first') + rowOf('second'));
  await ended();
  truncateSync(path, size);
  appendFileSync(path, rowOf('third') + rowOf('fourth'));
  await update(store, places);
  expect(contentOf(store)).toEqual(await freshContent(places));
});

test('ended early, it does not keep a session that came and went', async () => {
  const { store, places, folder, ended } = await endedEarly();
  const subagents = join(folder, 'b8494eaa-6a89-4666-a752-ef0337e568bb/subagents');
  const copy = join(subagents, '8c93cbee-6bc7-4350-a8a7-7b5cab5af727.jsonl');
  cpSync(join(subagents, 'agent-a2cfa5a24b48b0fbf.jsonl'), copy);
  await ended();
  rmSync(copy);
  await update(store, places);
  expect(contentOf(store)).toEqual(await freshContent(places));
});

test.each<[string, Partial<UpdateOptions>]>([
  ['stopped', { isStopped: () => true }],
  ['too much to read', { most: 0 }],
])('a title that comes, changes or goes when a run ends early is not lost: %s', async (_, end) => {
  const home = temporaryFolder();
  cpSync(join(root, 'fixtures/claude-code/titles/native'), home, { recursive: true });
  const teller = join(home, '.claude/projects/-home-me-demo/00000012-0000-4000-8000-000000000000.jsonl');
  const told = readFileSync(teller, 'utf8');
  const [store, places] = [memoryStore(), { homes: [home] }];
  const [seen, expected]: [unknown[], unknown[]] = [[], []];
  for (const text of ['', told, told.replaceAll('"summary":"', '"summary":"Other '), '']) {
    writeFileSync(teller, text);
    await updateStore(store, places, { ...UPDATE, ...end });
    await update(store, places);
    seen.push(contentOf(store));
    expected.push(await freshContent(places));
  }
  expect(seen).toEqual(expected);
});

test.each([0, 1, 2] as const)('projects that nothing tells any more since a run ended early: tier %i', async (tier) => {
  const home = temporaryFolder();
  cpSync(join(root, 'fixtures/gemini/v0_38_2/native'), home, { recursive: true });
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
  for (const path of files.filter((name) => name.endsWith('.project_root'))) rmSync(join(home, path));
  const [store, places] = [memoryStore(), { homes: [home] }];
  await update(store, places, tier);
  rmSync(join(home, '.gemini/projects.json'));
  await updateStore(store, places, { ...UPDATE, tier, isStopped: () => true });
  await update(store, places, tier);
  expect(contentOf(store)).toEqual(await freshContent(places, tier));
});

test('killed at any moment, the next run makes it whole', async () => {
  expect(await killedRuns({ seed: 7, count: 4 })).toEqual({ runs: 4, wrong: [] });
}, 120_000);

test('killed while several threads read tokens for the first time, it goes on, and is what a new one would be', async () => {
  expect(await threadedRuns({ seed: 5, count: 4 })).toEqual({ runs: 4, wrong: [] });
}, 120_000);

test('killed while it is made for the first time, with lists of words of its own, it goes on, and is what a new one would be', async () => {
  expect(await indexedRuns({ seed: 11, count: 3, mb: 6 })).toEqual({ runs: 3, wrong: [] });
}, 120_000);
