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

/** Tools that may have to wait for a yes; tools of MCP servers too. To poll, to wait and to plan needs none. */
const ASKING = new Set(['shell', 'local_shell', 'container.exec', 'shell_command', 'exec_command', 'apply_patch']);

export function asksFor(toolName: string): boolean {
  return ASKING.has(toolName) || toolName.includes('__');
}

/** In 2025 patches were given to the shell: the client took them out of the command and applied them itself (wild). */
export function mayEdit(toolName: string): boolean {
  return toolName === 'apply_patch' || toolName === 'shell';
}

export function purposeOf(toolName: string): ToolPurpose {
  return Object.hasOwn(PURPOSES, toolName) ? (PURPOSES[toolName] ?? 'other') : 'other';
}
