// What we say the model saw, held against what the real client sends: a recorded session is resumed with the real client,
// which talks to a server on this machine, and the blocks of its first request are compared with our context at the end.
//
//   npm run conformance -- --codex PATH_OF_CODEX --gemini PATH_OF_GEMINI_JS
//
// The clients are test tools: install them somewhere outside of the project. They get a home of their own and a made-up key.

import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { contextAt, inOrder, openHome, type SessionReader } from '../src/index.ts';
import { mockApi } from './mock-api.ts';

const { values } = parseArgs({
  options: {
    codex: { type: 'string' },
    gemini: { type: 'string' },
  },
});

const PROMPT = 'Conformance prompt.';
let failed = 0;
let passed = 0;

interface Client {
  agent: 'codex' | 'gemini';
  recordings: string[];
  /** Puts the recording where the client looks, and gives its command. */
  prepare(
    home: string,
    work: string,
    id: string,
    port: number,
  ): { command: string; args: string[]; env: Record<string, string> };
  blocksOf(request: Record<string, unknown>): string[];
}

const clients: Client[] = [];
if (values.codex !== undefined) clients.push(codex(values.codex));
if (values.gemini !== undefined) clients.push(gemini(values.gemini));
if (clients.length === 0) console.log('not run: give --codex PATH or --gemini PATH of an installed client');
for (const client of clients) for (const name of client.recordings) await compare(client, name);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function compare(client: Client, name: string): Promise<void> {
  const recording = fileURLToPath(new URL(`../fixtures/${client.agent}/${name}/native`, import.meta.url));
  const home = mkdtempSync(join(tmpdir(), 'palimpsest-conformance-'));
  const work = join(home, 'proj');
  mkdirSync(work);
  cpSync(join(recording, `.${client.agent}`), join(home, `.${client.agent}`), { recursive: true });
  const api = await mockApi();
  try {
    const { id, ours } = read(home);
    const { command, args, env } = client.prepare(home, work, id, api.port);
    await run(command, args, work, { ...env, HOME: home, PATH: process.env.PATH ?? '', TERM: 'dumb', LANG: 'C.UTF-8' });
    const request = api.requests.find((body) => JSON.stringify(body).includes(PROMPT));
    if (request === undefined) throw new Error('the client sent no request');
    tell(`${client.agent} ${name}`, ours, client.blocksOf(request));
  } catch (error) {
    failed++;
    console.log(`WRONG ${client.agent} ${name}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    api.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** The first session of a home. */
function read(home: string): { id: string; ours: string[] } {
  for (const session of inOrder(openHome({ homes: [home] }).families))
    return { id: session.document.session.id, ours: contextOf(session) };
  throw new Error('no session was read');
}

/** What the next request would begin with, by blocks. */
function contextOf(session: SessionReader): string[] {
  const indices = contextAt(session.document.context.windows, session.sentMarks(), session.messageCount);
  return indices.flatMap((index) => session.message(index).content.flatMap((block) => ourBlock(block as OurBlock)));
}

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

/**
 * Our context must be what the request begins with; behind it only what is new may follow. Not compared: what the client
 * tells about today and its folder, which it writes anew; results that a resumed Gemini sends twice (it makes them up from
 * the calls and has them from the log).
 */
function tell(what: string, context: string[], request: string[]): void {
  const [ours, sent] = [onceEach(context), onceEach(request)];
  const at = ours.findIndex((block, i) => block !== sent[i]);
  const rest = sent.slice(ours.length);
  const isRest = rest.every(
    (block) => block.includes(PROMPT) || /^text <(?!turn_aborted)/.test(block) || block.startsWith('text # AGENTS'),
  );
  if (at === -1 && isRest && rest.some((block) => block.includes(PROMPT))) {
    passed++;
    console.log(`ok    ${what}: ${ours.length} blocks equal, ${rest.length} new`);
    return;
  }
  failed++;
  console.log(`WRONG ${what}: ${ours.length} blocks, sent ${sent.length}`);
  const from = Math.max(0, (at === -1 ? ours.length : at) - 1);
  for (let i = from; i < from + 4; i++)
    console.log(`  ${i} ours ${(ours[i] ?? '-').slice(0, 110)}\n    sent ${(sent[i] ?? '-').slice(0, 110)}`);
}

type OurBlock = {
  type: string;
  text?: unknown;
  name?: string;
  content?: { text?: unknown }[];
  details?: { header?: string | null } | null;
};

function ourBlock(block: OurBlock): string[] {
  if (block.type === 'text' || block.type === 'attachment') return [`text ${String(block.text)}`];
  if (block.type === 'tool_use') return [`call ${block.name}`];
  if (block.type !== 'tool_result') return [];
  const header = typeof block.details === 'object' ? (block.details?.header ?? '') : '';
  return [`result ${header}${(block.content ?? []).map((part) => String(part.text)).join('')}`];
}

function codex(binary: string): Client {
  return {
    agent: 'codex',
    recordings: [
      'exec-parallel',
      'exec-reason',
      'exec-patch',
      'tui-compact-manual',
      'tui-compact-auto',
      'tui-backtrack',
      'resume-fork',
      'tui-decline-exec',
    ],
    prepare(home, work, id, port) {
      const config = `model = "gpt-5.5"\nmodel_provider = "mock"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"\ncheck_for_update_on_startup = false\n[model_providers.mock]\nname = "mock"\nbase_url = "http://127.0.0.1:${port}/v1"\nwire_api = "responses"\nenv_key = "MOCK_KEY"\nrequest_max_retries = 1\nstream_max_retries = 1\n[analytics]\nenabled = false\n[projects."${work}"]\ntrust_level = "trusted"\n`;
      writeFileSync(join(home, '.codex', 'config.toml'), config);
      const args = ['exec', '--skip-git-repo-check', 'resume', id, PROMPT];
      return { command: binary, args, env: { CODEX_HOME: join(home, '.codex'), MOCK_KEY: 'made-up-key' } };
    },
    // The system prompt comes first; the session's first line holds it, no message does.
    blocksOf: (request) =>
      (request.input as Record<string, unknown>[])
        .flatMap(codexBlocks)
        .filter((block, i) => i > 0 || !/^text You are (Codex|a coding agent)/.test(block)),
  };
}

