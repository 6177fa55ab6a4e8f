// Calls, their outputs, and the records of how they ended, which may come turns later: a command that was not stopped
// with its turn tells its end when it dies (0.166).

import type { Json, SourceRef } from '../../schema/blocks.ts';
import type { OutlineMessage, ToolOutcome } from '../../schema/outline.ts';
import type { ToolCall } from '../../schema/session.ts';
import { integerAt, isObject, type JsonObject, objectAt, parsedObject, stringAt } from '../json-access.ts';
import { inputOf } from './content.ts';
import type { Item } from './items.ts';
import { outputEnd } from './output-text.ts';
import { anchorAt, type Row, textOf, timeOfMs } from './rows.ts';
import { errorIn, type Verdict, verdictOf } from './signals.ts';
import type { ThreadTurn } from './turns.ts';

export interface Call {
  id: string;
  name: string;
  index: number;
  turn: ThreadTurn | null;
  /** It asked to run outside the sandbox, and why. */
  escalated: boolean;
  justification: string | null;
  approval_policy: string | null;
  output: Output | null;
  /** What the client recorded of its end. */
  ends: End[];
  verdict: Verdict | undefined;
  /** What the commands of a script had printed: they have ids of their own. */
  printed: string | null;
  /** Done by the model's maker, who tells only that it was done: searches, pictures. */
  hosted: boolean;
  subagent: string | null;
}

/** What the output says; never the output itself, which may be long. */
interface Output {
  index: number;
  ref: SourceRef;
  time: string | null;
  exit_code: number | null;
  running: boolean;
  error: 'invalid-call' | 'failed' | undefined;
}

interface End {
  ref: SourceRef;
  status: string | null;
  failed: boolean;
  exit_code: number | null;
  started_at: string | null;
  ended_at: string | null;
  /** Of a command that was stopped. */
  printed: string | null;
}

export class Calls {
  readonly byId = new Map<string, Call>();
  /** Ids that are used again → the last call of that id. */
  private readonly again = new Map<string, string>();
  /** Results whose call is not in the files. */
  private readonly orphans: Call[] = [];
  private readonly messages: readonly OutlineMessage[];

  constructor(messages: readonly OutlineMessage[]) {
    this.messages = messages;
  }

  /** The id under which a call is known: some servers use the same ids again and again. */
  idOf(item: Item, ref: SourceRef): string | undefined {
    const { call_id } = item;
    if (call_id === undefined) return undefined;
    if (item.kind !== 'reply') return this.again.get(call_id) ?? call_id;
    const known = this.byId.get(this.again.get(call_id) ?? call_id);
    if (known === undefined || known.output === null) return call_id;
    const fresh = `${call_id}@${anchorAt(ref)}`;
    this.again.set(call_id, fresh);
    return fresh;
  }

  call(item: Item, payload: JsonObject, index: number, turn: ThreadTurn | null): void {
    if (item.call_id === undefined || this.byId.has(item.call_id)) return;
    const input = inputOf(payload);
    const asked = isObject(input) ? input : {};
    this.byId.set(item.call_id, {
      ...unasked(item.call_id),
      name: item.name ?? '',
      index,
      turn,
      escalated: asked.with_escalated_permissions === true || asked.sandbox_permissions === 'require_escalated',
      justification: stringAt(asked, 'justification') ?? null,
      approval_policy: turn?.approval_policy ?? null,
      hosted: HOSTED.has(item.type) && payload.status === 'completed',
    });
    turn?.calls.push(item.call_id);
  }

  output(item: Item, row: Row, index: number): void {
    const known = this.byId.get(item.call_id ?? '');
    if (known !== undefined && known.output !== null) return;
    const call = known ?? unasked(item.call_id ?? '');
    if (known === undefined) this.orphans.push(call);
    const { output } = row.payload;
    const text = isObject(output) ? (stringAt(output, 'content') ?? '') : textOf(output);
    const { exit_code, running } = outputEnd(text);
    call.output = { index, ref: row.ref, time: row.time, exit_code, running, error: errorIn(text) };
    call.verdict ??= verdictOf(text);
    if (call.name === 'spawn_agent') call.subagent ??= stringAt(parsedObject(text), 'agent_id') ?? null;
    for (const { ref } of call.ends) this.messages[index]?.source.push(ref);
  }

  /** Joins the record of a call's end to it. False where no call has this id. */
  end(row: Row, turn: ThreadTurn | null): boolean {
    const item = objectAt(row.payload, 'item') ?? row.payload;
    const id = stringAt(item, 'id') ?? stringAt(item, 'call_id') ?? '';
    const call = this.byId.get(this.again.get(id) ?? id);
    if (call === undefined) {
      this.script(id, item, turn);
      return false;
    }
    call.ends.push(endFrom(row, item));
    if (item.status === 'declined') call.verdict = { what: 'declined' };
    call.subagent ??= stringAt(item, 'agent_thread_id') ?? stringAt(item, 'new_thread_id') ?? null;
    if (call.output !== null) this.messages[call.output.index]?.source.push(row.ref);
    return true;
  }

