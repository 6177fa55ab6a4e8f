// What people do in the viewer, from the list to a layer of a session.

import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '../support.ts';
import { homeOf, Rows, sessionId, uuidOf } from './homes.ts';
import { closeBrowser, viewer } from './viewer.ts';

afterAll(closeBrowser);

const CHECKOUT = 'claude-code:1a34810f-3c85-43d6-90d0-c4f34945ebe3';
const IMPORT = 'claude-code:cb387779-5bfc-450f-9c6a-376aba1401e0';
const SUBAGENTS = 'claude-code:b8494eaa-6a89-4666-a752-ef0337e568bb';

/** The session grows by what is added to it. */
function writeMore(path: string, { rows }: Rows, add: () => void): void {
  const written = rows.length;
  add();
  const more = rows.slice(written).map((row) => `${JSON.stringify(row)}\n`);
  appendFileSync(path, more.join(''));
}

test('without a session of one’s own, samples are listed, and it is said that they are', async () => {
  const { page, trouble } = await viewer();
  await page.locator('.row').nth(5).waitFor();
  expect(await page.locator('.banner').innerText()).toContain('samples that come with Palimpsest');
  expect(await page.locator('.row-title').allInnerTexts()).toHaveLength(6);
  expect(await page.locator('.row').nth(4).locator('.shape .mark.compaction').count()).toBe(2);
  expect(trouble).toEqual([]);
});

test('the list is narrowed by what is typed and by what is chosen, and the address remembers', async () => {
  const { page } = await viewer();
  await page.locator('.row').first().waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('import');
  await expect.poll(() => page.locator('.row-title').allInnerTexts()).toEqual(['The import hangs. Can you see why?']);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.row').count()).toBe(6);
  await page.getByRole('checkbox', { name: /compactions/ }).check();
  await expect
    .poll(() => page.locator('.row-title').allInnerTexts())
    .toEqual(['Where are orders written to disk?', 'Why is the checkout off by a cent?']);
  expect(new URL(page.url()).search).toBe('?event=compaction');
  await page.reload();
  await expect.poll(() => page.locator('.row').count()).toBe(2);
  await page.getByLabel('Sort').selectOption('largest');
  await expect.poll(() => page.locator('.row-title').first().innerText()).toBe('Why is the checkout off by a cent?');
});

test('a session is opened by keys alone, and one gets back', async () => {
  const { page } = await viewer();
  await page.locator('.row').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.locator('.message').first().waitFor();
  expect(await page.locator('h1').innerText()).toBe('Greet the customers in the mail, not the world!');
  await page.keyboard.press('b');
  await page.locator('.row').first().waitFor();
});

test('events are gone through by keys; refused edits show their diff and the reason', async () => {
  const { page, open, trouble } = await viewer();
  await open(IMPORT);
  await page.keyboard.press('e');
  expect(await page.locator('.event-item').count()).toBe(6);
  for (const _ of [1, 2, 3]) await page.keyboard.press('n');
  await page.locator('.event-body .reason').waitFor();
  expect(await page.locator('.event-body .reason').first().innerText()).toContain(
    'Not that one, the nightly job still holds it',
  );
  await page.locator('.event-item').nth(4).click();
  await page.locator('.event-body .diff').first().waitFor();
  expect(await page.locator('.diff .line.less').count()).toBeGreaterThan(0);
  expect(await page.locator('.diff .line.more').count()).toBeGreaterThan(0);
  expect(trouble).toEqual([]);
});

test('tools and thinking are a line each, and open in place; the raw record is one key away', async () => {
  const { page, open } = await viewer();
  await open(CHECKOUT, 'at-12');
  const tool = page.locator('.fold.tool').first();
  await tool.waitFor();
  expect(await tool.locator('.fold-body').count()).toBe(0);
  await tool.locator('.fold-line').click();
  expect(await tool.locator('.fold-body').innerText()).toContain('node scripts/total.js');
  await page.keyboard.press('r');
  const raw = page.locator('.raw-row').nth(1);
  await raw.waitFor();
  expect(await raw.locator('.raw-place').innerText()).toMatch(/1a34810f-3c85-43d6-90d0-c4f34945ebe3\.jsonl, line \d+/);
  expect(await raw.locator('pre').innerText()).toContain('"type": "tool_use"');
});

