import { mkdirSync, writeFileSync } from 'node:fs';
import type { AgentOptions } from './claude-code.ts';
import { createLineFile, type LineFile } from './line-file.ts';
import { createRandom, type Random } from './random.ts';
import { countEvent, countUsage } from './truth.ts';

type Message = { id: string; timestamp: string; type: string; content: unknown; [key: string]: unknown };

/** A log as 0.61 writes it. */
interface Log extends AgentOptions {
  file: LineFile;
  random: Random;
  clock: number;
  /** What the model sees. */
  context: Message[];
}

const START = Date.UTC(2026, 2, 1, 9);
const MODEL = 'gemini-2.5-flash';

/** Writes a ~/.gemini with so many logs, of about so many bytes altogether. */
export function writeGemini(options: AgentOptions & { bytes: number; files: number }): void {
  const random = createRandom(options.seed, 800_000);
  const sizes = Array.from({ length: options.files }, () => random.longTail(1, 1.4, 30));
  const sum = sizes.reduce((total, size) => total + size, 0);
  mkdirSync(`${options.out}/.gemini/tmp/demo/chats`, { recursive: true });
  writeFileSync(`${options.out}/.gemini/tmp/demo/.project_root`, '/home/dev/code/demo');
  sizes.forEach((size, i) => {
    const log = openLog(options, i);
    do writeTurn(log);
    while (log.file.size() < (options.bytes * size) / sum);
    log.file.close(log.clock);
    options.truth.sessions.main++;
  });
}

function openLog(options: AgentOptions, index: number): Log {
  const random = createRandom(options.seed, 800_001 + index);
  const sessionId = random.uuid();
  const clock = START + index * 3_600_000;
  const minute = new Date(clock).toISOString().slice(0, 16).replace(':', '-');
  const path = `${options.out}/.gemini/tmp/demo/chats/session-${minute}-${sessionId.slice(0, 8)}.jsonl`;
  const log: Log = { ...options, file: createLineFile(path, options.truth), random, clock, context: [] };
  log.file.row({ sessionId, projectHash: random.hex(64), startTime: time(log), lastUpdated: time(log), kind: 'main' });
  const setup = { text: `<session_context>\n${options.text.prose(random, 400)}` };
  log.context.push({ id: 'd04923d38bb0f6017037e74183378ef4', timestamp: time(log), type: 'user', content: [setup] });
  setContext(log);
  return log;
}

function time(log: Log): string {
  log.clock += log.random.integer(1, 300);
  return new Date(log.clock).toISOString();
}

function setContext(log: Log): void {
  log.file.row({ $set: { messages: log.context, lastUpdated: time(log) } });
}

function say(log: Log, type: string, content: unknown, more: object = {}): Message {
  const message = { id: log.random.uuid(), timestamp: time(log), type, content, ...more };
  log.file.row(message);
  log.file.row({ $set: { lastUpdated: message.timestamp } });
  return message;
}

function writeTurn(log: Log): void {
  const { random, text } = log;
  const kept = [...log.context];
  log.context.push(say(log, 'user', [{ text: text.prose(random, random.longTail(200, 1, 5000)) }]));
  const end = random.unit();
  if (end < 0.04) stopTurn(log, kept);
  else if (end < 0.07) failTurn(log, kept);
  else workOn(log, end);
}

function workOn(log: Log, end: number): void {
  for (let steps = log.random.integer(0, 4); steps > 0; steps--) writeStep(log);
  if (end < 0.11) {
    refuse(log);
  } else {
    answer(log);
    if (end > 0.97) compress(log);
  }
}

function tokens(log: Log): object {
  const [input, output, thoughts] = [
    log.random.integer(1000, 90_000),
    log.random.integer(5, 900),
    log.random.integer(0, 50),
  ];
  const usage = {
    input_tokens: input,
    cache_read_tokens: 0,
    cache_write_5m_tokens: 0,
    cache_write_1h_tokens: 0,
    output_tokens: output + thoughts,
  };
  countUsage(log.truth, MODEL, usage);
  return { input, output, cached: 0, thoughts, tool: 0, total: input + output + thoughts };
}

