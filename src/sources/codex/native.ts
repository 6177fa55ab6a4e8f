// Types of the lines that Codex writes, for those who work on its files directly. They say what is
// commonly there, not all that can be: a reader must be ready for more, and for less. FORMAT.md
// tells which version writes what.

/** A line from 0.32 on. */
export interface CodexLine<T extends string = string, P = unknown> {
  timestamp: string;
  /** In files whose `history_mode` is `paginated`. */
  ordinal?: number;
  type: T;
  payload: P;
  metadata?: { client_authored?: boolean; inherited_user_message?: boolean; compaction_output?: boolean };
}

export type CodexSessionMeta = CodexLine<
  'session_meta',
  {
    id: string;
    timestamp: string;
    cwd?: string;
    originator?: string;
    cli_version?: string;
    source?: string | { subagent: unknown } | { custom: unknown };
    history_mode?: 'legacy' | 'paginated';
    forked_from_id?: string;
    parent_thread_id?: string;
    subagent_history_start_ordinal?: number;
    history_base?: { thread_id: string; end_ordinal_exclusive: number; end_byte_offset: number };
    git?: { commit_hash?: string; branch?: string; repository_url?: string };
  }
>;

export type CodexResponseItem = CodexLine<'response_item', CodexItem>;

export type CodexItem =
  | { type: 'message'; id?: string; role: 'user' | 'assistant' | 'developer'; content: CodexPart[]; phase?: string }
  | { type: 'reasoning'; id?: string; summary: CodexPart[]; content?: CodexPart[] | null; encrypted_content?: string }
  | { type: 'function_call'; id?: string; name: string; namespace?: string; arguments: string; call_id: string }
  | { type: 'function_call_output'; id?: string; call_id: string; output: string | CodexPart[] }
  | { type: 'custom_tool_call'; id?: string; name: string; input: string; call_id: string; status?: string }
  | { type: 'custom_tool_call_output'; id?: string; call_id: string; output: string | CodexPart[] };

export type CodexPart =
  | { type: 'input_text' | 'output_text' | 'summary_text' | 'reasoning_text'; text: string }
  | { type: 'input_image'; image_url: string };

export type CodexEvent = CodexLine<'event_msg', { type: string; turn_id?: string; [key: string]: unknown }>;

export type CodexCompacted = CodexLine<
  'compacted',
  { message: string; replacement_history?: CodexItem[]; window_id?: string; compaction_response_id?: string }
>;

export interface CodexTokenUsage {
  input_tokens: number;
  cached_input_tokens: number;
  cache_write_input_tokens?: number;
  output_tokens: number;
  reasoning_output_tokens: number;
  total_tokens: number;
}
