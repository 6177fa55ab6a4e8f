import { z } from 'zod';
import { block, json, sourceRef } from './blocks.ts';
import { MESSAGE_KINDS, ROLES, TURN_STARTS, TURN_STATUSES } from './words.ts';

const index = z.int().min(0);
const count = z.int().min(0);
export const timestamp = z.string();
/** What only one agent has. The only open place of the document. */
export const extra = z.record(z.string(), json);

const tokens = {
  input_tokens: count,
  cache_read_tokens: count,
  cache_write_5m_tokens: count,
  cache_write_1h_tokens: count,
  output_tokens: count,
  reasoning_tokens: count,
  web_searches: count,
};

/** Tokens of one or more API messages. `input_tokens` is without cache, `output_tokens` includes reasoning. */
const tokenCounts = z.strictObject(tokens);
export type TokenCounts = z.infer<typeof tokenCounts>;

/** The usage that one API message recorded. */
const usage = z.strictObject({ ...tokens, estimated: z.boolean() });
export type Usage = z.infer<typeof usage>;

export const sessionUsage = z.strictObject({ ...tokens, by_model: z.record(z.string(), tokenCounts) });
export type SessionUsage = z.infer<typeof sessionUsage>;

export const message = z.strictObject({
  index,
  id: z.string(),
  parent_id: z.string().nullable(),
  turn: index.nullable(),
  role: z.enum(ROLES),
  kind: z.enum(MESSAGE_KINDS),
  timestamp: timestamp.nullable(),
  content: z.array(block),
  model: z.string().nullable(),
  stop_reason: z.string().nullable(),
  usage: usage.nullable(),
  request_id: z.string().nullable(),
  sent: z.boolean(),
  /** In the request this message stood before the one named here, though it was written after it. */
  sent_before: index.nullable(),
  live: z.boolean(),
  left_by: z.string().nullable(),
  left_at_index: index.nullable(),
  inherited: z.strictObject({ session_id: z.string(), id: z.string() }).nullable(),
  source: z.array(sourceRef).min(1),
  extra,
});
export type Message = z.infer<typeof message>;

export const turn = z.strictObject({
  index,
  id: z.string().nullable(),
  prompt_indices: z.array(index),
  first_message_index: index.nullable(),
  last_message_index: index.nullable(),
  started_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
  started_by: z.enum(TURN_STARTS),
  status: z.enum(TURN_STATUSES),
});
export type Turn = z.infer<typeof turn>;
