import type { ToolPurpose } from '../../schema/outline.ts';

const PURPOSES: Record<string, ToolPurpose> = {
  replace: 'edit',
  write_file: 'edit',
  edit: 'edit',
  run_shell_command: 'command',
  exit_plan_mode: 'plan',
  ask_user: 'question',
  invoke_agent: 'agent',
};

export function purposeOf(toolName: string): ToolPurpose {
  return Object.hasOwn(PURPOSES, toolName) ? (PURPOSES[toolName] ?? 'other') : 'other';
}
