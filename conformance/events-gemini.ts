// Events made with Gemini CLI.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { until } from './sandbox.ts';
import type { Reply } from './script.ts';
import { appeared, asked, type EventScenario, type Stage } from './stage.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import type { Told } from './told.ts';

type Call = NonNullable<Reply['calls']>[number];

/** The first prompt opens the session; the ones behind it resume it. */
async function say({ run }: Stage, ...prompts: string[]): Promise<void> {
  for (const [i, prompt] of prompts.entries()) await run([...(i === 0 ? [] : RESUME), '--yolo', '-p', prompt]);
}

const RESUME = ['--resume', 'latest'];

function shell(command: string): Call {
  return { name: 'run_shell_command', input: { command, description: 'A command' } };
}

const SLOW: Reply = { text: Array.from({ length: 60 }, (_, i) => `word${i}`).join(' '), pause: 500 };
const LONG: Reply = { text: 'This takes long.', calls: [shell('touch running; sleep 60')] };
const ONLY_LONG: Reply = { calls: [shell('touch running; sleep 60')] };
const READ: Call = { name: 'read_file', input: { file_path: 'a.txt' } };
const REPLACE: Call = {
  name: 'replace',
  input: { file_path: 'a.txt', old_string: 'beta', new_string: 'BETA', instruction: 'Change beta.' },
};

async function stopWhileRunning(stage: Stage, name: NodeJS.Signals): Promise<void> {
  await stage.run(['--yolo', '-p', 'Work long.'], { signal: { name, until: appeared(stage, 'running'), after: 300 } });
  await stage.run([...RESUME, '-p', 'Go on.']);
}

const STOPPED: Told[] = [
  {
    turns: [
      ['Work long.', 'interrupted'],
      ['Go on.', 'completed'],
    ],
    interruptions: ['response, by system'],
  },
];

const HEADLESS: EventScenario[] = [
  {
    name: 'a plain turn',
    script: { 'Say hello.': [{ thinking: 'A greeting.', text: 'Hello.' }] },
    act: (stage) => say(stage, 'Say hello.'),
    expected: [{ turns: [['Say hello.', 'completed']] }],
  },
  {
    name: 'tools in parallel, one of them fails',
    script: {
      'Do three things.': [
        { calls: [shell('echo one'), READ, { name: 'read_file', input: { file_path: 'none.txt' } }] },
        { text: 'Done.' },
      ],
    },
    act: (stage) => say(stage, 'Do three things.'),
    expected: [
      {
        turns: [['Do three things.', 'completed']],
        calls: ['run_shell_command ok', 'read_file ok', 'read_file error'],
      },
    ],
  },
  {
    name: 'a tool is refused because nobody can be asked',
    script: { 'Touch a file.': [{ calls: [shell('touch new.txt')] }, { text: 'It was refused.' }] },
    act: ({ run }) => run(['-p', 'Touch a file.']),
    expected: [
      {
        turns: [['Touch a file.', 'completed']],
        calls: ['run_shell_command denied'],
        denials: ['run_shell_command by headless'],
      },
    ],
  },
  {
    name: 'SIGINT while a reply streams, then resumed',
    script: { 'Talk long.': [SLOW] },
    async act(stage) {
      const signal = { name: 'SIGINT' as const, until: asked(stage, 'Talk long.'), after: 1500 };
      await stage.run(['-p', 'Talk long.'], { signal });
      await stage.run([...RESUME, '-p', 'Go on.']);
    },
    // Nothing is written: that the process ended is all that the file tells.
    expected: [
      {
        turns: [
          ['Talk long.', 'interrupted'],
          ['Go on.', 'completed'],
        ],
        interruptions: ['response, by system'],
      },
    ],
  },
  {
    name: 'SIGINT while a tool runs, then resumed',
    script: { 'Work long.': [ONLY_LONG, { text: 'Done.' }] },
    act: (stage) => stopWhileRunning(stage, 'SIGINT'),
    expected: STOPPED,
  },
  {
    name: 'killed while a tool runs, then resumed',
    script: { 'Work long.': [ONLY_LONG, { text: 'Done.' }] },
    act: (stage) => stopWhileRunning(stage, 'SIGKILL'),
    expected: STOPPED,
  },
  {
    // A call is written when it ends: the words before it look like a whole answer.
    name: 'killed while a tool runs, after some words, then resumed',
    script: { 'Work long.': [LONG, { text: 'Done.' }] },
    act: (stage) => stopWhileRunning(stage, 'SIGKILL'),
    expected: [
      {
        turns: [
          ['Work long.', 'completed'],
          ['Go on.', 'completed'],
        ],
      },
    ],
  },
  {
    name: 'the context is full',
    script: {
      'Read much.': [{ text: 'I read much.', inputTokens: 60_000 }],
      'Read more.': [{ text: 'I read more.', inputTokens: 60_000 }],
    },
    async act(stage) {
      const path = join(stage.home, '.gemini', 'settings.json');
      const settings = JSON.parse(readFileSync(path, 'utf8')) as { model: Record<string, unknown> };
      settings.model.compressionThreshold = 0.02;
      writeFileSync(path, JSON.stringify(settings));
      await talk(stage, async (terminal) => {
        await ask(terminal, 'Read much.', 'I read much.');
        await ask(terminal, 'Read more.', 'I read more.');
        await ask(terminal, 'Go on.', 'Going on.');
      });
    },
    expected: [
      {
        turns: [
          ['Read much.', 'completed'],
          ['Read more.', 'completed'],
          ['Go on.', 'completed'],
        ],
        compactions: ['auto', 'auto'],
      },
    ],
  },
  {
    name: 'the server fails: 400',
    script: { 'Say hello.': [{ error: { status: 400, type: 'INVALID_ARGUMENT', message: 'Made up.' } }] },
    act: (stage) => say(stage, 'Say hello.'),
    expected: [{ turns: [['Say hello.', 'failed']], failures: ['other'] }],
  },
  {
    name: 'resumed',
    act: (stage) => say(stage, 'One.', 'Two.', 'Three.'),
    expected: [
      {
        turns: [
          ['One.', 'completed'],
          ['Two.', 'completed'],
          ['Three.', 'completed'],
        ],
      },
    ],
  },
];

