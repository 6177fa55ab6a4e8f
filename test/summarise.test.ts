// The summary of older turns: whole texts, and what must hold whatever the turns contain.

import { expect, test } from 'vitest';
import { eventBase, makeSession, type SessionMaker, textBlock } from '../bench/summary/made-session.ts';
import { LEAST_SUMMARY, summarise } from '../src/transform/summarise.ts';

function summaryOf(maker: SessionMaker, limit = 20_000, level: 'full' | 'brief' = 'full'): string {
  const session = maker.view();
  const messages = Array.from({ length: session.messageCount }, (_, index) => index);
  return summarise({ session, messages, level, limit });
}

/** What is quoted of prompts. */
function linesOfPrompts(summary: string): string[] {
  return summary.split('\n').filter((line) => /^\d+\. /.test(line));
}

function workingSession(): SessionMaker {
  const maker = makeSession('s1');
  maker.prompt('Fix the login. You must never touch `src/gen`. See https://example.com/42.');
  maker.think('SECRET-THOUGHT: we decided to cheat because nobody looks.');
  maker.say('Let me look at the code first.');
  maker.call('Read', { file_path: '/home/me/shop/src/login.ts' }, { output: 'const a = 1; // TODO: never read this' });
  maker.call(
    'Edit',
    { file_path: '/home/me/shop/src/login.ts', old_string: 'a', new_string: 'const session = await open(cookie);' },
    { output: 'ok' },
  );
  maker.call(
    'apply_patch',
    '*** Begin Patch\n*** Update File: src/login.ts\n@@\n-x\n+const y = 2;\n*** Add File: src/new.ts\n+export {};\n*** End Patch',
  );
  maker.call(
    'Bash',
    { command: 'cd /home/me/shop && npx vitest run' },
    {
      output: ' × keeps the session\n   → expected 1 to be 2\n Tests 1 failed | 3 passed',
      status: 'error',
      exit_code: 1,
    },
  );
  maker.call('Bash', { command: 'git status' }, { output: 'clean' });
  maker.call('Bash', { command: 'git push --force' }, { output: 'the release is frozen', status: 'rejected' });
  maker.call(
    'Edit',
    { file_path: '/home/me/shop/src/gen/api.ts', old_string: 'a', new_string: 'b' },
    { status: 'rejected' },
  );
  maker.say('The problem was that the cookie had expired. Should old cookies be kept?');
  maker.prompt('no, use signed cookies instead');
  maker.call('TodoWrite', {
    todos: [
      { content: 'Sign the cookies', status: 'completed' },
      { content: 'Rotate the keys', status: 'pending' },
    ],
  });
  maker.say('Done: cookies are signed now. I went with jose 5.2.0 because it has no dependencies.');
  return maker;
}

function longSession(): SessionMaker {
  const maker = makeSession('s1');
  for (let turn = 0; turn < 80; turn++) {
    maker.prompt(`Task ${turn}: change module ${turn}. It must stay below ${turn} ms because of customer ${turn}.`);
    maker.call('Edit', {
      file_path: `/home/me/shop/src/m${turn}.ts`,
      old_string: 'a',
      new_string: `const b${turn} = 1;`,
    });
    maker.call(
      'Bash',
      { command: `make m${turn}` },
      { output: `error: no rule ${turn}`, status: 'error', exit_code: 2 },
    );
    maker.say(
      `We decided to use table ${turn} instead of list ${turn}, because it is sorted. Row ${turn} is read once.`,
    );
  }
  return maker;
}

test('a summary tells what was asked, decided, found, changed, run, failed, refused and left open', () => {
  expect(summaryOf(workingSession())).toBe(`# Summary of earlier turns

A program (Palimpsest), not a model, made this from the recorded turns of session \`s1\` (claude-code). It stands in place of 22 messages (0–21) with 2 prompts; what is said below was quoted, … marks a cut, and (n) means: during prompt n, (0) before the first. Relative paths are below \`/home/me/shop\`.

## What the person asked, and what came of it
1. Fix the login. You must never touch \`src/gen\`. See https://example.com/42.
   → The problem was that the cookie had expired.
2. no, use signed cookies instead
   → Done: cookies are signed now.

## Where it stood: the end of the last reply
- Done: cookies are signed now. I went with jose 5.2.0 because it has no dependencies.

## Decided
- (2) I went with jose 5.2.0 because it has no dependencies.

## Files changed
- src/login.ts — edited ×2 (1), last: \`const y = 2;\`
- src/new.ts — added (1), \`export {};\`

## Commands run
- (1) \`npx vitest run\`: exit 1
- and 1 command that only looked at things

## Failed
- (1) \`npx vitest run\`: × keeps the session | → expected 1 to be 2 | Tests 1 failed | 3 passed

## Refused by the person or by a rule
- (1) Bash \`git push --force\` was refused: "the release is frozen"
- (1) Edit of \`src/gen/api.ts\` (\`b\`) was refused; no reason was given.

## Still open, as far as the turns tell
- Task (pending): Rotate the keys

## Also said in replies
- (1) Should old cookies be kept?
`);
});

