// The store: it says what the files say, whatever happens to them.

import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  daySums,
  keeperIn,
  memoryStore,
  openHome,
  openStore,
  openStoredHome,
  type Store,
  updateStore,
  usageReport,
  usageSums,
} from '../src/index.ts';
import { agentFolders } from '../src/ingest/agent-folder.ts';
import { planRoot } from '../src/ingest/changes.ts';
import { rootIn } from '../src/ingest/listing.ts';
import { openTexts } from '../src/ingest/open-texts.ts';
import { textsOf } from '../src/ingest/search-text.ts';
import { scanStore } from '../src/query/scan.ts';
import { exactPattern } from '../src/query/scan-pattern.ts';
import type { SearchHit } from '../src/query/search-hit.ts';
import { filtersFrom } from '../src/query/search-query.ts';
import { sources } from '../src/sources/index.ts';
import type { Link } from '../src/sources/source.ts';
import { SESSIONS_PER_FAMILY } from '../src/store/tables.ts';
import { listsIn } from '../src/store/word-lists.ts';
import { WordWriter } from '../src/store/write-words.ts';
import { contentOf, freshContent, UPDATE, update, wordsOf } from './store-content.ts';
import { fixtureFolders, root, temporaryFolder } from './support.ts';

const homes = [
  ...['claude-code', 'codex', 'gemini']
    .flatMap((agent) => fixtureFolders(agent).map((folder) => [`${agent}/${basename(folder)}`, join(folder, 'native')]))
    .map(([name = '', home = '']) => ({ name, home })),
  { name: 'samples', home: join(root, 'samples') },
];

/** What lists tell, from the files or from the store. */
function told({ families }: ReturnType<typeof openHome>) {
  return families
    .map((family) => ({
      id: family.id,
      agent: family.agent,
      bytes: family.bytes,
      files: family.files,
      peek: family.peek(),
      last_used: family.lastUsed(),
      sessions: family.summaries().map(({ diagnostics: _, ...summary }) => {
        const { session, compaction, context_clears, interruptions, rejections, rewinds, denials, failures } = summary;
        return { session, compaction, context_clears, interruptions, rejections, rewinds, denials, failures };
      }),
    }))
    .sort((a, b) => (`${a.agent} ${a.id}` < `${b.agent} ${b.id}` ? -1 : 1));
}

describe('what lists tell from the store is what they tell from the files', () => {
  test.each(homes)('$name', async ({ home }) => {
    const store = memoryStore();
    await update(store, { homes: [home] }, 1);
    expect(told(openStoredHome({ homes: [home] }, store))).toEqual(told(openHome({ homes: [home] })));
  });
});

describe('what was said is found whether the texts of tools were read or not', () => {
  test.each(homes)('$name', async ({ home }) => {
    const said = async (tier: 1 | 2) => {
      const store = memoryStore();
      await update(store, { homes: [home] }, tier);
      return wordsOf(store).map(({ message, prose }) => ({ message, prose }));
    };
    expect(await said(1)).toEqual(await said(2));
  });
});

describe('what is read back of a single message is what stands in its session', () => {
  test.each(homes)('$name', async ({ home }) => {
    const store = memoryStore();
    await update(store, { homes: [home] }, 1);
    const texts = await openTexts(store, undefined);
    const back: string[] = [];
    const read = (hit: SearchHit) => {
      const found = texts.of(hit.stored);
      back.push(JSON.stringify([hit.session_id, hit.message_index, hit.kind, found]));
      return found;
    };
    scanStore(store, exactPattern('found nowhere'), filtersFrom({ now: 0 }), { texts: read });
    texts.close();
    const sessions = openHome({ homes: [home] }).families.flatMap((family) => {
      const { sessions, close } = family.open();
      const documents = sessions.map((session) => session.read());
      close();
      return documents;
    });
    const whole = sessions.flatMap(({ session, messages }) =>
      messages
        .filter(({ inherited }) => inherited === null)
        .map(({ index, kind, content }) => {
          const told = content.flatMap((block) => textsOf(block).map((text) => ({ kind: block.type, text })));
          return JSON.stringify([session.id, index, kind, told]);
        }),
    );
    expect(back.sort()).toEqual(whole.sort());
  });
});

