import type { Conversation, Row } from './conversation.ts';

/** A call and what came of it, ready to be written as a tool_use block and a tool_result row. */
export interface ToolCall {
  id: string;
  name: string;
  input: Row;
  outcome: Outcome;
  /** The file that it changed, relative to the project: it gets a backup. */
  changes?: string;
}

export interface Outcome {
  /** What the model sees. */
  content: string | Row[];
  /** True puts is_error before the id, as the clients do for failures; false is written by Bash only. */
  isError?: boolean;
  /** What the client keeps for itself. */
  toolUseResult: unknown;
}

export function callId({ random }: Conversation): string {
  return `toolu_01${random.base62(22)}`;
}

export function failed(message: string): Outcome {
  return { content: message, isError: true, toolUseResult: `Error: ${message}` };
}

/** So that one picture does not make a small session a great one. */
export function largest({ enough }: Conversation): number {
  return Math.max(8000, Math.min(3_500_000, enough >> 1));
}
