// Events that only a person at the terminal makes with Claude Code.

import { setTimeout as passed } from 'node:timers/promises';
import { bash, LONG, SLOW } from './events-claude-code.ts';
import { until } from './sandbox.ts';
import { appeared, asked, type EventScenario, type Stage } from './stage.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const BUSY = /esc to interrupt/;

interface Talk extends Terminal {
  /** Says it, and waits for the answer. */
  ask(prompt: string, answer: string): Promise<void>;
  /** Says no to what is asked, with the reason that is given. */
  refuse(reason?: string): Promise<void>;
}

/** Has a session at the terminal, and ends it. */
async function talk(stage: Stage, body: (terminal: Talk) => Promise<void>): Promise<void> {
  // The newest versions ask nothing unless told to.
  const terminal = await openTerminal(stage, ['--permission-mode', 'default']);
  const isOld = stage.client.version.startsWith('2.0');
  await terminal.sees(/^[❯>]\s/m);
  await passed(1500);
  await body({
    ...terminal,
    async ask(prompt, answer) {
      await terminal.say(prompt);
      await terminal.sees(new RegExp(`● ${answer}`));
      await terminal.rests(BUSY);
    },
    async refuse(reason) {
      await terminal.sees(/Do you want to/);
      await passed(500);
      if (reason === undefined) await terminal.press('Escape');
      else await (isOld ? refuseOld(terminal, reason) : refuseNew(terminal, reason));
      await passed(500);
      await terminal.rests(BUSY);
    },
  });
  await passed(500);
  await terminal.close();
}

async function refuseOld(terminal: Terminal, reason: string): Promise<void> {
  await terminal.press('3');
  await passed(400);
  await terminal.say(reason);
}

/** "No" is the last entry; Tab opens a line for the reason. */
async function refuseNew(terminal: Terminal, reason: string): Promise<void> {
  for (let i = 0; i < 4 && !/❯ \d\. No/.test(await terminal.screen()); i++) {
    await terminal.press('Down');
    await passed(300);
  }
  await terminal.press('Tab');
  await passed(400);
  await terminal.say(reason);
}

const CHANGE = [
  { calls: [{ name: 'Read', input: { file_path: 'a.txt' } }] },
  { calls: [{ name: 'Edit', input: { file_path: 'a.txt', old_string: 'beta', new_string: 'BETA' } }] },
  { text: 'After the edit.' },
];

/** Words that were not answered, or are taken back, stand in the box again. */
async function emptyBox(terminal: Terminal): Promise<void> {
  await terminal.press('C-e');
  await terminal.press('C-u');
  await passed(300);
}

const TOUCH = [{ calls: [bash('touch new.txt')] }, { text: 'After the touch.' }];

