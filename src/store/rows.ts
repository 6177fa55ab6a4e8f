// What is written into a store, as plain values: a worker makes them, the process that owns the store writes them.

import type { PackedUsage } from './packed-usage.ts';

/** How much of a family was read: its tokens; its outline and what was said in it; the texts of its tools too. */
export type Tier = 0 | 1 | 2;

export interface FamilyFacts {
  id: number;
  tier: Tier;
  /** Where its words are, and by which mark the shard knows that it has all of them; null before there are any. */
  shard: number | null;
  stamp: number | null;
  fingerprint: string;
  links: string;
  last_used: string | null;
  /** Files that could not be opened, and what is to be said of them. */
  unread: UnreadFile[];
  sessions: SessionFacts[];
}

export interface UnreadFile {
  path: string;
  message: string;
}

export interface SessionFacts {
  id: number;
  position: number;
  native_id: string;
  agent: string;
  kind: string;
  title: string | null;
  project: string | null;
  started_at: string | null;
  ended_at: string | null;
  messages: number;
  head: string;
  paths: string;
  presence: string;
  calls: string;
  diagnostics: string;
  events: { kind: string; timestamp: string | null; event: string }[];
  usage: PackedUsage;
}

/** The words of one session, message by message. */
export interface SessionWords {
  session: number;
  /** What the shard has of it already, under the same number: null for nothing. */
  had: Tier | null;
  messages: MessageWords[];
  /** The words of the message at this position, asked for when they are written: those of a large session are never held all at once. */
  text(position: number): { prose: string; tool_text: string };
}

/** One of the rows that a message lies in. */
export interface RowPlace {
  file: number;
  line: number;
  offset: number;
  length: number;
}

export interface MessageWords {
  position: number;
  kind: number;
  time: number | null;
  places: readonly RowPlace[];
  shape: string;
  tools: string | null;
}
