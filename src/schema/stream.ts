import type { Message } from './message.ts';
import type { ToolPurpose } from './outline.ts';
import type { RecordEntry, Session, ToolCall } from './session.ts';

/** A session told piece by piece: for sessions too large to hold. */
export interface SessionStream {
  /** The document without its messages; the calls in it have no diffs yet. */
  readonly document: Omit<Session, 'messages'>;
  messages(): Iterable<Message>;
  toolCalls(): Iterable<ToolCall>;
  /** The records, with the native row in `data` where asked for. */
  records(options: { raw: boolean }): Iterable<RecordEntry>;
}

/** What lists tell of a session: its head, and what happened in it. */
export type SessionSummary = Pick<
  Session,
  | 'session'
  | 'compaction'
  | 'context_clears'
  | 'interruptions'
  | 'rejections'
  | 'rewinds'
  | 'denials'
  | 'failures'
  | 'diagnostics'
>;

/** A session of which each message can be asked for by its index: what transforms work on. */
export interface SessionView extends SessionStream {
  readonly messageCount: number;
  message(index: number): Message;
  /** What was refused, denied, stopped and failed in any of its messages: also in those that it has of another session, whose document tells them. */
  allEvents(): Pick<Session, 'rejections' | 'denials' | 'interruptions' | 'failures'>;
  /** What a tool is for. */
  purposeOf(tool: string): ToolPurpose;
  /** What the rule of contexts needs to know of every message. */
  sentMarks(): readonly Pick<Message, 'sent' | 'sent_before'>[];
}
