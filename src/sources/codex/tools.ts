import type { ToolPurpose } from '../../schema/outline.ts';

const PURPOSES: Record<string, ToolPurpose> = {
  shell: 'command', // 2025, the command as a list
  local_shell: 'command',
  'container.exec': 'command',
  shell_command: 'command', // 0.64 on, the command as one string
  exec_command: 'command', // 0.105 on
  write_stdin: 'command',
  unified_exec: 'command',
  exec: 'command', // code mode: a script that calls tools
  apply_patch: 'edit',
  request_user_input: 'question',
  spawn_agent: 'agent',
};

export function purposeOf(toolName: string): ToolPurpose {
  return Object.hasOwn(PURPOSES, toolName) ? (PURPOSES[toolName] ?? 'other') : 'other';
}
