// Fixed sentences that Gemini CLI writes. Each is quoted, with the versions it was seen in, in FORMAT.md.

import type { Failure } from '../../schema/events.ts';

/** Written after a stop, and after a refusal that ended the turn (0.18 on). */
export const CANCELLED = 'Request cancelled.';
/** On the screen in place of what a command printed, where it had printed nothing (0.35, 0.38). */
export const STOPPED_BY_USER = 'Command cancelled by user.';
export const BOOTSTRAP = '<session_context>';
export const SNAPSHOT = '<state_snapshot>';
/** What the client says in the person's place where a reply was broken off. */
export const CONTINUE = 'System: Please continue.';
/** What the client puts into the model's mouth after a summary, and nowhere else. */
const THANKS = 'Got it. Thanks for the additional context!';
const CANNED = [THANKS, '[The previous response was interrupted before it completed.]'];
/** `!command` in the prompt. */
export const SHELL = 'I ran the following shell command:\n';

/** What was typed, of which the message tells more: `echo a` between fences, and what it printed (0.61). */
export function shellCommandIn(text: string): string | undefined {
  return text.startsWith(SHELL) ? /^```sh\n([\s\S]*?)\n```/.exec(text.slice(SHELL.length))?.[1] : undefined;
}

export function isCanned(text: string): boolean {
  return CANNED.includes(text);
}

export function thanksForSummary(text: string): boolean {
  return text === THANKS;
}

const OPERATION = '[Operation Cancelled] ';
/** Up to 0.11 every call of a reply is asked about by itself (source). */
const DENIED_ALONE = 'Reason: User did not allow tool call';
const DENIED = ['Reason: User denied execution.', DENIED_ALONE];
/** Fell with a call of the same message; nobody decided on it. */
const CASCADE = ['Reason: User cancelled operation', 'Reason: Tool call cancelled while in queue.'];
const STOPPED = [
  'Reason: Operation cancelled by user',
  'User cancelled tool execution.',
  'Reason: User cancelled tool execution.',
];
/** 0.12 to 0.34: said of calls that were refused and of calls that were stopped. */
const EITHER = ['Reason: User cancelled the operation.', 'Reason: Operation cancelled'];

export type Verdict = 'denied' | 'cascade' | 'stopped' | 'either';

/** What a cancelled call says of its end. */
export function verdictOf(error: string | null): Verdict {
  const text = (error ?? '').replace(OPERATION, '').trim();
  if (DENIED.includes(text)) return 'denied';
  if (CASCADE.includes(text)) return 'cascade';
  if (EITHER.includes(text)) return 'either';
  return STOPPED.includes(text) ? 'stopped' : 'either';
}

/** A no that may have been said once for several calls of a reply. */
export function mayBeShared(error: string | null): boolean {
  return verdictOf(error) === 'denied' && !error?.endsWith(DENIED_ALONE);
}

const PLAN_REJECTED = 'Plan rejected. User feedback: ';

/** A plan that was sent back with words: its status is "success". */
export function planFeedback(output: string | null): string | null {
  if (output === null || !output.startsWith(PLAN_REJECTED)) return null;
  return output.slice(PLAN_REJECTED.length).split('\n\nThe plan is stored at: ')[0]?.trim() || null;
}

/** Tools that a headless run does not offer. */
export function notOffered(error: string | null, name: string): boolean {
  return error?.startsWith(`Tool "${name}" not found. Did you mean`) === true;
}

/** The client's own rule: it runs no command of which it cannot tell what it does. That was so of nearly all on Windows (wild, 2025-12 and 2026-01). */
const NOT_RUN = 'Command rejected because it could not be parsed safely';

export function refusedByRule(error: string | null): boolean {
  return error === NOT_RUN;
}

/** 0.18 to 0.32, with counts; 0.33 on, with shares. */
export function compressionIn(text: string): { pre: number | null; post: number | null } | undefined {
  const counted =
    /^IMPORTANT: This conversation exceeded the compress threshold\.[\s\S]*\(compressed from: (\d+) to (\d+) tokens\)/.exec(
      text,
    );
  if (counted !== null) return { pre: Number(counted[1]), post: Number(counted[2]) };
  return /^Context compressed from \d+% to \d+%\.$/.test(text) ? { pre: null, post: null } : undefined;
}

/** Behind the bracket the client may advise what to do. */
const API_ERROR = /^\[API Error: ([\s\S]*)\]/;

export function apiErrorIn(
  text: string,
): { cause: Failure['cause']; status: number | null; message: string } | undefined {
  const message = API_ERROR.exec(text.trim())?.[1];
  if (message === undefined) return undefined;
  const status = Number(/"code":\s*(\d{3})/.exec(message)?.[1] ?? Number.NaN);
  return { cause: causeOf(status, message), status: Number.isNaN(status) ? null : status, message };
}

function causeOf(status: number, message: string): Failure['cause'] {
  if (status === 429 || /RESOURCE_EXHAUSTED|quota/i.test(message)) return 'rate-limit';
  if (status === 503 || /UNAVAILABLE|overloaded/i.test(message)) return 'overloaded';
  if (status === 401 || status === 403 || /API key|UNAUTHENTICATED|PERMISSION_DENIED/.test(message)) return 'auth';
  if (/exceeds the maximum number of tokens|token count .* exceeds/i.test(message)) return 'context-overflow';
  if (/fetch failed|ECONN|ETIMEDOUT|ENOTFOUND|socket hang up/i.test(message)) return 'network';
  return 'other';
}

/** What the frame around a command's output ends with: the exit code, and little behind it (all of 295 in the wild and in recordings). */
const FRAME_END =
  /(?:^|\n)Exit Code: (-?\d+)(?:\n(?:Signal|Background PIDs|Process Group PGID): [^\n]*)*(?:\n<\/untrusted_context>)?\s*$/;

/** The exit code that the frame names: not one that the command printed, unless it was the last that it did. */
export function exitCodeIn(output: string | null, tool: string | undefined): number | null {
  if (tool !== 'run_shell_command') return null;
  const code = FRAME_END.exec((output ?? '').slice(-2000))?.[1];
  return code === undefined ? null : Number(code);
}
