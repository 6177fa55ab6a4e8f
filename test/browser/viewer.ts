// The viewer on a home, in a browser: the program as people start it.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { emptyHome, root, temporaryFolder } from '../support.ts';
import { chromiumPath } from './chromium.ts';

export interface Viewer {
  page: Page;
  url: string;
  /** Everything that must not have happened: errors, dialogs, requests to elsewhere. */
  trouble: string[];
  open(key: string, message?: string): Promise<void>;
}

let browser: Promise<Browser> | undefined;

export interface ViewerOptions extends BrowserContextOptions {
  /** The samples that come with it, where not given. */
  home?: string;
}

export async function viewer({ home, ...options }: ViewerOptions = {}): Promise<Viewer> {
  const trouble: string[] = [];
  const serving = await started(home === undefined ? ['--sample'] : ['--home', home]);
  browser ??= chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const { origin } = new URL(serving.url);
  page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') trouble.push(`console: ${message.text()}`);
  });
  page.on('dialog', (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', () => trouble.push('popup'));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) trouble.push(`request: ${request.url()}`);
  });
  onTestFinished(async () => {
    await context.close();
    serving.end();
  });
  await page.goto(serving.url);
  return {
    page,
    url: serving.url,
    trouble,
    open: async (key, message) => {
      const hash = message === undefined ? '' : `#${encodeURIComponent(message)}`;
      await page.goto(`${origin}/s/${encodeURIComponent(key)}${hash}`);
      await page.locator('.message .said:not(.waiting)').first().waitFor();
    },
  };
}

async function started(args: string[]): Promise<{ url: string; end: () => void }> {
  const command = [
    join(root, 'bin/palimpsest.js'),
    'serve',
    '--json',
    '--no-index',
    '--store',
    temporaryFolder(),
    ...args,
  ];
  const env = { PATH: process.env.PATH ?? '', HOME: emptyHome, PALIMPSEST_HOME: emptyHome };
  const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  let told = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (piece: Buffer) => {
      told += piece.toString();
      const [, found] = /"url": ?"([^"]+)"/.exec(told) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.on('exit', (code) => reject(new Error(`pal serve ended with ${code}: ${told}`)));
  });
  return { url, end: () => child.kill() };
}

/** At the end of a file. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

/** Everything that can be folded, on what is drawn. */
export async function openAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll<HTMLElement>('.fold-line[aria-expanded=false]')) fold.click();
  });
  await page.evaluate(() => new Promise(requestAnimationFrame));
}