function copyOf(fixture: string): string {
  const home = temporaryFolder();
  cpSync(join(root, fixture), home, { recursive: true });
  return home;
}

function filesBelow(folder: string, ending: string): string[] {
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function largest(home: string): string {
  return filesBelow(home, '.jsonl').sort((a, b) => statSync(b).size - statSync(a).size)[0] ?? '';
}

function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8').trimEnd().split('\n');
}

/** Another time of writing: two changes within a millisecond look like one. */
let later = 1_900_000_000;
function touch(path: string): void {
  later += 10;
  utimesSync(path, later, later);
}

const FIXTURES = [
  'samples',
  'fixtures/claude-code/p_agents/native',
  'fixtures/codex/archive/native',
  'fixtures/gemini/resume/native',
];

describe('after every step the store is what a new one would be', () => {
  test.each(homes.filter(({ name }) => /samples|p_agents|i_fork|fork|clear|compact|resume/.test(name)))(
    'as $name is written line by line',
    async ({ home: from }) => {
      const home = copyOf(from.slice(root.length));
      const path = largest(home);
      const lines = linesOf(path);
      const [store, readsOn] = [memoryStore(), memoryStore()];
      const cuts = [...new Set([0.2, 0.5, 0.51, 0.8, 1].map((part) => Math.ceil(lines.length * part)))];
      writeFileSync(path, '');
      let written = 0;
      for (const cut of cuts) {
        appendFileSync(
          path,
          lines
            .slice(written, cut)
            .map((line) => `${line}\n`)
            .join(''),
        );
        touch(path);
        written = cut;
        await update(store, { homes: [home] });
        await updateStore(readsOn, { homes: [home] }, { ...UPDATE, readOnFrom: 0 });
        const fresh = await freshContent({ homes: [home] });
        expect(contentOf(store)).toEqual(fresh);
        expect(contentOf(readsOn)).toEqual(fresh);
      }
    },
  );

  const STEPS: Record<string, (path: string, home: string) => void> = {
    'a line without its end': (path) => appendFileSync(path, '{"type":"user","mess'),
    'cut in the middle': (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
    emptied: (path) => truncateSync(path, 0),
    deleted: (path) => rmSync(path),
    'rewritten with other words of the same length': (path) =>
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('e', 'o')),
    'copied to a second place': (path) => {
      mkdirSync(join(dirname(dirname(path)), 'elsewhere'), { recursive: true });
      cpSync(path, join(dirname(dirname(path)), 'elsewhere', basename(path)));
    },
    'moved to a second place': (path) => {
      mkdirSync(join(dirname(dirname(path)), 'elsewhere'), { recursive: true });
      renameSync(path, join(dirname(dirname(path)), 'elsewhere', basename(path)));
    },
    'replaced by rubbish': (path) => writeFileSync(path, 'hello\nworld\n'),
    'beside a file that is no history': (path) => writeFileSync(join(dirname(path), 'notes.txt'), 'mine'),
    'all gone': (_, home) => rmSync(home, { recursive: true }),
  };
  const cases = FIXTURES.flatMap((fixture) => Object.keys(STEPS).map((step) => ({ fixture, step })));
  test.each(cases)('$fixture, $step', async ({ fixture, step }) => {
    const home = copyOf(fixture);
    const store = memoryStore();
    await update(store, { homes: [home] });
    STEPS[step]?.(largest(home), home);
    for (const path of filesBelow(home, '.jsonl')) touch(path);
    await update(store, { homes: [home] });
    expect(contentOf(store)).toEqual(await freshContent({ homes: [home] }));
  });

  const typed = homes.filter(({ home }) => filesBelow(home, 'logs.json').length > 0);
  test.each(typed)('what was typed in $name is told later', async ({ home: from }) => {
    const home = copyOf(from.slice(root.length));
    const [path = ''] = filesBelow(home, 'logs.json');
    const whole = readFileSync(path);
    writeFileSync(path, '[]');
    const store = memoryStore();
    await update(store, { homes: [home] });
    writeFileSync(path, whole);
    await update(store, { homes: [home] });
    expect(contentOf(store)).toEqual(await freshContent({ homes: [home] }));
  });

  test('a Codex thread that was packed', async () => {
    const home = copyOf('fixtures/codex/archive/native');
    const path = largest(home);
    const store = memoryStore();
    await update(store, { homes: [home] });
    writeFileSync(`${path}.zst`, zstdCompressSync(readFileSync(path)));
    rmSync(path);
    await update(store, { homes: [home] });
    expect(contentOf(store)).toEqual(await freshContent({ homes: [home] }));
  });

  test('tier by tier', async () => {
    const home = join(root, 'samples');
    const store = memoryStore();
    for (const tier of [0, 1, 2] as const) {
      await update(store, { homes: [home] }, tier);
      expect(contentOf(store)).toEqual(await freshContent({ homes: [home] }, tier));
    }
  });
});