test('an older summary is carried over whole', () => {
  const maker = makeSession('s1');
  const older = ['# What we did', '', 'We chose **SQLite**.', '', '## Next', '- ship 1.2.3', '- `npm run x`'].join(
    '\n',
  );
  maker.message({ role: 'user', kind: 'summary', content: [textBlock(older)] });
  maker.prompt('go on');
  expect(summaryOf(maker)).toContain(
    '## Carried over from an earlier summary\n### What we did\nWe chose **SQLite**.\n### Next\n- ship 1.2.3\n- `npm run x`\n',
  );
});

test('of a long older summary, the lines that say most are kept', () => {
  const maker = makeSession('s1');
  const filler = Array.from({ length: 300 }, (_, line) => `Line ${line} says nothing at all of any weight.`);
  const fact = 'The root cause was a stale lock; we must never delete `lock.db` because it is shared.';
  maker.message({ role: 'user', kind: 'summary', content: [textBlock([...filler, fact, ...filler].join('\n'))] });
  const text = summaryOf(maker, 4000);
  expect(text).toContain(fact);
  expect(text).toMatch(/left out: \d+ lines of the earlier summary/);
  expect(text.length).toBeLessThanOrEqual(4000);
});

test('a summary of a summary keeps what the first one said', () => {
  const first = summaryOf(workingSession());
  const maker = makeSession('s2');
  maker.message({ role: 'user', kind: 'summary', content: [textBlock(first)] });
  maker.prompt('go on');
  const second = summaryOf(maker);
  const lines = first.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines.filter((line) => !second.includes(line))).toEqual([]);
});

test('the limit holds, and the text says what was left out', () => {
  const maker = longSession();
  for (const limit of [0, LEAST_SUMMARY, 3000, 8000, 20_000]) {
    const text = summaryOf(maker, limit);
    expect(text.length).toBeLessThanOrEqual(Math.max(limit, LEAST_SUMMARY));
    expect(text).toContain('To keep this summary short');
    expect(text).toContain('Task 79');
  }
  expect(summaryOf(maker, 100_000)).not.toContain('To keep this summary short');
});

test('a brief summary is shorter than a full one', () => {
  const maker = longSession();
  expect(summaryOf(maker, 200_000, 'brief').length).toBeLessThan(summaryOf(maker, 200_000).length * 0.9);
});

test('the same turns give the same text', () => {
  expect(summaryOf(workingSession(), 3000)).toBe(summaryOf(workingSession(), 3000));
});

test('what was thought is never told', () => {
  expect(summaryOf(workingSession())).not.toContain('SECRET-THOUGHT');
});

test('what the client put around a prompt was not said by the person', () => {
  const maker = makeSession('s1');
  const blocks = [
    '<system-reminder>Be nice.</system-reminder>',
    'Rename `a-b` to <b-c>.',
    '<env_context>\n  cwd\n</env_context>\n<d-e>x</d-e>',
  ];
  maker.message({ role: 'user', kind: 'prompt', content: blocks.map(textBlock) });
  maker.prompt('<user-card>x</user-card> must never be removed.\n<user-list>\n</user-list>');
  maker.prompt('<bug_report>It hangs.</bug_report>');
  expect(linesOfPrompts(summaryOf(maker))).toEqual([
    '1. Rename `a-b` to <b-c>.',
    '2. <user-card>x</user-card> must never be removed. <user-list> </user-list>',
    '3. <bug_report>It hangs.</bug_report>',
  ]);
});

