// What was said is there to be read, all of it: what is not shown at once can be had.

import { afterAll, expect, test } from 'vitest';
import { homeOf, Rows, sessionId } from './homes.ts';
import { closeBrowser, openAll, type Viewer, viewer } from './viewer.ts';

afterAll(closeBrowser);

const id = sessionId(1);

/** A session of one turn, with everything in it unfolded. */
async function opened(add: (rows: Rows) => void): Promise<Viewer> {
  const rows = new Rows(id).prompt('Begin');
  add(rows);
  const { home } = homeOf([{ id, rows: rows.rows }]);
  const shown = await viewer({ home });
  await shown.open(`claude-code:${id}`);
  await openAll(shown.page);
  return shown;
}

test.each([
  ['thinking', { type: 'thinking', thinking: `${'thought '.repeat(4000)}the end of it`, signature: 'x' }],
  ['a block of a kind that is not known', { type: 'from_2031', of: `${'thing '.repeat(5000)}the end of it` }],
])('%s beyond what is sent at once can be had', async (_, block) => {
  const { page } = await opened((rows) => rows.reply(block));
  await page.getByRole('button', { name: /Show the other .* characters/ }).click();
  await page.getByText('the end of it').waitFor();
});

test('of a very long change the other lines can be had', async () => {
  const content = Array.from({ length: 2000 }, (_, i) => `line ${i} ${'x'.repeat(20)}\n`).join('');
  const { page } = await opened((rows) =>
    rows.call('Write', { file_path: '/home/dev/made/long.txt', content }, 'Done'),
  );
  expect(await page.locator('.diff-file').innerText()).toBe('/home/dev/made/long.txt');
  expect(await page.locator('button.more').allInnerTexts()).toEqual(['Show the other 501 lines']);
  await page.locator('button.more').click();
  expect(await page.locator('.diff tr').count()).toBe(2001);
});

test('what a tool gave is shown also where it is neither text nor image', async () => {
  const reference = { type: 'tool_reference', tool_name: 'WebFetch' };
  const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0x' } };
  const { page } = await opened((rows) =>
    rows
      .call('ToolSearch', { query: 'fetch' }, [reference, reference])
      .call('Read', { file_path: '/x.pdf' }, [{ type: 'text', text: 'PDF file read' }, pdf]),
  );
  expect(await page.locator('.result .one-line').allInnerTexts()).toEqual([
    '(tool_reference) (tool_reference)',
    'PDF file read',
  ]);
  const bodies = await page.locator('.result .fold-body').allInnerTexts();
  expect(bodies.map((body) => [body.includes('"WebFetch"'), body.includes('application/pdf')])).toEqual([
    [true, false],
    [false, true],
  ]);
});

test('where more messages hold the words than are told, that is said', async () => {
  const { page } = await opened((rows) => {
    for (let turn = 0; turn < 2501; turn++) rows.prompt(`Question ${turn}`).text(`Question ${turn} answered`);
  });
  await page.keyboard.press('/');
  await page.keyboard.type('question');
  await expect.poll(() => page.locator('.find-bar [role=status]').innerText()).toBe('0 of more than 5000');
});
