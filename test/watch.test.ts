// Files of histories that change while somebody watches. Real folders; what is waited for is what is told.

import { spawnSync } from 'node:child_process';
import fs, {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { type ChangedFiles, type WatchOptions, watch } from '../src/index.ts';
import { root, temporaryFolder } from './support.ts';

/** What was told of each path last: its size, or that it is gone. */
type Told = Record<string, number | 'gone'>;

/** What somebody does, and what is told of it. */
type Step = [act: (home: string) => void, told: Told];

const LIMIT_MS = 20_000;

class Listener {
  readonly troubles: string[] = [];
  private told: Told = {};
  private heard = () => {};
  private readonly watching: ReturnType<typeof watch>;

  constructor(homes: string[], options: WatchOptions = {}) {
    this.watching = watch({ homes }, (changed) => this.take(changed), {
      ...options,
      onTrouble: (message) => this.troubles.push(message),
    });
  }

  /** All that is told until it is what is awaited, or for as long as anybody would wait. */
  async until(awaited: Told): Promise<Told> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const limit = setTimeout(resolve, LIMIT_MS);
    this.heard = () => expectEqual(this.told, awaited, resolve);
    this.heard();
    await promise;
    clearTimeout(limit);
    const { told } = this;
    this.told = {};
    return told;
  }

  close(): void {
    this.watching.close();
  }

  private take({ files, gone }: ChangedFiles): void {
    for (const path of gone) this.told[path] = 'gone';
    for (const { path, bytes } of files) this.told[path] = bytes;
    this.heard();
  }
}

function expectEqual(told: Told, awaited: Told, isSo: () => void): void {
  const text = (value: Told) => JSON.stringify(Object.entries(value).sort());
  if (text(told) === text(awaited)) isSo();
}

async function follow(homes: string[], home: string, steps: Step[], options: WatchOptions = {}) {
  const listener = new Listener(homes, options);
  const told: Told[] = [];
  for (const [act, awaited] of steps) {
    act(home);
    told.push(await listener.until(awaited));
  }
  listener.close();
  return { told, troubles: listener.troubles };
}

/** Writes a file, and the folders above it. */
function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const A = '.claude/projects/p1/a.jsonl';
const B = '.claude/projects/p2/b.jsonl';
const HISTORY = '.claude/history.jsonl';
const ROLLOUT = 'rollout-2026-11-15T18-16-39-01a1e06c-f674-7b33-aae9-d9787a3884d9.jsonl';