test('what was given to a command was asked, also of commands that people wrote; what a command printed was not', () => {
  const maker = makeSession('s1');
  const command = (text: string) => maker.message({ role: 'user', kind: 'command', content: [textBlock(text)] });
  const { turns } = maker.document;
  maker.prompt('Begin.');
  command(
    '<c-line>fix-issue is running…</c-line>\n<c-name>/fix-issue</c-name>\n<c-args>no <b>passwords</b> in Map<string></c-args>',
  );
  maker.say('The login page is fixed now.');
  command('<c-name>/compact</c-name>\n  <c-line>compact</c-line>\n  <c-args>keep the rules</c-args>');
  command('<c-line>plan is running…</c-line>\n<c-name>/team:plan</c-name>\n<c-args>the next release</c-args>');
  command('<c-name>/cost</c-name><c-line>cost</c-line><c-args></c-args>');
  command('<c-out>/tmp 12 files</c-out><c-err></c-err>');
  turns.push({ ...(turns[0] as (typeof turns)[number]), index: 1, started_by: 'command', first_message_index: 7 });
  command(
    '<c-line>init is analyzing your codebase…</c-line><c-name>init</c-name><c-args></c-args><c-body>Look.</c-body>',
  );
  expect(summaryOf(maker).split('\n## ')[1]).toBe(`What the person asked, and what came of it
1. Begin.
2. /fix-issue no <b>passwords</b> in Map<string>
   → The login page is fixed now.
3. /compact keep the rules
4. /team:plan the next release
5. /init
`);
});

test('what the person typed along with a Yes was asked, what the client put there was not', () => {
  const maker = makeSession('s1');
  maker.prompt('Rename the files.');
  maker.call(
    'Bash',
    { command: 'mv a b' },
    { beside: ['Keep beta lower case', '<system-reminder>Be nice.</system-reminder>'] },
  );
  maker.call('Bash', { command: 'mv c d' }, { beside: ['<system-reminder>Be nice.</system-reminder>'] });
  maker.say('Both files are renamed.');
  expect(summaryOf(maker).split('\n\n').slice(2).join('\n\n')).toBe(`## What the person asked, and what came of it
1. Rename the files.
2. Keep beta lower case
   → Both files are renamed.

## Where it stood: the end of the last reply
- Both files are renamed.

## Commands run
- (1) \`mv a b\`: ok
- (2) \`mv c d\`: ok
`);
});

test('where a prompt is not quoted whole there is a sign, and what was left out is counted', () => {
  const maker = makeSession('s1');
  const part = (i: number) => `Part ${i} of the house has walls of stone and a roof of slate.`;
  const parts = Array.from({ length: 30 }, (_, i) => part(i + 1));
  maker.prompt(parts.join(' '));
  expect(summaryOf(maker, 20_000).split('\n').slice(4)).toEqual([
    '## What the person asked, and what came of it',
    `1. ${parts.slice(0, 26).join(' ')} …`,
    '',
    '## Still open, as far as the turns tell',
    '- Prompt 1 got no reply.',
    '',
    '_To keep this summary short, what seemed to matter least went: left out: 4 sentences of prompts._',
    '',
  ]);
  expect(summaryOf(maker, LEAST_SUMMARY).split('\n').slice(5)).toEqual([
    `1. ${part(1)} … ${parts.slice(18, 26).join(' ')} …`,
    '',
    '## Still open, as far as the turns tell',
    '- Prompt 1 got no reply.',
    '',
    '_To keep this summary short, what seemed to matter least went: left out: 21 sentences of prompts._',
    '',
  ]);
});

test('a prompt is quoted as it was written, whatever signs are in it', () => {
  const maker = makeSession('s1');
  const said = {
    'Call handlers[name](req), never `handlers[name](res)`. Slugs match ^[a-z0-9]([a-z0-9-]*[a-z0-9])?$ exactly.': '',
    '> 100 requests per second must never be refused': '',
    '> 500 ms is too slow\n>= 3 retries are needed\nSpeed it up.':
      '> 500 ms is too slow >= 3 retries are needed Speed it up.',
    'Fix the failing tests.\n\n**Do not touch the schema of orders**':
      'Fix the failing tests. **Do not touch the schema of orders**',
    '# Never deploy on Fridays\n# Always ask before a migration\nNow fix the login.':
      '# Never deploy on Fridays # Always ask before a migration Now fix the login.',
    'Look:\n| name | limit |\n|---|---|\n| api | 5 |\nand keep it.\n\n---\n':
      'Look: | name | limit | |---|---| | api | 5 | and keep it. ---',
    '```npm test``` fails with ENOENT': '',
    '~~~DROP TABLE users~~~ must never run': '',
    '```\nnpm test\n```\nfails.\n```\nnever closed': '``` npm test ``` fails. ``` never closed',
    'It says: ```Error\n at x\n``` fix it\nnow': 'It says: ```Error at x ``` fix it now',
    '1. Add\n2. Test\n- 5 degrees\n5) retries': '1. Add 2. Test - 5 degrees 5) retries',
    '先にテスト。次に[設定](値)。': '先にテスト。 次に[設定](値)。',
    '👍': '',
  };
  for (const prompt of Object.keys(said)) maker.prompt(prompt);
  const lines = Object.entries(said).map(([prompt, line], index) => `${index + 1}. ${line || prompt}`);
  const text = summaryOf(maker);
  expect(linesOfPrompts(text)).toEqual(lines);
  expect(text).not.toContain('To keep this summary short');
});

