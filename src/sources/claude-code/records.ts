// Every native record type by name, and what it becomes. The list of entry types is the
// client's own load table (2.1.325) with what older versions and the wild add; see FORMAT.md.
// A type that is not here is kept by reference and counted as unknown.

import { isObject, type JsonObject, objectAt, stringAt } from '../json-access.ts';

/** The row that tells where a copy came from. The client leaves rows of types that it does not know alone. */
export const CLONE_ROW = 'palimpsest-clone';

/** `message`: becomes one. `record`: kept by reference. */
type Becomes = 'message' | 'record';

export const ENTRY_TYPES: Record<string, Becomes> = {
  user: 'message',
  assistant: 'message',
  system: 'message', // by subtype, below
  attachment: 'message', // where it was rendered for the model, below
  // Cleared by the client at a compact boundary.
  progress: 'record', // agent_progress carries subagent messages: see outline.ts
  'file-history-snapshot': 'record',
  'file-history-delta': 'record',
  'last-prompt': 'record',
  'continued-in': 'record',
  'resume-head-vouch': 'record',
  'api-request-shape': 'record',
  'api-request-blob': 'record',
  'api-request': 'record', // confirms windows: see requests.ts
  // Accumulated.
  'content-replacement': 'record',
  'data-flow-records': 'record',
  'data-flow-incomplete': 'record',
  'fork-context-ref': 'record',
  'frame-link': 'record',
  'artifact-comment-monitor': 'record',
  'memory-mode': 'record',
  // Last one wins.
  'derived-from': 'record',
  summary: 'record', // a title, never a compaction summary
  'custom-title': 'record',
  'ended-by-model': 'record',
  'ai-title': 'record',
  tag: 'record',
  relocated: 'record',
  'agent-name': 'record',
  'agent-color': 'record',
  'agent-setting': 'record',
  'pr-link': 'record',
  'artifact-autoreact-ledger': 'record',
  'bridge-session': 'record',
  'history-suppression': 'record',
  'attribution-snapshot': 'record',
  mode: 'record',
  'permission-mode': 'record',
  'isolation-latch': 'record',
  'session-owner': 'record',
  'dev-mods': 'record',
  'atis-latch': 'record',
  'tools-used': 'record',
  'worktree-state': 'record',
  'cost-state': 'record',
  'queue-operation': 'record',
  'observer-ref': 'record',
  // In the client's loader, not in its table.
  'repl-mode': 'record',
  // Written by workflow runs (seen in the wild, 2.1.217).
  started: 'record',
  result: 'record',
  // Ours: the last row of a copy, which says what it was made from. See write.ts.
  [CLONE_ROW]: 'record',
};

/** What a system row becomes. `notice` and `error` are shown to the person and never sent. */
export type SystemRole = 'record' | 'notice' | 'command' | 'boundary' | 'partial-boundary' | 'retry' | 'refusal';

const SYSTEM_SUBTYPES: Record<string, SystemRole> = {
  compact_boundary: 'boundary',
  microcompact_boundary: 'partial-boundary',
  local_command: 'command', // sent as a user message (2.1.325, recording i_misc line 35)
  api_error: 'retry',
  api_refusal: 'refusal',
  model_refusal_fallback: 'refusal',
  model_refusal_no_fallback: 'refusal', // 2.1.325, recording `cut-off-and-refused`
  informational: 'notice',
  error: 'notice',
  away_summary: 'notice',
  bridge_status: 'notice',
  turn_duration: 'record',
  stop_hook_summary: 'record',
  session_start: 'record',
};

/** 1.0.43 to 1.0.56 write system rows without subtype: hook progress, shown to the person. */
export function systemRole(row: JsonObject): SystemRole {
  const subtype = stringAt(row, 'subtype');
  const known = subtype !== undefined && Object.hasOwn(SYSTEM_SUBTYPES, subtype) ? SYSTEM_SUBTYPES[subtype] : undefined;
  return known ?? 'notice';
}

export function isKnownType(row: JsonObject): boolean {
  const { type } = row;
  if (type === 'user' || type === 'assistant') return true;
  if (typeof type !== 'string' || !Object.hasOwn(ENTRY_TYPES, type)) return false;
  const subtype = type === 'system' ? stringAt(row, 'subtype') : undefined;
  return subtype === undefined || Object.hasOwn(SYSTEM_SUBTYPES, subtype);
}

/**
 * Attachments of versions that do not record what they rendered (up to about 2.1.2xx) but
 * whose data is text that the client puts before the model.
 */
const SENT_UNRENDERED = new Set([
  'file',
  'edited_text_file',
  'hook_additional_context',
  'invoked_skills',
  'mcp_instructions_delta',
  'nested_memory',
  'skill_listing',
  'task_reminder',
  'todo_reminder',
]);

export type AttachmentRole = 'record' | 'prompt' | 'meta';

export function attachmentRole(row: JsonObject): AttachmentRole {
  const attachment = objectAt(row, 'attachment');
  const type = stringAt(attachment, 'type') ?? '';
  // A message typed while the agent worked, taken in mid-turn: the person's own words.
  if (type === 'queued_command') return isPersonsWords(attachment) ? 'prompt' : 'meta';
  if (Array.isArray(row.rendered)) return 'meta';
  return SENT_UNRENDERED.has(type) && stringAt(row, 'version') !== undefined ? 'meta' : 'record';
}

/** Queued by the client itself: task notifications, hooks. */
function isPersonsWords(attachment: JsonObject | undefined): boolean {
  const mode = stringAt(attachment, 'commandMode');
  const origin = stringAt(objectAt(attachment, 'origin'), 'kind');
  return (mode === undefined || mode === 'prompt') && (origin === undefined || origin === 'human');
}

/** Does this row become a message? */
export function becomesMessage(row: JsonObject): boolean {
  if (row.type === 'system') return systemRole(row) !== 'record';
  if (row.type === 'attachment') return attachmentRole(row) !== 'record';
  return (row.type === 'user' || row.type === 'assistant') && isObject(row.message);
}

/** The name under which a row is counted. */
export function nativeType(row: unknown): string {
  if (!isObject(row)) return '(not an object)';
  const type = row.type;
  if (typeof type !== 'string') return '(no type)';
  if (type === 'user' || type === 'assistant') return type;
  const detail =
    type === 'system'
      ? stringAt(row, 'subtype')
      : type === 'attachment'
        ? stringAt(objectAt(row, 'attachment'), 'type')
        : type === 'progress'
          ? stringAt(objectAt(row, 'data'), 'type')
          : undefined;
  return detail === undefined ? type : `${type}/${detail}`;
}