test('the ends of files are looked at when words are wanted, and from then on a file may grow', async () => {
  const home = copyOf('samples');
  const store = memoryStore();
  const unknown = () => Number(store.main.prepare("select count(*) as count from files where ends = ''").get()?.count);
  await update(store, { homes: [home] }, 0);
  const before = unknown();
  await update(store, { homes: [home] }, 2);
  const path = largest(home);
  appendFileSync(path, '{"type":"user","uuid":"u","message":{"role":"user","content":"more words"}}\n');
  const { families } = await update(store, { homes: [home] });
  expect([before > 0, unknown(), families]).toEqual([true, 0, 1]);
  expect(contentOf(store)).toEqual(await freshContent({ homes: [home] }));
});

test('what ties sessions is kept, and follows what happens to them', async () => {
  const home = copyOf('fixtures/claude-code/i_clear/native');
  const store = memoryStore();
  const kinds = () =>
    store.main
      .prepare('select links from roots')
      .all()
      .flatMap(({ links }) => (JSON.parse(String(links)) as { links: { kind: string }[] }).links)
      .map(({ kind }) => kind);
  await update(store, { homes: [home] });
  const before = kinds();
  for (const path of filesBelow(home, '.jsonl')) rmSync(path);
  await update(store, { homes: [home] });
  expect([before.includes('clear'), kinds()]).toEqual([true, []]);
});

