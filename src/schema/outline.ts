// What a source gives after one pass over the files: structure without long text.
// Detectors, context and the store work on this; content is read back by place.

import type { Block, SourceRef } from './blocks.ts';
import type { EventBase } from './events.ts';
import type { Message, Turn, Usage } from './message.ts';
import type { Diagnostic, RecordEntry, SessionHead, ToolCall } from './session.ts';
import type { EventKind } from './words.ts';

/** A block without its text. */
export interface OutlineBlock {
  type: Block['type'];
  /** The row it lies in, and where in the row: joined only when it is read. */
  row: SourceRef;
  pointer: string;
  /** The call's id, on tool_use and tool_result. */
  tool_use_id: string | null;
  /** The tool's or the attachment's name. */
  name: string | null;
}

/** What was said in a message, one text behind the other. An object, so that it can be told from other texts that say the same. */
export interface Said {
  readonly text: string;
}

/** A message without its text. Everything else is as in the document. */
export interface OutlineMessage {
  id: string;
  parent_id: string | null;
  role: Message['role'];
  kind: Message['kind'];
  timestamp: string | null;
  /** When the last of its rows was written, where it has several: `timestamp` is of the first. */
  ended_at: string | null;
  blocks: OutlineBlock[];
  /** The text after all, where the session is small: made while its rows are at hand. */
  content: Block[] | null;
  /** Its text and thinking alone, where no more was asked for: also made while its rows are at hand. */
  said: Said | null;
  model: string | null;
  stop_reason: string | null;
  usage: Usage | null;
  request_id: string | null;
  sent: boolean;
  sent_before: number | null;
  inherited: Message['inherited'];
  source: SourceRef[];
  extra: Message['extra'];
  /** The agent's own name for the turn it belongs to. */
  turn_id: string | null;
  /** Who or what set the agent to work with this message; null where it did not. */
  starts_turn: 'user' | 'queue' | 'notification' | 'command' | 'agent' | null;
  /** On a reply, or on a result: the agent was done after it. On a notice: it says that the turn was stopped. */
  ends_turn: boolean;
}

/** What kind of act a tool call is, for those who show it or count it. */
export type ToolPurpose = 'edit' | 'command' | 'plan' | 'question' | 'agent' | 'other';

/** How a call ended, as far as its result row alone tells. */
export interface ToolOutcome {
  tool_use_id: string;
  /** The message that holds the result; null where only another record tells how the call ended. */
  message_index: number | null;
  status: 'ok' | 'error' | 'background' | 'cancelled' | 'interrupted';
  error_kind: ToolCall['error_kind'];
  exit_code: number | null;
  permission: ToolCall['permission'];
  subagent_session_id: string | null;
  /** Where the agent recorded them apart from the messages. */
  started_at?: string | null;
  ended_at?: string | null;
  extra?: ToolCall['extra'];
}

interface SignalBase {
  /** Index of the message that carries the fact, where one does. */
  message_index: number | null;
  /** Index of the last message before it. */
  after_message_index: number | null;
  /** The native id that makes the event's id stable. */
  anchor: string;
  timestamp: string | null;
  basis: 'recorded' | 'phrase' | 'inferred';
  confidence: 'high' | 'medium' | 'low';
  could_be: EventKind | 'none' | null;
  evidence: SourceRef[];
  /** It happened between two turns. */
  between_turns?: boolean;
  /** Whether the session's own rows tell it; left out where that is told by whose message it stands at. */
  is_own?: boolean;
  extra?: EventBase['extra'];
}

