// Who ended it? A turn that was aborted: refusal, stop, or neither.
//
// "No, and tell Codex what to do differently" is recorded as an abort of the turn. Where the client records how calls end
// (`item_completed`, 0.147 on), a call that was aborted and has no such record never ran: it was refused while it waited.
// Elsewhere the files cannot tell; a call that asked to leave the sandbox, or a patch, which takes no time once it is
// allowed, was most likely waiting. Files that were migrated have records of messages only: the rule must not be used there.

import type { SourceRef } from '../../schema/blocks.ts';
import type { OutlineMessage, Signal } from '../../schema/outline.ts';
import { integerAt, objectAt, stringAt } from '../json-access.ts';
import { type Call, type Calls, mayRun, printedBy } from './calls.ts';
import { anchorAt } from './rows.ts';
import { failureCause, statusIn } from './signals.ts';
import { asksFor, purposeOf } from './tools.ts';
import type { ThreadTurn, Turns } from './turns.ts';

interface Known {
  messages: readonly OutlineMessage[];
  calls: Calls;
  turns: Turns;
  /** Ends of calls are recorded. */
  recordsEnds: boolean;
  /** `codex exec`: nobody is there to ask. */
  headless: boolean;
  /** Up to 0.47 a call is not recorded when its turn is aborted. */
  losesCalls: boolean;
  /** The words of a prompt. */
  promptText: (index: number) => string | null;
}

export function stopsIn(known: Known): Signal[] {
  const signals: Signal[] = [];
  const own = known.turns.all.filter((turn) => !turn.inherited);
  own.forEach((turn, i) => {
    const next = own[i + 1];
    const calls = callsOf(turn, known);
    for (const call of calls) signals.push(...decided(call, turn, next, known));
    // A refusal in a terminal is recorded as an abort too: one act, unless the turn went on after it.
    const aborted = abortOf(turn, known);
    const isOneAct =
      !known.headless && calls.some((call) => call.verdict?.what === 'declined' && endedTurn(call, turn, known));
    if (aborted !== undefined && !isOneAct) signals.push(abort(turn, aborted, next, known));
    signals.push(...failure(turn));
    if (aborted === undefined) signals.push(...death(turn, next, known));
  });
  return signals;
}

function callsOf(turn: ThreadTurn, { calls }: Known): Call[] {
  return turn.calls.map((id) => calls.byId.get(id)).filter((call) => call !== undefined);
}

/** How a turn was aborted. */
interface Abort {
  /** Told by the row that records it; else by what is written right before that. */
  isRecorded: boolean;
  reason: string;
  time: string | null;
  evidence: SourceRef[];
}

/**
 * `turn_aborted`; where that row is lost, the message that tells the model (0.88 on), or the output of a call that was stopped
 * and after which nothing came. Both are written only when the person stops a turn.
 */
function abortOf(turn: ThreadTurn, known: Known): Abort | undefined {
  const marker = turn.marker === null ? undefined : known.messages[turn.marker];
  const told = marker?.source ?? [];
  if (turn.aborted !== null) {
    const { ref, time, payload } = turn.aborted;
    return { isRecorded: true, reason: stringAt(payload, 'reason') ?? 'interrupted', time, evidence: [ref, ...told] };
  }
  if (turn.completed !== null) return undefined;
  const lost = { isRecorded: false, reason: 'interrupted', evidence: told };
  if (marker !== undefined) return { ...lost, time: marker.timestamp };
  const stopped = callsOf(turn, known).find((call) => call.verdict?.what === 'aborted' && isLast(call, turn));
  return stopped === undefined ? undefined : { ...lost, time: stopped.output?.time ?? null };
}

/** Nothing of the turn came after the output of this call. */
function isLast(call: Call, turn: ThreadTurn): boolean {
  return (turn.replies.at(-1) ?? -1) < (call.output?.index ?? call.index);
}

function endedTurn(call: Call, turn: ThreadTurn, known: Known): boolean {
  return abortOf(turn, known) !== undefined && isLast(call, turn);
}

type Base = Omit<Extract<Signal, { name: 'rewound' }>, 'name' | 'to_message_index' | 'removed'>;

