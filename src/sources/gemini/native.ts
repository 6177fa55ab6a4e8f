// Types of what Gemini CLI writes, for those who work on its files directly. They say what is commonly there, not all that
// can be: a reader must be ready for more, and for less. FORMAT.md tells which version writes what.

/** A line of a log (0.39 on). */
export type GeminiLine = GeminiHeader | GeminiMessage | { $set: GeminiSet } | { $rewindTo: string };

export interface GeminiHeader {
  sessionId: string;
  projectHash: string;
  startTime: string;
  lastUpdated: string;
  kind?: 'main' | 'subagent';
  directories?: string[];
  summary?: string;
  /** In a document (up to 0.38). */
  messages?: GeminiMessage[];
}

export interface GeminiSet {
  lastUpdated?: string;
  sessionId?: string;
  /** The model's context is now this. */
  messages?: GeminiMessage[];
  summary?: string;
  memoryScratchpad?: unknown;
  directories?: string[];
}

export interface GeminiMessage {
  id: string;
  timestamp: string;
  type: 'user' | 'gemini' | 'info' | 'error' | 'warning';
  content: string | GeminiPart | (string | GeminiPart)[];
  /** What was typed, where what was sent holds more. */
  displayContent?: string | GeminiPart | (string | GeminiPart)[];
  thoughts?: { subject: string; description: string; timestamp: string }[];
  tokens?: { input: number; output: number; cached: number; thoughts: number; tool: number; total: number } | null;
  model?: string;
  toolCalls?: GeminiToolCall[];
}

export interface GeminiPart {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  functionCall?: { id?: string; name: string; args: Record<string, unknown> };
  functionResponse?: { id?: string; name: string; response: { output?: string; error?: string } };
  inlineData?: { mimeType: string; data: string };
}

export interface GeminiToolCall {
  id: string;
  name: string;
  args: Record<string, unknown>;
  result: GeminiPart[] | null;
  status: 'success' | 'error' | 'cancelled' | string;
  timestamp: string;
  displayName?: string;
  description?: string;
  resultDisplay?: unknown;
  agentId?: string;
}