test('a link from a search opens what is folded in its message', async () => {
  const { page, open } = await viewer();
  await open(CHECKOUT, 'found-12');
  await page.locator('.fold.tool .fold-body').first().waitFor();
});

test('layers show what the model saw: what had left is dimmed, then hidden, in the order sent', async () => {
  const { page, open } = await viewer();
  await open(CHECKOUT);
  await page.keyboard.press('l');
  const told = page.locator('.layer-told');
  expect(await told.innerText()).toContain('Layer 1 of 3');
  await page.keyboard.press(']');
  await page.keyboard.press(']');
  await expect.poll(() => told.innerText()).toContain('Layer 2 of 3');
  await page.keyboard.press(']');
  await expect
    .poll(() => told.innerText())
    .toContain('Layer 3 of 3 · At message 55 the model had 22 messages before it');
  await page.keyboard.press('g');
  await expect.poll(() => page.locator('.message.left').count()).toBeGreaterThan(3);
  expect(await page.locator('.message.left .removed').first().innerText()).toBe('left by compaction');
  await page.keyboard.press('h');
  await expect.poll(() => page.locator('.message.left').count()).toBe(0);
  expect(await page.locator('.message').first().locator('.said.summary').count()).toBe(1);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.layer-bar').count()).toBe(0);
});

test('a layer shows a result with the content that it had then', async () => {
  const { page } = await viewer({ home: join(root, 'fixtures/claude-code/micro-compaction/native') });
  await page.locator('.row-link').click();
  await page.locator('.result.cleared').waitFor();
  await page.keyboard.press('l');
  await page.locator('.layer-bar input').fill('5');
  await expect.poll(() => page.locator('.result.cleared').count()).toBe(0);
  await page.locator('.layer-bar input').fill('6');
  await expect
    .poll(() => page.locator('.result.cleared .left-note').allInnerTexts())
    .toEqual(['its content left the context']);
});

test('two points are compared: what did it forget?', async () => {
  const { page, open } = await viewer();
  await open(CHECKOUT);
  await page.keyboard.press('l');
  await page.locator('.layer-bar input').fill('18');
  await page.keyboard.press('c');
  await page.locator('.layer-bar input').fill('22');
  await expect
    .poll(() => page.locator('.layer-told').innerText())
    .toMatch(/Between 18 and 22 it forgot 18 and learnt \d+\./);
  await page.keyboard.press('g');
  const standingOf = (index: number) => page.locator(`[aria-label="Message ${index}"] .message`).getAttribute('class');
  await expect.poll(() => standingOf(0)).toContain('forgot');
  expect(await standingOf(3)).toContain('forgot');
});

test('a compaction shows its summary beside the messages that it replaced', async () => {
  const { page, open } = await viewer();
  await open(CHECKOUT);
  await page.keyboard.press('n');
  const [there, instead] = [page.locator('.beside section').first(), page.locator('.beside section').nth(1)];
  await there.waitFor();
  expect(await there.locator('h3').innerText()).toBe('What was there: 18 messages');
  await expect.poll(() => there.locator('li').first().innerText()).toBe('0 you: Why is the checkout off by a cent?');
  expect(await instead.innerText()).toContain('Primary Request and Intent');
});

