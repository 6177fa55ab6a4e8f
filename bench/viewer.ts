// How the viewer feels: first paint of a long list, opening large sessions, scrolling, and what the server needs for it.
// npm run bench:viewer -- [--rows 50000] [--messages 100000] [--megabytes 50] [--runs 5] [--home DIR]

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../test/browser/chromium.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '50000' },
    messages: { type: 'string', default: '100000' },
    megabytes: { type: 'string', default: '50' },
    runs: { type: 'string', default: '5' },
    home: { type: 'string' },
  },
});

if (chromiumPath === undefined) throw new Error('There is no chromium here: apt-get install chromium.');
const work = mkdtempSync(join(tmpdir(), 'palimpsest-viewer-'));
const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
try {
  await measure(browser);
} finally {
  await browser.close();
  rmSync(work, { recursive: true, force: true });
}

async function measure(browser: Browser): Promise<void> {
  const runs = Number(values.runs);
  const rows: [string, number[], string][] = [];
  const many = values.home ?? manySessions(2000);
  const large = oneSession('large', { megabytes: Number(values.megabytes) });
  const long = oneSession('long', { messages: Number(values.messages) });
  const list = manySessions(Number(values.rows));
  const add = (name: string, limit: string, figure: number, run: number) => {
    const known = rows.find(([known]) => known === name);
    if (known === undefined) rows.push([name, [figure], limit]);
    else known[1][run] = figure;
  };
  for (let run = 0; run < runs; run++) {
    await withViewer(browser, many, async ({ page, origin, url }) => {
      const begun = Date.now();
      await page.goto(url);
      await page.locator('.row').first().waitFor();
      add('list of 2,000 sessions without an index: first rows, ms', '≤ 1000', Date.now() - begun, run);
      add('the same: first contentful paint, ms', '', await firstPaint(page), run);
      await page.goto(origin);
    });
    await withViewer(browser, large.home, async ({ page, origin, url, memory }) => {
      await page.goto(url);
      await page.locator('.row').first().waitFor();
      const begun = Date.now();
      await page.goto(`${origin}/s/${encodeURIComponent(large.key)}`);
      await page.locator('.message .said:not(.waiting)').first().waitFor();
      add(`session of ${values.megabytes} MB: first screen, ms`, '≤ 1000', Date.now() - begun, run);
      await page.locator('.tools').waitFor();
      add('the same: everything, with the timeline, ms', '', Date.now() - begun, run);
      await page.keyboard.press('/');
      const typed = Date.now();
      await page.keyboard.type('deadlock');
      await page.waitForFunction(() =>
        /of \d/.test(document.querySelector('.find-bar [role=status]')?.textContent ?? ''),
      );
      add('the same: words found in it, first time, ms', '', Date.now() - typed, run);
      add('the same: memory of the server, MB', '', memory(), run);
    });
    await withViewer(browser, long.home, async ({ page, origin, url }) => {
      await page.goto(url);
      await page.goto(`${origin}/s/${encodeURIComponent(long.key)}`);
      await page.locator('.tools').waitFor();
      await page.locator('.message .said:not(.waiting)').first().waitFor();
      const { longest, over } = await scrolled(page, '#transcript', 400_000);
      add(`session of ${values.messages} messages: longest task while scrolling, ms`, '≤ 50', longest, run);
      add('the same session: tasks over 50 ms', '0', over, run);
    });
    await withViewer(browser, list, async ({ page, url }) => {
      await page.goto(url);
      await page.locator('.row').first().waitFor();
      await allRead(page);
      const { longest, over } = await scrolled(page, '.rows', 10_000 * 58);
      add(`list of ${values.rows} rows: longest task while scrolling 10,000 of them, ms`, '≤ 50', longest, run);
      add('the same list: tasks over 50 ms', '0', over, run);
    });
  }
  console.log(`| what | median (least … most) of ${runs} runs | limit |\n| --- | --- | --- |`);
  for (const [name, figures, limit] of rows) console.log(`| ${name} | ${spread(figures)} | ${limit} |`);
}

function spread(figures: number[]): string {
  const sorted = figures.toSorted((a, b) => a - b);
  const round = (value: number | undefined) => Math.round(value ?? 0);
  return `${round(sorted[sorted.length >> 1])} (${round(sorted[0])} … ${round(sorted.at(-1))})`;
}

interface Viewed {
  page: Page;
  url: string;
  origin: string;
  /** Resident memory of the server's process, in MB. */
  memory: () => number;
}