/** Every one begins in a home in which A is there, with one byte. */
const CASES: Record<string, Step[]> = {
  'a file that grows': [
    [(home) => appendFileSync(join(home, A), '2'), { [A]: 2 }],
    [(home) => appendFileSync(join(home, A), '3'), { [A]: 3 }],
  ],
  'a file that is cut, and goes on': [
    [(home) => truncateSync(join(home, A), 0), { [A]: 0 }],
    [(home) => appendFileSync(join(home, A), '12345'), { [A]: 5 }],
  ],
  'a new file, in a folder that is there and in one that is not': [
    [(home) => put(join(home, '.claude/projects/p1/new.jsonl'), '12'), { '.claude/projects/p1/new.jsonl': 2 }],
    [(home) => put(join(home, B), '12'), { [B]: 2 }],
    [(home) => appendFileSync(join(home, B), '3'), { [B]: 3 }],
  ],
  'folders in folders that come at once': [
    [(home) => put(join(home, '.claude/projects/x/y/z/c.jsonl'), '1'), { '.claude/projects/x/y/z/c.jsonl': 1 }],
    [
      (home) => appendFileSync(join(home, '.claude/projects/x/y/z/c.jsonl'), '2'),
      { '.claude/projects/x/y/z/c.jsonl': 2 },
    ],
  ],
  'a file that another one takes the place of': [
    [
      (home) => {
        writeFileSync(join(home, '.claude/written'), '123');
        renameSync(join(home, '.claude/written'), join(home, A));
      },
      { [A]: 3 },
    ],
    [(home) => appendFileSync(join(home, A), '4'), { [A]: 4 }],
  ],
  'a file that goes': [[(home) => rmSync(join(home, A)), { [A]: 'gone' }]],
  'a file that is moved to the archive, and one that is packed': [
    [(home) => put(join(home, '.codex/sessions/2026', ROLLOUT), '12'), { [`.codex/sessions/2026/${ROLLOUT}`]: 2 }],
    [
      (home) => {
        mkdirSync(join(home, '.codex/archived_sessions'));
        renameSync(join(home, '.codex/sessions/2026', ROLLOUT), join(home, '.codex/archived_sessions', ROLLOUT));
      },
      { [`.codex/sessions/2026/${ROLLOUT}`]: 'gone', [`.codex/archived_sessions/${ROLLOUT}`]: 2 },
    ],
    [
      (home) => {
        writeFileSync(join(home, '.codex/archived_sessions', `${ROLLOUT}.zst`), '123');
        rmSync(join(home, '.codex/archived_sessions', ROLLOUT));
      },
      { [`.codex/archived_sessions/${ROLLOUT}`]: 'gone', [`.codex/archived_sessions/${ROLLOUT}.zst`]: 3 },
    ],
  ],
  'a folder that is moved, and what is written in it then': [
    [
      (home) => renameSync(join(home, '.claude/projects/p1'), join(home, '.claude/projects/q')),
      { [A]: 'gone', '.claude/projects/q/a.jsonl': 1 },
    ],
    [(home) => appendFileSync(join(home, '.claude/projects/q/a.jsonl'), '2'), { '.claude/projects/q/a.jsonl': 2 }],
  ],
  'a folder that goes and is made anew at once': [
    [
      (home) => {
        rmSync(join(home, '.claude/projects/p1'), { recursive: true });
        put(join(home, A), '12');
      },
      { [A]: 2 },
    ],
    [(home) => appendFileSync(join(home, A), '3'), { [A]: 3 }],
  ],
  'a folder with something of its own name in it': [
    [(home) => put(join(home, '.claude/projects/p1/p1/c.jsonl'), '1'), { '.claude/projects/p1/p1/c.jsonl': 1 }],
    [(home) => appendFileSync(join(home, A), '2'), { [A]: 2 }],
    [
      (home) => rmSync(join(home, '.claude/projects/p1/p1'), { recursive: true }),
      { '.claude/projects/p1/p1/c.jsonl': 'gone' },
    ],
    [(home) => appendFileSync(join(home, A), '3'), { [A]: 3 }],
  ],
  "an agent's folder that goes and comes back": [
    [(home) => rmSync(join(home, '.claude'), { recursive: true }), { [A]: 'gone' }],
    [(home) => put(join(home, A), '12'), { [A]: 2 }],
    [(home) => appendFileSync(join(home, A), '3'), { [A]: 3 }],
  ],
  'the home that goes and comes back': [
    [(home) => rmSync(home, { recursive: true }), { [A]: 'gone' }],
    [(home) => put(join(home, A), '12'), { [A]: 2 }],
    [(home) => appendFileSync(join(home, A), '3'), { [A]: 3 }],
  ],
  'an agent that is used for the first time': [
    [(home) => put(join(home, '.gemini/tmp/p/chats/s.json'), '1'), { '.gemini/tmp/p/chats/s.json': 1 }],
    [(home) => appendFileSync(join(home, '.gemini/tmp/p/chats/s.json'), '2'), { '.gemini/tmp/p/chats/s.json': 2 }],
  ],
  'settings, logs and caches are not told, nor what lies in the home': [
    [
      (home) => {
        put(join(home, '.claude/settings.json'), '1');
        put(join(home, '.claude/debug/log.txt'), '1');
        put(join(home, '.claude/projects.json'), '1');
        put(join(home, '.codex/log/codex.log'), '1');
        put(join(home, 'notes.txt'), '1');
        put(join(home, HISTORY), '1');
      },
      { [HISTORY]: 1 },
    ],
    [
      (home) => {
        appendFileSync(join(home, '.claude/settings.json'), '1');
        appendFileSync(join(home, '.claude/debug/log.txt'), '1');
        appendFileSync(join(home, HISTORY), '1');
      },
      { [HISTORY]: 2 },
    ],
  ],
  'a link to a folder elsewhere, and another that leads to the same': [
    [
      (home) => {
        put(join(home, 'elsewhere/in/c.jsonl'), '1');
        symlinkSync(join(home, 'elsewhere'), join(home, '.claude/projects/link'));
      },
      { '.claude/projects/link/in/c.jsonl': 1 },
    ],
    [(home) => appendFileSync(join(home, 'elsewhere/in/c.jsonl'), '2'), { '.claude/projects/link/in/c.jsonl': 2 }],
    // The first by name is the one by which a home that is opened shows it.
    [
      (home) => symlinkSync(join(home, 'elsewhere'), join(home, '.claude/projects/again')),
      { '.claude/projects/link/in/c.jsonl': 'gone', '.claude/projects/again/in/c.jsonl': 2 },
    ],
    [(home) => put(join(home, 'elsewhere/new/d.jsonl'), '1'), { '.claude/projects/again/new/d.jsonl': 1 }],
    [
      (home) => rmSync(join(home, '.claude/projects/again')),
      {
        '.claude/projects/again/in/c.jsonl': 'gone',
        '.claude/projects/again/new/d.jsonl': 'gone',
        '.claude/projects/link/in/c.jsonl': 2,
        '.claude/projects/link/new/d.jsonl': 1,
      },
    ],
    [(home) => appendFileSync(join(home, 'elsewhere/in/c.jsonl'), '3'), { '.claude/projects/link/in/c.jsonl': 3 }],
  ],
  'a link that is led elsewhere': [
    [
      (home) => {
        put(join(home, 'one/c.jsonl'), '1');
        put(join(home, 'two/c.jsonl'), '12');
        symlinkSync(join(home, 'one'), join(home, '.claude/projects/link'));
      },
      { '.claude/projects/link/c.jsonl': 1 },
    ],
    [
      (home) => {
        symlinkSync(join(home, 'two'), join(home, 'new link'));
        renameSync(join(home, 'new link'), join(home, '.claude/projects/link'));
      },
      { '.claude/projects/link/c.jsonl': 2 },
    ],
    [(home) => appendFileSync(join(home, 'two/c.jsonl'), '3'), { '.claude/projects/link/c.jsonl': 3 }],
  ],
  'a file that is a link': [
    [
      (home) => {
        put(join(home, 'elsewhere/h.jsonl'), '1');
        symlinkSync(join(home, 'elsewhere/h.jsonl'), join(home, HISTORY));
      },
      { [HISTORY]: 1 },
    ],
    [(home) => appendFileSync(join(home, 'elsewhere/h.jsonl'), '2'), { [HISTORY]: 2 }],
    [
      (home) => {
        writeFileSync(join(home, 'elsewhere/new'), '123');
        renameSync(join(home, 'elsewhere/new'), join(home, 'elsewhere/h.jsonl'));
      },
      { [HISTORY]: 3 },
    ],
    [(home) => appendFileSync(join(home, 'elsewhere/h.jsonl'), '4'), { [HISTORY]: 4 }],
  ],
  'thousands of changes at once': [
    [
      (home) => {
        for (let i = 0; i < 3000; i++) appendFileSync(join(home, `.claude/projects/p1/${i % 3}.jsonl`), '1');
      },
      {
        '.claude/projects/p1/0.jsonl': 1000,
        '.claude/projects/p1/1.jsonl': 1000,
        '.claude/projects/p1/2.jsonl': 1000,
      },
    ],
    [(home) => appendFileSync(join(home, A), '2'), { [A]: 2 }],
  ],
};

