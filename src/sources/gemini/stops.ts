// Who ended it? Refusal, stop, failure, or neither.
//
// From 0.35 on a refused call says so. From 0.12 to 0.34 refused and stopped calls can have the same words: an edit, which
// takes no time once it is allowed, was most likely refused; of a command the files cannot tell.

import type { SourceRef } from '../../schema/blocks.ts';
import type { OutlineMessage, Signal } from '../../schema/outline.ts';
import { type Ask, isAnswered, type Note } from './asks.ts';
import type { AskedCall } from './calls.ts';
import type { TypedRow } from './logs.ts';
import { apiErrorIn, mayBeShared, notOffered, refusedByRule, type Verdict, verdictOf } from './signals.ts';
import { purposeOf } from './tools.ts';

interface Known {
  messages: readonly OutlineMessage[];
  asks: Ask[];
  calls: AskedCall[];
  typed: TypedRow[];
}

export function stopsIn(known: Known): Signal[] {
  const { asks } = known;
  const callsOf = Map.groupBy(known.calls, ({ ask }) => ask);
  return asks.flatMap((ask, i) => {
    const own = callsOf.get(ask) ?? [];
    const next = asks[i + 1];
    const steps = stepsOf(ask, own, known);
    return [
      ...steps.flatMap((step) => refusals(ask, step, next, known)),
      ...steps.flatMap((step) => stops(ask, step, next, known)),
      ...unanswered(ask, own, next, known),
      ...failures(ask, own, next, known),
      ...notThere(own),
      ...againstARule(own),
    ];
  });
}

/** What came of one request to the model: its reply, with what became of its calls, and the notes until the next one. */
interface Step {
  reply: number | null;
  calls: AskedCall[];
  notes: Note[];
  isLast: boolean;
}

/** A person may stop, or refuse, more than once before the next prompt: where a call of several went well, the model is asked again. */
function stepsOf({ replies, cancels }: Ask, calls: AskedCall[], { messages }: Known): Step[] {
  if (cancels.length === 0 && !calls.some((asked) => verdict(asked) !== undefined || isRefused(asked))) return [];
  const callsAt = Map.groupBy(calls, ({ message }) => message);
  const own = replies.filter((reply) => !holdsOnlyStopped(messages[reply], callsAt.get(reply) ?? []));
  return [null, ...own].map((reply, i): Step => {
    const [from, to] = [reply ?? -1, own[i] ?? Number.POSITIVE_INFINITY];
    return {
      reply,
      calls: calls.filter(({ message }) => message >= from && message < to),
      notes: cancels.filter(({ index }) => index >= from && index < to),
      isLast: i === own.length,
    };
  });
}

/** Calls that were stopped stand in a message of their own from 0.30 on: no reply of the model. */
function holdsOnlyStopped(message: OutlineMessage | undefined, calls: AskedCall[]): boolean {
  const isBare = message?.usage == null && message?.blocks.every(({ type }) => type === 'tool_use') === true;
  return isBare && calls.length > 0 && calls.every(({ call }) => call.status === 'cancelled');
}

type Base = Omit<Extract<Signal, { name: 'rewound' }>, 'name' | 'to_message_index' | 'removed'>;

function baseAt(
  index: number | null,
  after: number,
  anchor: string,
  timestamp: string | null,
  evidence: SourceRef[],
): Base {
  return {
    message_index: index,
    after_message_index: index === null ? after : index === 0 ? null : index - 1,
    anchor,
    timestamp,
    basis: 'phrase',
    confidence: 'high',
    could_be: null,
    evidence,
  };
}

function placeOf({ call, row }: AskedCall): SourceRef {
  return { ...row, pointer: `${row.pointer ?? ''}${call.pointer}` };
}

function verdict(asked: AskedCall): Verdict | undefined {
  return asked.call.status === 'cancelled' ? verdictOf(asked.call.error) : undefined;
}

function isRefused(asked: AskedCall): boolean {
  return verdict(asked) === 'denied' || asked.call.feedback !== null;
}

/**
 * One no answers for all calls of a reply that wait for an answer: they have the words of a refusal, or those of a call that was
 * not asked about yet. The first of them is the one that was asked about (0.61: one Esc at "1 of 2" refused both).
 */
