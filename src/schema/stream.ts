import type { Message } from './message.ts';
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