/** A fact the agent recorded that is not a message. Raised by a source, in our words. */
export type Signal = SignalBase &
  (
    | {
        name: 'tool-declined';
        tool_use_id: string;
        reason: string | null;
        reason_source: 'recorded' | 'next-prompt' | null;
        /** Calls of the same message that fell with it and were never asked about. */
        also: string[];
      }
    | {
        name: 'tool-denied';
        tool_use_id: string;
        denied_by: 'rule' | 'mode' | 'headless' | 'sandbox' | 'reviewer' | 'hook' | 'unknown';
        message: string | null;
      }
    | {
        name: 'turn-interrupted';
        type: 'user' | 'system';
        target: 'response' | 'tool' | 'agent';
        tool_use_ids: string[];
        interrupted_message_index: number | null;
        partial_output: string | null;
      }
    | {
        name: 'context-compacted';
        uuid: string | null;
        scope: 'full' | 'partial';
        trigger: 'auto' | 'manual' | null;
        pre_tokens: number | null;
        post_tokens: number | null;
        estimated: boolean;
        instructions: string | null;
        /** Where the summary stands; null where there is none or it is not readable. */
        summary_index: number | null;
        /** The summary in other words than the message at `summary_index`, or where no message holds it. */
        summary: string | null;
        summary_source: 'inline' | 'session-memory' | 'encrypted' | null;
        kept: number[];
        /** Results whose content left the context while the message stayed. */
        cleared_results: string[];
      }
    | { name: 'rewound'; to_message_index: number | null; removed: number[] }
    | { name: 'context-cleared'; next_session_id: string | null }
    | {
        name: 'request-failed';
        cause: 'rate-limit' | 'overloaded' | 'network' | 'auth' | 'context-overflow' | 'refused-by-model' | 'other';
        status: number | null;
        message: string | null;
      }
  );

/** "From this message on, the model's context was this, then whatever was sent after." */
export interface OpenedWindow {
  opened_at_index: number;
  opened_by: 'start' | 'compaction' | 'clear' | 'rewind' | 'rollback' | 'resume';
  /** Anchor of the signal that opened it. */
  anchor: string | null;
  /** Ranges of message indices in the order sent: thousands of rewinds of long sessions exist. */
  start: [number, number][];
  basis: 'recorded' | 'phrase' | 'inferred';
  confidence: 'high' | 'medium' | 'low';
  evidence: SourceRef[];
}

/** The head without what is counted from the messages. */
export type OutlineHead = Omit<SessionHead, 'usage' | 'counts'> & {
  native_types: Record<string, number>;
  unknown_types: Record<string, number>;
};

/** Where the whole text of a file stands: what a refused edit is held against. */
export interface FileText {
  path: string;
  message_index: number;
  /** The agent's own copy of the file at that time; '' where the file was not there, null where the message itself holds the text. */
  backup: string | null;
}

/** Native id of every row of a message → index of the message. */
export interface RowIds {
  get(id: string): number | undefined;
  has(id: string): boolean;
  /** Of all rows, also of those that are none of a message. */
  keys(): Iterable<string>;
}

/** A request of which no message is left. */
export interface LostRequest {
  request_id: string | null;
  /** When the tokens of it were told. */
  timestamp: string | null;
  model: string | null;
  usage: Usage;
}

export interface Outline {
  head: OutlineHead;
  /** What every request had and no file of this session tells. */
  not_recorded: ('system-prompt' | 'tools')[];
  row_ids: RowIds;
  messages: OutlineMessage[];
  outcomes: ToolOutcome[];
  /** When calls were made, where that was later than their message began. */
  call_times?: ReadonlyMap<string, string>;
  /** Subagents of calls that have no result, by call. */
  call_subagents?: Map<string, string>;
  signals: Signal[];
  windows: OpenedWindow[];
  file_texts: FileText[];
  records: RecordEntry[];
  /** Begin and end of turns, by the agent's own name of the turn, where it recorded them apart from the messages. */
  turn_times?: Map<string, Pick<Turn, 'started_at' | 'ended_at'>>;
  /** Prompts that begin a turn of their own, though the one before has no answer: none was to come. */
  turn_starts?: ReadonlySet<number>;
  /** Tokens of requests of which no message is left. */
  lost_requests?: LostRequest[];
  /** Requests that the agent recorded and that were held against our contexts. */
  requests?: { recorded: number; explained: number };
  diagnostics: Diagnostic[];
}