function homeWithA(): string {
  const home = join(temporaryFolder(), 'home');
  put(join(home, A), '1');
  return home;
}

const platform = process.platform;
const original = fs.watch;

/** As another system would tell it. */
function pretend(platform: NodeJS.Platform, watchFolder: unknown = original): void {
  Object.defineProperty(process, 'platform', { value: platform });
  Object.assign(fs, { watch: watchFolder });
  syncBuiltinESMExports();
}

afterEach(() => pretend(platform));

test.each(Object.entries(CASES))('%s', async (_, steps) => {
  const home = homeWithA();
  const { told, troubles } = await follow([home], home, steps);
  expect({ told, troubles }).toEqual({ told: steps.map(([, told]) => told), troubles: [] });
});

/** Node does as if Linux did so, too, and loses folders that are replaced: these it can do. */
const DEEP = [
  'a file that grows',
  'a file that is cut, and goes on',
  'a new file, in a folder that is there and in one that is not',
  'folders in folders that come at once',
  'a file that goes',
  "an agent's folder that goes and comes back",
  'the home that goes and comes back',
  'an agent that is used for the first time',
  'settings, logs and caches are not told, nor what lies in the home',
  'thousands of changes at once',
];

test.each(DEEP)('where the system tells of all that is below a folder: %s', async (name) => {
  pretend('darwin');
  const home = homeWithA();
  const steps = CASES[name] ?? [];
  const { told, troubles } = await follow([home], home, steps);
  expect({ told, troubles }).toEqual({ told: steps.map(([, told]) => told), troubles: [] });
});