test('the timeline is the scroll bar: it tells where it is pointed at, and goes where it is pressed', async () => {
  const { page, open } = await viewer();
  await open(CHECKOUT);
  const box = (await page.locator('.timeline').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(box.x + 90, box.y + box.height * 0.8);
  expect(await page.locator('.tip').innerText()).toMatch(/^message 4\d · .* tokens, (recorded|estimated)$/);
  await page.mouse.down();
  await page.mouse.up();
  await expect.poll(() => page.locator('.timeline').getAttribute('aria-valuenow').then(Number)).toBeGreaterThan(30);
  await page.mouse.move(box.x + 8, box.y + (19 / 56) * box.height);
  expect(await page.locator('.tip').innerText()).toContain('compact');
  const drawn = await page
    .locator('.timeline canvas')
    .first()
    .evaluate((canvas: HTMLCanvasElement) => {
      const pen = canvas.getContext('2d');
      const { data } = pen?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      return new Set(
        Array.from({ length: data.length / 4 }, (_, i) => `${data[i * 4]} ${data[i * 4 + 1]} ${data[i * 4 + 2]}`),
      ).size;
    });
  expect(drawn).toBeGreaterThan(5);
});

test('subagents open inside their call, and on a page of their own by the thread', async () => {
  const { page, open, trouble } = await viewer();
  await open(SUBAGENTS);
  const call = page.locator('.fold.tool').first();
  await call.locator('.fold-line').first().click();
  await call.locator('.nested .said').first().waitFor();
  await page.keyboard.press('t');
  await page.locator('.thread .thread a').first().click();
  await expect.poll(() => page.url()).toContain('claude-code%3Aa2cfa5a24b48b0fbf');
  await page.locator('.message .said:not(.waiting)').first().waitFor();
  expect(trouble).toEqual([]);
});

test('rewinds stand in the thread too, and lead to where they happened', async () => {
  const { page, open } = await viewer();
  await open('codex:01a1e06f-e7d4-71c0-bbd8-a6db22218467');
  await page.keyboard.press('t');
  await page.locator('.thread .rewind button').click();
  await page.locator('.event.rewind .event-body').waitFor();
  expect(await page.locator('.event.rewind .event-body').innerText()).toContain('2 messages were taken back');
});

test('words are found in the session while they are typed', async () => {
  const { page, open } = await viewer();
  await open(CHECKOUT);
  await page.keyboard.press('/');
  await page.keyboard.type('0.335');
  await expect.poll(() => page.locator('.find-bar [role=status]').innerText()).toMatch(/^0 of [1-9]/);
  await page.keyboard.press('Enter');
  await page.locator('.message.found.current').waitFor();
});

test('the sheet of keys opens and closes', async () => {
  const { page, open } = await viewer();
  await open(CHECKOUT);
  await page.keyboard.press('?');
  expect(await page.locator('dialog').innerText()).toContain('as the model saw it');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('dialog').count()).toBe(0);
});

test('a link to a message stays valid while the session grows, and what is on screen does not jump', async () => {
  const id = sessionId(1);
  const rows = new Rows(id);
  for (let i = 0; i < 60; i++) rows.prompt(`Question ${i}`).text(`Answer ${i}\n\nwith a second paragraph`);
  const { home, fileOf } = homeOf([{ id, rows: rows.rows }]);
  const { page, open, trouble } = await viewer({ home });
  await open(`claude-code:${id}`, uuidOf({ session: id, number: 40 }));
  const question = page.getByText('Question 20', { exact: true });
  await question.waitFor();
  await page.waitForTimeout(300);
  const before = await question.boundingBox();
  writeMore(fileOf(id), rows, () => rows.prompt('A question that came later').text('And its answer'));
  await expect.poll(() => page.locator('.session-title p').innerText(), { timeout: 10_000 }).toContain('122 messages');
  expect(await question.boundingBox()).toEqual(before);
  await page.keyboard.press('G');
  await page.getByText('And its answer').waitFor();
  await page.waitForTimeout(200);
  writeMore(fileOf(id), rows, () => rows.prompt('One more').text('The very last word'));
  await page.getByText('The very last word').waitFor();
  expect(trouble).toEqual([]);
});