function refusals(ask: Ask, step: Step, next: Ask | undefined, known: Known): Signal[] {
  const { calls } = step;
  const isShared = ({ call }: AskedCall) => call.status === 'cancelled' && mayBeShared(call.error);
  const firstOf = ({ message }: AskedCall) => calls.find((other) => other.message === message && isShared(other));
  const refused = calls.filter((asked) => isRefused(asked) && (!isShared(asked) || firstOf(asked) === asked));
  return refused.map((asked, i): Signal => {
    const isWith = (other: AskedCall) =>
      other.message === asked.message &&
      (verdict(other) === 'cascade' || (other !== asked && isShared(other) && isShared(asked)));
    const fell = calls.filter(isWith);
    const { feedback } = asked.call;
    // The note that closes the turn belongs to the last refusal in it.
    const isLast = i === refused.length - 1 && wasRefused(step);
    const note = isLast ? step.notes.slice(0, 1).map(({ ref }) => ref) : [];
    const evidence = [placeOf(asked), ...fell.map(placeOf), ...note];
    return {
      ...baseAt(asked.result, asked.message, asked.call.id, asked.call.time, evidence),
      name: 'tool-declined',
      tool_use_id: asked.call.id,
      also: fell.map(({ call }) => call.id),
      ...(feedback === null && isLast && step.isLast ? reasonIn(ask, next, known) : recorded(feedback)),
    };
  });
}

/** A refusal after which nothing was sent: the note that follows it is its own. A plan sent back with words goes on. */
function wasRefused({ calls }: Step): boolean {
  return calls.some((asked) => verdict(asked) === 'denied') && calls.every(({ call }) => call.status === 'cancelled');
}

function wasStopped(asked: AskedCall): boolean {
  return verdict(asked) === 'stopped' || verdict(asked) === 'either';
}

/** Esc or Ctrl-C: the note, the calls that it stopped, or both, are one act. A further note is one of its own: what it stopped left nothing else. */
function stops(ask: Ask, step: Step, next: Ask | undefined, known: Known): Signal[] {
  const stopped = step.calls.filter(wasStopped);
  const [note, ...further] = step.notes;
  const isOwn = stopped.length > 0 || (note !== undefined && !wasRefused(step));
  return [
    ...(isOwn ? [refusedOrStopped(ask, step, stopped, note, next, known)] : []),
    ...further.map((own) => interruption(ask, null, [], own, known)),
  ];
}

function refusedOrStopped(
  ask: Ask,
  step: Step,
  calls: AskedCall[],
  note: Note | undefined,
  next: Ask | undefined,
  known: Known,
): Signal {
  const edit = calls.find((asked) => verdict(asked) === 'either' && purposeOf(asked.call.name) === 'edit');
  if (edit === undefined) return interruption(ask, step.reply, calls, note, known);
  const evidence = [placeOf(edit), ...(note === undefined ? [] : [note.ref])];
  return {
    ...baseAt(edit.result, edit.message, edit.call.id, edit.call.time, evidence),
    basis: 'inferred',
    confidence: 'low',
    could_be: 'interruption',
    name: 'tool-declined',
    tool_use_id: edit.call.id,
    also: [],
    ...(step.isLast ? reasonIn(ask, next, known) : recorded(null)),
  };
}

type Reason = Pick<Extract<Signal, { name: 'tool-declined' }>, 'reason' | 'reason_source'>;

function recorded(reason: string | null): Reason {
  return { reason, reason_source: reason === null ? null : 'recorded' };
}

/** Where the refusal ended the turn, the person's words are the next prompt; not if the context was summarised before it. */
function reasonIn({ last }: Ask, next: Ask | undefined, { messages }: Known): Reason {
  const between = next === undefined ? [] : messages.slice(last + 1, next.prompt);
  const reason = between.some(({ kind }) => kind === 'summary') ? null : next?.text.trim() || null;
  return { reason, reason_source: reason === null ? null : 'next-prompt' };
}

/** The reply that was being given; null where it was done, with all its calls, and of the next nothing is recorded. */
function replyAtWork(reply: number | null, end: number, messages: readonly OutlineMessage[]): number | null {
  const isAnswered = reply !== null && messages.slice(reply + 1, end + 1).some(({ kind }) => kind === 'tool_result');
  return isAnswered ? null : reply;
}

function interruption(
  ask: Ask,
  reply: number | null,
  calls: AskedCall[],
  note: Note | undefined,
  { messages }: Known,
): Signal {
  const [first] = calls;
  const told = messages[note?.index ?? -1];
  const index = note?.index ?? first?.result ?? null;
  const anchor = told?.id ?? first?.call.id ?? messages[ask.prompt]?.id ?? '';
  const time = told?.timestamp ?? first?.call.time ?? null;
  const evidence = [...(note === undefined ? [] : [note.ref]), ...calls.map(placeOf)];
  const either = calls.some((asked) => verdict(asked) === 'either');
  return {
    ...baseAt(index, ask.last, anchor, time, evidence),
    confidence: either ? 'low' : 'high',
    could_be: either ? 'rejection' : null,
    name: 'turn-interrupted',
    type: 'user',
    target: first === undefined ? 'response' : purposeOf(first.call.name) === 'agent' ? 'agent' : 'tool',
    tool_use_ids: calls.map(({ call }) => call.id),
    interrupted_message_index: first?.message ?? replyAtWork(reply, note?.index ?? ask.last, messages),
    partial_output: calls.map(({ call }) => call.printed).find((text) => text !== null) ?? null,
  };
}