test.each(['p_resume', 'v1100_events', 'i_clear'])(
  'who asks for tokens alone leaves nothing behind of what ties sessions: %s',
  async (name) => {
    const home = copyOf(`fixtures/claude-code/${name}/native`);
    const store = memoryStore();
    const sessions = readdirSync(join(home, '.claude/projects'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.jsonl'))
      .map((file) => join(home, '.claude/projects', file));
    const [seen, expected] = [[] as unknown[], [] as unknown[]];
    for (const path of sessions) {
      await update(store, { homes: [home] });
      renameSync(path, `${path}.away`);
      await update(store, { homes: [home] }, 0);
      await update(store, { homes: [home] });
      seen.push(contentOf(store));
      expected.push(await freshContent({ homes: [home] }));
      renameSync(`${path}.away`, path);
      await update(store, { homes: [home] }, 0);
    }
    await update(store, { homes: [home] });
    expect([...seen, contentOf(store)]).toEqual([...expected, await freshContent({ homes: [home] })]);
  },
);

test('a refused edit of a long file has the diff that it has without an index', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, '.claude/projects/-p'), { recursive: true });
  const text = Array.from({ length: 3000 }, (_, i) => `line ${i} of the file\n`).join('');
  const base = { sessionId: '0000000e-0000-4000-8000-000000000000', version: '2.0.42', cwd: '/p' };
  const row = (uuid: string, parentUuid: string | null, fields: object) =>
    JSON.stringify({ ...base, uuid, parentUuid, timestamp: '2026-01-02T10:00:00.000Z', ...fields });
  const asks = (id: string, name: string, input: object) => ({
    type: 'assistant',
    message: {
      id: `m-${id}`,
      role: 'assistant',
      model: 'claude-opus-4-5',
      content: [{ type: 'tool_use', id, name, input }],
    },
  });
  const edit = { file_path: '/p/a.txt', old_string: 'line 1500 of the file', new_string: 'changed' };
  const read = { file: { filePath: '/p/a.txt', content: text, startLine: 1, numLines: 3001, totalLines: 3001 } };
  const refusal =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";
  const answers = (tool_use_id: string, content: string, is_error = false) => ({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id, content, is_error }] },
  });
  const rows = [
    row('u1', null, { type: 'user', message: { role: 'user', content: 'edit it' } }),
    row('a1', 'u1', asks('toolu_1', 'Read', { file_path: '/p/a.txt' })),
    row('r1', 'a1', { ...answers('toolu_1', text), toolUseResult: { type: 'text', ...read } }),
    row('a2', 'r1', asks('toolu_2', 'Edit', edit)),
    row('r2', 'a2', { ...answers('toolu_2', refusal, true), toolUseResult: 'Error: User rejected tool use' }),
  ];
  writeFileSync(join(home, '.claude/projects/-p/0000000e-0000-4000-8000-000000000000.jsonl'), `${rows.join('\n')}\n`);
  const store = memoryStore();
  await update(store, { homes: [home] });
  const stored = told(openStoredHome({ homes: [home] }, store));
  expect(stored).toEqual(told(openHome({ homes: [home] })));
  expect(stored[0]?.sessions[0]?.rejections.map(({ action }) => action?.diff_base)).toEqual(['file']);
});

test('what has not changed is not read again', async () => {
  const home = copyOf('samples');
  const store = memoryStore();
  const first = await update(store, { homes: [home] });
  const second = await update(store, { homes: [home] });
  touch(largest(home));
  const third = await update(store, { homes: [home] });
  expect([first.families > 2, second.families, third.families]).toEqual([true, 0, 1]);
});

test('a file that cannot be understood is read once, until it changes', async () => {
  const home = copyOf('samples');
  const path = join(home, '.claude/projects/-x/11111111-1111-4111-8111-111111111111.jsonl');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'rubbish\n'.repeat(100));
  const store = memoryStore();
  await update(store, { homes: [home] });
  const again = await update(store, { homes: [home] });
  appendFileSync(path, 'more\n');
  const changed = await update(store, { homes: [home] });
  expect([again.families, changed.families]).toEqual([0, 1]);
});

test.each(['day', 'week', 'month', 'model', 'agent'] as const)(
  'sums of the days are enough for a report by %s',
  async (by) => {
    const store = memoryStore();
    await update(store, { homes: [join(root, 'samples')] });
    const roots = store.main.prepare('select id from roots').all();
    const ids = roots.map(({ id }) => Number(id));
    expect(usageReport(daySums(store, ids), { by })).toEqual(usageReport(usageSums(store, ids), { by }));
  },
);

test('of what changed, only the models are priced that are not known by then', async () => {
  const home = copyOf('samples');
  const asked: string[][] = [];
  const options = {
    ...{ tier: 1 as const, workers: 1 },
    prices: {
      version: 'test',
      load: async (models: Iterable<string>, known: Readonly<Record<string, string>>) => {
        const unknown = [...models].filter((model) => known[model] === undefined);
        asked.push(unknown.sort());
        return { costOf: () => 1, tariffs: { ...known, ...Object.fromEntries(unknown.map((model) => [model, 'x'])) } };
      },
    },
  };
  const store = memoryStore();
  await updateStore(store, { homes: [home] }, options);
  appendFileSync(largest(home), readFileSync(largest(home), 'utf8').replaceAll('"model":"', '"model":"new-'));
  touch(largest(home));
  await updateStore(store, { homes: [home] }, options);
  await updateStore(store, { homes: [home] }, { ...options, prices: { ...options.prices, version: 'other' } });
  const [first = [], second = [], third = []] = asked;
  expect([first.length > 1, second, third]).toEqual([
    true,
    second.filter((model) => model.startsWith('new-') && !first.includes(model)),
    [...first, ...second].sort(),
  ]);
});

