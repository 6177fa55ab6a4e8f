// Calls, their outputs, and the records of how they ended, which may come turns later: a command that was not stopped
// with its turn tells its end when it dies (0.166).

import type { SourceRef } from '../../schema/blocks.ts';
import type { OutlineMessage, ToolOutcome } from '../../schema/outline.ts';
import type { ToolCall } from '../../schema/session.ts';
import { isObject, type JsonObject, objectAt, parsedObject, stringAt } from '../json-access.ts';
import { inputOf } from './content.ts';
import type { Item } from './items.ts';
import { outputText } from './output-text.ts';
import { type Row, textOf, timeOfMs } from './rows.ts';
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
  output: { index: number; ref: SourceRef; time: string | null; text: string } | null;
  /** What the client recorded of its end. */
  ends: { ref: SourceRef; row: JsonObject; item: JsonObject }[];
  verdict: Verdict | undefined;
  /** Done by the model's maker, who tells only that it was done: searches, pictures. */
  hosted: boolean;
  subagent: string | null;
}

export class Calls {
  readonly byId = new Map<string, Call>();
  private readonly messages: readonly OutlineMessage[];

  constructor(messages: readonly OutlineMessage[]) {
    this.messages = messages;
  }

  call(item: Item, payload: JsonObject, index: number, turn: ThreadTurn | null): void {
    if (item.call_id === undefined || this.byId.has(item.call_id)) return;
    const input = inputOf(payload);
    const asked = isObject(input) ? input : {};
    this.byId.set(item.call_id, {
      id: item.call_id,
      name: item.name ?? '',
      index,
      turn,
      escalated: asked.with_escalated_permissions === true || asked.sandbox_permissions === 'require_escalated',
      justification: stringAt(asked, 'justification') ?? null,
      approval_policy: turn?.approval_policy ?? null,
      output: null,
      ends: [],
      verdict: undefined,
      hosted: HOSTED.has(item.type) && payload.status === 'completed',
      subagent: null,
    });
    turn?.calls.push(item.call_id);
  }

  output(item: Item, row: Row, index: number): void {
    const call = this.byId.get(item.call_id ?? '');
    if (call === undefined || call.output !== null) return;
    const { output } = row.payload;
    const text = isObject(output) ? (stringAt(output, 'content') ?? '') : textOf(output);
    call.output = { index, ref: row.ref, time: row.time, text: text.slice(0, 8192) };
    call.verdict ??= verdictOf(call.output.text);
    if (call.name === 'spawn_agent') call.subagent ??= stringAt(parsedObject(text), 'agent_id') ?? null;
    for (const { ref } of call.ends) this.messages[index]?.source.push(ref);
  }

  /** Joins the record of a call's end to it. False where no call has this id: scripts name their commands otherwise. */
  end(row: Row): boolean {
    const item = objectAt(row.payload, 'item') ?? row.payload;
    const call = this.byId.get(stringAt(item, 'id') ?? stringAt(item, 'call_id') ?? '');
    if (call === undefined) return false;
    call.ends.push({ ref: row.ref, row: row.payload, item });
    if (item.status === 'declined') call.verdict = { what: 'declined' };
    call.subagent ??= stringAt(item, 'agent_thread_id') ?? stringAt(item, 'new_thread_id') ?? null;
    if (call.output !== null) this.messages[call.output.index]?.source.push(row.ref);
    return true;
  }

  /** An end whose output never came stands with its call. */
  finish(): void {
    for (const { output, ends, index } of this.byId.values()) {
      if (output === null) this.messages[index]?.source.push(...ends.map(({ ref }) => ref));
    }
  }

  outcomes(): ToolOutcome[] {
    return [...this.byId.values()].filter(isAnswered).map(outcomeOf);
  }
}

const HOSTED = new Set(['web_search_call', 'image_generation_call']);

function isAnswered(call: Call): boolean {
  return call.output !== null || call.ends.length > 0 || call.hosted;
}

function endOf(call: Call): JsonObject | undefined {
  return call.ends.at(-1)?.item;
}

/** What a command had printed, as far as the client recorded it. */
export function printedBy(call: Call): string | null {
  const end = endOf(call);
  const printed = stringAt(end, 'aggregated_output') ?? stringAt(end, 'stdout');
  return printed === undefined || printed === '' ? null : printed;
}

function outcomeOf(call: Call): ToolOutcome {
  const end = endOf(call);
  const { exit_code: written, running } = outputText(call.output?.text ?? '');
  const recorded = end?.exit_code;
  const exit_code = typeof recorded === 'number' && Number.isSafeInteger(recorded) ? recorded : written;
  const first = call.ends[0]?.row;
  return {
    tool_use_id: call.id,
    message_index: call.output?.index ?? null,
    ...endingOf(call, exit_code, running),
    exit_code,
    permission: permissionOf(call),
    subagent_session_id: call.subagent,
    started_at: timeOfMs(first?.started_at_ms),
    ended_at: timeOfMs(first?.completed_at_ms),
  };
}

function endingOf(call: Call, exit_code: number | null, running: boolean): Pick<ToolOutcome, 'status' | 'error_kind'> {
  const end = endOf(call);
  if (call.verdict?.what === 'aborted') return { status: 'interrupted', error_kind: null };
  if (exit_code !== null && exit_code !== 0) return { status: 'error', error_kind: 'exit-code' };
  const error = errorIn(call.output?.text ?? '') ?? (call.verdict === undefined ? undefined : 'failed');
  if (error !== undefined) return { status: 'error', error_kind: error };
  if (end?.status === 'failed' || end?.success === false) return { status: 'error', error_kind: 'failed' };
  return { status: running && end === undefined ? 'background' : 'ok', error_kind: null };
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
