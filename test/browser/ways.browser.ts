// The ways through the viewer: keys and links lead where they say, from where one is, and say so where they cannot.

import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { root } from '../support.ts';
import { homeOf, Rows, sessionId } from './homes.ts';
import { closeBrowser, type Viewer, type ViewerOptions, viewer } from './viewer.ts';

afterAll(closeBrowser);

const CHECKOUT = 'claude-code:1a34810f-3c85-43d6-90d0-c4f34945ebe3';
const id = sessionId(1);
const key = `claude-code:${id}`;

/** A session of many turns; some of them stopped. */
function manyTurns(): Rows {
  const rows = new Rows(id);
  for (let turn = 0; turn < 60; turn++) {
    rows.prompt(`Question ${turn}`).text(`Answer ${turn}`);
    if (turn % 20 === 10) rows.interruption();
  }
  return rows;
}

interface Opened extends Viewer {
  /** Its file. */
  file: string;
}

async function opened(rows: Rows, { message, ...options }: ViewerOptions & { message?: string } = {}): Promise<Opened> {
  const { home, fileOf } = homeOf([{ id, rows: rows.rows }]);
  const shown = await viewer({ home, ...options });
  await shown.open(key, message);
  return { ...shown, file: fileOf(id) };
}

/** By hand: over the middle of the transcript. */
async function scroll(page: Page, pixels: number): Promise<void> {
  await page.mouse.move(600, 400);
  await page.mouse.wheel(0, pixels);
}
const firstSeen = (page: Page) => page.locator('.timeline').getAttribute('aria-valuenow').then(Number);
const textOf = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

test('Enter opens what has the focus, and only else the chosen session', async () => {
  const { page } = await viewer();
  await page.locator('.row').first().waitFor();
  await page.getByRole('checkbox', { name: /compactions/ }).focus();
  await page.keyboard.press('Enter');
  await page.waitForTimeout(200);
  expect(new URL(page.url()).pathname).toBe('/');
  await page.locator('.row-link').nth(2).focus();
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('h1').innerText()).toBe('Greet the customers in the mail, not the world!');
});