  /** In code mode commands are run by a script, the last one that was called, and have ids of their own. */
  private script(id: string, item: JsonObject, turn: ThreadTurn | null): void {
    const last = this.byId.get(turn?.calls.at(-1) ?? '');
    if (id.startsWith('exec-') && last?.name === 'exec') last.printed = printedIn(item) ?? last.printed;
  }

  /** An end whose output never came stands with its call. */
  finish(): void {
    for (const { output, ends, index } of this.byId.values()) {
      if (output === null) this.messages[index]?.source.push(...ends.map(({ ref }) => ref));
    }
  }

  outcomes(): ToolOutcome[] {
    return [...this.byId.values(), ...this.orphans].filter(isAnswered).map(outcomeOf);
  }
}

const HOSTED = new Set(['web_search_call', 'image_generation_call']);

function isAnswered(call: Call): boolean {
  return call.output !== null || call.ends.length > 0 || call.hosted;
}

function unasked(id: string): Call {
  return {
    id,
    name: '',
    index: -1,
    turn: null,
    escalated: false,
    justification: null,
    approval_policy: null,
    output: null,
    ends: [],
    verdict: undefined,
    printed: null,
    hosted: false,
    subagent: null,
  };
}

function endFrom({ ref, payload, time }: Row, item: JsonObject): End {
  const exit_code = integerAt(item, 'exit_code');
  const status = stringAt(item, 'status') ?? null;
  return {
    ref,
    status,
    failed: status === 'failed' || item.success === false || isFailedResult(item.result),
    exit_code,
    started_at: timeOfMs(payload.started_at_ms),
    // Without a time of its own it is written when the call has ended; the output may be older, of a command that went on (wild, 0.118 to 0.128).
    ended_at: timeOfMs(payload.completed_at_ms) ?? time,
    // Everything that was ever printed is too much to hold: what a stopped command had printed is wanted.
    printed: exit_code !== null && exit_code < 0 ? printedIn(item) : null,
  };
}

/** The end of a call of an MCP server (`mcp_tool_call_end`): what the server answered, which may be an error, or why it did not. */
export function isFailedResult(result: Json | undefined): boolean {
  if (!isObject(result)) return false;
  return result.Err !== undefined || objectAt(result, 'Ok')?.isError === true;
}

function printedIn(item: JsonObject): string | null {
  return stringAt(item, 'aggregated_output') || stringAt(item, 'stdout') || null;
}

/** What a command had printed when it was stopped, as far as the client recorded it. */
export function printedBy(call: Call): string | null {
  return call.ends.at(-1)?.printed ?? call.printed;
}

/** It may still have been at work when its turn ended. */
export function mayRun(call: Call): boolean {
  if (call.verdict?.what === 'aborted') return true;
  return call.output === null && !call.hosted && call.ends.every((end) => end.status !== 'completed');
}

function outcomeOf(call: Call): ToolOutcome {
  const exit_code = call.ends.at(-1)?.exit_code ?? call.output?.exit_code ?? null;
  const [first] = call.ends;
  return {
    tool_use_id: call.id,
    message_index: call.output?.index ?? null,
    ...endingOf(call, exit_code),
    exit_code,
    permission: permissionOf(call),
    subagent_session_id: call.subagent,
    started_at: first?.started_at ?? null,
    ended_at: call.ends.at(-1)?.ended_at ?? null,
  };
}

function endingOf(
  { verdict, output, ends }: Call,
  exit_code: number | null,
): Pick<ToolOutcome, 'status' | 'error_kind'> {
  if (verdict?.what === 'aborted') return { status: 'interrupted', error_kind: null };
  if (exit_code !== null && exit_code !== 0) return { status: 'error', error_kind: 'exit-code' };
  const error = output?.error ?? (verdict === undefined ? undefined : 'failed');
  if (error !== undefined) return { status: 'error', error_kind: error };
  if (ends.at(-1)?.failed === true) return { status: 'error', error_kind: 'failed' };
  return { status: output?.running === true && ends.length === 0 ? 'background' : 'ok', error_kind: null };
}

/** A yes leaves no trace: a call that had to be asked for and ran was allowed, by whom nobody wrote down. */
function permissionOf(call: Call): ToolCall['permission'] {
  const { justification, verdict } = call;
  if (verdict?.what === 'denied') {
    const by = verdict.by === 'reviewer' ? 'reviewer' : verdict.by === 'mode' ? 'mode' : 'policy';
    return { asked: false, decision: 'refused', by, justification };
  }
  if (verdict?.what === 'declined') return { asked: true, decision: 'refused', by: 'user', justification };
  if (call.approval_policy === 'never') return { asked: false, decision: 'allowed', by: 'mode', justification };
  const allowed = call.escalated && verdict === undefined;
  return { asked: null, decision: allowed ? 'allowed' : null, by: null, justification };
}
