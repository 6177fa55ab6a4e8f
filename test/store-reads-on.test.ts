// Of a large session that only grew, what came is read, and nothing else; and the store is what one made anew is.

import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { memoryStore, openStore, type Store } from '../src/index.ts';
import { agentFolders } from '../src/ingest/agent-folder.ts';
import { updateFolders } from '../src/ingest/update.ts';
import { agentPlaces } from '../src/sources/places.ts';
import type { Files } from '../src/sources/source.ts';
import { contentOf, freshContent, UPDATE } from './store-content.ts';
import { pal, root, temporaryFolder } from './support.ts';

type Tier = 1 | 2;

/** What was read, by path: pairs of offset and length. */
type Reads = Map<string, [number, number][]>;

function noting(port: Files, reads: Reads): Files {
  return {
    ...port,
    open: (path) => {
      const file = port.open(path);
      const read = (into: Uint8Array, at: number) => {
        const got = file.read(into, at);
        reads.set(path, [...(reads.get(path) ?? []), [at, got]]);
        return got;
      };
      return { ...file, read };
    },
  };
}

/** Brings a store up to date; every file counts as large. */
async function readOn(store: Store, home: string, tier: Tier = 2, readOnFrom = 0) {
  const reads: Reads = new Map();
  const folders = agentFolders({ homes: [home] }, agentPlaces).folders;
  const noted = folders.map((folder) => ({ ...folder, port: noting(folder.port, reads) }));
  const report = await updateFolders(store, noted, undefined, { ...UPDATE, tier, readOnFrom });
  return { report, reads };
}

function readingsIn({ shards }: Store) {
  return shards.flatMap((shard) => shard.prepare('select path, reach, state from readings order by path').all());
}

