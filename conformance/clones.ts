// Clones that the real client resumes: a session is made with a client, cloned in every way, and each clone is resumed with
// every version of the client. The messages that then reach the server must be those that the plan of the clone names.

import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inOrder, openHome } from '../src/index.ts';
import type { InstalledClient } from './clients.ts';
import { copied } from './program.ts';
import { expectResumed, type Planned } from './resumed.ts';
import { openSandbox, runClient, type Sandbox, withClient } from './sandbox.ts';
import type { Scenario } from './scenario.ts';
import type { Script } from './script.ts';

// A clone is resumed with the model of its session: 2.1.325 leaves out the thinking of another one. It tells a new model
// in messages of the system what it tells an old one beside the person's words.
const OLD_MODEL = 'claude-sonnet-4-5-20250929';
const NEW_MODEL = 'claude-opus-5-5';
const ALLOWED = ['--permission-mode', 'bypassPermissions'];

/** Stand for the indices of messages that only the session knows. */
const END_OF_TURN = '(the end of turn 3)';
const WITHIN_TURN = '(a result within turn 3)';

/** Each way of cloning; `again` clones the clone. */
const WAYS: { options: string[]; again?: string[] }[] = [
  { options: [] },
  { options: ['--strip-tools'] },
  { options: ['--strip-tools=old', '--keep-last', '1'] },
  { options: ['--strip-tools=outputs'] },
  { options: ['--strip-tools', '--tool', 'Bash'] },
  { options: ['--strip-thinking'] },
  { options: ['--compress', '--keep-last', '1'] },
  { options: ['--compress-turns', '1-2'] },
  { options: ['--budget', '1200', '--keep-last', '1'] },
  { options: ['--at', END_OF_TURN] },
  { options: ['--at', WITHIN_TURN] },
  { options: ['--strip-images'] },
  { options: ['--preset', 'conversation'] },
  { options: ['--preset', 'unbrick'] },
  { options: [], again: ['--strip-tools'] },
];

/** After a compaction, where the summary and what it kept must come through. */
const COMPACTED_WAYS: typeof WAYS = [
  { options: [] },
  { options: ['--strip-tools'] },
  { options: ['--compress', '--keep-last', '1'] },
];

/** A session that was made, and where. */
interface Base {
  sandbox: Sandbox;
  id: string;
  env: { ANTHROPIC_MODEL: string };
}

interface Clone extends Planned {
  command: string[];
}

/** A scenario for each way, on sessions of this client. */
export function cloneScenarios(client: InstalledClient, resumers: InstalledClient[]): Scenario[] {
  if (client.agent !== 'claude-code') return [];
  const plain = once(() => makeBase(client, OLD_MODEL));
  const tied = once(async () => atOneMoment(await makeBase(client, OLD_MODEL, 2)));
  const compacted = once(async () => addCompaction(await makeBase(client, NEW_MODEL)));
  const keptBefore = once(() => recordedBase(client));
  const scenario = (base: () => Promise<Base>, what: string) => (way: (typeof WAYS)[number]) => ({
    part: 'clones' as const,
    client,
    name: nameOf(way, what),
    run: async () => tryWay(await base(), way, resumers),
  });
  return [
    ...WAYS.map(scenario(plain, '')),
    ...COMPACTED_WAYS.map(scenario(compacted, 'after a compaction: ')),
    ...[{ options: [] }].map(scenario(tied, 'two rows of one time: ')),
    ...[{ options: [] }].map(scenario(keptBefore, 'after "Summarize from here": ')),
  ];
}

function nameOf({ options, again }: (typeof WAYS)[number], what: string): string {
  const words = `clone ${options.join(' ')}`.trim();
  return `${what}${words}${again === undefined ? '' : `, then clone ${again.join(' ')} of it`}`;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** A session with all that a clone must deal with, or its first turns. */
async function makeBase(client: InstalledClient, model: string, turns = 6): Promise<Base> {
  const base = { sandbox: await openSandbox(client), id: randomUUID(), env: { ANTHROPIC_MODEL: model } };
  const { sandbox, id } = base;
  const script = scriptIn(sandbox.work);
  sandbox.api.script(script);
  for (const [i, prompt] of Object.keys(script).slice(0, turns).entries())
    await said(base, [...(i === 0 ? ['--session-id', id] : ['--resume', id]), '-p', prompt, ...ALLOWED]);
  return base;
}

/**
 * Gives the rows of the last reply the same time, as it often happens by itself. 2.0.42 goes on from the newest row, and of two
 * equally new ones from the first: what is behind it is lost.
 */
function atOneMoment(base: Base): Base {
  const file = join(projectOf(base.sandbox), `${base.id}.jsonl`);
  const rows = readFileSync(file, 'utf8').trimEnd().split('\n');
  const replies = rows.flatMap((row, i) => (row.includes('"type":"assistant"') ? [i] : []));
  const time = /"timestamp":"[^"]*"/;
  const last = time.exec(rows[replies.at(-1) ?? 0] ?? '')?.[0] ?? '';
  for (const i of replies.slice(-2)) rows[i] = (rows[i] ?? '').replace(time, last);
  writeFileSync(file, `${rows.join('\n')}\n`);
  return base;
}

