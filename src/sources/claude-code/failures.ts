// API errors. Retries are shown as `system/api_error`, the end as an assistant row of the
// client's own making (`<synthetic>`, `isApiErrorMessage`): attempts at one request are one failure.

import type { SourceRef } from '../../schema/blocks.ts';
import type { OutlineMessage, Signal } from '../../schema/outline.ts';
import { integerAt, isObject, type JsonObject, objectAt, stringAt } from '../json-access.ts';
import { textOf, timeOf } from './rows.ts';
import { failureCause } from './signals.ts';

type Failed = Extract<Signal, { name: 'request-failed' }>;

export function failureIn(row: JsonObject, ref: SourceRef, index: number): Failed {
  const error = objectAt(row, 'error');
  const nested = objectAt(objectAt(error, 'error'), 'error');
  const status = integerAt(row, 'apiErrorStatus') ?? integerAt(error, 'status');
  const type =
    stringAt(row, 'apiErrorType') ??
    stringAt(nested, 'type') ??
    stringAt(error, 'type') ??
    stringAt(row, 'error') ??
    '';
  const text =
    textOf(row) || (stringAt(error, 'formatted') ?? stringAt(error, 'message') ?? stringAt(row, 'content') ?? '');
  const refused = row.subtype === 'api_refusal' || row.subtype === 'model_refusal_fallback';
  return {
    name: 'request-failed',
    message_index: index,
    after_message_index: index === 0 ? null : index - 1,
    anchor: stringAt(row, 'uuid') ?? `line-${ref.line}`,
    timestamp: timeOf(row),
    basis: 'recorded',
    confidence: 'high',
    could_be: null,
    evidence: [ref],
    cause: refused ? 'refused-by-model' : failureCause(status, type, text, isObject(error?.connection)),
    status,
    message: text || null,
  };
}

/** A reply whose `stop_reason` is "refusal". */
export function refusalIn(message: OutlineMessage, index: number): Failed {
  return {
    name: 'request-failed',
    message_index: index,
    after_message_index: index === 0 ? null : index - 1,
    anchor: message.id,
    timestamp: message.timestamp,
    basis: 'recorded',
    confidence: 'high',
    could_be: null,
    evidence: message.source.slice(-1),
    cause: 'refused-by-model',
    status: null,
    message: null,
  };
}

/** Joins the attempts at one request: failures with no reply and no prompt between them. */
export function joinFailures(signals: Signal[], messages: readonly OutlineMessage[]): Signal[] {
  const joined: Signal[] = [];
  for (const signal of signals) {
    const last = joined.at(-1);
    if (signal.name !== 'request-failed' || last?.name !== 'request-failed' || !isSameRequest(last, signal, messages)) {
      joined.push(signal);
      continue;
    }
    // The last attempt says how it ended; the first one where it began.
    joined[joined.length - 1] = {
      ...signal,
      anchor: last.anchor,
      after_message_index: last.after_message_index,
      evidence: [...last.evidence, ...signal.evidence],
      status: signal.status ?? last.status,
      cause: signal.cause === 'other' ? last.cause : signal.cause,
    };
  }
  return joined;
}

function isSameRequest(first: Failed, next: Failed, messages: readonly OutlineMessage[]): boolean {
  for (let index = (first.message_index ?? 0) + 1; index < (next.message_index ?? 0); index++) {
    const kind = messages[index]?.kind;
    if (kind === 'reply' || kind === 'prompt' || kind === 'tool_result') return false;
  }
  return true;
}
