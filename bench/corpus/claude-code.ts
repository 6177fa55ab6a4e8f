import { appendFileSync, existsSync } from 'node:fs';
import { callId } from './claude-code/calls.ts';
import { folderName } from './claude-code/compaction.ts';
import { writeFork } from './claude-code/forks.ts';
import { type ForkPlan, planAlone, planHome, type SessionPlan } from './claude-code/plan.ts';
import { writePrompt } from './claude-code/prompts.ts';
import { writeReply } from './claude-code/reply.ts';
import { type Home, openConversation, type WrittenSession, writeSession } from './claude-code/session.ts';
import { lastWord, writeResult, writeTurn } from './claude-code/turns.ts';
import type { LineFile } from './line-file.ts';
import type { Random } from './random.ts';
import type { TextSource } from './text.ts';
import type { Truth } from './truth.ts';

/** What every agent's part of the corpus gets. */
export interface AgentOptions {
  /** The folder that stands for the home. */
  out: string;
  seed: number;
  text: TextSource;
  truth: Truth;
}

/** Writes a ~/.claude with so many transcripts, of about so many bytes altogether. */
export function writeClaudeCode(options: AgentOptions & { bytes: number; files: number }): void {
  const home = openHome(options);
  const { sessions, forks } = planHome(options);
  const written = new Map<SessionPlan, WrittenSession>();
  const before = home.truth.bytes;
  let planned =
    sessions.reduce((sum, plan) => sum + sizeOf(plan), 0) + forks.reduce((sum, fork) => sum + sizeOfFork(fork), 0);
  for (const plan of sessions) {
    // What one session wrote too much, the ones after it write less: so the sum comes out right.
    const left = options.bytes - (home.truth.bytes - before);
    const scale = Math.min(1.6, Math.max(0.3, left / Math.max(1, planned)));
    planned -= sizeOf(plan);
    plan.bytes = Math.round(plan.bytes * scale);
    plan.subagents = plan.subagents.map((bytes) => Math.round(bytes * scale));
    written.set(plan, writeSession(home, plan, plan.clearedFrom ? (written.get(plan.clearedFrom) ?? null) : null));
  }
  for (const fork of forks) {
    const source = written.get(fork.source);
    if (source) writeFork(home, fork, source);
  }
  writeHistory(home);
}

function sizeOf({ bytes, subagents }: SessionPlan): number {
  return bytes + subagents.reduce((sum, size) => sum + size, 0);
}

function sizeOfFork({ source, session }: ForkPlan): number {
  return source.bytes + session.bytes;
}

/** Writes one session of about so many bytes, in the project /home/dev/code/single. */
export function writeClaudeCodeSingle(options: AgentOptions & { bytes: number }): void {
  const home = openHome(options);
  writeSession(home, planAlone({ ...options, cwd: '/home/dev/code/single', stream: 900_001 }), null);
  writeHistory(home);
}

const PLACEHOLDER = '(here the picture goes)';
const PIECE = 1 << 16;

/** Writes a small session in which one row, a picture that a tool gave back, is one line of so many bytes. */
export function writeClaudeCodeGiantLine(options: AgentOptions & { bytes: number }): void {
  const home = openHome(options);
  const plan = planAlone({ ...options, bytes: 0, cwd: '/home/dev/code/giant', stream: 900_002 });
  const conversation = openConversation(
    home,
    plan,
    `${home.root}/projects/${folderName(plan.cwd)}/${plan.sessionId}.jsonl`,
    null,
  );
  const { file, text, random, truth } = conversation;
  writeTurn(conversation);
  writePrompt(conversation);
  const input = { file_path: `${plan.cwd}/docs/${text.word(random)}.png` };
  const content = [{ type: 'image', source: { type: 'base64', data: PLACEHOLDER, media_type: 'image/png' } }];
  // Real clients keep a second copy of the picture here. It is left out, so that the one string is as long as the line.
  const toolUseResult = {
    type: 'image',
    file: { type: 'image/png', originalSize: Math.floor((options.bytes * 3) / 4) },
  };
  const call = { id: callId(conversation), name: 'Read', input, outcome: { content, toolUseResult } };
  const { callRows } = writeReply(conversation, { calls: [call] });
  conversation.file = inPieces(file, { random, text, bytes: options.bytes });
  writeResult(conversation, { call, callRow: callRows[0] ?? null });
  conversation.file = file;
  writeReply(conversation, lastWord(conversation));
  writeTurn(conversation);
  file.close(conversation.clock);
  truth.sessions.main++;
  writeHistory(home);
}

/** The same file, but the next row is filled up to so many bytes at the placeholder, piece by piece. */
function inPieces(
  file: LineFile,
  { random, text, bytes }: { random: Random; text: TextSource; bytes: number },
): LineFile {
  return {
    ...file,
    row: (row) => {
      const [head = '', tail = ''] = JSON.stringify(row).split(PLACEHOLDER);
      const rest = bytes - Buffer.byteLength(head) - Buffer.byteLength(tail) - 1;
      file.longLine(head, pieces(random, text, rest - (rest % 4)), tail);
    },
  };
}

function* pieces(random: Random, text: TextSource, length: number): Generator<string> {
  for (let left = length; left > 0; left -= PIECE) yield text.base64(random, Math.min(PIECE, left));
}

function openHome({ out, seed, text, truth }: AgentOptions): Home {
  return { root: `${out}/.claude`, seed, text, truth, history: [] };
}

/** The prompts of all sessions, in the order in which they were typed. Added to what is there, as the client does. */
function writeHistory({ root, history, truth }: Home): void {
  if (history.length === 0) return;
  const rows = history
    .toSorted((a, b) => a.timestamp - b.timestamp)
    .map(({ display, timestamp, project, sessionId }) =>
      JSON.stringify({ display, pastedContents: {}, timestamp, project, sessionId }),
    );
  const text = `${rows.join('\n')}\n`;
  const path = `${root}/history.jsonl`;
  if (!existsSync(path)) truth.companions.files++;
  appendFileSync(path, text, { mode: 0o600 });
  truth.companions.bytes += Buffer.byteLength(text);
}
