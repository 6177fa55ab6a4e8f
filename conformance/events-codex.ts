// Events made with Codex.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { withAppServer } from './codex-app-server.ts';
import { until } from './sandbox.ts';
import type { Reply } from './script.ts';
import { appeared, asked, type EventScenario, type Stage } from './stage.ts';
import { openTerminal, type Terminal } from './terminal.ts';

type Call = NonNullable<Reply['calls']>[number];

/** The first prompt opens the thread; the ones behind it resume it. */
async function say({ run }: Stage, ...prompts: string[]): Promise<void> {
  for (const [i, prompt] of prompts.entries()) await run([...(i === 0 ? EXEC : RESUME), prompt]);
}

const EXEC = ['exec', '--skip-git-repo-check'];
const RESUME = [...EXEC, 'resume', '--last'];

function exec(cmd: string, more: Record<string, unknown> = {}): Call {
  return { name: 'exec_command', input: { cmd, ...more } };
}

/** Asks to leave the sandbox. */
function escalated(cmd: string): Call {
  return exec(cmd, { sandbox_permissions: 'require_escalated', justification: 'May I?' });
}

const PATCH: Call = { name: 'apply_patch', input: '*** Begin Patch\n*** Add File: new.txt\n+new\n*** End Patch' };
const SLOW: Reply = { text: Array.from({ length: 60 }, (_, i) => `word${i}`).join(' '), pause: 500 };
const LONG: Reply = { calls: [exec('echo before; touch running; sleep 60; echo after', { yield_time_ms: 30_000 })] };

const WORK_LONG = { 'Work long.': [LONG, { text: 'Done.' }] };

