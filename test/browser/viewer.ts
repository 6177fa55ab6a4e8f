// The viewer on a home, in a browser.

import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { serve } from '../../src/web/serve.ts';
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
  home: string;
  isSample?: boolean;
}

export async function viewer({ home, isSample = false, ...options }: ViewerOptions): Promise<Viewer> {
  const library = { places: { homes: [home] }, isSample, store: null, index: false, threads: 2 };
  const trouble: string[] = [];
  const serving = await serve({ library, host: '127.0.0.1', port: 0, onTrouble: (message) => trouble.push(message) });
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
    await serving.close();
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

/** At the end of a file. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}
