// Every native type that we know by name. What is in no list is a record with `known: false`.

import type { Row } from './rows.ts';

const LINES = new Set([
  'session_meta',
  'turn_context', // 0.35 on
  'compacted', // 0.35 on
  'world_state', // 0.143 on
  'inter_agent_communication', // 0.143 on
  'inter_agent_communication_metadata',
  'security_risk_score', // 0.148 on
  'token_usage_record', // 0.153 on
  'state', // up to 0.31
]);

const ITEMS = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'web_search_call',
  'image_generation_call',
  'tool_search_call',
  'tool_search_output',
  'agent_message',
  'compaction',
  'context_compaction',
  'additional_tools', // 0.166, gpt-6 models
  'ghost_snapshot', // 0.51 to 0.72
]);

const EVENTS = new Set([
  'user_message',
  'agent_message',
  'agent_reasoning',
  'agent_reasoning_raw_content',
  'token_count',
  'turn_aborted',
  'task_started',
  'turn_started',
  'task_complete',
  'turn_complete',
  'context_compacted',
  'thread_rolled_back',
  'thread_settings_applied',
  'thread_goal_updated',
  'thread_name_updated',
  'entered_review_mode',
  'exited_review_mode',
  'undo_completed',
  'item_completed',
  'error',
  'exec_command_end',
  'patch_apply_end',
  'mcp_tool_call_end',
  'web_search_end',
  'image_generation_end',
  'view_image_tool_call',
  'guardian_assessment',
  'dynamic_tool_call_request',
  'dynamic_tool_call_response',
  'sub_agent_activity',
  'collab_agent_spawn_end',
  'collab_agent_interaction_end',
  'collab_waiting_end',
  'collab_close_end',
  'collab_resume_end',
]);

export function isKnown(row: Row): boolean {
  const inner = String(row.payload.type ?? '');
  if (row.type === 'response_item') return ITEMS.has(inner);
  if (row.type === 'event_msg') return EVENTS.has(inner);
  return LINES.has(row.type);
}
