import type { AgentOptions } from './claude-code.ts';
import { createLineFile, type LineFile } from './line-file.ts';
import { createRandom, type Random } from './random.ts';
import { countEvent, countUsage } from './truth.ts';

/** A thread being written, in the dialect of 0.105 (`legacy`) or of 0.166 (`paginated`). */
interface Thread extends AgentOptions {
  file: LineFile;
  random: Random;
  id: string;
  cwd: string;
  paginated: boolean;
  model: string;
  clock: number;
  ordinal: number;
  turn: string;
  calls: number;
  totals: Record<string, number>;
  /** Items that are in the context: what a compaction keeps. */
  prompts: object[];
}

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 5, 9);

/** Writes a ~/.codex with so many rollouts, of about so many bytes altogether. */
export function writeCodex(options: AgentOptions & { bytes: number; files: number }): void {
  const random = createRandom(options.seed, 700_000);
  const sizes = Array.from({ length: options.files }, () => random.longTail(1, 1.6, 60));
  const sum = sizes.reduce((total, size) => total + size, 0);
  sizes.forEach((size, i) => {
    // A day apart: nothing that could look like a /clear.
    const thread = openThread(options, i, START + i * DAY);
    do writeTurn(thread);
    while (thread.file.size() < (options.bytes * size) / sum);
    thread.file.close(thread.clock);
    options.truth.sessions.main++;
  });
}

/** Writes one rollout of so many bytes, nearly all of them in `compacted` lines of so many bytes each. */
export function writeCodexCompacted(options: AgentOptions & { bytes: number; line: number }): void {
  const thread = openThread(options, 0, START, true);
  const { file, random, text } = thread;
  for (let lines = Math.max(1, Math.round(options.bytes / options.line)); lines > 0; lines--) {
    writeTurn(thread);
    const items = function* (): Generator<string> {
      for (let left = options.line; left > 0; ) {
        const item = JSON.stringify(userItem(thread, text.prose(random, 4000)));
        yield `${item},`;
        left -= Buffer.byteLength(item);
      }
    };
    writeCompaction(thread, items());
  }
  file.close(thread.clock);
  options.truth.sessions.main++;
}

function openThread(options: AgentOptions, index: number, start: number, paginated = index % 2 === 0): Thread {
  const random = createRandom(options.seed, 700_001 + index);
  const id = random.uuid();
  const [day = ''] = new Date(start).toISOString().split('T');
  const stamp = new Date(start).toISOString().slice(0, 19).replaceAll(':', '-');
  const file = createLineFile(
    `${options.out}/.codex/sessions/${day.replaceAll('-', '/')}/rollout-${stamp}-${id}.jsonl`,
    options.truth,
  );
  const cwd = `/home/dev/code/${options.text.word(random)}`;
  const thread: Thread = {
    ...options,
    file,
    random,
    id,
    cwd,
    paginated,
    model: paginated ? 'gpt-5.5' : 'gpt-5.3-codex',
    clock: start,
    ordinal: 0,
    turn: '',
    calls: 0,
    totals: {},
    prompts: [],
  };
  row(thread, 'session_meta', {
    id,
    timestamp: new Date(start).toISOString(),
    cwd,
    originator: 'codex-tui',
    cli_version: paginated ? '0.166.0' : '0.105.0',
    source: 'cli',
    model_provider: 'openai',
    base_instructions: { text: options.text.prose(random, 9000) },
    ...(paginated ? { history_mode: 'paginated' } : {}),
    git: { commit_hash: random.hex(40), branch: 'main' },
  });
  return thread;
}

function row(thread: Thread, type: string, payload: object): void {
  thread.clock += thread.random.integer(1, 400);
  const timestamp = new Date(thread.clock).toISOString();
  thread.file.row({ timestamp, ...(thread.paginated ? { ordinal: thread.ordinal++ } : {}), type, payload });
}

function event(thread: Thread, type: string, payload: object = {}): void {
  row(thread, 'event_msg', { type, ...payload });
}

/** A thing as it was shown: an item of the newer dialect, an event of the older. */
function shown(thread: Thread, item: object, legacy: () => void): void {
  if (thread.paginated)
    event(thread, 'item_completed', {
      thread_id: thread.id,
      turn_id: thread.turn,
      item,
      completed_at_ms: thread.clock,
    });
  else legacy();
}