test('of a long text in fences the beginning is quoted, and the rest is counted', () => {
  const maker = makeSession('s1');
  const lines = Array.from({ length: 40 }, (_, i) => `${i + 10} | the widget number ${i + 10} was not read`);
  maker.prompt(`more reviews!\n\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n\nUse them.`);
  const told = `\`\`\` ${lines.slice(0, 8).join(' ')} 18 |`;
  const all = `\`\`\` ${lines.join(' ')} \`\`\``;
  expect(summaryOf(maker).split('\n').slice(5)).toEqual([
    `1. more reviews! ${told} … Use them.`,
    '',
    '## Still open, as far as the turns tell',
    '- Prompt 1 got no reply.',
    '',
    `_To keep this summary short, what seemed to matter least went: left out: ${all.length - told.length - 2} characters of fenced text in prompts._`,
    '',
  ]);
});

test('a very long sentence of a prompt is quoted in full where there is room; a word that is too long is cut, and counted', () => {
  const maker = makeSession('s1');
  const sentence = Array.from({ length: 220 }, (_, i) => `w${i}`).join(' ');
  maker.prompt(sentence);
  expect(linesOfPrompts(summaryOf(maker))).toEqual([`1. ${sentence}`]);
  maker.prompt(`Keep ${'x'.repeat(2000)} as it is.`);
  const text = summaryOf(maker);
  expect(linesOfPrompts(text)[1]).toBe(`2. Keep ${'x'.repeat(599)}… as it is.`);
  expect(text).toContain('went: 1 entry shortened._');
});

test('what replies, reports, plans and commands say is quoted with a mark where something is left out', () => {
  const maker = makeSession('s1');
  const code = Array.from({ length: 30 }, (_, i) => `const line${i} = read(${i});`).join('\n');
  const fenced = `\`\`\`ts\n${code}\n\`\`\``;
  maker.prompt('Go on.');
  maker.call(
    'Task',
    { description: 'Find callers', prompt: 'Find them', subagent_type: 'x' },
    { output: 'Let me look. I look now at it all.\n\nThere are three callers of open().\n\nOk then.\n' },
  );
  maker.call('ExitPlanMode', { plan: `# Plan\n1. Add [it](x).\n${fenced}\n2. Never drop it.` }, { output: 'approved' });
  maker.call('Bash', { command: 'echo `date` > /home/me/shop/now && ls /mnt/home/me/shop/x /home/me/shop/' });
  maker.say(
    `The cause was this line:\n\n${fenced}\n\nWe decided to keep handlers[name](req) because > 100 are needed.`,
  );
  expect(summaryOf(maker).split('\n\n').slice(2).join('\n\n')).toBe(`## What the person asked, and what came of it
1. Go on.
   → The cause was this line: …

## Where it stood: the end of the last reply
- The cause was this line: … We decided to keep handlers[name](req) because > 100 are needed.

## Decided
- (1) A plan was approved: "# Plan 1. Add [it](x). … 2. Never drop it."
- (1) We decided to keep handlers[name](req) because > 100 are needed.

## Commands run
- (1) \`\` echo \`date\` > now && ls /mnt/home/me/shop/x /home/me/shop/ \`\`: ok

## Subagents reported
- (1) Find callers: … There are three callers of open(). …

_To keep this summary short, what seemed to matter least went: 2 entries shortened._
`);
});

test('of an older summary, headings with nothing below them and code are carried over, too', () => {
  const maker = makeSession('s1');
  const older = '# Never deploy on Fridays\n# Next\n```sh\n# install\nnpm ci\n```\n## Always ask';
  maker.message({ role: 'user', kind: 'summary', content: [textBlock(older)] });
  expect(summaryOf(maker)).toContain(
    'summary\n### Never deploy on Fridays\n### Next\n```sh\n# install\nnpm ci\n```\n### Always ask\n',
  );
});

