// The result row of a call: how the call ended, who allowed it, and what the row says beyond that.

import type { Json } from '../../schema/blocks.ts';
import type { ToolOutcome } from '../../schema/outline.ts';
import type { ToolCall } from '../../schema/session.ts';
import { type JsonObject, objectAt, stringAt } from '../json-access.ts';
import { resultId, resultsIn, resultText } from './rows.ts';
import { type ResultVerdict, verdictOf } from './signals.ts';

interface Answered {
  outcome: ToolOutcome;
  verdict: ResultVerdict | undefined;
}

export function outcomeOf(row: JsonObject, index: number): Answered[] {
  const details = objectAt(row, 'toolUseResult');
  return resultsIn(row).flatMap((block) => {
    const tool_use_id = resultId(block, row);
    if (tool_use_id === undefined) return [];
    const text = resultText(block);
    const isError = block.is_error === true;
    const verdict = verdictOf(row, text, isError);
    const outcome: ToolOutcome = {
      tool_use_id,
      message_index: index,
      status: statusOf(verdict, isError, details),
      ...errorOf(verdict, isError, text),
      permission: permissionOf(row, verdict),
      subagent_session_id: stringAt(details, 'agentId') ?? null,
    };
    return [{ outcome, verdict }];
  });
}

function statusOf(
  verdict: ResultVerdict | undefined,
  isError: boolean,
  details: JsonObject | undefined,
): ToolOutcome['status'] {
  if (verdict?.what === 'cancelled') return 'cancelled';
  if (verdict?.what === 'stopped' || verdict?.what === 'ended') return 'interrupted';
  if (isError) return 'error';
  const background = stringAt(details, 'backgroundTaskId') !== undefined || details?.status === 'async_launched';
  return background ? 'background' : 'ok';
}

function errorOf(
  verdict: ResultVerdict | undefined,
  isError: boolean,
  text: string,
): Pick<ToolOutcome, 'error_kind' | 'exit_code'> {
  const code = isError ? /^Exit code (\d+)/.exec(text)?.[1] : undefined;
  const exit_code = code === undefined ? null : Number(code);
  if (!isError || verdict !== undefined) return { error_kind: null, exit_code };
  if (exit_code !== null) return { error_kind: 'exit-code', exit_code };
  return { error_kind: text.startsWith('<tool_use_error>') ? 'invalid-call' : 'failed', exit_code };
}

/** `permissionDecision` is written from 2.1.2xx on; before, only a refusal tells that somebody was asked. */
function permissionOf(row: JsonObject, verdict: ResultVerdict | undefined): ToolCall['permission'] {
  const recorded = objectAt(row, 'permissionDecision');
  const source = stringAt(recorded, 'source');
  if (source !== undefined) {
    const asked = source.startsWith('user');
    return {
      asked,
      decision: decisionOf(recorded?.decision),
      by: asked ? 'user' : configBy(recorded),
      justification: null,
    };
  }
  if (verdict?.what === 'refused') return { asked: true, decision: 'refused', by: 'user', justification: null };
  if (verdict?.what === 'denied') {
    const by =
      verdict.by === 'reviewer' ? 'reviewer' : verdict.by === 'mode' || verdict.by === 'headless' ? 'mode' : 'policy';
    return { asked: false, decision: 'refused', by, justification: null };
  }
  return { asked: null, decision: null, by: null, justification: null };
}

function decisionOf(decision: Json | undefined): ToolCall['permission']['decision'] {
  if (decision === 'accept') return 'allowed';
  return decision === 'reject' ? 'refused' : null;
}

function configBy(recorded: JsonObject | undefined): ToolCall['permission']['by'] {
  const reason = `${stringAt(recorded, 'reasonType') ?? ''} ${stringAt(recorded, 'reasonCode') ?? ''}`;
  if (reason.includes('mode')) return 'mode';
  return reason.includes('classifier') ? 'reviewer' : 'policy';
}
