// API errors. Retries are shown as `system/api_error`, the end as an assistant row of the
// client's own making (`<synthetic>`, `isApiErrorMessage`): attempts at one request are one failure.

import type { SourceRef } from '../../schema/blocks.ts';
import type { OutlineMessage, Signal } from '../../schema/outline.ts';
import { integerAt, isObject, type JsonObject, objectAt, stringAt } from '../json-access.ts';
import { rowSignal, signalAt } from './row-signal.ts';
import { textOf } from './rows.ts';
import { failureCause } from './signals.ts';

export type Failed = Extract<Signal, { name: 'request-failed' }>;

const REFUSALS = new Set(['api_refusal', 'model_refusal_fallback', 'model_refusal_no_fallback']);

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
    textOf(row) ||
    (stringAt(error, 'formatted') ??
      stringAt(error, 'message') ??
      stringAt(row, 'content') ??
      stringAt(nested, 'message') ??
      '');
  const refused = REFUSALS.has(stringAt(row, 'subtype') ?? '');
  return {
    name: 'request-failed',
    ...rowSignal(row, ref, index),
    cause: refused ? 'refused-by-model' : failureCause(status, type, text, isObject(error?.connection)),
    status,
    message: text || null,
  };
}

/** A reply whose `stop_reason` is "refusal". */
function refusalIn(message: OutlineMessage, index: number): Failed {
  return {
    name: 'request-failed',
    ...signalAt(index, message.id, message.timestamp),
    evidence: message.source.slice(-1),
    cause: 'refused-by-model',
    status: null,
    message: null,
  };
}

/** Every failed request once: those that rows tell, and replies that ended in a refusal without such a row. */
export function failuresOf(told: Failed[], messages: readonly OutlineMessage[]): Failed[] {
  const tellers = new Set(told.map((signal) => signal.message_index));
  const refused = messages.flatMap((message, index) =>
    message.stop_reason === 'refusal' && !tellers.has(index) && !tellers.has(index + 1)
      ? [refusalIn(message, index)]
      : [],
  );
  return joined(
    [...told, ...refused].sort((a, b) => (a.message_index ?? 0) - (b.message_index ?? 0)),
    messages,
  );
}

/** Joins the attempts at one request: failures with no reply and no prompt between them. */
function joined(signals: Failed[], messages: readonly OutlineMessage[]): Failed[] {
  const failures: Failed[] = [];
  for (const signal of signals) {
    const last = failures.at(-1);
    if (last === undefined || !isSameRequest(last, signal, messages)) {
      failures.push(signal);
      continue;
    }
    // The last attempt says how it ended; the first one where it began.
    failures[failures.length - 1] = {
      ...signal,
      anchor: last.anchor,
      after_message_index: last.after_message_index,
      evidence: [...last.evidence, ...signal.evidence],
      status: signal.status ?? last.status,
      cause: signal.cause === 'other' ? last.cause : signal.cause,
    };
  }
  return failures;
}

function isSameRequest(first: Failed, next: Failed, messages: readonly OutlineMessage[]): boolean {
  for (let index = (first.message_index ?? 0) + 1; index < (next.message_index ?? 0); index++) {
    const kind = messages[index]?.kind;
    if (kind === 'reply' || kind === 'prompt' || kind === 'tool_result') return false;
  }
  return true;
}