export const claudeCodeTerminalEvents: EventScenario[] = [
  {
    name: 'Esc while a reply streams',
    script: { 'Talk long.': [SLOW] },
    act: (stage) =>
      talk(stage, async (terminal) => {
        await terminal.say('Talk long.');
        // 2.0.42 shows a reply when it is whole.
        await until(asked(stage, 'Talk long.'), 'the request');
        await passed(2000);
        await terminal.press('Escape');
        await terminal.rests(BUSY);
        await terminal.ask('Go on.', 'Going on.');
      }),
    expected: [
      {
        turns: [
          ['Talk long.', 'interrupted'],
          ['Go on.', 'completed'],
        ],
        interruptions: ['response, by user'],
      },
    ],
  },
  {
    name: 'Esc before the first word',
    script: { 'Talk late.': [{ text: 'Late.', wait: 20_000 }], 'Go on, then.': [{ text: 'Further on.' }] },
    act: (stage) =>
      talk(stage, async (terminal) => {
        await terminal.ask('Go on.', 'Going on.');
        await terminal.say('Talk late.');
        await until(asked(stage, 'Talk late.'), 'the request');
        await passed(1000);
        await terminal.press('Escape');
        await passed(1000);
        await terminal.rests(BUSY);
        await emptyBox(terminal);
        await terminal.ask('Go on, then.', 'Further on.');
      }),
    expected: [
      {
        turns: [
          ['Go on.', 'completed'],
          ['Talk late.', 'interrupted'],
          ['Go on, then.', 'completed'],
        ],
        interruptions: ['response, by user'],
      },
    ],
  },
  {
    name: 'Esc while a tool runs',
    script: { 'Work long.': [LONG, { text: 'Done.' }] },
    act: (stage) =>
      talk(stage, async (terminal) => {
        await terminal.say('Work long.');
        await terminal.sees(/Do you want to/);
        await passed(500);
        await terminal.press('1');
        await until(appeared(stage, 'running'), 'the tool to run');
        await passed(1000);
        await terminal.press('Escape');
        await passed(1000);
        await terminal.rests(BUSY);
        await terminal.ask('Go on.', 'Going on.');
      }),
    expected: [
      {
        turns: [
          ['Work long.', 'interrupted'],
          ['Go on.', 'completed'],
        ],
        calls: ['Bash interrupted'],
        interruptions: ['tool, by user'],
      },
    ],
  },
  {
    name: 'a command is rejected',
    script: { 'Touch it.': TOUCH },
    act: (stage) =>
      talk(stage, async (terminal) => {
        await terminal.say('Touch it.');
        await terminal.refuse();
        await terminal.ask('Go on.', 'Going on.');
      }),
    expected: [
      {
        turns: [
          ['Touch it.', 'interrupted'],
          ['Go on.', 'completed'],
        ],
        calls: ['Bash rejected'],
        rejections: [{ tool: 'Bash', reason: null }],
      },
    ],
  },
  {
    name: 'the first of two commands is rejected',
    script: { 'Touch both.': [{ calls: [bash('touch one.txt'), bash('touch two.txt')] }, { text: 'After both.' }] },
    act: (stage) =>
      talk(stage, async (terminal) => {
        await terminal.say('Touch both.');
        await terminal.refuse();
        await terminal.ask('Go on.', 'Going on.');
      }),
    // The second was never asked about.
    expected: [
      {
        turns: [
          ['Touch both.', 'interrupted'],
          ['Go on.', 'completed'],
        ],
        calls: ['Bash rejected', 'Bash cancelled'],
        rejections: [{ tool: 'Bash', reason: null }],
      },
    ],
  },
  {
    name: 'a question is not answered',
    versions: '2.1',
    script: {
      'Ask me.': [
        {
          calls: [
            {
              name: 'AskUserQuestion',
              input: {
                questions: [
                  {
                    question: 'Which one?',
                    header: 'Pick',
                    multiSelect: false,
                    options: [
                      { label: 'A', description: 'the first' },
                      { label: 'B', description: 'the second' },
                    ],
                  },
                ],
              },
            },
          ],
        },
        { text: 'Thanks.' },
      ],
    },
    act: (stage) =>
      talk(stage, async (terminal) => {
        await terminal.say('Ask me.');
        await terminal.sees(/Which one\?/);
        await passed(800);
        await terminal.press('Escape');
        await passed(800);
        await terminal.ask('Go on.', 'Going on.');
      }),
    expected: [
      {
        turns: [
          ['Ask me.', 'interrupted'],
          ['Go on.', 'completed'],
        ],
        calls: ['AskUserQuestion rejected'],
        rejections: [{ tool: 'AskUserQuestion', reason: null }],
      },
    ],
  },
  {
    name: 'a command is rejected with a reason',
    script: { 'Touch it.': TOUCH },
    act: (stage) =>
      talk(stage, async (terminal) => {
        await terminal.say('Touch it.');
        await terminal.refuse('Not that file.');
        await terminal.sees(/● After the touch/);
        await terminal.ask('Go on.', 'Going on.');
      }),
    expected: [
      {
        turns: [
          ['Touch it.', 'completed'],
          ['Go on.', 'completed'],
        ],
        calls: ['Bash rejected'],
        rejections: [{ tool: 'Bash', reason: 'Not that file.' }],
      },
    ],
  },
  {
    name: 'an edit is rejected with a reason',
    versions: '2.1',
    script: { 'Change it.': CHANGE },
    act: (stage) =>
      talk(stage, async (terminal) => {
        await terminal.say('Change it.');
        await terminal.refuse('Keep it small.');
        await terminal.sees(/● After the edit/);
        await terminal.ask('Go on.', 'Going on.');
      }),
    expected: [
      {
        turns: [
          ['Change it.', 'completed'],
          ['Go on.', 'completed'],
        ],
        calls: ['Read ok', 'Edit rejected'],
        rejections: [{ tool: 'Edit', reason: 'Keep it small.' }],
      },
    ],
  },
  {
    // 2.0.42 takes no reason for an edit: what is typed after the third entry is the next prompt.
    name: 'an edit is rejected, and the reason said afterwards',
    versions: '2.0',
    script: { 'Change it.': CHANGE, 'Keep it small.': [{ text: 'Small, then.' }] },
    act: (stage) =>
      talk(stage, async (terminal) => {
        await terminal.say('Change it.');
        await terminal.refuse('Keep it small.');
        await terminal.sees(/● Small, then/);
      }),
    expected: [
      {
        turns: [
          ['Change it.', 'interrupted'],
          ['Keep it small.', 'completed'],
        ],
        calls: ['Read ok', 'Edit rejected'],
        rejections: [{ tool: 'Edit', reason: null }],
      },
    ],
  },
  {
    name: '/clear twice',
    act: (stage) =>
      talk(stage, async (terminal) => {
        await terminal.ask('Go on.', 'Going on.');
        await terminal.say('/clear');
        await passed(2000);
        await terminal.ask('Begin again.', 'Conformance answer.');
        await terminal.say('/clear');
        await passed(2000);
        await terminal.ask('And again.', 'Conformance answer.');
      }),
    expected: [
      { turns: [['Go on.', 'completed']], clears: ['linked'] },
      { turns: [['Begin again.', 'completed']], clears: ['linked'], from: 'clear' },
      { turns: [['And again.', 'completed']], from: 'clear' },
    ],
  },
  {
    name: '/rewind',
    act: (stage) =>
      talk(stage, async (terminal) => {
        await terminal.ask('One.', 'Conformance answer.');
        await terminal.ask('Two.', 'Conformance answer.');
        await terminal.say('/rewind');
        await terminal.sees(/\(current\)/);
        await terminal.press('Up');
        await passed(400);
        await terminal.press('Enter');
        await terminal.sees(/Confirm you want to restore/);
        await terminal.press('Enter');
        await passed(1500);
        await emptyBox(terminal);
        await terminal.ask('Go on.', 'Going on.');
      }),
    expected: [
      {
        turns: [
          ['One.', 'completed'],
          ['Two.', 'completed'],
          ['Go on.', 'completed'],
        ],
        rewinds: [2],
      },
    ],
  },
];