async function withViewer(browser: Browser, home: string, use: (viewed: Viewed) => Promise<void>): Promise<void> {
  const args = [
    join(root, 'bin/palimpsest.js'),
    'serve',
    '--json',
    '--no-index',
    '--home',
    home,
    '--store',
    join(work, 'store'),
  ];
  const env = { PATH: process.env.PATH ?? '', HOME: work, PALIMPSEST_HOME: work };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    let told = '';
    const url = await new Promise<string>((resolve) => {
      child.stdout.on('data', (piece: Buffer) => {
        told += piece.toString();
        const [, found] = /"url": ?"([^"]+)"/.exec(told) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    const memory = () =>
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
    await use({ page: await context.newPage(), url, origin: new URL(url).origin, memory });
  } finally {
    await context.close();
    child.kill();
  }
}

/** Until nothing is read in the background any more: on two cores that would be measured, too. */
async function allRead(page: Page): Promise<void> {
  const unread = () =>
    page.evaluate(async () => {
      const { rows } = await (await fetch('/api/v1/sessions?from=48000&count=2000')).json();
      return rows.filter((row: { is_read: boolean }) => !row.is_read).length;
    });
  while ((await unread()) > 0) await page.waitForTimeout(500);
  await page.waitForTimeout(6000);
}

async function firstPaint(page: Page): Promise<number> {
  return page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint').map(({ startTime }) => startTime)[0] ?? 0,
  );
}

/** Scrolls as somebody with a fast wheel does, and gives the tasks of the page's thread meanwhile, from a trace of the browser. */
async function scrolled(page: Page, selector: string, pixels: number): Promise<{ longest: number; over: number }> {
  await page.locator(selector).hover();
  const session = await page.context().newCDPSession(page);
  const events: { name: string; dur?: number; tid: number; cat: string }[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as typeof events)));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel', '__metadata'],
    },
  } as never);
  const step = 2400;
  for (let at = 0; at < pixels; at += step) await page.mouse.wheel(0, step);
  await page.waitForTimeout(500);
  const done = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await done;
  const main = rendererMain(events);
  const tasks = events.filter(({ name, tid }) => tid === main && name === 'RunTask').map(({ dur = 0 }) => dur / 1000);
  return { longest: Math.max(0, ...tasks), over: tasks.filter((ms) => ms > 50).length };
}

/** The thread that ran the page's scripts most. */
function rendererMain(events: { name: string; tid: number }[]): number {
  const counts = new Map<number, number>();
  for (const { name, tid } of events) if (name === 'FunctionCall') counts.set(tid, (counts.get(tid) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}

function folderFor(name: string): { home: string; folder: string } {
  const home = join(work, name);
  const folder = join(home, '.claude', 'projects', '-home-dev-bench');
  mkdirSync(folder, { recursive: true });
  return { home, folder };
}

function manySessions(count: number): string {
  const { home, folder } = folderFor(`many-${count}`);
  for (let i = 0; i < count; i++) {
    const id = idOf(i);
    writeFileSync(
      join(folder, `${id}.jsonl`),
      [...rowsOf(id, 2, () => `Session ${i}: why does the build fail?`)].join(''),
    );
  }
  return home;
}

function oneSession(name: string, size: { messages?: number; megabytes?: number }): { home: string; key: string } {
  const { home, folder } = folderFor(name);
  const id = idOf(1);
  const paragraph =
    'The lock is taken twice, once by the importer and once by the nightly job, which is why it hangs. ';
  const text = (i: number) =>
    size.megabytes === undefined
      ? `Message ${i}. ${paragraph}`
      : `Message ${i}. ${paragraph.repeat(20)}${i % 97 === 0 ? ' deadlock' : ''}`;
  const most = (size.megabytes ?? Number.POSITIVE_INFINITY) * 1e6;
  let [written, pieces]: [number, string[]] = [0, []];
  for (const row of rowsOf(id, size.messages ?? Number.POSITIVE_INFINITY, text)) {
    pieces.push(row);
    written += row.length;
    if (written > most) break;
  }
  writeFileSync(join(folder, `${id}.jsonl`), pieces.join(''));
  pieces = [];
  return { home, key: `claude-code:${id}` };
}

function idOf(number: number): string {
  return `10000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

function* rowsOf(id: string, count: number, text: (index: number) => string): Generator<string> {
  const uuid = (i: number) => `${id.slice(-8)}-1111-4000-8000-${String(i).padStart(12, '0')}`;
  for (let i = 0; i < count; i++) {
    const isPrompt = i % 2 === 0;
    const usage = { input_tokens: 1000 + i * 10, output_tokens: 20 };
    const message = isPrompt
      ? { role: 'user', content: text(i) }
      : {
          id: `msg_${i}`,
          role: 'assistant',
          model: 'claude-opus-5-5',
          content: [{ type: 'text', text: text(i) }],
          usage,
        };
    const row = {
      parentUuid: i === 0 ? null : uuid(i - 1),
      isSidechain: false,
      cwd: '/home/dev/bench',
      sessionId: id,
      version: '2.1.300',
      type: isPrompt ? 'user' : 'assistant',
      uuid: uuid(i),
      timestamp: new Date(Date.UTC(2026, 10, 1) + i * 1000).toISOString(),
      message,
    };
    yield `${JSON.stringify(row)}\n`;
  }
}
