// Fixed sentences and fields that Claude Code writes. Each is quoted, with the versions it
// was seen in, in FORMAT.md, and a fixture holds a row with it. They are matched whole, from
// their start, and only in the place where the client writes them: sessions that work on
// transcript tools are full of quotations.

import type { Failure } from '../../schema/events.ts';
import { type JsonObject, objectAt, stringAt } from '../json-access.ts';

const INTERRUPTED = '[Request interrupted by user]';
const INTERRUPTED_TOOL = '[Request interrupted by user for tool use]';

const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";
/** The same within a subagent, which is to go on (2.1.32, 2.1.63, wild). */
const REJECTED_IN_AGENT =
  'Permission for this tool use was denied. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).';
/** The second is that of a plan (2.0.37, wild), the third that of a subagent. */
const REASONS = ['the user said:\n', 'The user provided the following reason for the rejection:', 'The user said:\n'];
/** A refusal sentence taken back: a call stopped through a host's own line to the client (2.1.325, recording `sdk-stops`). */
const CORRECTION = 'Correction to the text above: this call was stopped while running, not refused before it ran.';
/** Written for calls that had not begun when the person pressed Esc (seen in 2.1.17). */
const NOT_NOW = "The user doesn't want to take this action right now.";

const AGENT_ENDED = '[Request interrupted: the session ended';
/** Written on resume after the process died (2.1.325). */
const SESSION_ENDED = ['[Tool call interrupted: the session ended', '[Agent call interrupted:', AGENT_ENDED];
/** The client ended the turn by itself. */
const TURN_ENDED = '[Tool call did not complete: the turn was ended';
const SKIPPED = [
  '[Tool call skipped:',
  '[Tool call not completed: an approval request',
  '[Tool call result not in this copy:',
];

/** A user message that only says that the person pressed Esc or Ctrl-C. */
export type Marker = 'response' | 'tool' | 'ended';

export function markerIn(text: string): Marker | undefined {
  if (text === INTERRUPTED) return 'response';
  if (text === INTERRUPTED_TOOL) return 'tool';
  // Of a subagent whose process died (in the bundle of 2.1.325; not seen written).
  if (text.startsWith(AGENT_ENDED)) return 'ended';
  return undefined;
}

/** What the result of a call says about its end, beyond success and error. */
export type ResultVerdict =
  /** The refusal sentence. From 2.1.2xx on a running tool that was stopped gets the same: see settle.ts. */
  | Refused
  | { what: 'denied'; by: 'rule' | 'mode' | 'headless' | 'reviewer' | 'hook' | 'unknown'; basis: 'recorded' | 'phrase' }
  /** Stopped while it ran. */
  | { what: 'stopped'; partial: string | null; basis: 'recorded' | 'phrase' }
  /** The process died, or the client ended the turn. */
  | { what: 'ended'; basis: 'recorded' | 'phrase' }
  /** Never ran: nobody decided on it, or it fell with a call that the person refused. */
  | { what: 'cancelled'; fellWith: 'refusal' | null };

interface Refused {
  what: 'refused';
  reason: string | null;
  in_agent?: true;
  /** The turn goes on: the client says what the person wants, who typed nothing. */
  goes_on?: true;
  /** Another program was asked, for the person: an editor, or whatever uses the client as a library. */
  by_host?: true;
}

/** Of a result that is an error. */
export function verdictOf(row: JsonObject, text: string, details: JsonObject | undefined): ResultVerdict | undefined {
  if (text.startsWith(REJECTED)) {
    // Behind the person's words it is theirs.
    const said = reasonIn(text);
    if (text.includes(CORRECTION) && said?.includes(CORRECTION) !== true)
      return { what: 'stopped', partial: null, basis: 'phrase' };
    const reason = (stringAt(row, 'userFeedback') ?? said)?.trim() || null;
    if (reason?.startsWith(CLARIFY) === true) return { what: 'refused', reason: answersIn(reason), goes_on: true };
    return { what: 'refused', reason };
  }
  if (text.startsWith(REJECTED_IN_AGENT))
    return { what: 'refused', reason: reasonIn(text)?.trim() || null, in_agent: true };
  if (text.startsWith(NOT_NOW)) return { what: 'cancelled', fellWith: 'refusal' };
  if (SKIPPED.some((start) => text.startsWith(start))) return { what: 'cancelled', fellWith: null };
  if (text === '<tool_use_error>Sibling tool call errored</tool_use_error>')
    return { what: 'cancelled', fellWith: null };
  if (SESSION_ENDED.some((start) => text.startsWith(start)) || text.startsWith(TURN_ENDED)) {
    return { what: 'ended', basis: stringAt(row, 'toolDenialKind') === 'interrupted' ? 'recorded' : 'phrase' };
  }
  const stopped = stoppedText(text);
  if (stopped !== undefined) return { what: 'stopped', partial: stopped, basis: 'phrase' };
  return denialIn(row, text) ?? stoppedShell(details);
}

/** "Chat about this" beneath a question: the client's words, then the questions with what was answered (2.1.110, 2.1.325). */
const CLARIFY = 'The user wants to clarify these questions.';
const UNANSWERED = '(No answer provided)';

function answersIn(clarification: string): string | null {
  const [, questions = ''] = clarification.split('Questions asked:');
  const lines = questions.split('\n').filter((line) => line.trim() !== '');
  const isAnswered = lines.some((line) => !line.startsWith('- ') && line.trim() !== UNANSWERED);
  return isAnswered ? lines.join('\n') : null;
}

