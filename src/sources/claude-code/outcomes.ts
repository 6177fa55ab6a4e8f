// The result row of a call: how the call ended, who allowed it, and what the row says beyond that.

import type { Json } from '../../schema/blocks.ts';
import type { ToolOutcome } from '../../schema/outline.ts';
import type { ToolCall } from '../../schema/session.ts';
import { isObject, type JsonObject, stringAt } from '../json-access.ts';
import { withOneMore } from '../short-lists.ts';
import { resultId, resultText } from './rows.ts';
import { isByRule, type ResultVerdict, stoppedShell, verdictOf } from './signals.ts';
import { purposeOf } from './tools.ts';

interface Answered {
  outcome: ToolOutcome;
  verdict: ResultVerdict | undefined;
}

export function outcomesIn(
  row: JsonObject,
  results: JsonObject[],
  index: number,
  toolOf: (id: string) => string | undefined,
): Answered[] {
  const details = isObject(row.toolUseResult) ? row.toolUseResult : undefined;
  let answered: Answered[] = [];
  for (let i = 0; i < results.length; i++) {
    const block = results[i] as JsonObject; // a place of the list
    const tool_use_id = resultId(block, row);
    if (tool_use_id !== undefined) {
      // Files read and edited, by far the most, neither run on nor start anybody: nothing to look up in their details.
      const tool = toolOf(tool_use_id) ?? '';
      const runs = tool === 'Read' || purposeOf(tool) === 'edit' ? undefined : details;
      answered = withOneMore(answered, answer(row, block, runs, tool_use_id, index));
    }
  }
  return answered;
}

/** `web_search_tool_result` and its like: what a tool of the model's maker answered, beside the call (as the API has it; in no file that we hold). */
export function isHostedResult({ type }: JsonObject): boolean {
  return typeof type === 'string' && type !== 'tool_result' && type.endsWith('_tool_result');
}

export function hostedOutcome(block: JsonObject, message_index: number): ToolOutcome | undefined {
  const tool_use_id = stringAt(block, 'tool_use_id');
  if (tool_use_id === undefined) return undefined;
  const isError =
    block.is_error === true ||
    (isObject(block.content) && stringAt(block.content, 'type')?.endsWith('_error') === true);
  return {
    tool_use_id,
    message_index,
    status: isError ? 'error' : 'ok',
    error_kind: isError ? 'failed' : null,
    exit_code: null,
    permission: NOT_TOLD,
    subagent_session_id: null,
  };
}

function answer(
  row: JsonObject,
  block: JsonObject,
  details: JsonObject | undefined,
  tool_use_id: string,
  message_index: number,
): Answered {
  const isError = block.is_error === true;
  // Only an error's words say something about its end; most results are long and fine.
  const text = isError ? resultText(block) : '';
  const verdict = isError ? verdictOf(row, text, details) : stoppedShell(details);
  const exit_code = isError ? exitCode(text) : null;
  const outcome: ToolOutcome = {
    tool_use_id,
    message_index,
    status: statusOf(verdict, isError, details),
    error_kind: isError && verdict === undefined ? errorKind(text, exit_code) : null,
    exit_code,
    permission: permissionOf(row, verdict),
    subagent_session_id: stringAt(details, 'agentId') ?? null,
  };
  return { outcome, verdict };
}

function statusOf(
  verdict: ResultVerdict | undefined,
  isError: boolean,
  details: JsonObject | undefined,
): ToolOutcome['status'] {
  if (verdict?.what === 'cancelled') return 'cancelled';
  if (verdict?.what === 'stopped' || verdict?.what === 'ended') return 'interrupted';
  if (isError) return 'error';
  if (details === undefined) return 'ok';
  return typeof details.backgroundTaskId === 'string' || details.status === 'async_launched' ? 'background' : 'ok';
}

function exitCode(text: string): number | null {
  const code = text.startsWith('Exit code ') ? /^Exit code (\d+)/.exec(text)?.[1] : undefined;
  return code === undefined ? null : Number(code);
}

function errorKind(text: string, exitCode: number | null): ToolOutcome['error_kind'] {
  if (exitCode !== null) return 'exit-code';
  return text.startsWith('<tool_use_error>') || UNWRAPPED.test(text) ? 'invalid-call' : 'failed';
}

/** Up to 1.0.55 the same words stand without the tag (wild), and those of an agent that there is not in later versions too. */
const UNWRAPPED =
  /^File has not been read yet\. Read it first|^Found \d+ matches of the string to replace, but replace_all is false|^Agent type '[^']*' not found\. Available agents: /;

/** `permissionDecision` is written from 2.1.2xx on; before, only a refusal tells that somebody was asked. */
function permissionOf(row: JsonObject, verdict: ResultVerdict | undefined): ToolCall['permission'] {
  const recorded = isObject(row.permissionDecision) ? row.permissionDecision : undefined;
  const source = stringAt(recorded, 'source');
  if (source !== undefined) {
    const asked = source.startsWith('user') && !isByRule(recorded);
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
  return NOT_TOLD;
}

const NOT_TOLD: ToolCall['permission'] = { asked: null, decision: null, by: null, justification: null };

function decisionOf(decision: Json | undefined): ToolCall['permission']['decision'] {
  if (decision === 'accept') return 'allowed';
  return decision === 'reject' ? 'refused' : null;
}

function configBy(recorded: JsonObject | undefined): ToolCall['permission']['by'] {
  const reason = `${stringAt(recorded, 'reasonType') ?? ''} ${stringAt(recorded, 'reasonCode') ?? ''}`;
  if (reason.includes('mode')) return 'mode';
  return reason.includes('classifier') ? 'reviewer' : 'policy';
}
