import type { ToolPurpose } from '../../schema/outline.ts';

const PURPOSES: Record<string, ToolPurpose> = {
  Edit: 'edit',
  MultiEdit: 'edit',
  Write: 'edit',
  NotebookEdit: 'edit',
  Bash: 'command',
  PowerShell: 'command',
  BashOutput: 'command',
  KillShell: 'command',
  KillBash: 'command',
  ExitPlanMode: 'plan',
  exit_plan_mode: 'plan',
  AskUserQuestion: 'question',
  Task: 'agent', // up to 2.0.x
  Agent: 'agent', // 2.1.x
};

export function purposeOf(toolName: string): ToolPurpose {
  return Object.hasOwn(PURPOSES, toolName) ? (PURPOSES[toolName] ?? 'other') : 'other';
}
