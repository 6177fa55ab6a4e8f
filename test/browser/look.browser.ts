// What everybody needs of a page: it can be read, reached by keys and by voice, in the dark and on a phone.

import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { closeBrowser, openAll, viewer } from './viewer.ts';

afterAll(closeBrowser);

const CHECKOUT = 'claude-code:1a34810f-3c85-43d6-90d0-c4f34945ebe3';
const IMPORT = 'claude-code:cb387779-5bfc-450f-9c6a-376aba1401e0';

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

/** The page's own rules forbid scripts from elsewhere: the checker runs in a world of its own. */
async function serious(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
  await session.send('Runtime.evaluate', { expression: axe.source, contextId: executionContextId });
  const { result } = await session.send('Runtime.evaluate', {
    expression:
      "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }).then((r) => JSON.stringify(r.violations))",
    contextId: executionContextId,
    awaitPromise: true,
  });
  return (JSON.parse(result.value) as Violation[])
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.length} × ${nodes[0]?.html.slice(0, 140)} ${nodes[0]?.failureSummary.slice(0, 200)}`,
    );
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the list, ${colorScheme}: nothing serious is found by axe`, async () => {
    const { page } = await viewer({ colorScheme });
    await page.locator('.row').nth(5).waitFor();
    await page.waitForTimeout(300);
    expect(await serious(page)).toEqual([]);
  });

  test(`a session with everything open, ${colorScheme}: nothing serious is found by axe`, async () => {
    const { page, open } = await viewer({ colorScheme });
    await open(IMPORT);
    await page.keyboard.press('e');
    for (const _ of [1, 2, 3, 4]) await page.keyboard.press('n');
    await openAll(page);
    await page.waitForTimeout(500);
    expect(await serious(page)).toEqual([]);
  });

  test(`layers, ${colorScheme}: nothing serious is found by axe`, async () => {
    const { page, open } = await viewer({ colorScheme });
    await open(CHECKOUT);
    await page.keyboard.press('l');
    await page.keyboard.press(']');
    await page.waitForTimeout(300);
    expect(await serious(page)).toEqual([]);
  });
}

test.each([
  ['the list', '/'],
  ['a session', `/s/${encodeURIComponent(CHECKOUT)}`],
])('on a phone, %s fits its width', async (_, path) => {
  const { page, url } = await viewer({ viewport: { width: 360, height: 740 } });
  await page.goto(new URL(path, url).href);
  await page.locator('.row, .message').first().waitFor();
  await page.waitForTimeout(300);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test('code is coloured by a thread of its own, which the page’s rules allow', async () => {
  const { page, open, trouble } = await viewer();
  await open(CHECKOUT);
  await page.keyboard.press('G');
  await page.locator('.tone').first().waitFor();
  expect(trouble).toEqual([]);
});
