import type { SourceRef } from '../../schema/blocks.ts';
import type { Signal } from '../../schema/outline.ts';
import { type JsonObject, stringAt } from '../json-access.ts';
import { timeOf } from './rows.ts';

type RowSignal = Pick<
  Signal,
  'message_index' | 'after_message_index' | 'anchor' | 'timestamp' | 'basis' | 'confidence' | 'could_be' | 'evidence'
>;

/** What every signal has that a row records: its message, its place, its time, itself as evidence. */
export function rowSignal(row: JsonObject, ref: SourceRef, index: number): RowSignal {
  return { ...signalAt(index, stringAt(row, 'uuid') ?? `line-${ref.line}`, timeOf(row)), evidence: [ref] };
}

/** The same for a fact that hangs on something else than the row's own id. */
export function signalAt(index: number, anchor: string, timestamp: string | null): Omit<RowSignal, 'evidence'> {
  return {
    message_index: index,
    after_message_index: index === 0 ? null : index - 1,
    anchor,
    timestamp,
    basis: 'recorded',
    confidence: 'high',
    could_be: null,
  };
}