test('Enter on a hit opens the hit; what is ticked narrows the hits', async () => {
  const { page } = await viewer();
  await page.locator('.row').first().waitFor();
  const hit = { key: CHECKOUT, title: 'Of a subagent', agent: 'claude-code', project: null, kind: 'reply' };
  const where = { message_index: 12, timestamp: null, live: true, left_by: null, snippet: ['', 'greet'] };
  const answer = { api_version: 1, hits: [{ ...hit, ...where }], more: false, is_current: true, trouble: null };
  const asked: string[] = [];
  await page.route('**/api/v1/search?*', (route) => {
    asked.push(new URL(route.request().url()).search);
    return route.fulfill({ json: answer });
  });
  await page.getByRole('checkbox', { name: /claude-opus-5-5/ }).check();
  await page.getByLabel('Search sessions').fill('greet');
  await page.locator('.text-hits a').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/s/${encodeURIComponent(CHECKOUT)}`);
  expect(asked).toEqual(['?q=greet&model=claude-opus-5-5']);
});

test('words that are in no title leave the facets, and it is said what was looked at', async () => {
  const { page } = await viewer();
  await page.locator('.row').first().waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('zyzzyva');
  await expect
    .poll(() => page.locator('.rows .empty').innerText())
    .toBe('No title, project, id or model has these words.');
  await page.getByRole('checkbox', { name: /codex/ }).waitFor();
});

test('back from a session the list is as it was left', async () => {
  const sessions = Array.from({ length: 60 }, (_, i) => sessionId(i + 1)).map((id) => ({
    id,
    rows: new Rows(id).prompt(`Session ${id.slice(-2)}`).rows,
  }));
  const { page } = await viewer({ home: homeOf(sessions).home });
  await page.locator('.row').first().waitFor();
  await page.getByLabel('Search sessions').fill('Session');
  await page.locator('.rows').evaluate((box) => {
    box.scrollTop = 1200;
  });
  await page.waitForTimeout(300);
  const seen = () =>
    page.locator('.row').evaluateAll((rows) => rows.map((row) => [row.id, row.getBoundingClientRect().top]));
  const before = await seen();
  await page.locator('.row').nth(10).click();
  await page.locator('.message .said:not(.waiting)').first().waitFor();
  await page.keyboard.press('b');
  await expect.poll(seen).toEqual(before);
  expect(new URL(page.url()).search).toBe('?q=Session');
});

test('a file that is written anew is shown anew, also where it is as long as before', async () => {
  const { page, file, trouble } = await opened(manyTurns());
  const first = page.locator('[aria-label="Message 0"]');
  await expect.poll(() => first.innerText()).toContain('Question 0');
  const { rows } = manyTurns();
  writeFileSync(file, textOf(rows).replace('Question 0', 'QUESTION 0'));
  await expect.poll(() => first.innerText(), { timeout: 10_000 }).toContain('QUESTION 0');
  writeFileSync(file, textOf(rows.slice(20)));
  await expect.poll(() => first.innerText(), { timeout: 10_000 }).toContain('Question 10');
  expect(trouble).toEqual([]);
});

test('a session that is deleted, and a server that ends, are told of on the page that is open', async () => {
  const { page, file, end } = await opened(manyTurns());
  const banner = page.locator('.banner.trouble');
  rmSync(file);
  await expect
    .poll(() => banner.innerText(), { timeout: 10_000 })
    .toBe('There is no such session: it may have been deleted.');
  end();
  await expect.poll(() => banner.innerText()).toBe('The server does not answer. Is "pal serve" still running?');
});

test('a link to a subagent in its parent’s file is followed as soon as that has been read', async () => {
  const { home, fileOf } = homeOf([]);
  cpSync(join(root, 'fixtures/claude-code/subagent-in-progress-rows/native'), home, { recursive: true });
  const { page, url } = await viewer({ home });
  const error = 'There is no such session among those that have been read so far. The others are being read.';
  const early = { status: 404, json: { api_version: 1, error } };
  await page.route('**/sessions/claude-code%3Aabc1234', (route) => route.fulfill(early));
  await page.goto(`${new URL(url).origin}/s/claude-code%3Aabc1234`);
  await page.getByText(error).waitFor();
  await page.unroute('**/sessions/claude-code%3Aabc1234');
  writeFileSync(fileOf(id), textOf(manyTurns().rows));
  await page.locator('.message').first().waitFor();
});

test('keys go on from what can be seen', async () => {
  const { page } = await opened(manyTurns());
  await page.keyboard.press('j');
  await scroll(page, 2500);
  await expect.poll(() => firstSeen(page)).toBeGreaterThan(20);
  await page.waitForTimeout(300);
  const seen = await firstSeen(page);
  await page.keyboard.press('j');
  await expect.poll(() => page.locator('.message.current .permalink').innerText().then(Number)).toBe(seen + 1);
  await scroll(page, 1500);
  await expect.poll(() => firstSeen(page)).toBeGreaterThan(seen + 10);
  await page.waitForTimeout(300);
  const later = await firstSeen(page);
  await page.keyboard.press('r');
  await expect.poll(() => page.locator('.panel h2').innerText()).toBe(`Message ${later} in its file`);
});

test('the next event is the next from what can be seen', async () => {
  const { page } = await opened(manyTurns());
  await page.keyboard.press('e');
  await page.keyboard.press('n');
  await page.locator('.event-item[aria-current]').waitFor();
  await scroll(page, 4500);
  await expect.poll(() => firstSeen(page)).toBeGreaterThan(64);
  await page.keyboard.press('n');
  await expect.poll(() => page.locator('.event-item').nth(2).getAttribute('aria-current')).toBe('true');
});

test('what is hidden is shown again when somebody goes there, and not when they step to another layer', async () => {
  const { page, open } = await viewer();
  const hiding = page.locator('.layer-buttons button').first();
  await open(CHECKOUT, 'at-10');
  await page.keyboard.press('h');
  for (const _ of [1, 2]) await page.keyboard.press(']');
  await expect.poll(() => page.locator('.layer-told').innerText()).toContain('Layer 2 of 3');
  await page.waitForTimeout(300);
  expect(await hiding.innerText()).toBe('Dim what had left');
  await page.keyboard.press('e');
  await page.locator('.event-item').first().click();
  await page.locator('.event.compaction .event-body').waitFor();
  expect(await hiding.innerText()).toBe('Hide what had left');
});

test('Enter unfolds the message one is at, but not where a button has the focus', async () => {
  const { page, open } = await viewer();
  await open(CHECKOUT, 'at-12');
  const bodies = page.locator('[aria-label="Message 12"] .fold-body');
  await page.keyboard.press('Enter');
  await bodies.first().waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => bodies.count()).toBe(0);
  await page.getByRole('button', { name: 'Events' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('.event-item').first().waitFor();
  expect(await bodies.count()).toBe(0);
});

test('the timeline is moved by the keys of a scroll bar', async () => {
  const { page } = await opened(manyTurns());
  await page.locator('.timeline').focus();
  await page.keyboard.press('PageDown');
  await expect.poll(() => firstSeen(page)).toBeGreaterThan(3);
  await page.keyboard.press('End');
  await page.getByText('Answer 59').waitFor();
  await page.keyboard.press('Home');
  await expect.poll(() => firstSeen(page)).toBe(0);
});

test('what was found is unfolded; backwards the last comes first', async () => {
  const rows = new Rows(id).prompt('Begin');
  for (let i = 0; i < 3; i++) rows.call('Bash', { command: `echo ${i}` }, `first line\nneedle ${i}`);
  const { page } = await opened(rows);
  await page.keyboard.press('/');
  await page.keyboard.type('needle');
  await expect.poll(() => page.locator('.find-bar [role=status]').innerText()).toBe('0 of 3');
  await page.keyboard.press('Shift+Enter');
  await page.getByText('needle 2').waitFor();
  expect(await page.locator('.find-bar [role=status]').innerText()).toBe('3 of 3');
});

test.each(['nobody', 'at-9999'])('a link to a message that is not there (%s) says so', async (message) => {
  const { page } = await opened(manyTurns(), { message });
  expect(await page.locator('.banner').innerText()).toBe(
    'The link leads to a message that is not in this session, or no longer.',
  );
  await page.keyboard.press('j');
  await expect.poll(() => page.locator('.banner').count()).toBe(0);
});

test.each([390, 1000, 1280])('at %i pixels the number that links to a message is in reach', async (width) => {
  const { page } = await opened(manyTurns(), { viewport: { width, height: 800 } });
  await page.keyboard.press('e');
  const link = page.locator('.permalink').nth(1);
  await link.waitFor();
  const isInReach = await link.evaluate((element) => {
    const [box, place] = [element.getBoundingClientRect(), document.getElementById('transcript')];
    const under = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return [under === element, place?.scrollWidth === place?.clientWidth];
  });
  expect(isInReach).toEqual([true, true]);
});

test('remarks can be read without a mouse', async () => {
  const { page, file } = await opened(manyTurns());
  writeFileSync(file, `{"half a line\n${textOf(manyTurns().rows)}`);
  await page.getByRole('button', { name: /remark/ }).press('Enter');
  expect(await page.locator('.remarks li').allInnerTexts()).toEqual([
    'Line 1 is not JSON (13 bytes); it is counted as bad.',
  ]);
});

test('a session without a message says so, and has no layers', async () => {
  const { home } = homeOf([{ id, rows: [{ type: 'summary', summary: 'Nothing', leafUuid: 'x' }] }]);
  const { page, url } = await viewer({ home });
  await page.goto(`${new URL(url).origin}/s/${encodeURIComponent(key)}`);
  await page.getByText('There is no message in this session.').waitFor();
  await page.keyboard.press('l');
  expect(await page.locator('.layer-bar').count()).toBe(0);
});

test('on paper there is what was drawn, and the word that it is not all', async () => {
  const { page } = await opened(manyTurns());
  await page.emulateMedia({ media: 'print' });
  const told = await page.evaluate(() => ({
    note: getComputedStyle(document.querySelector('.session-page') as Element, '::after').content.slice(0, 25),
    timeline: getComputedStyle(document.querySelector('.timeline') as Element).display,
    items: getComputedStyle(document.querySelector('.item') as Element).position,
  }));
  expect(told).toEqual({ note: '"Printed from Palimpsest:', timeline: 'none', items: 'static' });
});