function baseAt(index: number | null, last: number | null, anchor: string, timestamp: string | null): Base {
  const before = index === null ? last : index === 0 ? null : index - 1;
  return {
    message_index: index,
    after_message_index: before,
    anchor,
    timestamp,
    basis: 'recorded',
    confidence: 'high',
    could_be: null,
    evidence: [],
  };
}

function evidenceOf(call: Call, turn: ThreadTurn): SourceRef[] {
  const output = call.output === null ? [] : [call.output.ref];
  const aborted = turn.aborted !== null && isLast(call, turn) ? [turn.aborted.ref] : [];
  return [...output, ...call.ends.map(({ ref }) => ref), ...aborted];
}

/** Refusals and denials that the output of the call tells by itself. */
function decided(call: Call, turn: ThreadTurn, next: ThreadTurn | undefined, known: Known): Signal[] {
  const { verdict } = call;
  if (verdict === undefined || verdict.what === 'aborted') return [];
  const index = call.output?.index ?? null;
  const base = { ...baseAt(index, call.index, call.id, call.output?.time ?? null), evidence: evidenceOf(call, turn) };
  const recorded = call.ends.some(({ status }) => status === 'declined');
  const told: Base = { ...base, basis: recorded ? 'recorded' : 'phrase' };
  // The client of 2025 says so of every command that failed in the sandbox, also of one with a mistake in it (wild).
  const doubt = verdict.what === 'denied' && verdict.by === 'sandbox' ? UNSURE : {};
  if (verdict.what === 'denied')
    return [{ ...told, ...doubt, name: 'tool-denied', tool_use_id: call.id, denied_by: verdict.by, message: null }];
  if (known.headless)
    return [{ ...told, name: 'tool-denied', tool_use_id: call.id, denied_by: 'headless', message: null }];
  return [{ ...told, name: 'tool-declined', tool_use_id: call.id, also: [], ...reasonIn(call, turn, next, known) }];
}

const UNSURE = { confidence: 'medium', could_be: 'none' } as const;

/** The person's words are the next prompt, where the refusal ended the turn. */
function reasonIn(call: Call, turn: ThreadTurn, next: ThreadTurn | undefined, known: Known) {
  const [prompt] = endedTurn(call, turn, known) ? (next?.prompts ?? []) : [];
  // Who has the context summarised first does not give a reason.
  const between = known.messages.slice((turn.lastMessage ?? call.index) + 1, prompt);
  const isNext = prompt !== undefined && !between.some(({ kind }) => kind === 'summary');
  const reason = isNext ? known.promptText(prompt) : null;
  return { reason, reason_source: reason === null ? null : ('next-prompt' as const) };
}

/** An abort is one act: the refusal of the first call that never ran, or a stop. */
function abort(turn: ThreadTurn, aborted: Abort, next: ThreadTurn | undefined, known: Known): Signal {
  const { isRecorded, reason, time } = aborted;
  const running = callsOf(turn, known).filter(mayRun);
  const [waiting, ...others] = reason === 'interrupted' ? running.filter((call) => mayHaveWaited(call, known)) : [];
  // Where the row is lost, the record that the call ran may be, too.
  if (waiting !== undefined && isRecorded) return refusal(waiting, others, turn, next, known);
  const outputs = running.flatMap((call) => (call.output === null ? [] : [call.output.ref]));
  const ends = running.flatMap((call) => call.ends.map(({ ref }) => ref));
  const evidence = [...aborted.evidence, ...outputs, ...ends];
  const partial = running.map(printedBy).find((text) => text !== null) ?? null;
  const undecided = waiting !== undefined || (reason === 'interrupted' && couldBeRefusal(turn, running, known));
  const [first] = evidence;
  return {
    ...baseAt(turn.marker, turn.lastMessage, turn.id ?? (first === undefined ? '' : anchorAt(first)), time),
    evidence,
    basis: isRecorded ? 'recorded' : 'phrase',
    confidence: undecided ? 'medium' : 'high',
    could_be: undecided ? 'rejection' : null,
    name: 'turn-interrupted',
    type: reason === 'interrupted' ? 'user' : 'system',
    target: running.length > 0 ? 'tool' : 'response',
    tool_use_ids: running.map((call) => call.id),
    interrupted_message_index: running[0]?.index ?? replyAtWork(turn, known),
    partial_output: partial,
    extra: isRecorded ? { reason } : {},
  };
}