/** What was recorded in a terminal, in the project of the sandbox: a summary before which something was kept. */
async function recordedBase(client: InstalledClient): Promise<Base> {
  const base = { sandbox: await openSandbox(client), id: KEPT_BEFORE.id, env: { ANTHROPIC_MODEL: NEW_MODEL } };
  const rows = readFileSync(new URL(`${KEPT_BEFORE.folder}/${base.id}.jsonl`, import.meta.url), 'utf8');
  mkdirSync(projectOf(base.sandbox), { recursive: true });
  const own = rows
    .replaceAll('"cwd":"/home/dev/src/demo"', `"cwd":${JSON.stringify(base.sandbox.work)}`)
    // The ends of reminders were cut when it was made small.
    .replaceAll(/…\[\d+ characters left out\]/g, '</system-reminder>');
  writeFileSync(join(projectOf(base.sandbox), `${base.id}.jsonl`), own);
  return base;
}

const KEPT_BEFORE = {
  folder: '../fixtures/claude-code/summarized-from-and-up-to/native/.claude/projects/-home-dev-src-demo',
  id: '904312c5-15a4-4e2b-a0c4-01aba78b3feb',
};

async function addCompaction(base: Base): Promise<Base> {
  base.sandbox.api.script({
    'Run after the compaction.': [
      { text: 'Running again.', calls: [bash('echo after')] },
      { text: 'It printed after.' },
    ],
    'Say goodbye.': [{ text: 'Goodbye.' }],
  });
  for (const prompt of ['/compact', 'Run after the compaction.', 'Say goodbye.'])
    await said(base, ['--resume', base.id, '-p', prompt, ...ALLOWED]);
  return base;
}

async function said({ sandbox, env }: Base, args: string[]): Promise<void> {
  const { code, stderr, stdout } = await runClient(sandbox, args, { env });
  if (code !== 0 || stderr !== '') throw new Error(`the base could not be made: ${code} ${stderr}${stdout}`);
}

function scriptIn(work: string): Script {
  const file_path = join(work, 'a.txt');
  const read = { name: 'Read', input: { file_path } };
  return {
    'Say hello.': [{ text: 'Hello.' }],
    'Think, then run a command.': [
      { thinking: 'A command is needed.', text: 'I run it.', calls: [bash('echo hello')] },
      { thinking: 'It ran.', text: 'It printed hello.' },
    ],
    'Do three things at once.': [
      { text: 'Three at once.', calls: [bash('echo one'), read, bash('echo two')] },
      { text: 'All three are done.' },
    ],
    'Change the file.': [
      { text: 'I read it first.', calls: [read] },
      { calls: [{ name: 'Edit', input: { file_path, old_string: 'alpha', new_string: 'ALPHA' } }] },
      { text: 'It is changed.' },
    ],
    'Look at the picture.': [
      { calls: [{ name: 'Read', input: { file_path: join(work, 'dot.png') } }] },
      { text: 'A red dot.' },
    ],
    'Run what fails.': [
      { text: 'This will fail.', calls: [bash('echo out; echo err >&2; exit 3')] },
      { thinking: 'As expected.', text: 'It failed with 3.' },
    ],
  };
}

function bash(command: string) {
  return { name: 'Bash', input: { command, description: 'A command' } };
}

async function tryWay(base: Base, way: (typeof WAYS)[number], resumers: InstalledClient[]): Promise<string> {
  const { sandbox } = base;
  let clone = await makeClone(sandbox, base.id, way.options);
  if (way.again !== undefined) clone = await makeClone(sandbox, clone.session_id, way.again);
  expectPlaced(sandbox, clone);
  for (const client of resumers) await expectResumed({ ...base, sandbox: withClient(sandbox, client) }, clone);
  const blocks = clone.messages.reduce((sum, message) => sum + message.blocks.length, 0);
  return `${blocks} blocks sent as planned by ${resumers.map(({ version }) => version).join(', ')}`;
}

function makeClone({ home }: Sandbox, id: string, options: string[]): Promise<Clone> {
  return copied(home, [
    'clone',
    id,
    ...options.map((option) => placed(option, home, id)),
    '--messages',
  ]) as Promise<Clone>;
}

/** An option, with the index of a message where it stands for one. */
function placed(option: string, home: string, id: string): string {
  if (option !== END_OF_TURN && option !== WITHIN_TURN) return option;
  for (const session of inOrder(openHome({ homes: [home] }).families)) {
    if (session.document.session.id !== id) continue;
    const turn = session.document.turns[2];
    const result = session.document.tool_calls.find(
      (call) => (call.message_index ?? 0) > (turn?.first_message_index ?? 0),
    );
    return String(option === END_OF_TURN ? turn?.last_message_index : result?.result_message_index);
  }
  throw new Error(`no session ${id}`);
}

export function projectOf({ home, work }: Sandbox): string {
  return join(home, '.claude', 'projects', work.replaceAll(/[^a-zA-Z0-9]/g, '-'));
}

/** A new file beside the original, for nobody else's eyes, and the command that resumes it. */
function expectPlaced(sandbox: Sandbox, { session_id, file, command }: Clone): void {
  const folder = projectOf(sandbox);
  const wrong = [
    [file === join(folder, `${session_id}.jsonl`), `it lies at ${file}, not in ${folder}`],
    [(statSync(file).mode & 0o777) === 0o600, 'others may read it'],
    [command.includes(session_id), `its command is ${command.join(' ')}`],
  ].filter(([isRight]) => !isRight);
  if (wrong.length > 0) throw new Error(`the clone ${session_id}: ${wrong.map(([, what]) => what).join('; ')}`);
}