test('who reads in the last turn while it grows keeps reading: nothing is taken away meanwhile', async () => {
  const id = sessionId(1);
  const rows = new Rows(id).prompt('The only question');
  for (let i = 0; i < 12; i++) rows.text(`Step ${i}: ${'a long line of the answer '.repeat(60)}`);
  const { home, fileOf } = homeOf([{ id, rows: rows.rows }]);
  const { page, open } = await viewer({ home });
  await open(`claude-code:${id}`, uuidOf({ session: id, number: 6 }));
  const step = page.getByText('Step 5:');
  await step.waitFor();
  await page.waitForTimeout(1200);
  const before = await step.boundingBox();
  await page.evaluate(() => {
    const seen = new MutationObserver(() => {
      if (document.querySelector('#transcript .said.waiting') !== null) document.title = 'taken away';
    });
    seen.observe(document.body, { childList: true, subtree: true });
  });
  writeMore(fileOf(id), rows, () => rows.text('Step 12: more'));
  await expect.poll(() => page.locator('.session-title p').innerText(), { timeout: 10_000 }).toContain('14 messages');
  await page.waitForTimeout(500);
  expect([await step.boundingBox(), await page.title()]).toEqual([before, expect.not.stringContaining('taken away')]);
});

test('a new session appears in the list while one looks', async () => {
  const made = (number: number) => {
    const id = sessionId(number);
    return { id, rows: new Rows(id).prompt(`Session number ${number}`).text('Yes').rows };
  };
  const { home, fileOf } = homeOf([made(1)]);
  const { page } = await viewer({ home });
  await page.getByText('Session number 1').waitFor();
  const second = made(2);
  appendFileSync(fileOf(second.id), second.rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await page.getByText('Session number 2').waitFor();
  expect(readFileSync(fileOf(second.id), 'utf8').split('\n')).toHaveLength(3);
});

test('images are shown, and only pictures', async () => {
  const id = sessionId(1);
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const image = (media_type: string, data: string) => ({ type: 'image', source: { type: 'base64', media_type, data } });
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="globalThis.ran=1"/>').toString('base64');
  const rows = new Rows(id)
    .prompt('Look')
    .call('Read', { file_path: '/x.png' }, [image('image/png', png), image('image/svg+xml', svg)]);
  const { home } = homeOf([{ id, rows: rows.rows }]);
  const { page, open } = await viewer({ home });
  await open(`claude-code:${id}`);
  const images = page.locator('.images img');
  await images.first().waitFor();
  await expect
    .poll(() => images.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth)))
    .toEqual([1]);
  await page.getByText('A picture that is not shown here').waitFor();
});

test('the keys that scroll do so at once', async () => {
  const id = sessionId(1);
  const rows = new Rows(id);
  for (let turn = 0; turn < 60; turn++) rows.prompt(`Question ${turn}`).text(`Answer ${turn}`);
  const { home } = homeOf([{ id, rows: rows.rows }]);
  const { page, open } = await viewer({ home });
  await open(`claude-code:${id}`);
  await page.getByText('Question 1', { exact: true }).waitFor();
  await page.keyboard.press('PageDown');
  await expect.poll(() => page.locator('#transcript').evaluate((box) => box.scrollTop > 100)).toBe(true);
});

test('a session that is not there, and a server that is gone, are told of in words', async () => {
  const { page, url, end } = await viewer();
  await page.goto(`${new URL(url).origin}/s/claude-code%3Anobody`);
  await page.getByText('This session cannot be shown').waitFor();
  expect(await page.locator('.state').innerText()).toContain('There is no such session: it may have been deleted.');
  await page.getByText('Back to the sessions').click();
  await page.locator('.row').first().waitFor();
  end();
  await page.locator('.row-link').first().click();
  await page.getByText('The server does not answer. Is "pal serve" still running?').waitFor();
});