const HEADLESS: EventScenario[] = [
  {
    name: 'a plain turn',
    script: { 'Say hello.': [{ thinking: 'A greeting.', text: 'Hello.' }] },
    act: (stage) => say(stage, 'Say hello.'),
    expected: [{ turns: [['Say hello.', 'completed']] }],
  },
  {
    name: 'tools in parallel, one of them fails',
    script: { 'Do three things.': [{ calls: [exec('echo one'), exec('echo two; exit 3'), PATCH] }, { text: 'Done.' }] },
    act: (stage) => say(stage, 'Do three things.'),
    expected: [
      {
        turns: [['Do three things.', 'completed']],
        calls: ['exec_command ok', 'exec_command error', 'apply_patch ok'],
      },
    ],
  },
  {
    name: 'a tool is refused: nothing may be asked',
    script: { 'Touch a file.': [{ calls: [escalated('touch new.txt')] }, { text: 'It was refused.' }] },
    act: ({ run }) => run(['-c', 'sandbox_mode="read-only"', ...EXEC, 'Touch a file.']),
    expected: [
      {
        turns: [['Touch a file.', 'completed']],
        calls: ['exec_command denied'],
        denials: ['exec_command by mode'],
      },
    ],
  },
  {
    name: 'SIGINT while a reply streams, then resumed',
    script: { 'Talk long.': [SLOW] },
    async act(stage) {
      const signal = { name: 'SIGINT' as const, until: asked(stage, 'Talk long.'), after: 1500 };
      await stage.run([...EXEC, 'Talk long.'], { signal });
      await stage.run([...RESUME, 'Go on.']);
    },
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
  stoppedWhileRunning('SIGINT', 'user'),
  stoppedWhileRunning('SIGKILL', 'system'),
  {
    name: 'the context is full',
    script: { 'Read much.': [{ text: 'I read much.', inputTokens: 250_000 }] },
    act: (stage) => say(stage, 'Read much.', 'Go on.'),
    expected: [
      {
        turns: [
          ['Read much.', 'completed'],
          ['Go on.', 'completed'],
        ],
        compactions: ['auto'],
      },
    ],
  },
  {
    name: 'the server fails: 400',
    script: { 'Say hello.': [{ error: { status: 400, type: 'invalid_request_error', message: 'Made up.' } }] },
    act: (stage) => say(stage, 'Say hello.'),
    expected: [{ turns: [['Say hello.', 'failed']], failures: ['other'] }],
  },
  {
    name: 'the server fails: 429',
    script: { 'Say hello.': [{ error: { status: 429, type: 'usage_limit_reached', message: 'Made up.' } }] },
    act: (stage) => say(stage, 'Say hello.'),
    expected: [{ turns: [['Say hello.', 'failed']], failures: ['rate-limit'] }],
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

const APP_SERVER: EventScenario[] = [
  {
    name: 'a command is declined in an editor',
    script: { 'Touch it.': [{ calls: [escalated('touch new.txt')] }, { text: 'After the touch.' }] },
    act: (stage) =>
      withAppServer(stage, 'decline', async (server) => {
        const thread = await server.startThread();
        await server.beginTurn(thread, 'Touch it.');
        await server.turnsEnded(1);
      }),
    expected: [
      {
        turns: [['Touch it.', 'completed']],
        calls: ['exec_command rejected'],
        rejections: [{ tool: 'exec_command', reason: null }],
      },
    ],
  },
  {
    name: 'a patch is declined in an editor',
    script: { 'Patch it.': [{ calls: [PATCH] }, { text: 'After the patch.' }] },
    act: (stage) =>
      withAppServer(stage, 'decline', async (server) => {
        const thread = await server.startThread();
        await server.beginTurn(thread, 'Patch it.');
        await server.turnsEnded(1);
      }),
    expected: [
      {
        turns: [['Patch it.', 'completed']],
        calls: ['apply_patch rejected'],
        rejections: [{ tool: 'apply_patch', reason: null }],
      },
    ],
  },
  {
    name: 'a turn is stopped in an editor',
    script: { 'Talk long.': [SLOW] },
    act: (stage) =>
      withAppServer(stage, 'accept', async (server) => {
        const threadId = await server.startThread();
        const turnId = await server.beginTurn(threadId, 'Talk long.');
        await until(asked(stage, 'Talk long.'), 'the request');
        await passed(1000);
        await server.request('turn/interrupt', { threadId, turnId });
        await server.turnsEnded(1);
        await server.beginTurn(threadId, 'Go on.');
        await server.turnsEnded(2);
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
    name: 'a thread is forked in an editor',
    act: (stage) =>
      withAppServer(stage, 'accept', async (server) => {
        const threadId = await server.startThread();
        await server.beginTurn(threadId, 'One.');
        await server.turnsEnded(1);
        const { thread } = await server.request('thread/fork', { threadId });
        await server.beginTurn((thread as { id: string }).id, 'Two.');
        await server.turnsEnded(2);
      }),
    expected: [
      { turns: [['One.', 'completed']] },
      {
        turns: [
          ['One.', 'completed'],
          ['Two.', 'completed'],
        ],
        from: 'fork',
      },
    ],
  },
];

/** Has a thread at the terminal, and ends it. */
async function talk(stage: Stage, body: (terminal: Terminal) => Promise<void>): Promise<void> {
  // Without a daemon: it would copy itself into the home.
  const settings = ['-c', 'approval_policy="on-request"', '-c', 'sandbox_mode="read-only"'];
  const terminal = await openTerminal(stage, ['--no-daemon', ...settings]);
  await terminal.sees(/^› /m);
  await passed(1500);
  await body(terminal);
  await passed(500);
  await terminal.quit();
}

const BUSY = /esc to interrupt/;

async function ask(terminal: Terminal, prompt: string, answer: string): Promise<void> {
  await terminal.say(prompt);
  await terminal.sees(new RegExp(`• ${answer}`));
  await terminal.rests(BUSY);
}

const TERMINAL: EventScenario[] = [
  {
    name: 'Esc while a reply streams',
    script: { 'Talk long.': [SLOW] },
    act: (stage) =>
      talk(stage, async (terminal) => {
        await terminal.say('Talk long.');
        await until(asked(stage, 'Talk long.'), 'the request');
        await passed(2000);
        await terminal.press('Escape');
        await terminal.rests(BUSY);
        await ask(terminal, 'Go on.', 'Going on.');
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
    name: 'a command is rejected',
    script: { 'Touch it.': [{ calls: [escalated('touch new.txt')] }, { text: 'After the touch.' }] },
    act: (stage) =>
      talk(stage, async (terminal) => {
        await terminal.say('Touch it.');
        await terminal.sees(/tell Codex what to do differently/);
        await passed(500);
        await terminal.press('Escape');
        await passed(1000);
        await terminal.rests(BUSY);
        await ask(terminal, 'Go on.', 'Going on.');
      }),
    expected: [
      {
        turns: [
          ['Touch it.', 'interrupted'],
          ['Go on.', 'completed'],
        ],
        calls: ['exec_command rejected'],
        rejections: [{ tool: 'exec_command', reason: 'Go on.' }],
      },
    ],
  },
  {
    name: 'Esc while a tool runs',
    script: { 'Work long.': [{ calls: [escalated('echo before; echo $$ > running; exec sleep 60')] }] },
    act: (stage) =>
      talk(stage, async (terminal) => {
        await terminal.say('Work long.');
        await terminal.sees(/tell Codex what to do differently/);
        await passed(500);
        await terminal.press('y');
        await until(appeared(stage, 'running'), 'the tool to run');
        await passed(1000);
        await terminal.press('Escape');
        await passed(1000);
        await terminal.rests(BUSY);
        await ask(terminal, 'Go on.', 'Going on.');
        // The command goes on, and only its end is written down: by a client that quits not always (one run of ten), and then the
        // file cannot tell that it ever ran.
        process.kill(Number(readFileSync(join(stage.work, 'running'), 'utf8')));
        await passed(1500);
      }),
    expected: [
      {
        turns: [
          ['Work long.', 'interrupted'],
          ['Go on.', 'completed'],
        ],
        calls: ['exec_command interrupted'],
        interruptions: ['tool, by user'],
      },
    ],
  },
  {
    name: 'back to an earlier prompt (Esc Esc)',
    act: (stage) =>
      talk(stage, async (terminal) => {
        await ask(terminal, 'One.', 'Conformance answer.');
        await terminal.say('Two.');
        await terminal.sees(/Two\.[\s\S]*• Conformance answer/);
        await terminal.rests(BUSY);
        for (const key of ['Escape', 'Escape', 'Enter']) {
          await terminal.press(key);
          await passed(800);
        }
        // The words are back in the box.
        await terminal.press('C-u');
        await passed(300);
        await ask(terminal, 'Go on.', 'Going on.');
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
  {
    name: '/compact',
    act: (stage) =>
      talk(stage, async (terminal) => {
        await ask(terminal, 'One.', 'Conformance answer.');
        await terminal.say('/compact');
        await terminal.sees(/[Cc]ompacted/);
        await terminal.rests(BUSY);
        await ask(terminal, 'Go on.', 'Going on.');
      }),
    expected: [
      {
        turns: [
          ['One.', 'completed'],
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
];

export const codexEvents: EventScenario[] = [...HEADLESS, ...APP_SERVER, ...TERMINAL];

function stoppedWhileRunning(name: 'SIGINT' | 'SIGKILL', by: 'user' | 'system'): EventScenario {
  return {
    name: `${name === 'SIGINT' ? 'SIGINT' : 'killed'} while a tool runs, then resumed`,
    script: WORK_LONG,
    async act(stage) {
      await stage.run([...EXEC, 'Work long.'], { signal: { name, until: appeared(stage, 'running') } });
      await stage.run([...RESUME, 'Go on.']);
    },
    expected: [
      {
        turns: [
          ['Work long.', 'interrupted'],
          ['Go on.', 'completed'],
        ],
        calls: ['exec_command interrupted'],
        interruptions: [`tool, by ${by}`],
      },
    ],
  };
}
