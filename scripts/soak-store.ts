// Kills commands that use the index at random moments while files change, then lets it run through, and holds the store against a new one.
// With --follow nothing is killed: one store follows files that change in all ways, as if each were large, and folders were never listed in vain.
// With --threads `pal usage` is killed while it reads a history for the first time that is large enough for several threads; with --first
// `pal index` and `pal search` are, which make the lists of words themselves then.
// Usage: npm run soak:store -- [--seed 1] [--count 1000] [--follow | --threads | --first]

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { createRandom, type Random } from '../bench/corpus/random.ts';
import { generateCorpus } from '../bench/corpus.ts';
import { openStore, type Store, updateStore } from '../src/index.ts';
import { fill } from '../test/left-log.ts';
import { contentOf, freshContent, type StoreContent, UPDATE, update } from '../test/store-content.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

export interface Soaked {
  runs: number;
  /** Runs after which the store was not what a new one would be, and what was different. */
  wrong: { run: number; different: Different[] }[];
}

interface Different {
  part: string;
  /** The first few that one of the two alone has. */
  stored: string[];
  made_new: string[];
}

interface Soak {
  seed: number;
  count: number;
  /** Of a history that is read for the first time. Threads are not worth their while for much less. */
  mb?: number;
}

export async function killedRuns({ seed, count }: Soak): Promise<Soaked> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-soak-'));
  const [home, store] = [join(folder, 'home'), join(folder, 'index')];
  const dice = createRandom(seed, 0);
  const wrong: Soaked['wrong'] = [];
  try {
    leaveLogsIn(store);
    for (let run = 0; run < count; run++) {
      if (run % 20 === 0) renew(home);
      change(home, dice);
      await killedAfter(dice.integer(60, 700), dice.pick(COMMANDS), home, store);
      change(home, dice);
      const different = await differences(home, store);
      if (different.length > 0) wrong.push({ run, different });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { runs: count, wrong };
}

/** From now on what was written last stays in logs, as beside the databases of a large history. */
function leaveLogsIn(folder: string): void {
  const store = openStore(folder);
  fill(store);
  store.close();
}

/** Reads tokens in threads from the beginning. */
export function threadedRuns(soak: Soak): Promise<Soaked> {
  return firstRuns(soak, [['usage']], { least: 80, most: 600 }, 0);
}

/** Makes an index from the beginning. */
export function indexedRuns(soak: Soak): Promise<Soaked> {
  return firstRuns(soak, [['index'], ['search', 'words']], { least: 200, most: 2000 }, 2);
}

/** Killed once or twice, in a history with sessions that share requests. */
async function firstRuns(
  { seed, count, mb = 32 }: Soak,
  commands: string[][],
  ms: { least: number; most: number },
  tier: Wanted['tier'],
): Promise<Soaked> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-soak-'));
  const [home, store] = [join(folder, 'home'), join(folder, 'index')];
  const dice = createRandom(seed, 0);
  const wrong: Soaked['wrong'] = [];
  try {
    generateCorpus({ out: home, mb, files: 200, seed });
    for (let copies = 0; copies < 5; copies++) copyFileSync(...copyIn(home, dice));
    const fresh = await freshContent({ homes: [home] }, tier);
    for (let run = 0; run < count; run++) {
      rmSync(store, { recursive: true, force: true });
      for (let kills = dice.integer(1, 2); kills > 0; kills--)
        await killedAfter(dice.integer(ms.least, ms.most), dice.pick(commands), home, store);
      const different = await differences(home, store, { tier, fresh });
      if (different.length > 0) wrong.push({ run, different });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { runs: count, wrong };
}

function copyIn(home: string, dice: Random): [from: string, to: string] {
  const path = dice.pick(logsIn(home));
  return [path, join(dirname(path), `${dice.uuid()}.jsonl`)];
}

function logsIn(home: string): string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** File systems tell times by a clock that moves on within this. */
const TICK_MS = 20;

/** What was read of every file that grows is kept, and folders count as long unchanged: so that both are used in each run. */
export async function followedRuns({ seed, count }: Soak): Promise<Soaked> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-soak-'));
  const home = join(folder, 'home');
  const dice = createRandom(seed, 0);
  let store = openStore(join(folder, 'index'));
  const wrong: Soaked['wrong'] = [];
  const { now } = Date;
  Date.now = () => now() + 3_600_000;
  try {
    for (let run = 0; run < count; run++) {
      if (run % 20 === 0) {
        renew(home);
        // With a new index, lists of words are made here.
        store.close();
        store = openStore(join(folder, `index-${run}`));
      }
      for (let changes = dice.integer(1, 4); changes > 0; changes--) {
        await setTimeout(TICK_MS);
        change(home, dice);
        const tier = dice.pick([0, 1, 2] as const);
        const isStopped = dice.pick([() => false, () => false, () => true]);
        await updateStore(store, { homes: [home] }, { ...UPDATE, tier, isStopped, readOnFrom: 0, listsFrom: 0 });
      }
      await updateStore(store, { homes: [home] }, { ...UPDATE, readOnFrom: 0, listsFrom: 0 });
      const different = await differencesIn(store, home);
      if (different.length > 0) wrong.push({ run, different });
    }
  } finally {
    Date.now = now;
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return { runs: count, wrong };
}

/** Those who want all of a history, what was said in it, and tokens alone. */
const COMMANDS = [['index'], ['search', 'words'], ['usage'], ['usage']];

/** A few dozen sessions of all agents. */
function renew(home: string): void {
  rmSync(home, { recursive: true, force: true });
  for (const fixture of [
    'samples',
    'fixtures/claude-code/p_agents/native',
    'fixtures/claude-code/i_clear/native',
    'fixtures/claude-code/p_resume/native',
    'fixtures/codex/fork-base-packed/native',
    'fixtures/codex/archive/native',
  ])
    cpSync(join(root, fixture), home, { recursive: true });
}

function change(home: string, dice: Random): void {
  const path = dice.pick(logsIn(home));
  const acts = [
    () => appendFileSync(path, '{"type":"user","uuid":"u","message":{"role":"user","content":"more words"}}\n'),
    () => appendFileSync(path, '{"torn'),
    () => truncateSync(path, Math.floor(statSync(path).size * 0.9)),
    () => copyFileSync(path, join(dirname(path), `${dice.uuid()}.jsonl`)),
    () => rmSync(path),
    () => renameSync(path, join(dirname(path), `${dice.uuid()}.jsonl`)),
    () => writeAnew(path, readFileSync(path, 'utf8').split('\n').slice(1).join('\n')),
    () => utimesSync(path, dice.integer(1, 1e9), dice.integer(1, 1e9)),
    () => mkdirSync(join(dirname(path), dice.uuid())),
    () => {
      renameSync(path, `${path}.away`);
      symlinkSync(`${path}.away`, path);
    },
  ];
  dice.pick(acts)();
}

/** As programs do that never leave half a file. */
function writeAnew(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

async function killedAfter(ms: number, command: string[], home: string, store: string): Promise<void> {
  const args = [join(root, 'dist/cli/start.js'), ...command, '--home', home, '--store', store];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '', HOME: home, PALIMPSEST_HOME: home, PALIMPSEST_DATA: home },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await Promise.race([ended, setTimeout(ms, undefined, { ref: false })]);
  child.kill('SIGKILL');
  await ended;
}

interface Wanted {
  tier: 0 | 2;
  /** What a new store holds, where that is known. */
  fresh?: StoreContent;
}

async function differences(home: string, folder: string, { tier, fresh }: Wanted = { tier: 2 }): Promise<Different[]> {
  const store = openStore(folder);
  try {
    await update(store, { homes: [home] }, tier);
    return await differencesIn(store, home, fresh);
  } finally {
    store.close();
  }
}

async function differencesIn(store: Store, home: string, known?: StoreContent): Promise<Different[]> {
  const fresh = known ?? (await freshContent({ homes: [home] }));
  return Object.entries(contentOf(store)).flatMap(([part, has]) => {
    const wanted = fresh[part as keyof typeof fresh];
    if (isDeepStrictEqual(has, wanted)) return [];
    return [{ part, stored: onlyIn(has, wanted), made_new: onlyIn(wanted, has) }];
  });
}

function onlyIn(some: readonly unknown[], others: readonly unknown[]): string[] {
  const known = new Set(others.map((other) => JSON.stringify(other)));
  const own = some.map((one) => JSON.stringify(one)).filter((one) => !known.has(one));
  return own.slice(0, 5).map((one) => one.slice(0, 2000));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      count: { type: 'string', default: '1000' },
      follow: { type: 'boolean', default: false },
      threads: { type: 'boolean', default: false },
      first: { type: 'boolean', default: false },
    },
  });
  const others = values.threads ? threadedRuns : values.first ? indexedRuns : killedRuns;
  const runs = values.follow ? followedRuns : others;
  const soaked = await runs({ seed: Number(values.seed), count: Number(values.count) });
  console.log(JSON.stringify(soaked));
  process.exitCode = soaked.wrong.length === 0 ? 0 : 1;
}