function writeTurn(thread: Thread): void {
  const { random } = thread;
  thread.turn = random.uuid();
  event(thread, 'task_started', { turn_id: thread.turn, model_context_window: 258400 });
  const policy = random.chance(0.5) ? 'on-request' : 'never';
  row(thread, 'turn_context', {
    turn_id: thread.turn,
    cwd: thread.cwd,
    approval_policy: policy,
    sandbox_policy: { type: 'workspace-write' },
    model: thread.model,
  });
  writePrompt(thread);
  for (let steps = random.integer(0, 6); steps > 0; steps--) writeStep(thread);
  const end = random.unit();
  if (end < 0.04) endByAbort(thread, policy);
  else if (end < 0.06 && thread.paginated) endByError(thread);
  else endWell(thread, end);
}

function endWell(thread: Thread, end: number): void {
  writeAnswer(thread);
  event(thread, 'task_complete', { turn_id: thread.turn, last_agent_message: 'done' });
  if (end > 0.97) writeCompaction(thread, []);
  else if (end > 0.95 && !thread.paginated) {
    event(thread, 'thread_rolled_back', { num_turns: 1 });
    countEvent(thread.truth, 'rewinds', 'rolled-back');
    thread.prompts.pop();
  }
}

function userItem(thread: Thread, words: string): object {
  const known = { turn_id: thread.turn, content_item_kinds: ['user.text'] };
  return {
    type: 'message',
    ...(thread.paginated ? { id: `msg_${thread.random.uuid()}` } : {}),
    role: 'user',
    content: [{ type: 'input_text', text: words }],
    ...(thread.paginated ? { internal_chat_message_metadata_passthrough: known } : {}),
  };
}

function writePrompt(thread: Thread): void {
  const words = thread.text.prose(thread.random, thread.random.longTail(180, 1, 6000));
  const item = userItem(thread, words);
  thread.prompts.push(item);
  row(thread, 'response_item', item);
  shown(thread, { type: 'UserMessage', id: thread.random.uuid(), content: [{ type: 'text', text: words }] }, () =>
    event(thread, 'user_message', { message: words, images: [] }),
  );
}

/** A thought and a call with its output: one request. */
function writeStep(thread: Thread): void {
  const { random, text } = thread;
  const thought = text.phrase(random, 12);
  const id = `rs_${random.base62(24)}`;
  shown(thread, { type: 'Reasoning', id, summary_text: [thought], raw_content: [] }, () =>
    event(thread, 'agent_reasoning', { text: thought }),
  );
  row(thread, 'response_item', {
    type: 'reasoning',
    ...(thread.paginated ? { id } : {}),
    summary: [{ type: 'summary_text', text: thought }],
    content: null,
    encrypted_content: text.base64(random, 800),
  });
  const call = writeCall(thread, {});
  writeUsage(thread);
  const output = text.code(random, random.longTail(1500, 1.6, 200_000));
  const denied = random.chance(0.02);
  if (denied) {
    countEvent(thread.truth, 'denials', 'policy');
    writeOutput(thread, call, 'approval policy is Never; reject command — you cannot ask for escalated permissions');
    return;
  }
  const code = random.chance(0.1) ? 1 : 0;
  if (thread.paginated) writeEnd(thread, call, output, code);
  writeOutput(
    thread,
    call,
    `Chunk ID: ${random.hex(6)}\nWall time: 0.0500 seconds\nProcess exited with code ${code}\nOriginal token count: 9\nOutput:\n${output}`,
  );
}

function writeCall(thread: Thread, given: object): string {
  thread.calls++;
  const id = `call_${thread.random.base62(20)}`;
  const input = { cmd: `cat ${thread.text.path(thread.random)}`, ...given };
  row(thread, 'response_item', {
    type: 'function_call',
    ...(thread.paginated ? { id: `fc_${thread.random.base62(20)}` } : {}),
    name: 'exec_command',
    arguments: JSON.stringify(input),
    call_id: id,
  });
  return id;
}

function writeOutput(thread: Thread, call_id: string, output: string): void {
  row(thread, 'response_item', { type: 'function_call_output', call_id, output });
}

function writeEnd(thread: Thread, id: string, aggregated_output: string, exit_code: number): void {
  const item = {
    type: 'CommandExecution',
    id,
    command: ['/bin/bash', '-lc', 'x'],
    status: exit_code === 0 ? 'completed' : 'failed',
    aggregated_output,
    exit_code,
  };
  event(thread, 'item_completed', {
    thread_id: thread.id,
    turn_id: thread.turn,
    item,
    started_at_ms: thread.clock,
    completed_at_ms: thread.clock + 5,
  });
}