async function expectFresh(store: Store, home: string, tier: Tier = 2): Promise<void> {
  expect(contentOf(store)).toEqual(await freshContent({ homes: [home] }, tier));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Bytes of a file up to some line, and then some of the next one. */
function cutsOf(content: Buffer): number[] {
  const ends = [...content.keys()].filter((at) => content[at] === 0x0a).map((at) => at + 1);
  const some = [1, 2, ends.length >> 2, ends.length >> 1, ends.length - 2, ends.length - 1].flatMap(
    (i) => ends[i] ?? [],
  );
  const within = some.map((end) => Math.min(end + 20, content.length));
  return [...new Set([...some, ...within, content.length])].sort((a, b) => a - b);
}

describe('sessions of fixtures, as they were written', () => {
  test.each<[string, Tier]>([
    ['claude-code/i_compact', 2],
    ['claude-code/i_reject', 1],
    ['claude-code/i_rewind', 2],
    ['claude-code/bad-lines', 2],
    ['claude-code/subagent-in-progress-rows', 2],
    ['claude-code/subagent-of-a-subagent', 1],
    ['claude-code/edits-refused', 2],
    ['claude-code/v2042_events', 2],
    ['codex/tui-compact-manual', 2],
    ['codex/tui-interrupt-command', 1],
    ['codex/subagent', 2],
    ['codex/compaction-keeps-words-some-with-ids', 1],
    ['gemini/compress', 2],
    ['gemini/subagent', 1],
    ['gemini/contexts-recorded-again', 2],
  ])('%s', async (fixture, tier) => {
    const native = join(root, 'fixtures', fixture, 'native');
    const sessions = filesIn(native).filter((path) => /\.jsonl$/.test(path) && !/history|session_index/.test(path));
    for (const session of sessions) {
      const home = temporaryFolder();
      cpSync(native, home, { recursive: true });
      const path = join(home, session.slice(native.length + 1));
      const content = readFileSync(session);
      const store = memoryStore();
      for (const bytes of cutsOf(content)) {
        writeFileSync(path, content.subarray(0, bytes));
        await readOn(store, home, tier);
        await expectFresh(store, home, tier);
      }
    }
  });
});

const WIDE = 64 * 1024;

/** Rows that are long, and say little. */
const claudeRow = (i: number, more: object = {}) =>
  `${JSON.stringify({
    ...{ type: 'user', uuid: `u${i}`, parentUuid: i === 0 ? null : `u${i - 1}`, cwd: '/p', sessionId: 's' },
    timestamp: new Date(Date.UTC(2026, 0, 10, 9, 0, i)).toISOString(),
    message: { role: 'user', content: `say ${i} ${'x'.repeat(WIDE)}` },
    ...more,
  })}\n`;
const codexRow = (i: number) =>
  `${JSON.stringify({
    timestamp: new Date(Date.UTC(2026, 0, 10, 9, 0, i)).toISOString(),
    ...(i === 0
      ? { type: 'session_meta', payload: { id: '019ba700-0000-7000-8000-00000000000c', cwd: '/p' } }
      : {
          type: 'response_item',
          payload: {
            type: 'message',
            role: 'user',
            content: [{ type: 'input_text', text: `say ${i} ${'x'.repeat(WIDE)}` }],
          },
        }),
  })}\n`;
const geminiRow = (i: number) =>
  `${JSON.stringify(
    i === 0
      ? { sessionId: 'g1', projectHash: 'h', startTime: '2026-01-10T09:00:00.000Z', kind: 'main' }
      : { id: `m${i}`, type: 'user', timestamp: '2026-01-10T09:00:01.000Z', content: `say ${i} ${'x'.repeat(WIDE)}` },
  )}\n`;

const CLAUDE = '.claude/projects/-p/00000004-0000-4000-8000-000000000000.jsonl';
const SUBAGENT = '.claude/projects/-p/00000004-0000-4000-8000-000000000000/subagents/agent-a1.jsonl';
const CODEX = '.codex/sessions/2026/01/10/rollout-2026-01-10T09-00-00-019ba700-0000-7000-8000-00000000000c.jsonl';
const GEMINI = '.gemini/tmp/p/chats/session-2026-01-10T09-00-g1.jsonl';

const rows = (count: number, row: (i: number) => string, from = 0) =>
  Array.from({ length: count }, (_, i) => row(from + i)).join('');

function homeWith(files: Record<string, string>): string {
  const home = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return home;
}

/** Of what was read before, how many bytes were read again, beside beginning and end. */
function readAgain(reads: Reads, path: string, before: number): number {
  const [from, to] = [1.5 * 1024 * 1024, before - 8 * WIDE];
  const pieces = reads.get(path) ?? [];
  return pieces.reduce((sum, [at, got]) => sum + Math.max(0, Math.min(at + got, to) - Math.max(at, from)), 0);
}

/** A session of some megabytes that was read, has grown, and so is known with its state. */
async function grown(path: string, row: (i: number) => string, tier: Tier = 2) {
  const home = homeWith({ [path]: rows(60, row) });
  const store = memoryStore();
  await readOn(store, home, tier);
  expect(readingsIn(store)).toEqual([]);
  appendFileSync(join(home, path), row(60));
  await readOn(store, home, tier);
  expect(readingsIn(store)).toMatchObject([{ path }]);
  return { home, store, file: join(home, path), path };
}

const HALF = 30;

describe.each<[string, string, (i: number) => string]>([
  ['Claude Code', CLAUDE, claudeRow],
  ['Codex', CODEX, codexRow],
  ['Gemini', GEMINI, geminiRow],
])('%s', (_, path, row) => {
  test.each<[string, string[]]>([
    ['a line', [row(61)]],
    ['a line in two parts, and one more', [row(61).slice(0, HALF), row(61).slice(HALF), row(62)]],
    ['a line and a part, then the rest', [row(61) + row(62).slice(0, HALF), row(62).slice(HALF) + row(63)]],
    ['lines that end in CR LF', [row(61).replace('\n', '\r\n'), row(62).replace('\n', '\r\n')]],
    ['a line that is no JSON, and a blank one', ['hello\n', row(61), '\n', '{"torn":\n', row(62)]],
    ['much, so that it is kept anew, and a line', [rows(20, row, 61), row(81)]],
  ])('%s', async (_name, pieces) => {
    const { home, store, file } = await grown(path, row);
    for (const piece of pieces) {
      const before = readFileSync(file).length;
      appendFileSync(file, piece);
      const { report, reads } = await readOn(store, home);
      expect(readAgain(reads, path, before)).toBe(0);
      expect(report.bytes).toBeLessThan(before / 2);
      await expectFresh(store, home);
    }
  });

  test('it is kept anew only when it has grown by a sixteenth', async () => {
    const { home, store, file } = await grown(path, row);
    const reach = () => readingsIn(store).map((reading) => reading.reach);
    const size = () => readFileSync(file).length;
    const first = size();
    expect(reach()).toEqual([first]);
    appendFileSync(file, row(61));
    await readOn(store, home);
    expect(reach()).toEqual([first]);
    appendFileSync(file, rows(6, row, 62));
    await readOn(store, home);
    expect(reach()).toEqual([size()]);
  });

  test('what only its beginning says, then the texts of tools too', async () => {
    const { home, store, file } = await grown(path, row, 1);
    appendFileSync(file, row(61));
    await readOn(store, home, 1);
    await expectFresh(store, home, 1);
    await readOn(store, home, 2);
    await expectFresh(store, home);
    appendFileSync(file, row(62));
    await readOn(store, home, 2);
    await expectFresh(store, home);
  });

  test.each<[string, (file: string) => void]>([
    [
      'written anew, and longer',
      (file) =>
        writeFileSync(
          file,
          rows(70, (i) => row(i).replaceAll('say', 'tell')),
        ),
    ],
    ['cut', (file) => truncateSync(file, row(0).length + 20 * row(1).length)],
    ['cut, and longer again', (file) => writeFileSync(file, rows(50, row) + rows(20, row, 101))],
    ['empty', (file) => writeFileSync(file, '')],
  ])('a file that was %s is read whole', async (_name, change) => {
    const { home, store, file } = await grown(path, row);
    change(file);
    await readOn(store, home);
    expect(readingsIn(store)).toEqual([]);
    await expectFresh(store, home);
    appendFileSync(file, row(80));
    await readOn(store, home);
    await expectFresh(store, home);
  });
});

describe('what was kept is of no use', () => {
  const flipped = (state: Uint8Array, at: number) => {
    const bytes = Buffer.from(state);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  };
  const stateIn = (store: Store) => readingsIn(store)[0]?.state as Uint8Array;
  const time = (state: Uint8Array) => Buffer.from(state).indexOf('2026-01-10T09:00:30');
  const set = (shard: Store['shards'][number] | undefined, state: Uint8Array, sum?: string) =>
    shard?.prepare('update readings set state = ?, sum = coalesce(?, sum)').run(state, sum ?? null);
  const withSum = (store: Store, change: (state: Uint8Array) => Uint8Array) => {
    const state = change(stateIn(store));
    const place = String(store.shards[0]?.prepare('select place from readings').get()?.place);
    set(store.shards[0], state, `${state.length} ${crc32(state, crc32(place))}`);
  };

  test.each<[string, (store: Store) => void]>([
    ['empty', (store) => set(store.shards[0], new Uint8Array(0))],
    ['damaged', (store) => set(store.shards[0], flipped(stateIn(store), time(stateIn(store)) + 18))],
    ['cut, as if it had been kept so', (store) => withSum(store, (state) => state.subarray(0, -10))],
    ['damaged, as if it had been kept so', (store) => withSum(store, (state) => flipped(state, state.length - 1))],
    ['of another builder', (store) => withSum(store, () => Buffer.from([0, 0, 0, 5, 0, 0, 0, 0]))],
    [
      'of another way of reading',
      (store) => store.shards[0]?.exec(`update readings set bound = replace(bound, '[', '[1')`),
    ],
    [
      'of another line',
      (store) => store.shards[0]?.exec(`update readings set place = replace(place, '"lines":6', '"lines":7')`),
    ],
    ['of a place that is no JSON', (store) => store.shards[0]?.exec("update readings set place = 'hello'")],
    ['of another place', (store) => store.shards[0]?.exec('update readings set reach = reach - 1')],
    ['beyond the end', (store) => store.shards[0]?.exec('update readings set reach = reach * 2')],
  ])('%s', async (_, damage) => {
    const { home, store, file } = await grown(CLAUDE, claudeRow);
    damage(store);
    appendFileSync(file, claudeRow(61));
    const before = readFileSync(file).length;
    const { reads } = await readOn(store, home);
    expect(readAgain(reads, CLAUDE, before)).toBeGreaterThan(0);
    await expectFresh(store, home);
    for (const i of [62, 63]) {
      appendFileSync(file, claudeRow(i));
      await readOn(store, home);
      await expectFresh(store, home);
    }
  });
});

const boundary = (i: number) =>
  `${JSON.stringify({ type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', uuid: `b${i}`, parentUuid: null, logicalParentUuid: `u${i}`, timestamp: '2026-01-10T10:00:00.000Z', compactMetadata: { trigger: 'manual', preTokens: 1000 } })}\n`;
const summary = (i: number) =>
  claudeRow(i, {
    uuid: `s${i}`,
    parentUuid: `b${i}`,
    isCompactSummary: true,
    message: { role: 'user', content: 'In short' },
  });

test('a compaction in what came', async () => {
  const { home, store, file } = await grown(CLAUDE, claudeRow);
  for (const piece of [boundary(60), summary(60), claudeRow(61, { parentUuid: 's60' }), claudeRow(62)]) {
    appendFileSync(file, piece);
    const { report } = await readOn(store, home);
    expect(report.bytes).toBeLessThan(4 * WIDE);
    await expectFresh(store, home);
  }
});

test('of a session and its subagent, each of which grows, only what came is read', async () => {
  const agentRow = (i: number) => claudeRow(i, { isSidechain: true, agentId: 'a1' });
  const home = homeWith({ [CLAUDE]: rows(60, claudeRow), [SUBAGENT]: rows(60, agentRow) });
  const store = memoryStore();
  await readOn(store, home);
  for (const [at, path] of [SUBAGENT, CLAUDE, SUBAGENT, SUBAGENT].entries()) {
    const before = readFileSync(join(home, path)).length;
    appendFileSync(join(home, path), path === SUBAGENT ? agentRow(60 + at) : claudeRow(60 + at));
    const { reads } = await readOn(store, home);
    const again = [CLAUDE, SUBAGENT].map((each) => readAgain(reads, each, before));
    expect(again).toEqual(at === 0 ? [expect.any(Number), expect.any(Number)] : [0, 0]);
    await expectFresh(store, home);
  }
  // A subagent more: rows of the session may be copies of its own.
  writeFileSync(join(home, SUBAGENT.replace('a1', 'a2')), rows(2, agentRow));
  await readOn(store, home);
  await expectFresh(store, home);
});

test('files beside a session that are written anew', async () => {
  const agentRow = (i: number) => claudeRow(i, { isSidechain: true, agentId: 'a1' });
  const logs = '.gemini/tmp/p/logs.json';
  const meta = SUBAGENT.replace('.jsonl', '.meta.json');
  const typed = (count: number) =>
    JSON.stringify(
      Array.from({ length: count }, (_, i) => ({
        ...{ sessionId: 'g1', messageId: i, type: 'user' },
        ...{ message: i % 3 === 2 ? '/clear' : `say ${i}`, timestamp: `2026-01-10T09:0${i}:00.000Z` },
      })),
    );
  const home = homeWith({
    ...{
      [GEMINI]: rows(60, geminiRow),
      [logs]: typed(1),
      [CLAUDE]: rows(60, claudeRow),
      [SUBAGENT]: rows(60, agentRow),
    },
    [meta]: '{"agentType":"one"}',
  });
  const store = memoryStore();
  await readOn(store, home);
  for (const i of [60, 61, 62, 63]) {
    const before = readFileSync(join(home, CLAUDE)).length;
    writeFileSync(join(home, logs), typed(i - 57));
    appendFileSync(join(home, GEMINI), geminiRow(i));
    writeFileSync(join(home, meta), `{"agentType":"number ${i}"}`);
    appendFileSync(join(home, SUBAGENT), agentRow(i));
    const { reads } = await readOn(store, home);
    const again = [GEMINI, CLAUDE, SUBAGENT].map((path) => readAgain(reads, path, before) > 0);
    expect(again).toEqual(i === 60 ? [true, true, true] : [false, false, false]);
    await expectFresh(store, home);
  }
});

test('a refusal with many words, which cannot be cut: what had to be read whole is read on whole', async () => {
  const call = claudeRow(1, {
    type: 'assistant',
    message: {
      role: 'assistant',
      id: 'm',
      content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }],
    },
  });
  const refusal = `The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n${'no '.repeat(WIDE)}`;
  const refused = claudeRow(2, {
    toolUseResult: `Error: ${refusal}`,
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true, content: refusal }] },
  });
  const home = homeWith({ [CLAUDE]: claudeRow(0) + call + refused + rows(57, claudeRow, 3) });
  const store = memoryStore();
  expect((await readOn(store, home)).report.fell_back).toBe(1);
  for (const i of [60, 61, 62]) {
    const before = readFileSync(join(home, CLAUDE)).length;
    appendFileSync(join(home, CLAUDE), claudeRow(i));
    const { report, reads } = await readOn(store, home);
    expect(report.fell_back).toBe(1);
    expect(readAgain(reads, CLAUDE, before) > 0).toBe(i === 60);
    await expectFresh(store, home);
  }
});