/** Requests that two sessions hold count once, whoever holds them. */
function requests({ main }: Store): number {
  return Number(main.prepare('select sum(requests) as sum from usage_sums').get()?.sum);
}

test.each([0, 1, 2] as const)(
  'a copied session adds nothing, and stays when the first copy goes, at %i',
  async (tier) => {
    const home = copyOf('samples');
    const path = filesBelow(join(home, '.claude/projects'), '.jsonl').sort(
      (a, b) => statSync(b).size - statSync(a).size,
    )[0] as string;
    const store = memoryStore();
    await update(store, { homes: [home] }, tier);
    const alone = requests(store);
    const other = join(dirname(path), '22222222-2222-4222-8222-222222222222.jsonl');
    cpSync(path, other);
    await update(store, { homes: [home] }, tier);
    const both = requests(store);
    rmSync(path);
    await update(store, { homes: [home] }, tier);
    expect([alone > 0, both, requests(store)]).toEqual([true, alone, alone]);
  },
);

test('a copy with other times, if it is the one that counts, takes requests from the days of the first', async () => {
  const home = copyOf('samples');
  const path = largest(join(home, '.claude'));
  const store = memoryStore();
  await update(store, { homes: [home] }, 0);
  const [id, other] = [basename(path, '.jsonl'), '00000000-0000-4000-8000-000000000000'];
  const text = readFileSync(path, 'utf8').replaceAll(id, other);
  writeFileSync(join(dirname(path), `${other}.jsonl`), text.replaceAll('"timestamp":"2026-', '"timestamp":"2025-'));
  const alone = requests(store);
  await update(store, { homes: [home] }, 0);
  expect([requests(store), contentOf(store)]).toEqual([alone, await freshContent({ homes: [home] }, 0)]);
});

test("an agent's sessions go, another's come: neither counts as the other's", async () => {
  const home = temporaryFolder();
  cpSync(join(root, 'samples/.claude'), join(home, '.claude'), { recursive: true });
  const store = memoryStore();
  await update(store, { homes: [home] });
  rmSync(join(home, '.claude'), { recursive: true });
  cpSync(join(root, 'samples/.codex'), join(home, '.codex'), { recursive: true });
  await update(store, { homes: [home] });
  expect(contentOf(store)).toEqual(await freshContent({ homes: [home] }));
});

test('a session that was kept stays when the agent deletes it, and says so', async () => {
  const home = copyOf('samples');
  const kept = temporaryFolder();
  const places = { homes: [home], kept };
  const files = openHome(places).families.flatMap((family) => family.nativeFiles());
  const keeper = keeperIn(kept, '2026-11-16T00:00:00.000Z');
  keeper.keep([...new Map(files.map((file) => [file.absolute, file])).values()]);
  keeper.close();
  const store = memoryStore();
  await update(store, places);
  const before = contentOf(store);
  rmSync(join(home, '.claude'), { recursive: true });
  await update(store, places);
  const isKept = openStoredHome(places, store).families.map((family) => [family.agent, family.isKept]);
  expect(contentOf(store)).toEqual(before);
  expect(isKept.filter(([agent, flag]) => flag !== (agent === 'claude-code'))).toEqual([]);
});