function answer(log: Log): void {
  const words = log.text.prose(log.random, log.random.longTail(500, 1, 8000));
  log.context.push(say(log, 'gemini', words, { thoughts: [], tokens: tokens(log), model: MODEL }));
}

/** A call: the reply, the reply with its call, and the result that was sent back. */
function writeStep(log: Log): void {
  const { random, text } = log;
  const id = `read_file__read_file_${random.integer(1e9, 2e9)}_0`;
  const reply = say(log, 'gemini', '', { thoughts: [], tokens: tokens(log), model: MODEL });
  const output = text.code(random, random.longTail(1500, 1.4, 100_000));
  const functionResponse = { id, name: 'read_file', response: { output } };
  const call = {
    id,
    name: 'read_file',
    args: { file_path: text.path(random) },
    result: [{ functionResponse }],
    status: 'success',
    timestamp: time(log),
    displayName: 'ReadFile',
    description: 'x',
    resultDisplay: '',
  };
  log.file.row({ ...reply, toolCalls: [call] });
  log.context.push({ ...reply, content: [{ functionCall: { id, name: 'read_file', args: call.args } }] });
  log.context.push(say(log, 'user', [{ functionResponse }]));
}

function stopTurn(log: Log, kept: Message[]): void {
  countEvent(log.truth, 'interruptions', 'mid-answer');
  say(log, 'info', 'Request cancelled.');
  log.context = kept;
  setContext(log);
}

function failTurn(log: Log, kept: Message[]): void {
  countEvent(log.truth, 'failures', 'api');
  log.context = kept;
  setContext(log);
  say(log, 'error', '[API Error: {"error":{"code":429,"message":"busy","status":"RESOURCE_EXHAUSTED"}}]');
}

/** An edit that was refused: the kept history is recorded again under new ids. */
function refuse(log: Log): void {
  const { random } = log;
  countEvent(log.truth, 'rejections', 'edit');
  const id = `replace__replace_${random.integer(1e9, 2e9)}_0`;
  const reply = say(log, 'gemini', '', { thoughts: [], tokens: tokens(log), model: MODEL });
  const functionResponse = {
    id,
    name: 'replace',
    response: { error: '[Operation Cancelled] Reason: User denied execution.' },
  };
  const resultDisplay = { fileDiff: 'Index: a.ts\n--- a.ts\n+++ a.ts\n@@ -1,1 +1,1 @@\n-a\n+b\n', fileName: 'a.ts' };
  const call = {
    id,
    name: 'replace',
    args: { file_path: 'a.ts', old_string: 'a', new_string: 'b' },
    result: [{ functionResponse }],
    status: 'cancelled',
    timestamp: time(log),
    resultDisplay,
  };
  log.file.row({ ...reply, toolCalls: [call] });
  say(log, 'info', 'Request cancelled.');
  const { 0: setup, length } = log.context;
  const last = log.context[length - 1];
  const kept = last?.type === 'user' && setup !== undefined ? log.context.slice(0, -1) : log.context;
  log.context = kept.map(({ type, content }) =>
    say(
      log,
      type,
      typeof content === 'string' ? [{ text: content }] : content,
      type === 'gemini' ? { thoughts: [], tokens: null } : {},
    ),
  );
  setContext(log);
}

function compress(log: Log): void {
  const { random, text } = log;
  countEvent(log.truth, 'compactions', 'manual');
  log.file.row({ $set: { sessionId: 'x' } });
  const snapshot = `<state_snapshot>\n${text.prose(random, 1500)}\n</state_snapshot>`;
  const fresh = (type: string, content: unknown): Message => ({
    id: random.uuid(),
    timestamp: time(log),
    type,
    content,
  });
  const [setup] = log.context;
  const tail = log.context
    .slice(-2)
    .map(({ type, content }) => fresh(type, typeof content === 'string' ? [{ text: content }] : content));
  log.context = [
    ...(setup === undefined ? [] : [setup]),
    fresh('user', [{ text: snapshot }]),
    fresh('gemini', [{ text: 'Got it. Thanks for the additional context!' }]),
    ...tail,
  ];
  setContext(log);
  say(log, 'info', '');
}
