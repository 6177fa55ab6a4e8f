// How the viewer feels: first paint of a long list, opening large sessions, scrolling, and what the server needs for it.
// npm run bench:viewer -- [--rows 50000] [--messages 100000] [--megabytes 50] [--runs 5] [--home DIR]

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../test/browser/chromium.ts';
import { homeOf, Rows, sessionId } from '../test/browser/homes.ts';
import { startServing } from '../test/browser/serving.ts';

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
  const large = oneSession({ megabytes: Number(values.megabytes) });
  const long = oneSession({ messages: Number(values.messages) });
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
  const serving = await startServing(['--no-index', '--home', home, '--store', join(work, 'store')], work);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const memory = () =>
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${serving.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
    await use({ page: await context.newPage(), url: serving.url, origin: new URL(serving.url).origin, memory });
  } finally {
    await context.close();
    serving.end();
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

function manySessions(count: number): string {
  const sessions = Array.from({ length: count }, (_, i) => {
    const id = sessionId(i);
    return { id, rows: new Rows(id).prompt(`Session ${i}: why does the build fail?`).text('It does not.').rows };
  });
  return homeOf(sessions).home;
}

const PARAGRAPH = 'The lock is taken twice, once by the importer and once by the nightly job, which is why it hangs. ';

function oneSession({ messages, megabytes }: { messages?: number; megabytes?: number }): { home: string; key: string } {
  const id = sessionId(1);
  const rows = new Rows(id);
  const text = (i: number) =>
    `Message ${i}. ${PARAGRAPH.repeat(megabytes === undefined ? 1 : 20)}${i % 97 === 0 ? ' deadlock' : ''}`;
  const bytes = (megabytes ?? Number.POSITIVE_INFINITY) * 1e6;
  let written = 0;
  for (let i = 0; i < (messages ?? Number.POSITIVE_INFINITY) && written < bytes; i += 2) {
    rows.prompt(text(i)).text(text(i + 1));
    written += JSON.stringify(rows.rows.slice(-2)).length;
  }
  return { home: homeOf([{ id, rows: rows.rows }]).home, key: `claude-code:${id}` };
}