/**
 * A prompt without an answer. Up to 0.17 a stop left nothing else, but put the prompt back: the next one begins with it. At
 * the end of a file the process died, or is still at work.
 */
function unanswered(ask: Ask, calls: AskedCall[], next: Ask | undefined, { messages }: Known): Signal[] {
  if (ask.cancels.length > 0 || calls.some(wasStopped)) return [];
  if (ask.errors.length > 0 || ask.rolled_back !== null || ask.text === '') return [];
  if (ask.replies.length > 0) return diedWhileRunning(ask, messages);
  const prompt = messages[ask.prompt];
  const isOld = prompt?.source[0]?.pointer?.startsWith('/messages') === true;
  const putBack = isOld && next !== undefined && next.text !== ask.text && next.text.startsWith(ask.text);
  if (next !== undefined && !putBack && !ask.restarted) return [];
  return [
    {
      ...baseAt(null, ask.last, prompt?.id ?? '', prompt?.timestamp ?? null, prompt?.source.slice(0, 1) ?? []),
      basis: 'inferred',
      confidence: putBack || ask.restarted ? 'medium' : 'low',
      could_be: putBack || ask.restarted ? null : 'none',
      name: 'turn-interrupted',
      type: putBack ? 'user' : 'system',
      target: 'response',
      tool_use_ids: [],
      interrupted_message_index: null,
      partial_output: null,
    },
  ];
}

/**
 * A call is written when it ends: of one that ran when the process died only its reply is there, with tokens, thoughts and without a word
 * (0.61, conformance: killed while a tool runs), and then a process that begins anew.
 */
function diedWhileRunning(ask: Ask, messages: readonly OutlineMessage[]): Signal[] {
  const index = ask.replies.at(-1) ?? -1;
  const reply = messages[index];
  const isSaid = reply?.blocks.some(({ type }) => type !== 'thinking');
  if (reply === undefined || isSaid || !ask.restarted) return [];
  return [
    {
      ...baseAt(null, index, reply.id, reply.timestamp, reply.source.slice(-1)),
      basis: 'inferred',
      confidence: 'medium',
      could_be: 'none',
      name: 'turn-interrupted',
      type: 'system',
      target: 'response',
      tool_use_ids: [],
      interrupted_message_index: index,
      partial_output: null,
    },
  ];
}

/** A request that failed: its error, or, without a terminal, only that its prompt was taken back (0.55 on). */
function failures(ask: Ask, calls: AskedCall[], next: Ask | undefined, { messages }: Known): Signal[] {
  const [first] = ask.errors;
  const last = ask.errors.at(-1);
  const error = last === undefined ? undefined : apiErrorIn(last.text);
  if (first !== undefined && last !== undefined && error !== undefined) {
    const evidence = ask.errors.map(({ ref }) => ref);
    return [{ ...baseAt(first.index, ask.last, first.id, first.time, evidence), name: 'request-failed', ...error }];
  }
  // A call that was refused or stopped tells why.
  if (ask.rolled_back === null || ask.cancels.length > 0 || calls.some(({ call }) => call.status === 'cancelled'))
    return [];
  // What was answered did not fail: somebody put another context in its place (`/chat resume`, 0.61).
  if (isAnswered(ask, next, messages)) return [];
  // Where something had been answered, a signal may have ended it as well.
  const doubt = ask.replies.length > 0 ? ({ confidence: 'low', could_be: 'interruption' } as const) : {};
  return [
    {
      ...baseAt(null, ask.last, `${ask.rolled_back.line}`, ask.time, [ask.rolled_back]),
      basis: 'inferred',
      confidence: 'medium',
      ...doubt,
      name: 'request-failed',
      cause: 'other',
      status: null,
      message: null,
    },
  ];
}

/** Without a terminal, tools that would have to ask are not offered: the model calls them all the same. */
function notThere(calls: AskedCall[]): Signal[] {
  return calls
    .filter(({ call }) => purposeOf(call.name) !== 'other' && notOffered(call.error, call.name))
    .map((asked) => denied(asked, 'headless', { basis: 'inferred', confidence: 'medium', could_be: 'none' }));
}

function againstARule(calls: AskedCall[]): Signal[] {
  return calls
    .filter(({ call }) => call.status === 'error' && refusedByRule(call.error))
    .map((asked) => denied(asked, 'rule', { basis: 'phrase', confidence: 'high' }));
}

function denied(
  asked: AskedCall,
  denied_by: 'headless' | 'rule',
  sure: Pick<Signal, 'basis' | 'confidence'> & Partial<Pick<Signal, 'could_be'>>,
): Signal {
  return {
    ...baseAt(asked.result, asked.message, asked.call.id, asked.call.time, [placeOf(asked)]),
    ...sure,
    name: 'tool-denied',
    tool_use_id: asked.call.id,
    denied_by,
    message: asked.call.error,
  };
}
