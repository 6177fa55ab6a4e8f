// Sessions made in memory, message by message: for the measure of summaries and for tests.

import type { Block, Json, Text } from '../../src/schema/blocks.ts';
import type { Message } from '../../src/schema/message.ts';
import type { Session, ToolCall } from '../../src/schema/session.ts';
import type { SessionView } from '../../src/schema/stream.ts';
import { noTokens } from '../../src/schema/tokens.ts';

export interface CallEnd {
  output?: Text;
  status?: ToolCall['status'];
  exit_code?: number | null;
  /** Texts that stand beside the result, in its message. */
  beside?: string[];
}

export interface SessionMaker {
  prompt(text: Text): void;
  /** Any other message, given whole. */
  message(part: Pick<Message, 'role' | 'kind' | 'content'>): void;
  say(text: Text): void;
  think(text: string): void;
  /** A call and its result; a `rejected` one becomes a rejection with the output as its reason. */
  call(name: string, input: Json, end?: CallEnd): void;
  readonly document: Omit<Session, 'messages'>;
  view(): SessionView;
}

const ref = { file: 0, line: 1, offset: 0, length: 0, pointer: null };
const place = { source: null, cleared_by: null };

export function textBlock(text: Text): Block {
  return { type: 'text', text, ...place };
}

export function makeSession(id: string): SessionMaker {
  const messages: Message[] = [];
  const document = emptyDocument(id);
  const add = (part: Pick<Message, 'role' | 'kind' | 'content'>): number => {
    const index = messages.length;
    messages.push({ ...bareMessage(index, document.turns.length - 1), ...part });
    const turn = document.turns.at(-1);
    if (turn !== undefined) turn.last_message_index = index;
    return index;
  };
  const reply = (block: Block): number => add({ role: 'assistant', kind: 'reply', content: [block] });
  return {
    document,
    prompt(text) {
      const index = messages.length;
      document.turns.push(turnAt(document.turns.length, index));
      add({ role: 'user', kind: 'prompt', content: [textBlock(text)] });
    },
    message: (part) => void add(part),
    say: (text) => void reply(textBlock(text)),
    think: (text) => void reply({ type: 'thinking', text, subject: null, signature: null, encrypted: null, ...place }),
    call(name, input, end = {}) {
      const callId = `call_${document.tool_calls.length + 1}`;
      const message_index = reply({ type: 'tool_use', id: callId, name, input, ...place });
      const status = end.status ?? 'ok';
      const result_message_index = add({
        role: 'user',
        kind: 'tool_result',
        content: [
          {
            type: 'tool_result',
            tool_use_id: callId,
            is_error: status !== 'ok',
            content: [{ type: 'text', text: end.output ?? '' }],
            details: null,
            ...place,
          },
          ...(end.beside ?? []).map(textBlock),
        ],
      });
      const call = { ...bareCall(callId, name), message_index, result_message_index, status };
      document.tool_calls.push({ ...call, exit_code: end.exit_code ?? null });
      if (status === 'rejected') document.rejections.push(rejectionOf(call, input, end.output));
    },
    view: () => viewOf({ ...document, messages }),
  };
}

/** A whole document, as transforms see it. */
function viewOf(session: Session): SessionView {
  const { messages, ...document } = session;
  return {
    document,
    messageCount: messages.length,
    message: (index) => messages[index] as Message, // asked for by its place in the list
    messages: () => messages,
    toolCalls: () => document.tool_calls,
    records: () => document.records,
    allEvents: () => document,
    purposeOf: (tool) => (tool === 'AskUserQuestion' ? 'question' : 'other'),
    sentMarks: () => messages,
  };
}

function rejectionOf(call: ToolCall, input: Json, reason: Text | undefined): Session['rejections'][number] {
  const said = typeof reason === 'string' && reason !== '' ? reason : null;
  return {
    ...eventBase(`rejection:${call.id}`),
    after_message_index: call.message_index,
    message_index: call.result_message_index,
    timestamp: null,
    tool_use_id: call.id,
    also_refused: [],
    tool_name: call.name,
    rejection_type: 'other',
    reason: said,
    reason_source: said === null ? null : 'recorded',
    action: { input, diff: null, diff_base: null },
  };
}

export function eventBase(
  id: string,
): Pick<Session['rewinds'][number], 'id' | 'turn' | 'basis' | 'confidence' | 'could_be' | 'evidence' | 'extra'> {
  return { id, turn: null, basis: 'recorded', confidence: 'high', could_be: null, evidence: [ref], extra: {} };
}

function bareMessage(index: number, turn: number): Message {
  return {
    index,
    id: `m${index}`,
    parent_id: null,
    turn: turn < 0 ? null : turn,
    role: 'user',
    kind: 'meta',
    timestamp: null,
    content: [],
    model: null,
    stop_reason: null,
    usage: null,
    request_id: null,
    sent: true,
    sent_before: null,
    live: true,
    left_by: null,
    left_at_index: null,
    inherited: null,
    source: [ref],
    extra: {},
  };
}

function bareCall(id: string, name: string): ToolCall {
  return {
    id,
    name,
    message_index: null,
    result_message_index: null,
    status: 'ok',
    error_kind: null,
    exit_code: null,
    started_at: null,
    ended_at: null,
    permission: { asked: null, decision: null, by: null, justification: null },
    diff: null,
    diff_base: null,
    subagent_session_id: null,
    extra: {},
  };
}

function turnAt(index: number, message: number): Session['turns'][number] {
  return {
    index,
    id: null,
    prompt_indices: [message],
    first_message_index: message,
    last_message_index: message,
    started_at: null,
    ended_at: null,
    started_by: 'user',
    status: 'completed',
  };
}

function emptyDocument(id: string): Omit<Session, 'messages'> {
  return {
    type: 'session',
    schema_version: '1.0',
    session: {
      id,
      agent: 'claude-code',
      kind: 'main',
      title: null,
      title_source: null,
      project: '/home/me/shop',
      cwds: ['/home/me/shop'],
      git_branches: [],
      started_at: null,
      ended_at: null,
      client_versions: [],
      models: [],
      dialect: null,
      source: { files: [] },
      lineage: { parent: null, forked_from: null, cleared_from: null, cloned_from: null, subagents: [] },
      usage: { ...noTokens(), by_model: {} },
      counts: { messages: 0, turns: 0, tool_calls: 0, native_types: {}, unknown_types: {} },
      accounting: { lines: 0, message: 0, record: 0, unknown: 0, copy: 0, bad: 0, blank: 0 },
      extra: {},
    },
    turns: [],
    tool_calls: [],
    context: { windows: [], not_recorded: [] },
    compaction: { boundaries: [] },
    context_clears: [],
    interruptions: [],
    rejections: [],
    rewinds: [],
    denials: [],
    failures: [],
    records: [],
    diagnostics: [],
  };
}