/** The totals are told again now and then, as the client does. */
function writeUsage(thread: Thread): void {
  const { random } = thread;
  const cached = random.integer(0, 60_000);
  const usage = {
    input_tokens: cached + random.integer(500, 9000),
    cached_input_tokens: cached,
    output_tokens: random.integer(20, 900),
    reasoning_output_tokens: 10,
    total_tokens: 0,
  };
  usage.total_tokens = usage.input_tokens + usage.output_tokens;
  for (const [key, count] of Object.entries(usage)) thread.totals[key] = (thread.totals[key] ?? 0) + count;
  countUsage(thread.truth, thread.model, {
    input_tokens: usage.input_tokens - cached,
    cache_read_tokens: cached,
    cache_write_5m_tokens: 0,
    cache_write_1h_tokens: 0,
    output_tokens: usage.output_tokens,
  });
  if (thread.paginated)
    row(thread, 'token_usage_record', {
      thread_id: thread.id,
      turn_id: thread.turn,
      response_id: `resp_${random.base62(20)}`,
      usage,
    });
  for (let told = random.chance(0.3) ? 2 : 1; told > 0; told--)
    event(thread, 'token_count', {
      info: { total_token_usage: { ...thread.totals }, last_token_usage: usage, model_context_window: 258400 },
      rate_limits: null,
    });
}

function writeAnswer(thread: Thread): void {
  const words = thread.text.prose(thread.random, thread.random.longTail(500, 1, 9000));
  const id = `msg_${thread.random.base62(24)}`;
  shown(thread, { type: 'AgentMessage', id, content: [{ type: 'Text', text: words }] }, () =>
    event(thread, 'agent_message', { message: words, phase: 'final_answer' }),
  );
  row(thread, 'response_item', {
    type: 'message',
    ...(thread.paginated ? { id } : {}),
    role: 'assistant',
    content: [{ type: 'output_text', text: words }],
  });
  writeUsage(thread);
}

/** Esc while a command runs, or a no to one that asked. */
function endByAbort(thread: Thread, policy: string): void {
  const refused = thread.paginated && policy === 'on-request';
  const call = writeCall(thread, refused ? { sandbox_permissions: 'require_escalated', justification: 'May I?' } : {});
  writeUsage(thread);
  writeOutput(thread, call, 'Wall time: 4.0 seconds\naborted by user');
  event(thread, 'turn_aborted', { turn_id: thread.turn, reason: 'interrupted' });
  if (refused) countEvent(thread.truth, 'rejections', 'never-ran');
  else countEvent(thread.truth, 'interruptions', 'tool');
  if (thread.paginated && !refused) writeEnd(thread, call, 'started\n', -1);
}

function endByError(thread: Thread): void {
  countEvent(thread.truth, 'failures', 'usage-limit');
  event(thread, 'task_complete', {
    turn_id: thread.turn,
    last_agent_message: null,
    error: { message: 'You’ve hit your usage limit.', codex_error_info: 'usage_limit_exceeded' },
  });
}

/** /compact: a turn of its own. The new context may be given in pieces, so that it never lies in memory whole. */
function writeCompaction(thread: Thread, pieces: Iterable<string>): void {
  countEvent(thread.truth, 'compactions', 'manual');
  thread.turn = thread.random.uuid();
  event(thread, 'task_started', { turn_id: thread.turn, model_context_window: 258400 });
  const message = `Another language model started to solve this problem and produced a summary of its thinking process.\n${thread.text.prose(thread.random, 2000)}`;
  const known = { turn_id: thread.turn, content_item_kinds: ['compaction.summary'] };
  const summary = {
    type: 'message',
    ...(thread.paginated
      ? { id: `msg_${thread.random.uuid()}`, internal_chat_message_metadata_passthrough: known }
      : {}),
    role: 'user',
    content: [{ type: 'input_text', text: message }],
  };
  thread.clock += 50;
  const head = JSON.stringify({
    timestamp: new Date(thread.clock).toISOString(),
    ...(thread.paginated ? { ordinal: thread.ordinal++ } : {}),
    type: 'compacted',
  });
  const kept = thread.prompts.map((item) => `${JSON.stringify(item)},`).join('');
  const payload = `"payload":{"message":${JSON.stringify(message)},"window_id":"${thread.random.uuid()}","replacement_history":[`;
  thread.file.longLine(`${head.slice(0, -1)},${payload}${kept}`, pieces, `${JSON.stringify(summary)}]}}`);
  event(thread, 'task_complete', { turn_id: thread.turn, last_agent_message: null });
}