test.each([0, 2] as const)(
  'two threads write what one does: tier %s',
  async (tier) => {
    const home = temporaryFolder();
    for (const { name, home: from } of homes) cpSync(from, home, { recursive: true, force: name !== '' });
    const path = largest(home);
    // Enough for threads to be worth it.
    for (let line = 0; line < 18; line++)
      appendFileSync(path, `{"type":"progress","data":"${'x'.repeat(1_000_000)}"}\n`);
    const store = openStore(temporaryFolder());
    await update(store, { homes: [home] }, tier, 2);
    const [ours, fresh] = [contentOf(store), await freshContent({ homes: [home] }, tier)];
    store.close();
    expect(ours).toEqual(fresh);
  },
  60_000,
);

test.each([
  ['gemini/compress', '.jsonl'],
  ['gemini/v0_20_2', '.json'],
  ['claude-code/v2042_tools', '.jsonl'],
  ['codex/subagent', '.jsonl'],
])('a file that was empty when it was read first, or torn, is known by what it tells later: %s', async (name, end) => {
  const home = copyOf(`fixtures/${name}/native`);
  const paths = filesBelow(home, end);
  const whole = paths.map((path) => readFileSync(path));
  const store = memoryStore();
  for (const bytes of [0, 20, Number.POSITIVE_INFINITY]) {
    paths.forEach((path, i) => {
      writeFileSync(path, whole[i]?.subarray(0, bytes) ?? '');
    });
    await update(store, { homes: [home] });
    expect(contentOf(store)).toEqual(await freshContent({ homes: [home] }));
  }
});

test.each([0, 1, 2] as const)('where projects lie may be told later, and otherwise: tier %i', async (tier) => {
  const home = copyOf('fixtures/gemini/v0_38_2/native');
  const list = join(home, '.gemini/projects.json');
  const markers = filesBelow(home, '.project_root');
  for (const path of markers) rmSync(path);
  const told = readFileSync(list, 'utf8');
  const store = memoryStore();
  for (const text of [undefined, told, told.replaceAll('/home/', '/moved/')]) {
    rmSync(list, { force: true });
    if (text !== undefined) writeFileSync(list, text);
    await update(store, { homes: [home] }, tier);
    expect(contentOf(store)).toEqual(await freshContent({ homes: [home] }, tier));
  }
});

test('a title that another session tells is taken up when that one comes, and given up when it goes', async () => {
  const home = copyOf('fixtures/claude-code/titles/native');
  const [teller = ''] = filesBelow(home, '.jsonl').filter((path) => basename(path).startsWith('00000012'));
  const text = readFileSync(teller);
  const store = memoryStore();
  for (const isThere of [true, false, true]) {
    rmSync(teller, { force: true });
    if (isThere) writeFileSync(teller, text);
    await update(store, { homes: [home] });
    expect(contentOf(store)).toEqual(await freshContent({ homes: [home] }));
  }
});

test.each(['gemini/compress', 'gemini/killed-and-cleared'])(
  'what ties a session to another may be told only by what it says later: %s',
  async (name) => {
    const home = copyOf(`fixtures/${name}/native`);
    const paths = filesBelow(home, '.jsonl');
    const whole = paths.map((path) => readFileSync(path, 'utf8').split('\n'));
    const store = memoryStore();
    for (const lines of [1, 2, Number.POSITIVE_INFINITY]) {
      paths.forEach((path, i) => {
        const text = (whole[i] ?? []).slice(0, lines).join('\n');
        writeFileSync(path, `${text.trimEnd()}\n`);
      });
      await update(store, { homes: [home] });
      expect(contentOf(store)).toEqual(await freshContent({ homes: [home] }));
    }
  },
);

test('where a session grows that nothing ties, ties are not worked out again, of no agent', async () => {
  const home = copyOf('samples');
  const store = memoryStore();
  await update(store, { homes: [home] });
  appendFileSync(join(home, '.claude/projects/-home-dev-src-shop/cb387779-5bfc-450f-9c6a-376aba1401e0.jsonl'), '{}\n');
  const plans = agentFolders({ homes: [home] }, sources).folders.map((folder) =>
    planRoot(store.main, rootIn(store.main, folder) ?? { id: -1, links: '' }, folder, 2),
  );
  expect(plans.map(({ areTiesNew, tasks, heads }) => [areTiesNew, tasks.length, heads.length])).toEqual([
    [false, 1, 1],
    [false, 0, 0],
    [false, 0, 0],
  ]);
});

