import { z } from 'zod';
import { json, sourceRef } from './blocks.ts';
import { clear, compaction, denial, failure, interruption, rejection, rewind } from './events.ts';
import { extra, message, sessionUsage, timestamp, turn } from './message.ts';
import {
  AGENTS,
  BASES,
  CALL_STATUSES,
  CONFIDENCES,
  DECIDERS,
  DECISIONS,
  DIFF_BASES,
  ERROR_KINDS,
  FILE_ROLES,
  NOT_RECORDED,
  SCHEMA_VERSION,
  SESSION_KINDS,
  TITLE_SOURCES,
  WINDOW_OPENERS,
} from './words.ts';

const index = z.int().min(0);
const count = z.int().min(0);
const counts = z.record(z.string(), count);

const sessionHead = z.strictObject({
  id: z.string(),
  agent: z.enum(AGENTS),
  kind: z.enum(SESSION_KINDS),
  title: z.string().nullable(),
  title_source: z.enum(TITLE_SOURCES).nullable(),
  project: z.string().nullable(),
  cwds: z.array(z.string()),
  git_branches: z.array(z.string()),
  started_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
  client_versions: z.array(z.string()),
  models: z.array(z.string()),
  dialect: z.string().nullable(),
  source: z.strictObject({
    files: z.array(z.strictObject({ path: z.string(), role: z.enum(FILE_ROLES), bytes: count })),
  }),
  lineage: z.strictObject({
    parent: z.strictObject({ session_id: z.string(), tool_call_id: z.string().nullable() }).nullable(),
    forked_from: z.string().nullable(),
    cleared_from: z.string().nullable(),
    cloned_from: z.string().nullable(),
    subagents: z.array(z.string()),
  }),
  usage: sessionUsage,
  counts: z.strictObject({
    messages: count,
    turns: count,
    tool_calls: count,
    native_types: counts,
    unknown_types: counts,
  }),
  accounting: z.strictObject({
    lines: count,
    message: count,
    record: count,
    unknown: count,
    copy: count,
    bad: count,
    blank: count,
  }),
  extra,
});
export type SessionHead = z.infer<typeof sessionHead>;

const toolCall = z.strictObject({
  id: z.string().nullable(),
  name: z.string(),
  message_index: index.nullable(),
  result_message_index: index.nullable(),
  status: z.enum(CALL_STATUSES),
  error_kind: z.enum(ERROR_KINDS).nullable(),
  exit_code: z.int().nullable(),
  started_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
  permission: z.strictObject({
    asked: z.boolean().nullable(),
    decision: z.enum(DECISIONS).nullable(),
    by: z.enum(DECIDERS).nullable(),
    justification: z.string().nullable(),
  }),
  diff: z.string().nullable(),
  diff_base: z.enum(DIFF_BASES).nullable(),
  subagent_session_id: z.string().nullable(),
  extra,
});
export type ToolCall = z.infer<typeof toolCall>;

const contextWindow = z.strictObject({
  index,
  opened_at_index: index,
  opened_by: z.enum(WINDOW_OPENERS),
  event_id: z.string().nullable(),
  /** Ranges of message indices, both ends included, in the order sent. */
  start: z.array(z.tuple([index, index])),
  basis: z.enum(BASES),
  confidence: z.enum(CONFIDENCES),
  evidence: z.array(sourceRef),
});
export type ContextWindow = z.infer<typeof contextWindow>;

const record = z.strictObject({
  native_type: z.string(),
  known: z.boolean(),
  /** It only records again what a message or another record says already. */
  copy: z.boolean(),
  after_message_index: index.nullable(),
  timestamp: timestamp.nullable(),
  source: sourceRef,
  data: json.optional(),
});
export type RecordEntry = z.infer<typeof record>;

const diagnostic = z.strictObject({ code: z.string(), message: z.string(), source: sourceRef.nullable() });
export type Diagnostic = z.infer<typeof diagnostic>;

/** The unified document: one session. */
export const session = z.strictObject({
  type: z.literal('session'),
  schema_version: z.literal(SCHEMA_VERSION),
  session: sessionHead,
  messages: z.array(message),
  turns: z.array(turn),
  tool_calls: z.array(toolCall),
  context: z.strictObject({ windows: z.array(contextWindow), not_recorded: z.array(z.enum(NOT_RECORDED)) }),
  compaction: z.strictObject({ boundaries: z.array(compaction) }),
  context_clears: z.array(clear),
  interruptions: z.array(interruption),
  rejections: z.array(rejection),
  rewinds: z.array(rewind),
  denials: z.array(denial),
  failures: z.array(failure),
  records: z.array(record),
  diagnostics: z.array(diagnostic),
});
export type Session = z.infer<typeof session>;
