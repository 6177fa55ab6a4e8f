// Hostile transcripts are shown as text and never run.

import { afterAll, expect, test } from 'vitest';
import { visible } from '../../src/web/page/parts/visible.ts';
import { homeOf, Rows, sessionId } from './homes.ts';
import { hostileHome } from './hostile.ts';
import { closeBrowser, openAll, viewer } from './viewer.ts';

afterAll(closeBrowser);

test('no hostile transcript runs, asks elsewhere, or leaves the page', { timeout: 300_000 }, async () => {
  const { home, sessions } = hostileHome();
  expect(sessions.length).toBeGreaterThan(200);
  const { page, url, trouble } = await viewer({ home });
  const { origin } = new URL(url);
  const wrong: string[] = [];
  for (const { id, carrier, payload } of sessions) {
    await page.evaluate((address) => {
      history.pushState(null, '', address);
      dispatchEvent(new Event('popstate'));
    }, `/s/claude-code%3A${id}`);
    await page
      .locator(`.message .said:not(.waiting):has(~ .permalink[href*="${id.slice(-8)}"])`)
      .first()
      .waitFor();
    await openAll(page);
    for (const link of await page.locator('.no-link').all()) await link.click({ force: true });
    const { ran, text, made } = await page.evaluate(() => ({
      ran: 'ran' in globalThis,
      text: document.querySelector('#transcript')?.textContent ?? '',
      made: document.querySelectorAll(
        '#transcript :is(script, iframe, object, embed, style, link, meta, base, form, svg, math, video, audio, template, [onload], [onerror], [style*=url])',
      ).length,
    }));
    // What was written can be read: its first words, with everything unseen made visible.
    const [word = ''] = visible(payload).match(/[\p{L}\p{N}]{3,24}/u) ?? [];
    const isTurned = /[\u200b\u202a-\u202e\u2066-\u2069]/.test(text);
    if (ran || made > 0 || isTurned || !text.includes(word) || !page.url().startsWith(origin))
      wrong.push(`${carrier} ${payload.slice(0, 80)}`);
  }
  expect(wrong).toEqual([]);
  expect(trouble).toEqual([]);
});

test('a list of hostile titles is a list', async () => {
  const { home } = hostileHome();
  const { page, trouble } = await viewer({ home });
  await page.locator('.row').first().waitFor();
  for (const _ of Array(12)) await page.mouse.wheel(0, 2000);
  await page.waitForTimeout(300);
  expect(
    await page.evaluate(() => [
      'ran' in globalThis,
      document.querySelectorAll('.rows :is(script, iframe, img)').length,
    ]),
  ).toEqual([false, 0]);
  expect(trouble).toEqual([]);
});

test('a long line is cut, and the rest comes when it is asked for', async () => {
  const id = sessionId(1);
  const { home } = homeOf([{ id, rows: new Rows(id).prompt(`beginning ${'<b>x</b> '.repeat(20_000)}end`).rows }]);
  const { page, open, trouble } = await viewer({ home });
  await open(`claude-code:${id}`);
  const text = page.locator('.plain-said');
  expect((await text.innerText()).slice(0, 28)).toBe('beginning <b>x</b> <b>x</b> ');
  await page.getByText('Show the other 156,013 characters').click();
  await expect.poll(async () => (await text.innerText()).slice(-12)).toBe('<b>x</b> end');
  expect(trouble).toEqual([]);
});

test('of a line of 10 MB it is said how long it is, and everything around it is shown', async () => {
  const id = sessionId(1);
  const text = '<img src=x onerror=globalThis.ran=1> '.repeat(280_000);
  const { home } = homeOf([
    { id, rows: new Rows(id).prompt(text).call('Bash', { command: 'cat' }, text).text('After.').rows },
  ]);
  const { page, open, trouble } = await viewer({ home });
  await open(`claude-code:${id}`);
  expect(await page.locator('.plain-said').innerText()).toBe('(10 MB, too long to be shown)');
  await page.getByText('After.').waitFor();
  expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false);
  expect(trouble).toEqual([]);
});
