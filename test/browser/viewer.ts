// The viewer on a home, in a browser: the program as people start it.

import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { emptyHome, temporaryFolder } from '../support.ts';
import { chromiumPath } from './chromium.ts';
import { startServing } from './serving.ts';

export interface Viewer {
  page: Page;
  url: string;
  /** Everything that must not have happened: errors, dialogs, requests to elsewhere. */
  trouble: string[];
  open(key: string, message?: string): Promise<void>;
  /** Ends the server; the page stays. */
  end(): void;
}

let browser: Promise<Browser> | undefined;

export interface ViewerOptions extends BrowserContextOptions {
  /** The samples that come with it, where not given. */
  home?: string;
}

export async function viewer({ home, ...options }: ViewerOptions = {}): Promise<Viewer> {
  const trouble: string[] = [];
  const where = home === undefined ? ['--sample'] : ['--home', home];
  const serving = await startServing([...where, '--no-index', '--store', temporaryFolder()], emptyHome);
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
    end: serving.end,
    open: async (key, message) => {
      const hash = message === undefined ? '' : `#${encodeURIComponent(message)}`;
      await page.goto(`${origin}/s/${encodeURIComponent(key)}${hash}`);
      await page.locator('.message .said:not(.waiting)').first().waitFor();
    },
  };
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
