// Tokens request by request: what a history cost is worked out from these, never from sums, since prices have steps per request.

import type { Usage } from './message.ts';

/** The tokens of one API message. */
export interface UsageRow {
  /** What the API message is known by in every file that holds it; null where nothing tells: then it is counted as it stands. */
  key: string | null;
  /** When it was first written. */
  timestamp: string | null;
  model: string | null;
  usage: Usage;
  /** It is another session's, which this one was forked from: it counts there, as long as that is there. */
  inherited?: boolean;
}

/** The requests of one session, its own first: what a fork has of its parent is the parent's. */
export interface UsageOfSession {
  session_id: string;
  project: string | null;
  rows: UsageRow[];
}