/** Has a session at the terminal, and ends it. */
async function talk(stage: Stage, body: (terminal: Terminal) => Promise<void>): Promise<void> {
  const terminal = await openTerminal(stage, []);
  await terminal.sees(/Type your message/);
  await passed(1500);
  await body(terminal);
  await passed(800);
  await terminal.quit();
}

async function ask(terminal: Terminal, prompt: string, answer: string): Promise<void> {
  await terminal.say(prompt);
  await terminal.sees(new RegExp(`✦ ${answer}`));
  await terminal.rests(BUSY);
}

const BUSY = /esc to cancel/i;

const TERMINAL: EventScenario[] = [
  {
    name: 'Esc while a reply streams',
    script: { 'Talk long.': [SLOW] },
    act: (stage) =>
      talk(stage, async (terminal) => {
        await ask(terminal, 'One.', 'Conformance answer.');
        await terminal.say('Talk long.');
        await terminal.sees(/word2/);
        await terminal.press('Escape');
        await terminal.sees(/Request cancelled/);
        await ask(terminal, 'Go on.', 'Going on.');
      }),
    expected: [
      {
        turns: [
          ['One.', 'completed'],
          ['Talk long.', 'interrupted'],
          ['Go on.', 'completed'],
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
        await terminal.sees(/Allow execution/);
        await passed(500);
        await terminal.press('Enter');
        await until(appeared(stage, 'running'), 'the tool to run');
        await passed(1500);
        await terminal.press('Escape');
        await passed(1500);
        await ask(terminal, 'Go on.', 'Going on.');
      }),
    expected: [
      {
        turns: [
          ['Work long.', 'interrupted'],
          ['Go on.', 'completed'],
        ],
        calls: ['run_shell_command interrupted'],
        interruptions: ['tool, by user'],
      },
    ],
  },
  {
    name: 'an edit is rejected',
    script: { 'Change it.': [{ text: 'Editing.', calls: [REPLACE] }, { text: 'After the edit.' }] },
    act: (stage) =>
      talk(stage, async (terminal) => {
        await terminal.say('Change it.');
        await terminal.sees(/Apply this change/);
        await passed(500);
        await terminal.press('Escape');
        await terminal.sees(/Request cancelled/);
        await ask(terminal, 'Go on.', 'Going on.');
      }),
    expected: [
      {
        turns: [
          ['Change it.', 'interrupted'],
          ['Go on.', 'completed'],
        ],
        calls: ['replace rejected'],
        rejections: [{ tool: 'replace', reason: 'Go on.' }],
      },
    ],
  },
  {
    name: 'a command is rejected',
    script: { 'Touch it.': [{ text: 'Touching.', calls: [shell('touch new.txt')] }, { text: 'After the touch.' }] },
    act: (stage) =>
      talk(stage, async (terminal) => {
        await terminal.say('Touch it.');
        await terminal.sees(/Allow execution/);
        await passed(500);
        await terminal.press('Escape');
        await terminal.sees(/Request cancelled/);
        await ask(terminal, 'Go on.', 'Going on.');
      }),
    expected: [
      {
        turns: [
          ['Touch it.', 'interrupted'],
          ['Go on.', 'completed'],
        ],
        calls: ['run_shell_command rejected'],
        rejections: [{ tool: 'run_shell_command', reason: 'Go on.' }],
      },
    ],
  },
  {
    name: '/compress',
    script: { 'Read much.': [{ text: 'I read much.', inputTokens: 60_000 }] },
    act: (stage) =>
      talk(stage, async (terminal) => {
        await ask(terminal, 'One.', 'Conformance answer.');
        await ask(terminal, 'Read much.', 'I read much.');
        await terminal.say('/compress');
        await terminal.sees(/[Cc]ompressed from/);
        await ask(terminal, 'Go on.', 'Going on.');
      }),
    expected: [
      {
        turns: [
          ['One.', 'completed'],
          ['Read much.', 'completed'],
          ['Go on.', 'completed'],
        ],
        compactions: ['manual'],
      },
    ],
  },
  {
    name: '/clear',
    act: (stage) =>
      talk(stage, async (terminal) => {
        await ask(terminal, 'Go on.', 'Going on.');
        await terminal.say('/clear');
        await passed(2500);
        await ask(terminal, 'Begin again.', 'Conformance answer.');
      }),
    expected: [
      { turns: [['Go on.', 'completed']], clears: ['linked'] },
      { turns: [['Begin again.', 'completed']], from: 'clear' },
    ],
  },
  {
    name: '/rewind',
    act: (stage) =>
      talk(stage, async (terminal) => {
        await ask(terminal, 'Go on.', 'Going on.');
        await ask(terminal, 'Two.', 'Conformance answer.');
        await terminal.say('/rewind');
        await terminal.sees(/Stay at current position/);
        await terminal.press('Up');
        await passed(500);
        await terminal.press('Enter');
        await terminal.sees(/Confirm Rewind/);
        await terminal.press('Enter');
        await passed(1500);
        // The words are back in the box.
        await terminal.press('C-e');
        await terminal.press('C-u');
        await passed(300);
        await ask(terminal, 'Go on, then.', 'Further on.');
      }),
    script: { 'Go on, then.': [{ text: 'Further on.' }], 'Two.': [] },
    expected: [
      {
        turns: [
          ['Go on.', 'completed'],
          ['Two.', 'completed'],
          ['Go on, then.', 'completed'],
        ],
        // The turn, and the client's setup, which it does not send again.
        rewinds: [3],
      },
    ],
  },
  {
    name: 'the server fails at the terminal: 400',
    script: { 'Say hello.': [{ error: { status: 400, type: 'INVALID_ARGUMENT', message: 'Made up.' } }] },
    act: (stage) =>
      talk(stage, async (terminal) => {
        await terminal.say('Say hello.');
        await terminal.sees(/API Error/);
        await passed(500);
        await ask(terminal, 'Go on.', 'Going on.');
      }),
    expected: [
      {
        turns: [
          ['Say hello.', 'failed'],
          ['Go on.', 'completed'],
        ],
        failures: ['other'],
      },
    ],
  },
];

export const geminiEvents: EventScenario[] = [...HEADLESS, ...TERMINAL];