test.each([2, 3, 4])('a fork finds its parent when that has its rows: cut to %i lines at first', async (lines) => {
  const home = copyOf('fixtures/claude-code/fork-of-a-compacted-session/native');
  const [parent = ''] = filesBelow(home, '.jsonl');
  const whole = readFileSync(parent, 'utf8');
  writeFileSync(parent, `${linesOf(parent).slice(0, lines).join('\n')}\n`);
  const store = memoryStore();
  await update(store, { homes: [home] });
  writeFileSync(parent, whole);
  await update(store, { homes: [home] });
  expect(contentOf(store)).toEqual(await freshContent({ homes: [home] }));
});

test('a clear that is placed by time goes to the session that was used last before it, also where that is told later', async () => {
  const home = temporaryFolder();
  const folder = join(home, '.claude/projects/-home-me-demo');
  mkdirSync(folder, { recursive: true });
  const said = (session: string, time: string, content: string) => {
    const of = {
      sessionId: session,
      cwd: '/home/me/demo',
      version: '1.0.100',
      timestamp: `2026-11-10T${time}:00.000Z`,
    };
    const row = {
      type: 'user',
      uuid: `${session} ${time}`,
      parentUuid: null,
      ...of,
      message: { role: 'user', content },
    };
    appendFileSync(join(folder, `${session}.jsonl`), `${JSON.stringify(row)}\n`);
  };
  const [first = '', second = '', cleared = ''] = [1, 2, 3].map(
    (number) => `0000000${number}-0000-4000-8000-000000000000`,
  );
  const store = memoryStore();
  const links = async () => {
    await update(store, { homes: [home] });
    expect(contentOf(store)).toEqual(await freshContent({ homes: [home] }));
    const [stored] = store.main.prepare('select links from roots').all();
    const { links } = JSON.parse(String(stored?.links)) as { links: Link[] };
    return links.flatMap((link) => (link.kind === 'clear' ? [[link.from, link.to]] : []));
  };
  said(first, '10:00', 'one');
  said(second, '10:05', 'two');
  said(cleared, '10:20', '<command-name>/clear</command-name>');
  said(cleared, '10:21', 'three');
  const before = await links();
  said(first, '10:19', 'one more');
  expect([before, await links()]).toEqual([[[second, cleared]], [[first, cleared]]]);
});

/** A row of a session, or of a subagent of it. Those of two subagents differ in their words alone. */
function row(session: string, said: string, agentId?: string): string {
  const sidechain = agentId === undefined ? {} : { isSidechain: true, agentId };
  const message = { role: 'user', content: said };
  const of = { sessionId: session, cwd: '/home/me/demo', timestamp: '2026-11-10T10:00:00.000Z' };
  return `${JSON.stringify({ type: 'user', uuid: said, parentUuid: null, ...of, ...sidechain, message })}\n`;
}

test('a subagent keeps its own words when one before it goes, and when one comes before it', async () => {
  const home = temporaryFolder();
  const id = '00000001-0000-4000-8000-000000000001';
  const folder = join(home, '.claude/projects/-home-me-demo');
  const subagents = join(folder, id, 'subagents');
  mkdirSync(subagents, { recursive: true });
  writeFileSync(join(folder, `${id}.jsonl`), row(id, 'go on'));
  for (const [agent, said] of Object.entries({ a1: 'apple', a2: 'grape' }))
    writeFileSync(join(subagents, `agent-${agent}.jsonl`), row(id, said, agent));
  const store = memoryStore();
  const words = async () => {
    await update(store, { homes: [home] });
    expect(contentOf(store)).toEqual(await freshContent({ homes: [home] }));
    return wordsOf(store).map(({ message, prose }) => `${message} ${prose}`);
  };
  const before = await words();
  rmSync(join(subagents, 'agent-a1.jsonl'));
  const gone = await words();
  // It has no file of its own: such come before those that have.
  appendFileSync(join(folder, `${id}.jsonl`), row(id, 'peach', 'a3'));
  const come = await words();
  expect([before, gone, come]).toEqual([
    [`${id} 000000 go on`, 'a1 000000 apple', 'a2 000000 grape'],
    [`${id} 000000 go on`, 'a2 000000 grape'],
    [`${id} 000000 go on`, 'a2 000000 grape', 'a3 000000 peach'],
  ]);
});

