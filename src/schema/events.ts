import { z } from 'zod';
import { json, sourceRef } from './blocks.ts';
import { extra, timestamp } from './message.ts';
import {
  BASES,
  COMPACTION_SCOPES,
  COMPACTION_TRIGGERS,
  CONFIDENCES,
  DIFF_BASES,
  EVENT_KINDS,
  FAILURE_CAUSES,
  INTERRUPTION_TARGETS,
  INTERRUPTION_TYPES,
  REASON_SOURCES,
  REJECTION_TYPES,
  SUMMARY_SOURCES,
} from './words.ts';

const index = z.int().min(0).nullable();
const indices = z.array(z.int().min(0));

const base = {
  id: z.string(),
  turn: index,
  basis: z.enum(BASES),
  confidence: z.enum(CONFIDENCES),
  /** The other reading, where the files cannot tell; `none`: perhaps nothing happened. */
  could_be: z.enum([...EVENT_KINDS, 'none']).nullable(),
  evidence: z.array(sourceRef).min(1),
  extra,
};

/** A change of a file as unified diff, and what it was made against. */
const action = z.strictObject({
  input: json,
  diff: z.string().nullable(),
  diff_base: z.enum(DIFF_BASES).nullable(),
});

export const compaction = z.strictObject({
  ...base,
  after_message_index: index,
  uuid: z.string().nullable(),
  timestamp: timestamp.nullable(),
  scope: z.enum(COMPACTION_SCOPES),
  trigger: z.enum(COMPACTION_TRIGGERS).nullable(),
  pre_tokens: z.int().min(0).nullable(),
  post_tokens: z.int().min(0).nullable(),
  estimated: z.boolean(),
  instructions: z.string().nullable(),
  summary: z.string().nullable(),
  summary_source: z.enum(SUMMARY_SOURCES).nullable(),
  summary_message_index: index,
  replaced_message_indices: indices,
  kept_message_indices: indices,
});

export const clear = z.strictObject({
  ...base,
  after_message_index: index,
  timestamp: timestamp.nullable(),
  next_session_id: z.string().nullable(),
});

export const interruption = z.strictObject({
  ...base,
  after_message_index: index,
  message_index: index,
  interrupted_message_index: index,
  timestamp: timestamp.nullable(),
  type: z.enum(INTERRUPTION_TYPES),
  target: z.enum(INTERRUPTION_TARGETS),
  tool_use_id: z.string().nullable(),
  partial_output: z.string().nullable(),
});

export const rejection = z.strictObject({
  ...base,
  after_message_index: index,
  message_index: index,
  timestamp: timestamp.nullable(),
  tool_use_id: z.string().nullable(),
  also_refused: z.array(z.string()),
  tool_name: z.string().nullable(),
  rejection_type: z.enum(REJECTION_TYPES),
  reason: z.string().nullable(),
  reason_source: z.enum(REASON_SOURCES).nullable(),
  action: action.nullable(),
});

export const rewind = z.strictObject({
  ...base,
  after_message_index: index,
  to_message_index: index,
  timestamp: timestamp.nullable(),
  removed_message_indices: indices,
});

/** Refused by policy, sandbox, reviewer model or headless mode: not an act of the user. */
export const denial = z.strictObject({
  ...base,
  after_message_index: index,
  message_index: index,
  timestamp: timestamp.nullable(),
  tool_use_id: z.string().nullable(),
  tool_name: z.string().nullable(),
  denied_by: z.enum(['rule', 'mode', 'headless', 'sandbox', 'reviewer', 'hook', 'unknown']),
  message: z.string().nullable(),
  action: action.nullable(),
});

export const failure = z.strictObject({
  ...base,
  after_message_index: index,
  message_index: index,
  timestamp: timestamp.nullable(),
  cause: z.enum(FAILURE_CAUSES),
  status: z.int().nullable(),
  message: z.string().nullable(),
});

export type Compaction = z.infer<typeof compaction>;
export type Clear = z.infer<typeof clear>;
export type Interruption = z.infer<typeof interruption>;
export type Rejection = z.infer<typeof rejection>;
export type Rewind = z.infer<typeof rewind>;
export type Denial = z.infer<typeof denial>;
export type Failure = z.infer<typeof failure>;
export type EventBase = Pick<Rewind, 'id' | 'turn' | 'basis' | 'confidence' | 'could_be' | 'evidence' | 'extra'>;