function codexBlocks(item: Record<string, unknown>): string[] {
  if (item.type === 'message') return (item.content as { text?: string }[]).map((part) => `text ${part.text ?? ''}`);
  if (item.type === 'function_call' || item.type === 'custom_tool_call') return [`call ${String(item.name)}`];
  if (String(item.type).endsWith('_output'))
    return [
      `result ${typeof item.output === 'string' ? item.output : (item.output as { text?: string }[]).map((part) => part.text ?? '').join('')}`,
    ];
  return [];
}

function gemini(script: string): Client {
  return {
    agent: 'gemini',
    // Not `reject`: there the log has the bootstrap and the prompts in one message, and a resume drops them together.
    recordings: ['plain', 'tools', 'compress', 'autocompress', 'cancel-tool', 'cancel-response', 'rewind', 'misc'],
    prepare(home, work, id, port) {
      const root = join(home, '.gemini');
      const [slug = 'proj'] = readdirSync(join(root, 'tmp'));
      const settings = {
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        general: { enableAutoUpdate: false, disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        ide: { enabled: false, hasSeenNudge: true },
        model: { name: 'gemini-2.5-flash' },
      };
      writeFileSync(join(root, 'settings.json'), JSON.stringify(settings));
      writeFileSync(join(root, 'projects.json'), JSON.stringify({ projects: { [work]: slug } }));
      for (const folder of ['tmp', 'history']) {
        mkdirSync(join(root, folder, slug), { recursive: true });
        writeFileSync(join(root, folder, slug, '.project_root'), work);
      }
      const env = {
        GEMINI_API_KEY: 'made-up-key',
        GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`,
        GEMINI_CLI_NO_RELAUNCH: 'true',
        GEMINI_SANDBOX: 'false',
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
        TMPDIR: home,
        NO_BROWSER: '1',
      };
      return { command: process.execPath, args: [script, '--resume', id, '-p', PROMPT], env };
    },
    blocksOf: (request) =>
      (request.contents as { parts: Record<string, unknown>[] }[]).flatMap(({ parts }) => parts.flatMap(geminiBlocks)),
  };
}

function geminiBlocks(part: Record<string, unknown>): string[] {
  if (typeof part.text === 'string') return part.thought === true || part.text === '' ? [] : [`text ${part.text}`];
  const call = part.functionCall as { name: string } | undefined;
  if (call !== undefined) return [`call ${call.name}`];
  const answer = part.functionResponse as { response: { output?: string; error?: string } } | undefined;
  return answer === undefined ? [] : [`result ${answer.response.error ?? answer.response.output ?? ''}`];
}

/** Runs a client to its end, or for two minutes. */
function run(command: string, args: string[], cwd: string, env: Record<string, string>): Promise<void> {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    const keep = (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-2000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const timer = setTimeout(() => child.kill('SIGKILL'), 120_000);
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code !== 0) console.log(`  the client ended with ${code}: ${said.trim().split('\n').slice(-3).join(' | ')}`);
      done();
    });
  });
}