type Heard = (event: string, name: string | null) => void;

test('where the system does not say what has changed', async () => {
  pretend(platform, (path: string, options: object, heard: Heard) =>
    original(path, options, (event) => heard(event, null)),
  );
  const home = homeWithA();
  const steps: Step[] = [
    [(home) => appendFileSync(join(home, A), '2'), { [A]: 2 }],
    [(home) => put(join(home, B), '1'), { [B]: 1 }],
    [(home) => rmSync(join(home, '.claude/projects/p1'), { recursive: true }), { [A]: 'gone' }],
  ];
  const { told } = await follow([home], home, steps);
  expect(told).toEqual(steps.map(([, told]) => told));
});

test('what the system has dropped in a burst is found', async () => {
  pretend(platform, (path: string, options: object, heard: Heard) =>
    original(path, options, (event, name) => name === 'lost.jsonl' || heard(event, name)),
  );
  const home = homeWithA();
  const listener = new Listener([home]);
  put(join(home, '.claude/projects/p1/lost.jsonl'), '1');
  appendFileSync(join(home, A), '2');
  const before = await listener.until({ [A]: 2 });
  for (let i = 0; i < 1500; i++) appendFileSync(join(home, `.claude/projects/p1/${i % 2}.jsonl`), '1');
  const awaited = {
    '.claude/projects/p1/0.jsonl': 750,
    '.claude/projects/p1/1.jsonl': 750,
    '.claude/projects/p1/lost.jsonl': 1,
  };
  const after = await listener.until(awaited);
  listener.close();
  expect([before, after]).toEqual([{ [A]: 2 }, awaited]);
});

const REFUSALS = [
  ['ENOSPC', 'The system watches no more folders (raise fs.inotify.max_user_watches).'],
  ['EMFILE', 'The system watches no more folders: refused.'],
];

test.each(REFUSALS)(
  'where the system refuses to watch (%s) we look ourselves, and say so once',
  async (code, message) => {
    pretend(platform, () => {
      throw Object.assign(new Error('refused'), { code });
    });
    const [home, other] = [homeWithA(), homeWithA()];
    const steps = CASES['a folder that is moved, and what is written in it then'] ?? [];
    const { told, troubles } = await follow([home, other], home, steps, { poll_ms: 20 });
    expect({ told, troubles: troubles.map((text) => text.split(' Changes in ')[0]) }).toEqual({
      told: steps.map(([, told]) => told),
      troubles: [message],
    });
  },
);

test('where the system refuses some folders only, the others are told and those are looked at', async () => {
  pretend(platform, (path: string, options: object, heard: Heard) => {
    if (path.endsWith('p2')) throw Object.assign(new Error('refused'), { code: 'ENOSPC' });
    return original(path, options, heard);
  });
  const home = homeWithA();
  const steps: Step[] = [
    [(home) => put(join(home, B), '1'), { [B]: 1 }],
    [(home) => appendFileSync(join(home, B), '2'), { [B]: 2 }],
    [(home) => appendFileSync(join(home, A), '2'), { [A]: 2 }],
  ];
  const { told, troubles } = await follow([home], home, steps, { poll_ms: 20 });
  expect([told, troubles.length]).toEqual([steps.map(([, told]) => told), 1]);
});

