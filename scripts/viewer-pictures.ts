// Pictures of the viewer for the README and the docs, made in a browser from the samples.
// Usage: node scripts/viewer-pictures.ts (needs chromium, and a built dist)

import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../test/browser/chromium.ts';
import { startServing } from '../test/browser/serving.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'docs', 'pictures');
const CHECKOUT = 'claude-code:1a34810f-3c85-43d6-90d0-c4f34945ebe3';
const IMPORT = 'claude-code:cb387779-5bfc-450f-9c6a-376aba1401e0';

interface Picture {
  name: string;
  /** Null: the list. */
  key: string | null;
  keys: string[];
  isDark?: boolean;
  isPhone?: boolean;
}

const PICTURES: Picture[] = [
  { name: 'viewer-list', key: null, keys: [] },
  { name: 'viewer-list-dark', key: null, keys: [], isDark: true },
  { name: 'viewer-list-phone', key: null, keys: [], isPhone: true },
  { name: 'viewer-session', key: IMPORT, keys: ['n', 'n', 'n', 'n'] },
  { name: 'viewer-session-dark', key: IMPORT, keys: ['e', 'n', 'n', 'n', 'n'], isDark: true },
  { name: 'viewer-session-phone', key: IMPORT, keys: ['n', 'n', 'n'], isPhone: true, isDark: true },
  { name: 'viewer-compaction', key: CHECKOUT, keys: ['e', 'n'] },
  { name: 'viewer-layers', key: CHECKOUT, keys: ['l', ']', ']', ...Array(21).fill('k')] },
  { name: 'viewer-layers-dark', key: CHECKOUT, keys: ['l', ']', ']', ...Array(21).fill('k')], isDark: true },
  { name: 'viewer-layers-phone', key: CHECKOUT, keys: ['l', ']', ']'], isPhone: true },
];

if (chromiumPath === undefined) throw new Error('There is no chromium here: apt-get install chromium.');
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
const home = mkdtempSync(join(tmpdir(), 'palimpsest-pictures-'));
const { url, end } = await startServing(['--sample'], home);
try {
  for (const picture of PICTURES) await take(browser, url, picture);
} finally {
  await browser.close();
  end();
}

async function take(browser: Browser, url: string, { name, key, keys, isDark, isPhone }: Picture): Promise<void> {
  const context = await browser.newContext({
    viewport: isPhone === true ? { width: 390, height: 780 } : { width: 1240, height: 780 },
    colorScheme: isDark === true ? 'dark' : 'light',
    timezoneId: 'UTC',
  });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('.row').first().waitFor();
  if (key !== null) await opened(page, `${new URL(url).origin}/s/${encodeURIComponent(key)}`);
  for (const one of keys) {
    await page.keyboard.press(one);
    await page.waitForTimeout(120);
  }
  await page.waitForTimeout(900);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
}

async function opened(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('.message .said:not(.waiting)').first().waitFor();
}
