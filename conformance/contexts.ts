// What we say the model saw, held against what the real client sends: a recorded session is resumed with the real client,
// and its request is compared with our context at the end of the recording.

import { cpSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contextAt, inOrder, openHome, type SessionReader } from '../src/index.ts';
import type { InstalledClient } from './clients.ts';
import { messagesOf } from './mock-anthropic.ts';
import type { Body } from './mock-api.ts';
import { contentsOf } from './mock-google.ts';
import { itemsOf } from './mock-openai.ts';
import {
  blockLines,
  FILLER,
  firstDifference,
  isReminder,
  merged,
  type SaidMessage,
  sentMessages,
} from './said-blocks.ts';
import { inSandbox, runClient, type Sandbox } from './sandbox.ts';
import type { Scenario } from './scenario.ts';

const PROMPT = 'Conformance prompt.';

/** How the contexts of one agent are compared. */
interface Way {
  recordings(version: string): string[];
  /** Puts things where the client looks for them. */
  place(sandbox: Sandbox): void;
  resume(id: string): string[];
  ours(session: SessionReader): SaidMessage[];
  sent(body: Body): SaidMessage[];
  /** What may follow behind our context. */
  isNew(message: SaidMessage): boolean;
}

/** A scenario for each recording. */
export function contextScenarios(client: InstalledClient): Scenario[] {
  const way = ways[client.agent];
  return way.recordings(client.version).map((name) => ({
    part: 'contexts',
    client,
    name,
    run: () => inSandbox(client, (sandbox) => compare(sandbox, way, name)),
  }));
}

async function compare(sandbox: Sandbox, way: Way, name: string): Promise<string> {
  const { agent } = sandbox.client;
  const recording = fileURLToPath(new URL(`../fixtures/${agent}/${name}/native`, import.meta.url));
  cpSync(recording, sandbox.home, { recursive: true });
  way.place(sandbox);
  const contexts = readContexts(sandbox.home, way);
  let blocks = 0;
  for (const { id, ours } of contexts) {
    const first = sandbox.api.requests.length;
    const { code, stderr } = await runClient(sandbox, way.resume(id));
    const request = sandbox.api.requests.slice(first).find((body) => JSON.stringify(body).includes(PROMPT));
    if (request === undefined) throw new Error(`the client sent no request: ${code} ${stderr.trim().slice(-300)}`);
    expectBeginning(id, ours, way.sent(request), way);
    blocks += ours.reduce((sum, message) => sum + message.blocks.length, 0);
  }
  return `${contexts.length} resumed, ${blocks} blocks equal`;
}

function readContexts(home: string, way: Way): { id: string; ours: SaidMessage[] }[] {
  const contexts: { id: string; ours: SaidMessage[] }[] = [];
  for (const session of inOrder(openHome({ homes: [home] }).families)) {
    const { id, kind } = session.document.session;
    if (kind === 'main') contexts.push({ id, ours: way.ours(session) });
  }
  if (contexts.length === 0) throw new Error('no session was read');
  return contexts;
}

/** Our context must be what the request begins with; behind it only what is new may follow, the prompt among it. */
function expectBeginning(id: string, ours: SaidMessage[], sent: SaidMessage[], way: Way): void {
  const [beginning, rest] = parted(ours, sent);
  const found = firstDifference(ours, beginning);
  if (found !== undefined) throw new Error(`${id}: ${found}`);
  const strange = rest.find((message) => !way.isNew(message));
  if (strange !== undefined) throw new Error(`${id}: sent behind our context\n    ${strange.role}: ${strange.blocks}`);
  if (!rest.some(({ blocks }) => blocks.some((block) => block === `text ${PROMPT}`)))
    throw new Error(`${id}: the prompt does not follow`);
}

/** The request up to as many blocks as ours has. The prompt may stand in one message with the last of ours. */
function parted(ours: SaidMessage[], sent: SaidMessage[]): [SaidMessage[], SaidMessage[]] {
  const last = ours.length - 1;
  const count = ours[last]?.blocks.length ?? 0;
  const { role = '', blocks = [] } = sent[last] ?? {};
  const beginning = [...sent.slice(0, last), { role, blocks: blocks.slice(0, count) }];
  return [merged(beginning), merged([{ role, blocks: blocks.slice(count) }, ...sent.slice(ours.length)])];
}

/** Messages of the context at the end, in the order sent. */
function contextOf(session: SessionReader) {
  return contextAt(session.document.context.windows, session.sentMarks(), session.messageCount).map((index) =>
    session.message(index),
  );
}

const claudeCode: Way = {
  recordings: (version) =>
    version.startsWith('2.0')
      ? ['v2042_events', 'v2042_tools', 'stopped-commands']
      : // Not v2042_tools: there a call is named Task, and this client sends it as Agent.
        ['i_compact', 'i_rewind', 'i_interrupt', 'i_reject', 'i_tools', 'p_resume', 'p_agents', 'v2042_events'],
  place({ home, work }) {
    const projects = join(home, '.claude', 'projects');
    const [recorded = ''] = readdirSync(projects);
    renameSync(join(projects, recorded), join(projects, work.replaceAll(/[^a-zA-Z0-9]/g, '-')));
  },
  resume: (id) => ['--resume', id, '-p', PROMPT],
  ours: (session) =>
    joinedSystem(contextOf(session).map(({ role, content }) => ({ role, blocks: content.flatMap(blockLines) }))),
  sent: (body) => sentMessages(messagesOf(body)),
  isNew: ({ role, blocks }) =>
    role === 'system' || blocks.every((block) => block === `text ${PROMPT}` || isReminder(block) || block === FILLER),
};

