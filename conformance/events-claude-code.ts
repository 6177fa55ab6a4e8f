// Events made with Claude Code.

import type { Reply } from './script.ts';
import { appeared, asked, type EventScenario, type Stage } from './stage.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const FREE = ['--permission-mode', 'bypassPermissions'];

/** The first prompt opens the session; the ones behind it resume it. */
async function say({ run }: Stage, ...prompts: string[]): Promise<void> {
  for (const [i, prompt] of prompts.entries())
    await run([...(i === 0 ? ['--session-id', ID] : ['--resume', ID]), '-p', prompt, ...FREE]);
}

export function bash(command: string): NonNullable<Reply['calls']>[number] {
  return { name: 'Bash', input: { command, description: 'A command' } };
}

/** A reply of many words, two in a second. */
export const SLOW: Reply = { text: Array.from({ length: 60 }, (_, i) => `word${i}`).join(' '), pause: 500 };
/** A call that tells when it runs, and goes on for a minute. */
export const LONG: Reply = {
  text: 'This takes long.',
  calls: [bash('echo before; touch running; sleep 60; echo after')],
};

/** A hook at every call of the shell. */
function hookSettings(event: string, command: string): string {
  return JSON.stringify({ hooks: { [event]: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] } });
}

/** Events that need no terminal. */
export const claudeCodeEvents: EventScenario[] = [
  {
    name: 'a plain turn',
    script: { 'Say hello.': [{ text: 'Hello.' }] },
    act: (stage) => say(stage, 'Say hello.'),
    expected: [{ turns: [['Say hello.', 'completed']] }],
  },
  {
    name: 'tools in parallel, one of them fails',
    script: {
      'Do three things.': [
        { calls: [bash('echo one'), { name: 'Read', input: { file_path: 'a.txt' } }, bash('echo two; exit 3')] },
        { text: 'Done.' },
      ],
    },
    act: (stage) => say(stage, 'Do three things.'),
    expected: [{ turns: [['Do three things.', 'completed']], calls: ['Bash ok', 'Read ok', 'Bash error'] }],
  },
  {
    name: 'a tool is refused because nobody can be asked',
    script: { 'Touch a file.': [{ calls: [bash('touch new.txt')] }, { text: 'It was refused.' }] },
    act: ({ run }) => run(['-p', 'Touch a file.', '--permission-mode', 'default']),
    expected: [{ turns: [['Touch a file.', 'completed']], calls: ['Bash denied'], denials: ['Bash by headless'] }],
  },
  {
    name: 'a rule refuses a tool',
    script: { 'Touch a file.': [{ calls: [bash('touch new.txt')] }, { text: 'It was refused.' }] },
    act: ({ run }) => run(['-p', 'Touch a file.', '--disallowedTools', 'Bash(touch:*)']),
    expected: [{ turns: [['Touch a file.', 'completed']], calls: ['Bash denied'], denials: ['Bash by rule'] }],
  },
  {
    name: 'SIGINT while a reply streams, then resumed',
    versions: '2.1',
    script: { 'Talk long.': [SLOW] },
    async act(stage) {
      const signal = { name: 'SIGINT' as const, until: asked(stage, 'Talk long.'), after: 1500 };
      await stage.run(['--session-id', ID, '-p', 'Talk long.'], { signal });
      await stage.run(['--resume', ID, '-p', 'Go on.']);
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
  {
    // 2.0.42 writes the prompt when the turn ends: the file holds no message, and cannot be resumed.
    name: 'SIGINT while a reply streams',
    versions: '2.0',
    script: { 'Talk long.': [SLOW] },
    act: (stage) =>
      stage.run(['--session-id', ID, '-p', 'Talk long.'], {
        signal: { name: 'SIGINT', until: asked(stage, 'Talk long.'), after: 1500 },
      }),
    expected: [],
  },
  {
    // The client tells nothing of it but a reply of its own, put in on resume. 2.0.42 has lost the prompt.
    name: 'killed while a reply streams, then resumed',
    versions: '2.1',
    script: { 'Say hello.': [{ text: 'Hello.' }], 'Talk long.': [SLOW] },
    async act(stage) {
      await stage.run(['--session-id', ID, '-p', 'Say hello.']);
      const signal = { name: 'SIGKILL' as const, until: asked(stage, 'Talk long.'), after: 1500 };
      await stage.run(['--resume', ID, '-p', 'Talk long.'], { signal });
      await stage.run(['--resume', ID, '-p', 'Go on.']);
    },
    expected: [
      {
        turns: [
          ['Say hello.', 'completed'],
          ['Talk long.', 'interrupted'],
          ['Go on.', 'completed'],
        ],
        interruptions: ['response, by system'],
      },
    ],
  },
  {
    name: 'a hook refuses a tool',
    versions: '2.1',
    script: { 'Touch a file.': [{ calls: [bash('touch new.txt')] }, { text: 'It was refused.' }] },
    act: ({ run }) => run(['-p', 'Touch a file.', ...FREE, '--settings', hookSettings('PreToolUse', 'exit 2')]),
    expected: [{ turns: [['Touch a file.', 'completed']], calls: ['Bash denied'], denials: ['Bash by hook'] }],
  },
  {
    name: 'a hook ends the turn',
    versions: '2.1',
    script: { 'Touch a file.': [{ calls: [bash('touch new.txt')] }, { text: 'Done.' }] },
    act: ({ run }) =>
      run(['-p', 'Touch a file.', ...FREE, '--settings', hookSettings('PostToolUse', `echo '{"continue": false}'`)]),
    expected: [
      {
        turns: [['Touch a file.', 'interrupted']],
        calls: ['Bash ok'],
        interruptions: ['response, by system'],
      },
    ],
  },
  stoppedWhileRunning({
    name: 'SIGINT while a tool runs, then resumed',
    versions: '2.1',
    signal: 'SIGINT',
    by: 'user',
  }),
  // 2.0.42 writes nothing: that the process ended is all that the file tells.
  stoppedWhileRunning({
    name: 'SIGINT while a tool runs, then resumed',
    versions: '2.0',
    signal: 'SIGINT',
    by: 'system',
  }),
  stoppedWhileRunning({
    name: 'killed while a tool runs, then resumed',
    versions: '',
    signal: 'SIGKILL',
    by: 'system',
  }),
  {
    name: '/compact, then resumed',
    script: { 'Say hello.': [{ text: 'Hello.' }] },
    act: (stage) => say(stage, 'Say hello.', '/compact', 'Go on.'),
    expected: [
      {
        turns: [
          ['Say hello.', 'completed'],
          ['Go on.', 'completed'],
        ],
        compactions: ['manual'],
      },
    ],
  },
  {
    name: 'the context is full',
    script: { 'Read much.': [{ text: 'I read much.', inputTokens: 190_000 }] },
    async act({ run }) {
      const env = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000', ANTHROPIC_MODEL: 'claude-sonnet-4-5-20250929' };
      await run(['--session-id', ID, '-p', 'Read much.'], { env });
      await run(['--resume', ID, '-p', 'Go on.'], { env });
    },
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
  ...(
    [
      ['overloaded', 529, 'overloaded_error'],
      ['rate-limit', 429, 'rate_limit_error'],
      ['auth', 401, 'authentication_error'],
    ] as const
  ).map(
    ([cause, status, type]): EventScenario => ({
      name: `the server fails: ${status}`,
      script: { 'Say hello.': [{ error: { status, type, message: 'Made up.' } }] },
      act: (stage) => say(stage, 'Say hello.'),
      expected: [{ turns: [['Say hello.', 'failed']], failures: [cause] }],
    }),
  ),
  {
    name: 'resumed and continued',
    async act(stage) {
      await say(stage, 'One.', 'Two.');
      await stage.run(['--continue', '-p', 'Three.']);
    },
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
  {
    name: 'forked',
    async act(stage) {
      await say(stage, 'One.');
      await stage.run(['--resume', ID, '--fork-session', '-p', 'Two.']);
    },
    // The turns of the session that it was forked from are told as inherited.
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

function stoppedWhileRunning(how: {
  name: string;
  versions: string;
  signal: NodeJS.Signals;
  by: 'user' | 'system';
}): EventScenario {
  return {
    name: how.name,
    versions: how.versions,
    script: { 'Work long.': [LONG, { text: 'Done.' }] },
    async act(stage) {
      // Rows are written a little after what they tell of.
      const signal = { name: how.signal, until: appeared(stage, 'running'), after: 1000 };
      await stage.run(['--session-id', ID, '-p', 'Work long.', ...FREE], { signal });
      await stage.run(['--resume', ID, '-p', 'Go on.']);
    },
    expected: [
      {
        turns: [
          ['Work long.', 'interrupted'],
          ['Go on.', 'completed'],
        ],
        calls: ['Bash interrupted'],
        interruptions: [`tool, by ${how.by}`],
      },
    ],
  };
}