const message = {
  ...{ position: 0, kind: 0, time: null, shape: '[]', tools: null },
  places: [{ file: 0, line: 1, offset: 0, length: 9 }],
};

test('words that wait to be written go with their family', () => {
  const [shard] = memoryStore().shards;
  if (shard === undefined) throw new Error('a store has a shard');
  const writer = new WordWriter(shard);
  const text = () => ({ prose: 'gone', tool_text: 'gone too' });
  writer.write(1, 1, [{ session: SESSIONS_PER_FAMILY, had: null, messages: [message], text }], 2);
  writer.write(2, 1, [{ session: 2 * SESSIONS_PER_FAMILY, had: null, messages: [message], text }], 2);
  writer.remove(1);
  writer.commit();
  const found = (table: string) => shard.prepare(`select rowid from ${table} where ${table} match 'gone'`).all();
  expect([found('prose'), found('tool_texts')]).toEqual([[{ rowid: 2 }], [{ rowid: 2 }]]);
});

test('a family that is written twice to a shard that was empty is there once', () => {
  const [shard] = memoryStore().shards;
  if (shard === undefined) throw new Error('a store has a shard');
  const writer = new WordWriter(shard);
  for (const prose of ['early', 'late'])
    writer.write(
      1,
      1,
      [{ session: SESSIONS_PER_FAMILY, had: null, messages: [message], text: () => ({ prose, tool_text: '' }) }],
      1,
    );
  writer.commit();
  const found = (word: string) => shard.prepare('select rowid from prose where prose match ?').all(word);
  expect([found('early'), found('late'), shard.prepare('select session, piece from outlines').all()]).toEqual([
    [],
    [{ rowid: 2 }],
    [{ session: SESSIONS_PER_FAMILY, piece: 0 }],
  ]);
});

/** A shard to which words were written so many times, and how many lists of them there were at most. */
function writtenOften(times: number) {
  const [shard] = memoryStore().shards;
  if (shard === undefined) throw new Error('a store has a shard');
  // What FTS5 merges by itself is too little where lists are large.
  for (const table of ['prose', 'tool_texts'])
    shard.exec(`insert into ${table}(${table}, rank) values ('automerge', 0)`);
  const text = () => ({ prose: 'one more', tool_text: 'and one' });
  const counts: number[] = [];
  for (let family = 1; family <= times; family++) {
    const writer = new WordWriter(shard);
    writer.write(family, 1, [{ session: family * SESSIONS_PER_FAMILY, had: null, messages: [message], text }], 2);
    writer.commit();
    counts.push(listsIn(shard, 'prose'), listsIn(shard, 'tool_texts'));
  }
  const count = (sql: string) => shard.prepare(`select count(*) as count from (${sql})`).get()?.count;
  return { most: Math.max(...counts), count };
}

test('words that come one by one are not merged with all others', () => {
  const { most, count } = writtenOften(40);
  const lists = ['prose', 'tool_texts'].map((table) => count(`select distinct segid from ${table}_idx`));
  expect({ most, lists }).toEqual({ most: 40, lists: [40, 40] });
});

test('but before there are too many lists of them', () => {
  const { most, count } = writtenOften(1000);
  const found = ['prose', 'tool_texts'].map((table) => count(`select rowid from ${table} where ${table} match 'one'`));
  expect({ most, found }).toEqual({ most: 201, found: [1000, 1000] });
});
