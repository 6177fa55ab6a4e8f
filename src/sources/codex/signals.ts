// Fixed sentences that Codex writes. Each is quoted, with the versions it was seen in, in FORMAT.md.
// They are matched whole or from their start, and only in the output of a call: sessions that work on
// Codex itself are full of quotations.

import type { Failure } from '../../schema/events.ts';

/** The text in front of a summary that is given back to the model (0.64 on). */
const SUMMARY_PREFIX = 'Another language model started to solve this problem';

/** A user message that the client wrote: versions before `content_item_kinds` mark it by nothing but its beginning. */
const INJECTED = [
  '<environment_context>',
  '<user_instructions>',
  '# AGENTS.md instructions',
  '<INSTRUCTIONS>',
  '<skills_instructions>',
  '<skill>',
  '<permissions instructions>',
  '<collaboration_mode>',
  '<model_switch>',
  '<subagent_notification>',
  '<user_action>',
];

const TURN_ABORTED = '<turn_aborted>';
/** `!command` in the prompt. */
const SHELL = '<user_shell_command>';

export type SaidBy = 'person' | 'shell' | 'client' | 'abort' | 'summary';

export function saidBy(text: string): SaidBy {
  const begins = text.trimStart();
  if (begins.startsWith(TURN_ABORTED)) return 'abort';
  if (begins.startsWith(SUMMARY_PREFIX)) return 'summary';
  if (begins.startsWith(SHELL)) return 'shell';
  return INJECTED.some((start) => begins.startsWith(start)) ? 'client' : 'person';
}

/** `message` of a compaction without the sentence in front of it; null where it is empty: then the summary is encrypted. */
export function summaryIn(message: string): string | null {
  const text = message.startsWith(SUMMARY_PREFIX) ? message.slice(message.indexOf('\n') + 1) : message;
  return text === '' ? null : text;
}

/** 0.36 and 0.47 say this after a compaction, as if the model had. */
export const COMPACT_DONE = 'Compact task completed';

export type Verdict =
  | { what: 'declined' }
  | { what: 'denied'; by: 'rule' | 'mode' | 'sandbox' | 'reviewer' }
  /** Stopped: while it ran, or while it waited for an approval. */
  | { what: 'aborted' };

const DECLINED = ['exec command rejected by user', 'patch rejected by user', 'rejected by user'];
/** The text of an MCP server's error may be written in quotes. */
const DECLINED_MCP = /^(?:err: )?"?(?:user rejected MCP tool call|user cancelled MCP tool call)"?$/;
/** The debug form of an error, with the quotes of the era: `Rejected("rejected by user")`. */
const DECLINED_EXEC = /^exec_command failed[\s\S]*: CreateProcess \{ message: "Rejected\(\\"rejected by user\\"\)" \}$/;
const ABORTED = /^(Wall time: [\d.]+ seconds\n)?aborted by user( after [\d.]+s)?$/;

/** What the output of a call says about its end, beyond success and error. */
export function verdictOf(output: string): Verdict | undefined {
  const text = output.trim();
  if (DECLINED.includes(text) || DECLINED_EXEC.test(text) || DECLINED_MCP.test(text)) return { what: 'declined' };
  if (ABORTED.test(text)) return { what: 'aborted' };
  if (text.startsWith('approval policy is ')) return { what: 'denied', by: 'mode' };
  if (text.startsWith('patch rejected: ')) return { what: 'denied', by: 'mode' };
  if (text.startsWith('This action was rejected due to unacceptable risk.')) return { what: 'denied', by: 'reviewer' };
  if (/^exec_command failed[\s\S]*: CreateProcess \{ message: "Rejected\(\\"[\s\S]*\\"\)" \}$/.test(text))
    return { what: 'denied', by: text.includes('due to unacceptable risk') ? 'reviewer' : 'rule' };
  if (text === 'rejected by configuration') return { what: 'denied', by: 'rule' };
  if (/^failed in sandbox \S+ with execution error: sandbox denied exec error\b/.test(text))
    return { what: 'denied', by: 'sandbox' };
  return undefined;
}

const INVALID = ['unsupported call:', 'failed to parse function arguments', 'unsupported custom tool call:'];
const FAILED = [
  'exec_command failed',
  'write_stdin failed',
  'failed in sandbox ',
  'execution error',
  'apply_patch verification failed',
  'tool call error',
  'err: ',
  // Up to 0.31, of patches.
  'error: invalid patch: ',
  'error: Failed to find expected lines',
  'error: Failed to read file to update',
];

/** An output that is an error by its words. */
export function errorIn(output: string): 'invalid-call' | 'failed' | undefined {
  if (INVALID.some((start) => output.startsWith(start))) return 'invalid-call';
  return FAILED.some((start) => output.startsWith(start)) ? 'failed' : undefined;
}

type FailureCause = Failure['cause'];

const CAUSES: Record<string, FailureCause> = {
  usage_limit_exceeded: 'rate-limit',
  rate_limit_exceeded: 'rate-limit',
  server_overloaded: 'overloaded',
  context_window_exceeded: 'context-overflow',
  unauthorized: 'auth',
  http_connection_failed: 'network',
  response_stream_connection_failed: 'network',
  response_stream_disconnected: 'network',
};

const STATUSES: Record<number, FailureCause> = { 401: 'auth', 403: 'auth', 429: 'rate-limit' };

/** Why a turn failed: the recorded code, the status where that only says that a request failed, and at last the sentence. */
export function failureCause(code: string, message: string, status: number | null): FailureCause {
  const known = Object.hasOwn(CAUSES, code) ? CAUSES[code] : undefined;
  if (known !== undefined && known !== 'network') return known;
  const answered = status === null ? undefined : STATUSES[status];
  if (answered !== undefined) return answered;
  if (known !== undefined) return known;
  if (/^stream disconnected before completion|^error sending request|^Connection failed/.test(message))
    return 'network';
  if (/overloaded/.test(code) || /^Selected model is at capacity/.test(message)) return 'overloaded';
  return 'other';
}

/** The status in the sentence of a failure. */
export function statusIn(message: string): number | null {
  const status = /\b(?:unexpected status|last status:) (\d{3})\b/.exec(message)?.[1];
  return status === undefined ? null : Number(status);
}