/** Neighbouring reminders with the role of the system are sent as one text, each without its tags. */
function joinedSystem(messages: SaidMessage[]): SaidMessage[] {
  return merged(messages).map(({ role, blocks }) => {
    if (role !== 'system') return { role, blocks };
    const texts = blocks.map((block) => block.replace(/^text /, ''));
    const bare = texts.map((text) => /^<system-reminder>\n([\s\S]*)\n<\/system-reminder>$/.exec(text)?.[1] ?? text);
    return { role, blocks: [`text ${bare.join('\n\n')}`] };
  });
}

const codex: Way = {
  recordings: () => [
    'exec-parallel',
    'exec-reason',
    'exec-patch',
    'tui-compact-manual',
    'tui-compact-auto',
    'tui-backtrack',
    'resume-fork',
    'tui-decline-exec',
  ],
  place: () => {},
  resume: (id) => ['exec', '--skip-git-repo-check', 'resume', id, PROMPT],
  ours: (session) => [
    { role: 'all', blocks: contextOf(session).flatMap(({ content }) => content.flatMap(codexLines)) },
  ],
  // The system prompt comes first; the session's first line holds it, no message does.
  sent: (body) => [
    {
      role: 'all',
      blocks: itemsOf(body)
        .flatMap(codexBlocks)
        .filter((block, i) => i > 0 || !/^text You are (Codex|a coding agent)/.test(block)),
    },
  ],
  isNew: ({ blocks }) =>
    blocks.every(
      (block) => block.includes(PROMPT) || /^text <(?!turn_aborted)/.test(block) || block.startsWith('text # AGENTS'),
    ),
};

type Content = ReturnType<SessionReader['message']>['content'][number];

/** Reasoning is sent encrypted: what we show of it is its summary. */
function codexLines(block: Content): string[] {
  if (block.type === 'thinking') return [];
  if (block.type !== 'tool_result') return blockLines(block);
  // The client's own words before the output are kept apart from it.
  const { header } = (block.details ?? {}) as { header?: string | null };
  return blockLines(block).map((line) => line.replace(/^result /, `result ${header ?? ''}`));
}

function codexBlocks(item: Record<string, unknown>): string[] {
  const texts = (parts: unknown) => (parts as { text?: string }[]).map((part) => part.text ?? ''); // parts of a message
  if (item.type === 'message') return texts(item.content).map((text) => `text ${text}`);
  if (item.type === 'function_call') return [`call ${item.name} ${JSON.stringify(JSON.parse(String(item.arguments)))}`];
  if (item.type === 'custom_tool_call') return [`call ${item.name} ${JSON.stringify(item.input)}`];
  if (!String(item.type).endsWith('_output')) return [];
  return [`result ${typeof item.output === 'string' ? item.output : texts(item.output).join('')}`];
}

const gemini: Way = {
  // Not `reject`: there the log has the bootstrap and the prompts in one message, and a resume drops them together.
  recordings: () => ['plain', 'tools', 'compress', 'autocompress', 'cancel-tool', 'cancel-response', 'rewind', 'misc'],
  place({ home, work }) {
    const root = join(home, '.gemini');
    const [slug = 'proj'] = readdirSync(join(root, 'tmp'));
    writeFileSync(join(root, 'projects.json'), JSON.stringify({ projects: { [work]: slug } }));
    for (const folder of ['tmp', 'history']) {
      mkdirSync(join(root, folder, slug), { recursive: true });
      writeFileSync(join(root, folder, slug, '.project_root'), work);
    }
  },
  resume: (id) => ['--resume', id, '-p', PROMPT],
  ours: (session) => [
    {
      role: 'all',
      blocks: onceEach(
        contextOf(session).flatMap(({ content }) =>
          content.flatMap((b) => (b.type === 'thinking' ? [] : blockLines(b))),
        ),
      ),
    },
  ],
  sent: (body) => [
    { role: 'all', blocks: onceEach(contentsOf(body).flatMap(({ parts }) => parts.flatMap(geminiBlocks))) },
  ],
  isNew: ({ blocks }) => blocks.every((block) => block.includes(PROMPT)),
};

function geminiBlocks(part: Record<string, unknown>): string[] {
  if (typeof part.text === 'string') return part.thought === true || part.text === '' ? [] : [`text ${part.text}`];
  const call = part.functionCall as { name: string; args: unknown } | undefined;
  if (call !== undefined) return [`call ${call.name} ${JSON.stringify(call.args)}`];
  const answer = part.functionResponse as { response: { output?: string; error?: string } } | undefined;
  return answer === undefined ? [] : [`result ${answer.response.error ?? answer.response.output ?? ''}`];
}

/**
 * Not compared: what the client tells about today and its folder, which it writes anew; results that a resumed Gemini sends
 * twice (it makes them up from the calls and has them from the log).
 */
function onceEach(blocks: string[]): string[] {
  const once: string[] = [];
  let run: string[] = [];
  for (const block of [...blocks.filter((text) => !text.startsWith('text <session_context>')), '']) {
    if (block.startsWith('result ')) {
      run.push(block);
      continue;
    }
    const half = run.slice(0, run.length / 2);
    once.push(...(String(half) === String(run.slice(run.length / 2)) ? half : run), block);
    run = [];
  }
  return once.slice(0, -1);
}

const ways: Record<InstalledClient['agent'], Way> = { 'claude-code': claudeCode, codex, gemini };