test('of many sessions, those that were kept last; of one that is gone, nothing', async () => {
  const paths = Array.from({ length: 10 }, (_, i) => CLAUDE.replace('00000004', `0000000${i}`));
  const own = (at: number) => (i: number) =>
    claudeRow(i, {
      ...{ uuid: `${at}-${i}`, parentUuid: i === 0 ? null : `${at}-${i - 1}` },
      message: { role: 'user', content: `short ${at} ${i}` },
    });
  const home = homeWith(Object.fromEntries(paths.map((path, at) => [path, rows(3, own(at))])));
  const store = memoryStore();
  await readOn(store, home);
  for (const [at, path] of paths.entries()) {
    appendFileSync(join(home, path), own(at)(3));
    await readOn(store, home);
  }
  expect(readingsIn(store).map(({ path }) => path)).toEqual(paths.slice(2));
  rmSync(join(home, paths[5] ?? ''));
  await readOn(store, home);
  expect(readingsIn(store)).toHaveLength(7);
  await expectFresh(store, home);
});

test('as people run it: small files are not kept, large ones not when they are first read; what a thread kept, others go on with', async () => {
  const text = 'y'.repeat(512 * 1024);
  const big = (i: number) => claudeRow(i, { message: { role: 'user', content: `big ${i} ${text}` } });
  const [small, other] = [CLAUDE.replace('00000004', '00000005'), CLAUDE.replace('00000004', '00000006')];
  const home = homeWith({ [CLAUDE]: rows(18, big), [other]: rows(18, big), [small]: rows(3, claudeRow) });
  const data = temporaryFolder();
  const indexed = async () => {
    pal(['index'], { home, env: { PALIMPSEST_DATA: data } });
    const store = openStore(join(data, 'index'));
    const kept = readingsIn(store).map(({ path, reach }) => `${basename(String(path))} ${reach}`);
    const { words } = contentOf(store);
    store.close();
    expect(words).toEqual((await freshContent({ homes: [home] })).words);
    return kept.sort();
  };
  expect(await indexed()).toEqual([]);
  for (const path of [CLAUDE, other, small]) appendFileSync(join(home, path), big(18));
  const kept = await indexed();
  expect(kept).toEqual([CLAUDE, other].map((path) => `${basename(path)} ${readFileSync(join(home, path)).length}`));
  // What cannot be used is forgotten, or kept anew: it is still there.
  for (const path of [CLAUDE, other]) appendFileSync(join(home, path), big(19));
  expect(await indexed()).toEqual(kept);
});

test('what was kept for another kind of reading is counted among what must be read', async () => {
  const home = temporaryFolder();
  const file = join(home, '.claude/projects/-p/00000000-0000-4000-8000-000000000001.jsonl');
  mkdirSync(dirname(file), { recursive: true });
  const line = (i: number) =>
    `${JSON.stringify({ type: 'user', uuid: `u${i}`, parentUuid: null, message: { role: 'user', content: 'words' } })}\n`;
  writeFileSync(file, line(1) + line(2));
  const store = memoryStore();
  await readOn(store, home, 1);
  appendFileSync(file, line(3));
  await readOn(store, home, 1);
  appendFileSync(file, line(4));
  const { folders } = agentFolders({ homes: [home] }, agentPlaces);
  const asked = { ...UPDATE, readOnFrom: 0, most: line(4).length };
  const more = await updateFolders(store, folders, undefined, { ...asked, tier: 2 });
  const same = await updateFolders(store, folders, undefined, { ...asked, tier: 1 });
  expect([more.complete, same.complete]).toEqual([false, true]);
});