/** The reply that was being given; null where the last one was done, and of the next nothing is recorded. */
function replyAtWork(turn: ThreadTurn, known: Known): number | null {
  const last = turn.replies.at(-1) ?? null;
  const isAnswered = callsOf(turn, known).some(({ output }) => last !== null && (output?.index ?? -1) > last);
  return isAnswered ? null : last;
}

function mayHaveWaited(call: Call, known: Known): boolean {
  if (call.verdict?.what !== 'aborted' || call.approval_policy === 'never' || !asksFor(call.name)) return false;
  if (known.headless) return false;
  if (known.recordsEnds) return call.ends.length === 0;
  return call.escalated || purposeOf(call.name) === 'edit';
}

/**
 * Of several calls that may have waited, the first; the files cannot tell which was refused, nor whether the others were allowed
 * before and had run. 0.166 asks in any order: of two recorded runs, the first call was refused in one, the second in the other.
 */
function refusal(call: Call, others: Call[], turn: ThreadTurn, next: ThreadTurn | undefined, known: Known): Signal {
  const index = call.output?.index ?? null;
  return {
    ...baseAt(index, call.index, call.id, call.output?.time ?? turn.aborted?.time ?? null),
    basis: 'inferred',
    // With records of ends: right for 23 of 25 calls that were tried. The wrong ones were allowed and fell with a neighbour.
    confidence: known.recordsEnds && others.length === 0 ? 'medium' : 'low',
    could_be: 'interruption',
    evidence: evidenceOf(call, turn),
    name: 'tool-declined',
    tool_use_id: call.id,
    also: [],
    ...reasonIn(call, turn, next, known),
    ...(others.length === 0 ? {} : { extra: { or_of: others.map(({ id }) => id) } }),
  };
}

/** Where calls are lost with their turn, or commands might have waited for a yes, a stop may have been a no. */
function couldBeRefusal(turn: ThreadTurn, running: Call[], known: Known): boolean {
  if (known.headless || turn.approval_policy === null || turn.approval_policy === 'never') return false;
  if (running.length > 0) return !known.recordsEnds;
  return known.losesCalls;
}

/** Errors end a turn with a code (0.166); the error itself is written only where the client was asked to write more (0.105 on). */
function failure(turn: ThreadTurn): Signal[] {
  const ended = objectAt(turn.completed?.payload, 'error');
  const row = ended === undefined ? turn.failed : turn.completed;
  const error = ended ?? turn.failed?.payload;
  if (row === null || error === undefined) return [];
  const message = stringAt(error, 'message') ?? null;
  const info = error.codex_error_info;
  const code = typeof info === 'string' ? info : (Object.keys(objectAt(error, 'codex_error_info') ?? {})[0] ?? '');
  const told = integerAt(objectAt(objectAt(error, 'codex_error_info'), code), 'http_status_code');
  const status = told ?? statusIn(message ?? '');
  return [
    {
      ...baseAt(null, turn.lastMessage, turn.id ?? anchorAt(row.ref), row.time),
      evidence: [row.ref],
      name: 'request-failed',
      cause: failureCause(code, message ?? '', status),
      status,
      message,
      extra: code === '' ? {} : { code },
    },
  ];
}

/** A turn that was not aborted and did not end, and another began: the process died in it. */
function death(turn: ThreadTurn, next: ThreadTurn | undefined, known: Known): Signal[] {
  if (turn.completed !== null || turn.started === null || next?.started == null || known.turns.migrated) return [];
  const calls = callsOf(turn, known).filter(mayRun);
  return [
    {
      ...baseAt(
        null,
        turn.lastMessage,
        turn.id ?? anchorAt(turn.started.ref),
        known.messages[turn.lastMessage ?? -1]?.timestamp ?? turn.started.time,
      ),
      basis: 'inferred',
      confidence: 'medium',
      evidence: [turn.started.ref, next.started.ref],
      name: 'turn-interrupted',
      type: 'system',
      target: calls.length > 0 ? 'tool' : 'response',
      tool_use_ids: calls.map((call) => call.id),
      interrupted_message_index: calls[0]?.index ?? replyAtWork(turn, known),
      partial_output: calls.map(printedBy).find((text) => text !== null) ?? null,
    },
  ];
}