test('no message, no summary', () => {
  expect(summarise({ session: makeSession('s1').view(), messages: [], level: 'full', limit: 5000 })).toBe('');
});

test('events outside the replaced messages are not told', () => {
  const session = workingSession().view();
  const text = summarise({ session, messages: [0, 1, 2], level: 'full', limit: 5000 });
  expect(text).not.toContain('was refused');
});

test('control characters, huge prompts and omitted texts do no harm', () => {
  const maker = makeSession('s1');
  const omitted = { omitted_bytes: 9_000_000, offset: 12 };
  maker.prompt(`\u001b[31mRed\u001b[0m\u0000 alert\u0007 \u202e now.\ud83d`);
  maker.prompt('word '.repeat(200_000));
  maker.prompt('x'.repeat(1_000_000));
  maker.prompt('<open-tag> '.repeat(100_000));
  maker.prompt(`${'.'.repeat(300_000)}\n${' '.repeat(300_000)}|`);
  maker.prompt(omitted);
  maker.say(omitted);
  maker.call('Write', { file_path: 'big.bin', content: omitted }, { output: omitted });
  maker.call('Write', { file_path: 'empty.txt', content: '' });
  maker.call('odd', null);
  maker.call('odd', [1, 'two', { three: 3 }]);
  const text = summaryOf(maker, 5000);
  expect(text).toContain('1. Red alert now.');
  expect(text).toContain('- big.bin — written');
  expect(text).toContain('- empty.txt — written (5), empty');
  expect(text).not.toMatch(/[\p{Cc}--\n]/v);
  expect(text.isWellFormed()).toBe(true);
  expect(text.length).toBeLessThanOrEqual(5000);
});

test('answers to questions, plans, subagents, interruptions, denials and API failures are told', () => {
  const maker = makeSession('s1');
  maker.prompt('Plan the work.');
  maker.call(
    'AskUserQuestion',
    { questions: [{ question: 'Which database?', options: [] }] },
    { output: 'User answered: Postgres' },
  );
  maker.call('ExitPlanMode', { plan: '# Plan\n1. Add the table.' }, { output: 'User has approved your plan.' });
  maker.call(
    'Task',
    { description: 'Find callers', prompt: 'Find them', subagent_type: 'x' },
    { output: 'There are three callers of open().' },
  );
  maker.call('TaskCreate', { subject: 'Write docs', description: 'all' }, { output: 'Task #7 created' });
  maker.call('TaskCreate', { subject: 'Ship', description: 'all' }, { output: 'Task #8 created' });
  maker.call('TaskUpdate', { taskId: '8', status: 'completed' }, { output: 'Updated' });
  maker.call('Bash', { command: 'sleep 100' }, { status: 'interrupted' });
  const at = { after_message_index: 3, message_index: null, timestamp: null };
  maker.document.interruptions.push({
    ...eventBase('i'),
    ...at,
    interrupted_message_index: null,
    type: 'user',
    target: 'tool',
    tool_use_id: 'call_7',
    partial_output: 'half',
  });
  maker.document.denials.push({
    ...eventBase('d'),
    ...at,
    tool_use_id: null,
    tool_name: 'Bash',
    denied_by: 'sandbox',
    message: 'no network',
    action: { input: { command: 'curl x' }, diff: null, diff_base: null },
  });
  maker.document.failures.push({ ...eventBase('f'), ...at, cause: 'overloaded', status: 529, message: 'Overloaded' });
  expect(summaryOf(maker).split('\n\n').slice(2).join('\n\n')).toBe(`## What the person asked, and what came of it
1. Plan the work.

## Decided
- (1) The person was asked: "Which database?" The answer: "User answered: Postgres"
- (1) A plan was approved: "# Plan 1. Add the table."

## Commands run
- (1) \`sleep 100\`: interrupted

## Failed
- (1) The API failed (overloaded 529): Overloaded

## Refused by the person or by a rule
- (1) Bash \`curl x\` was denied (sandbox): no network

## Interrupted
- (1) The person stopped Bash; by then: "half".

## Subagents reported
- (1) Find callers: There are three callers of open().

## Still open, as far as the turns tell
- Task (pending): Write docs
`);
});