/** What the person said when they refused. */
function reasonIn(text: string): string | undefined {
  const found = REASONS.map((before) => ({ at: text.indexOf(before), length: before.length })).filter(
    ({ at }) => at >= 0,
  );
  // The person's words may hold such a beginning once more.
  const [first] = found.sort((a, b) => a.at - b.at);
  return first === undefined ? undefined : text.slice(first.at + first.length);
}

/** `[Request interrupted…` in a result: 1.0.100 alone, 2.0.42 and 2.1.110 after the exit code, then what the command had printed. */
function stoppedText(text: string): string | null | undefined {
  const rest = text.startsWith('Exit code 137\n') ? text.slice('Exit code 137\n'.length) : text;
  if (!rest.startsWith(INTERRUPTED_TOOL)) return undefined;
  return rest.slice(INTERRUPTED_TOOL.length).replace(/^\n/, '') || null;
}

/** A shell result that says so itself. A command that ran out of time has the same flag. */
export function stoppedShell(details: JsonObject | undefined): ResultVerdict | undefined {
  if (details?.interrupted !== true) return undefined;
  const partial = [stringAt(details, 'stdout'), stringAt(details, 'stderr')].filter(Boolean).join('\n');
  if (/^Command timed out after /m.test(partial)) return undefined;
  return { what: 'stopped', partial: partial || null, basis: 'recorded' };
}

/**
 * Refused without the person: `toolDenialKind` from 2.1.2xx on. "user-rejected" is written for
 * headless and plan mode too: then `permissionDecision.source` is "config". "permission-rule" is
 * written for hooks, and for what a host of the client was asked and refused.
 */
function denialIn(row: JsonObject, text: string): ResultVerdict | undefined {
  const kind = stringAt(row, 'toolDenialKind');
  const decision = objectAt(row, 'permissionDecision');
  const isRefused = stringAt(decision, 'decision') === 'reject';
  if (isRefused && stringAt(decision, 'source') === 'hook') return { what: 'denied', by: 'hook', basis: 'recorded' };
  // A rule that forbids to read a file says "user_reject" too, and has no `toolDenialKind`.
  if (isRefused && isByRule(decision)) return { what: 'denied', by: 'rule', basis: 'recorded' };
  if (kind === 'permission-rule' && stringAt(decision, 'source') === 'user_reject')
    return { what: 'refused', reason: text.trim() || null, by_host: true };
  if (kind === 'permission-rule') return { what: 'denied', by: denyMode(text) ?? 'rule', basis: 'recorded' };
  if (kind?.startsWith('automode-')) return { what: 'denied', by: 'reviewer', basis: 'recorded' };
  if (kind === 'interrupted' || kind === 'cancelled') return { what: 'ended', basis: 'recorded' };
  if (kind === 'user-rejected' && stringAt(decision, 'source') === 'config') {
    const mode = stringAt(decision, 'reasonCode')?.startsWith('mode:');
    return { what: 'denied', by: mode ? 'mode' : 'headless', basis: 'recorded' };
  }
  if (kind !== undefined) return undefined;
  return denialPhrase(text);
}

/** What `permissionDecision` says of a rule in the settings, whoever else it names. */
export function isByRule(decision: JsonObject | undefined): boolean {
  return stringAt(decision, 'reasonType') === 'rule';
}

function denyMode(text: string): 'mode' | undefined {
  return text.includes("is running in don't ask mode") ? 'mode' : undefined;
}

/** Before `toolDenialKind` (absent up to 2.1.110) the sentence is all there is. */
function denialPhrase(text: string): ResultVerdict | undefined {
  if (/^Permission to use \S+ (with command [\s\S]* )?has been denied\b/.test(text)) {
    return { what: 'denied', by: denyMode(text) ?? 'rule', basis: 'phrase' };
  }
  if (text.startsWith('Permission for this action was denied by the Claude Code auto mode classifier.')) {
    return { what: 'denied', by: 'reviewer', basis: 'phrase' };
  }
  // 2.0.42 says the second of commands (conformance: a tool is refused because nobody can be asked).
  if (
    /^Claude requested permissions to [\s\S]+, but you haven't granted it yet\.$/.test(text) ||
    text === 'This command requires approval'
  ) {
    return { what: 'denied', by: 'headless', basis: 'phrase' };
  }
  return undefined;
}

type FailureCause = Failure['cause'];

/** The last two by 2.1.325: a request that the server does not take, a reply that came to the end of the window. */
const OVERFLOW =
  /^(Prompt is too long|API Error: 413\b|.*prompt is too long|Request too large \(max|API Error: The model has reached its context window limit)/;

/** Why a request failed, from the status, the error's type, and at last from the sentence shown. */
export function failureCause(status: number | null, type: string, text: string, connectionLost: boolean): FailureCause {
  if (status === 429 || type.includes('rate_limit')) return 'rate-limit';
  if (status === 529 || type.includes('overloaded')) return 'overloaded';
  if (status === 401 || status === 403 || type.includes('authentication') || type.includes('permission_error'))
    return 'auth';
  if (OVERFLOW.test(text)) return 'context-overflow';
  if (/^(Claude (AI|Opus|Sonnet) usage limit reached|You've hit your|.*\bHTTP 429\b|API Error: 429\b)/.test(text))
    return 'rate-limit';
  if (/^API Error: (529|Repeated 529|Overloaded)/.test(text) || text.includes('"overloaded_error"'))
    return 'overloaded';
  if (/^(Invalid API key|Please run \/login|API Error: (401|403)\b|OAuth token)/.test(text)) return 'auth';
  if (/^API Error.*\b(Connection error|fetch failed|ECONN|ETIMEDOUT|ENOTFOUND|socket|timed out|terminated)/i.test(text))
    return 'network';
  return connectionLost ? 'network' : 'other';
}