test('a watch that fails is begun anew', async () => {
  const begun: fs.FSWatcher[] = [];
  pretend(platform, (path: string, options: object, heard: Heard) => {
    const watcher = original(path, options, heard);
    begun.push(watcher);
    return watcher;
  });
  const home = homeWithA();
  const steps: Step[] = [
    [
      (home) => {
        // As Node does it: the watch is over when it says so.
        for (const watcher of [...begun]) {
          watcher.close();
          watcher.emit('error', Object.assign(new Error('it is gone'), { code: 'EPERM' }));
        }
        appendFileSync(join(home, A), '2');
      },
      { [A]: 2 },
    ],
    [(home) => appendFileSync(join(home, A), '3'), { [A]: 3 }],
  ];
  const { told, troubles } = await follow([home], home, steps);
  expect({ told, troubles }).toEqual({ told: steps.map(([, told]) => told), troubles: [] });
});

test('folders that are gone are let go, also when they were moved with the one above', async () => {
  const open = new Map<fs.FSWatcher, string>();
  pretend(platform, (path: string, options: object, heard: Heard) => {
    const watcher = original(path, options, heard);
    open.set(watcher, relative(home, path));
    return watcher.once('close', () => open.delete(watcher));
  });
  const home = homeWithA();
  put(join(home, '.claude/projects/p1/s1/subagents/b.jsonl'), '1');
  const listener = new Listener([home]);
  const before = [...open.values()].sort();
  renameSync(join(home, '.claude/projects/p1'), join(home, 'elsewhere'));
  await listener.until({ [A]: 'gone', '.claude/projects/p1/s1/subagents/b.jsonl': 'gone' });
  await new Promise(setImmediate);
  const after = [...open.values()].sort();
  listener.close();
  await new Promise(setImmediate);
  const p1 = ['.claude/projects/p1', '.claude/projects/p1/s1', '.claude/projects/p1/s1/subagents'];
  // Of each agent the home, for it to come; of one that is there its folder, and those of its histories.
  expect([before, after, [...open.values()]]).toEqual([
    ['', '', '', '.claude', '.claude/projects', ...p1],
    ['', '', '', '.claude', '.claude/projects'],
    [],
  ]);
});

test.skipIf(process.getuid?.() === 0)('a folder that may not be read, until it may', async () => {
  const home = homeWithA();
  const steps: Step[] = [
    [(home) => chmodSync(join(home, '.claude/projects/p1'), 0), { [A]: 'gone' }],
    [(home) => chmodSync(join(home, '.claude/projects/p1'), 0o700), { [A]: 1 }],
    [(home) => appendFileSync(join(home, A), '2'), { [A]: 2 }],
  ];
  const { told } = await follow([home], home, steps);
  expect(told).toEqual(steps.map(([, told]) => told));
});

test('of two homes it is said which', async () => {
  const [one, two] = [homeWithA(), homeWithA()];
  const { promise, resolve } = Promise.withResolvers<ChangedFiles>();
  const watching = watch({ homes: [one, two, one] }, resolve);
  appendFileSync(join(two, A), '2');
  const { agent, folder, files, gone } = await promise;
  watching.close();
  expect({ agent, folder, files: files.map(({ path, bytes }) => [path, bytes]), gone }).toEqual({
    agent: 'claude-code',
    folder: join(two, '.claude'),
    files: [[A, 2]],
    gone: [],
  });
});

test('what lies elsewhere than in the home', async () => {
  const folder = temporaryFolder();
  const listener = { told: Promise.withResolvers<ChangedFiles>() };
  const watching = watch({ homes: [folder], moved: { codex: join(folder, 'moved') } }, listener.told.resolve);
  put(join(folder, 'moved/sessions/r.jsonl'), '1');
  const { files } = await listener.told.promise;
  watching.close();
  expect(files.map(({ path }) => path)).toEqual(['.codex/sessions/r.jsonl']);
});

test('it keeps the process, and after it is closed nothing does', () => {
  const home = homeWithA();
  const library = pathToFileURL(join(root, 'dist/index.js')).href;
  const script = `
    import { watch } from '${library}';
    import { appendFileSync } from 'node:fs';
    const watching = watch({ homes: ['${home}'] }, ({ files }) => {
      console.log(files[0].path);
      appendFileSync('${join(home, A)}', '3');
      watching.close();
    });
    appendFileSync('${join(home, A)}', '2');`;
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: LIMIT_MS,
  });
  expect([ran.status, ran.stdout, ran.stderr]).toEqual([0, `${A}\n`, '']);
});
