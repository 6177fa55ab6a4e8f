// A person at a terminal: the pager, the picker, a window that changes its size, Ctrl-C. In tmux.

import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root, temporaryFolder } from './support.ts';

const folder = temporaryFolder();
const socket = join(folder, 'tmux');
const hasTmux = spawnSync('tmux', ['-V']).status === 0 && spawnSync('less', ['--version']).status === 0;
if (!hasTmux) console.log('not run: the pager and the picker, for want of tmux or less');

function tmux(...args: string[]): string {
  return spawnSync('tmux', ['-S', socket, ...args], { encoding: 'utf8' }).stdout;
}

/** A terminal of 90 × 20 in which the command runs; after it, its exit code. */
function start(name: string, args: string, env = ''): void {
  const pal = `env -i PATH="${process.env.PATH}" HOME="${folder}" PALIMPSEST_HOME="${folder}" PALIMPSEST_NOW=2026-11-17T12:00:00.000Z LANG=C.UTF-8 TERM=screen TZ=UTC NO_COLOR=1 ${env} "${process.execPath}" "${join(root, 'bin/palimpsest.js')}"`;
  tmux(
    '-f',
    '/dev/null',
    'new',
    '-d',
    '-s',
    name,
    '-x',
    '90',
    '-y',
    '20',
    `${pal} ${args}; echo "ended with $?"; sleep 60`,
  );
}

function page(name: string): string {
  return tmux('capture-pane', '-p', '-t', name);
}

function keys(name: string, ...pressed: string[]): void {
  tmux('send-keys', '-t', name, ...pressed);
}

/** Presses a key and waits until it has changed the page. */
async function pressed(name: string, key: string): Promise<void> {
  const before = page(name);
  keys(name, key);
  for (let tries = 0; tries < 50 && page(name) === before; tries++)
    await new Promise((resume) => setTimeout(resume, 50));
}

/** Waits until the terminal shows it, and gives the page. */
async function shows(name: string, text: string): Promise<string> {
  for (let tries = 0; tries < 150; tries++) {
    const now = page(name);
    if (now.includes(text)) return now;
    await new Promise((resume) => setTimeout(resume, 100));
  }
  return `"${text}" was never shown, but:\n${page(name)}`;
}

const linesOf = (text: string) => text.split('\n').map((line) => line.trimEnd());

