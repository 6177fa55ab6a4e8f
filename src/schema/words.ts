// The closed lists of the unified document, as plain values: surfaces need them
// (help texts, filters) without loading the checker.

export const SCHEMA_VERSION = '1.0';

export const AGENTS = ['claude-code', 'codex', 'gemini'] as const;
export const SESSION_KINDS = ['main', 'subagent', 'helper'] as const;
export const TITLE_SOURCES = ['custom', 'generated', 'summary', 'first-prompt'] as const;
export const FILE_ROLES = ['main', 'base', 'revert', 'copy', 'subagent', 'companion'] as const;

export const ROLES = ['user', 'assistant', 'system'] as const;
export const MESSAGE_KINDS = [
  'prompt',
  'reply',
  'tool_result',
  'command',
  'summary',
  'interruption',
  'notice',
  'meta',
] as const;

export const TURN_STARTS = ['user', 'queue', 'notification', 'command', 'agent'] as const;
export const TURN_STATUSES = ['completed', 'interrupted', 'failed', 'open'] as const;

export const CALL_STATUSES = [
  'ok',
  'error',
  'rejected',
  'interrupted',
  'denied',
  'cancelled',
  'unanswered',
  'background',
] as const;
export const ERROR_KINDS = ['exit-code', 'failed', 'invalid-call'] as const;
export const DECISIONS = ['allowed', 'refused'] as const;
export const DECIDERS = ['user', 'policy', 'mode', 'reviewer'] as const;
export const DIFF_BASES = ['file', 'fragment', 'unknown'] as const;

export const WINDOW_OPENERS = ['start', 'compaction', 'clear', 'rewind', 'rollback', 'resume'] as const;

export const EVENT_KINDS = ['compaction', 'clear', 'interruption', 'rejection', 'rewind', 'denial', 'failure'] as const;
export const BASES = ['recorded', 'phrase', 'inferred'] as const;
export const CONFIDENCES = ['high', 'medium', 'low'] as const;

export const COMPACTION_SCOPES = ['full', 'partial'] as const;
export const COMPACTION_TRIGGERS = ['auto', 'manual'] as const;
export const SUMMARY_SOURCES = ['inline', 'session-memory', 'encrypted'] as const;
export const INTERRUPTION_TYPES = ['user', 'system'] as const;
export const INTERRUPTION_TARGETS = ['response', 'tool', 'agent'] as const;
export const REJECTION_TYPES = ['edit', 'command', 'plan', 'question', 'other'] as const;
export const REASON_SOURCES = ['recorded', 'next-prompt'] as const;
export const FAILURE_CAUSES = [
  'rate-limit',
  'overloaded',
  'network',
  'auth',
  'context-overflow',
  'refused-by-model',
  'other',
] as const;

/** What `pal usage` adds up by. */
export const USAGE_GROUPINGS = ['day', 'week', 'month', 'model', 'project', 'agent', 'session'] as const;

/** Parts of every request that no agent writes into its history. */
export const NOT_RECORDED = ['system-prompt', 'tools'] as const;

export type AgentName = (typeof AGENTS)[number];
export type EventKind = (typeof EVENT_KINDS)[number];
export type UsageGrouping = (typeof USAGE_GROUPINGS)[number];
