// Types of the rows that Claude Code writes, for those who work on its files directly. They say
// what is commonly there, not all that can be: a reader must be ready for more, and for less.
// FORMAT.md tells which version writes what.

/** What every row of a conversation has. */
export interface ClaudeRow {
  type: string;
  uuid?: string;
  parentUuid?: string | null;
  sessionId?: string;
  /** The id that the process had when it started; stays over /clear (2.1.2xx on). */
  session_id?: string;
  timestamp?: string;
  isSidechain?: boolean;
  agentId?: string;
  cwd?: string;
  gitBranch?: string;
  version?: string;
}

export interface ClaudeUserRow extends ClaudeRow {
  type: 'user';
  message: { role: 'user'; content: string | ClaudeContentBlock[] };
  isMeta?: boolean;
  isCompactSummary?: boolean;
  promptId?: string;
  promptSource?: string;
  origin?: { kind: string };
  permissionMode?: string;
  toolUseResult?: unknown;
  sourceToolAssistantUUID?: string;
  toolDenialKind?: string;
  permissionDecision?: { decision: string; source: string; reasonType?: string; reasonCode?: string };
  userFeedback?: string;
  interruptedMessageId?: string;
}

/** One row per content block: rows of one API message share `message.id`. */
export interface ClaudeAssistantRow extends ClaudeRow {
  type: 'assistant';
  message: {
    id: string;
    role: 'assistant';
    model: string;
    content: ClaudeContentBlock[];
    stop_reason: string | null;
    usage?: ClaudeUsage;
  };
  requestId?: string;
  isApiErrorMessage?: boolean;
  isAbortedMidStream?: boolean;
}

export interface ClaudeSystemRow extends ClaudeRow {
  type: 'system';
  subtype?: string;
  content?: string;
  logicalParentUuid?: string;
  compactMetadata?: {
    trigger: string;
    preTokens?: number;
    postTokens?: number;
    preservedSegment?: { headUuid: string; anchorUuid: string; tailUuid: string };
    preservedMessages?: { anchorUuid: string; uuids: string[]; allUuids: string[] };
  };
}

export interface ClaudeAttachmentRow extends ClaudeRow {
  type: 'attachment';
  attachment: { type: string };
  rendered?: { content: unknown }[];
  renderedRole?: 'user' | 'system';
}

export type ClaudeContentBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature?: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown }
  | { type: 'tool_result'; tool_use_id: string; content?: string | ClaudeContentBlock[]; is_error?: boolean }
  | { type: 'image'; source: { type: string; media_type?: string; data?: string; url?: string } };

export interface ClaudeUsage {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens?: number;
  cache_read_input_tokens?: number;
  cache_creation?: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number };
  server_tool_use?: { web_search_requests: number };
}