describe.skipIf(!hasTmux)('at a terminal', { timeout: 40_000 }, () => {
  afterAll(() => {
    tmux('kill-server');
  });

  test('the pager goes from event to event with e and E, and leaves with q', async () => {
    start('pager', 'show cb387779 --sample');
    const first = linesOf(await shows('pager', 'e next event'));
    keys('pager', 'e');
    // Not on the first page.
    const event = linesOf(await shows('pager', 'Then take the lock away'));
    for (const key of ['e', 'e', 'e']) await pressed('pager', key);
    const diff = await shows('pager', '+SILVER');
    keys('pager', 'E');
    const back = linesOf(await shows('pager', 'Understood: the lock stays'));
    keys('pager', 'q');
    expect([first[0], event[0]?.slice(0, 24), back[0]?.slice(0, 30)]).toEqual([
      'The import hangs. Can you see why?',
      '━━ command refused: Bash',
      '━━ command refused: Bash — “No',
    ]);
    expect(diff).toContain('━━ edit refused: Edit');
    expect(await shows('pager', 'ended with')).toContain('ended with 0');
  });

  test('the pager begins with the message that was asked for', async () => {
    start('at', 'show cb387779 --sample --at 20');
    const page = linesOf(await shows('at', 'e next event'));
    keys('at', 'q');
    expect(page[0]).toBe('▌ you · 18:14 · [20]');
  });

  test('the pager shows what we write, whatever the locale says', async () => {
    start('locale', 'show cb387779 --sample', 'LANG=C LC_ALL=C');
    const page = await shows('locale', 'e next event');
    expect([page.includes('<E2>'), page.includes('The import hangs')]).toEqual([false, true]);
    keys('locale', 'q');
  });

  test('Ctrl-C in the pager is the pager’s', async () => {
    start('interrupted', 'show cb387779 --sample');
    await shows('interrupted', 'e next event');
    keys('interrupted', 'C-c');
    keys('interrupted', 'e');
    const event = linesOf(await shows('interrupted', 'Then take the lock away'));
    expect(event[0]?.slice(0, 24)).toBe('━━ command refused: Bash');
    keys('interrupted', 'q');
    expect(await shows('interrupted', 'ended with')).toContain('ended with 0');
  });

  test('what fits on the screen needs no pager', async () => {
    start('short', 'events --sample --by tool');
    expect(await shows('short', 'ended with 0')).toContain('TOOL');
  });

  test('another pager, and none', async () => {
    start('cat', 'show cb387779 --sample', 'PAGER="head -n 3"');
    expect(linesOf(await shows('cat', 'ended with 0')).slice(0, 2)).toEqual([
      'The import hangs. Can you see why?',
      'claude-code · /home/dev/src/shop · 2026-11-15 18:13 · cb387779-5bfc-450f-9c6a-376aba1401e0',
    ]);
    start('none', 'show cb387779 --sample', 'PAGER=');
    expect(await shows('none', 'ended with 0')).toContain('pal events cb387779');
    start('missing', 'show cb387779 --sample --no-pager');
    expect(await shows('missing', 'ended with 0')).toContain('pal events cb387779');
  });

  test('the picker: filter, choose, take', async () => {
    start('picker', 'resume --sample');
    const all = linesOf(await shows('picker', '6 of 6'));
    keys('picker', 'check');
    await shows('picker', '2 of 6');
    keys('picker', 'Down');
    const chosen = await shows('picker', '106 kB · 1a34810f');
    keys('picker', 'Enter');
    const end = await shows('picker', 'ended with');
    expect(all.slice(0, 3)).toEqual([
      'resume ❯   6 of 6',
      '❯    1 d codex  What changed since the last release?                                    ↶',
      '     1 d gemini Greet the customers in the mail, not the world!                        ✗4',
    ]);
    expect(chosen).toContain('❯    1 d claude Why is the checkout off by a cent?');
    expect(end.replaceAll('\n', '')).toContain('claude --resume 1a34810f-3c85-43d6-90d0-c4f34945ebe3');
    expect(end).toContain('ended with 0');
  });

  test('the picker follows the size of the window', async () => {
    start('resized', 'show --sample');
    await shows('resized', '6 of 6');
    tmux('resize-window', '-t', 'resized', '-x', '50', '-y', '12');
    const narrow = linesOf(await shows('resized', 'last re…'));
    expect(narrow.slice(0, 2)).toEqual(['show ❯   6 of 6', '❯    1 d codex  What changed since the last re… ↶']);
    keys('resized', 'Escape');
    expect(await shows('resized', 'ended with')).toContain('Nothing was chosen.\nended with 1');
  });

  test('Ctrl-C leaves the picker, and the terminal as it was', async () => {
    start('left', 'show --sample');
    await shows('left', '6 of 6');
    keys('left', 'C-c');
    expect(linesOf(await shows('left', 'ended with')).slice(0, 2)).toEqual(['Nothing was chosen.', 'ended with 1']);
  });

  /** Sessions that may be written to, and a list of them that is watched. */
  async function watchedHome(name: string): Promise<string> {
    const home = temporaryFolder();
    cpSync(join(root, 'samples'), home, { recursive: true });
    start(name, `ls --watch --home ${home}`);
    await shows(name, '6 of 6 sessions · q leaves');
    return join(home, '.claude/projects/-home-dev-src-shop/cb387779-5bfc-450f-9c6a-376aba1401e0.jsonl');
  }

  const prompt = (text: string, timestamp: string) =>
    `${JSON.stringify({ type: 'user', uuid: text, parentUuid: null, isSidechain: false, message: { role: 'user', content: text }, timestamp })}\n`;

  test('the watched list: what changes comes up, is marked, and is marked no more', async () => {
    const file = await watchedHome('watched');
    const before = linesOf(page('watched'));
    appendFileSync(file, prompt('Thanks', '2026-11-17T11:59:30.000Z'));
    const marked = linesOf(await shows('watched', '●'));
    const after = linesOf(await shows('watched', '\n   cb387779        now'));
    tmux('resize-window', '-t', 'watched', '-x', '50', '-y', '8');
    const narrow = linesOf(await shows('watched', '3 of 6'));
    keys('watched', 'q');
    const end = linesOf(await shows('watched', 'ended with'));
    expect(before.slice(0, 2)).toEqual([
      '   ID             USED  AGENT   TITLE                               TURNS    SIZE  EVENTS',
      '   01a1e06f-e7d4   1 d  codex   What changed since the last relea…      3   25 kB  ↶',
    ]);
    expect(before[6]).toBe('   cb387779        1 d  claude  The import hangs. Can you see why?      7   86 kB  ✗6');
    expect(marked.slice(1, 3)).toEqual([
      '●  cb387779        now  claude  The import hangs. Can you see why?      8   86 kB  ✗6',
      '   01a1e06f-e7d4   1 d  codex   What changed since the last relea…      3   25 kB  ↶',
    ]);
    expect([after[1], after.filter((line) => line.includes('cb387779')).length]).toEqual([
      '   cb387779        now  claude  The import hangs. Can you see why?      8   86 kB  ✗6',
      1,
    ]);
    expect(narrow.slice(0, 2)).toEqual([
      '   ID             USED  AGENT   TITLE      EVENTS',
      '   cb387779        now  claude  The impo…  ✗6',
    ]);
    expect(end[0]).toBe('ended with 0');
  });

  test('Ctrl-C leaves the watched list, and the terminal as it was', async () => {
    await watchedHome('unwatched');
    keys('unwatched', 'C-c');
    expect(linesOf(await shows('unwatched', 'ended with'))[0]).toBe('ended with 0');
  });

  test('a watched list that is killed leaves the terminal as it was', async () => {
    await watchedHome('killed');
    const shell = tmux('list-panes', '-t', 'killed', '-F', '#{pane_pid}').trim();
    const [child = ''] = spawnSync('ps', ['-o', 'pid=', '--ppid', shell], { encoding: 'utf8' })
      .stdout.trim()
      .split('\n');
    process.kill(Number(child), 'SIGTERM');
    expect(linesOf(await shows('killed', 'ended with'))[0]).toBe('ended with 143');
  });
});
