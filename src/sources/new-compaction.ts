import type { Signal } from '../schema/outline.ts';

export type Compacted = Extract<Signal, { name: 'context-compacted' }>;

type Given = Pick<Compacted, 'message_index' | 'after_message_index' | 'anchor' | 'timestamp' | 'evidence'>;

/** A recorded compaction of which no more is known yet than where it stands. */
export function newCompaction({ message_index, after_message_index, anchor, timestamp, evidence }: Given): Compacted {
  return {
    name: 'context-compacted',
    message_index,
    after_message_index,
    anchor,
    timestamp,
    basis: 'recorded',
    confidence: 'high',
    could_be: null,
    evidence,
    uuid: null,
    scope: 'full',
    trigger: null,
    pre_tokens: null,
    post_tokens: null,
    estimated: false,
    instructions: null,
    summary_index: null,
    summary: null,
    summary_source: null,
    kept: [],
    cleared_results: [],
  };
}
