// One look at the viewer in a browser, where there is one; all of them: npm run test:browser.

import { afterAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './browser/chromium.ts';
import { closeBrowser, viewer } from './browser/viewer.ts';

if (chromiumPath === undefined) console.log('not run: the viewer in a browser, for want of chromium');

afterAll(closeBrowser);

describe.skipIf(chromiumPath === undefined)('the viewer', () => {
  test('shows the samples', async () => {
    const { page, trouble } = await viewer();
    await page.getByText('Why is the checkout off by a cent?').click();
    await page.locator('.message .said:not(.waiting)').first().waitFor();
    expect(await page.locator('.event, .said.prompt').count()).toBeGreaterThan(0);
    expect(trouble).toEqual([]);
  });
});
