// What the HTTP API answers, version 1: see docs/api.md. Types alone: the page has nothing else of the server's.

import type {
  Block,
  Clear,
  Compaction,
  Denial,
  Diagnostic,
  EventKind,
  Failure,
  Interruption,
  Message,
  Rejection,
  Rewind,
  SessionHead,
  ToolCall,
  Turn,
} from '../index.ts';

/** A session in the list. */
export interface SessionRow {
  /** Its address: in links, and in every question about it. */
  key: string;
  id: string;
  agent: string;
  kind: string;
  title: string | null;
  project: string | null;
  started_at: string | null;
  last_used: string | null;
  bytes: number;
  /** False: only what its file's name and beginning tell is known yet. */
  is_read: boolean;
  messages: number;
  turns: number;
  models: string[];
  /** How often each kind of event happened in it, in the order of EVENT_KINDS. */
  events: number[];
  /** Where they happened: the number of the kind in EVENT_KINDS, and the place, from 0 to 1000. Of very many only some. */
  marks: [kind: number, place: number][];
  subagents: number;
  /** The agent has deleted it; it is read from what was kept. */
  kept: boolean;
  /** Key of the session whose subagent it is. */
  parent: string | null;
  /** Key of the row that it is folded under: a newer session of the same piece of work. */
  folded_under: string | null;
}

export interface SessionsAnswer {
  api_version: 1;
  rows: SessionRow[];
  /** How many there are. */
  all: number;
  /** They come with Palimpsest: there is no session of one's own. */
  is_sample: boolean;
  /** Folders that were looked in. */
  homes: string[];
  /** Not null while all of them are being read. */
  indexing: Indexing | null;
  /** Texts of all sessions can be searched. */
  has_index: boolean;
  diagnostics: string[];
}

interface Indexing {
  done: number;
  all: number;
}

/** Told while somebody listens. */
export type Change =
  | { name: 'rows'; rows: SessionRow[]; gone: string[] }
  | { name: 'session'; key: string }
  | { name: 'indexing'; indexing: Indexing | null };

/** Everything about a session but what was said. Columns have one entry for each message. */
export interface SessionAnswer {
  api_version: 1;
  key: string;
  session: SessionHead;
  messages: number;
  /** One letter each: see KIND_LETTERS. */
  kinds: string;
  /** 1: it was sent to the model. */
  sent: string;
  /** Messages that were sent before another one, though written after it. */
  sent_before: [index: number, before: number][];
  /** Bytes of its rows. */
  sizes: number[];
  /** Milliseconds since 1970; 0 where it has no time. */
  times: number[];
  turns: Turn[];
  /** Size of the context in tokens when it was written. */
  context: number[];
  /** 1: as the reply recorded it; 0: worked out between such. */
  context_recorded: string;
  windows: ContextWindow[];
  /** The number of the event that took it out of the context, as things stand at the end; -1 where none did. */
  left_by: number[];
  left_at: number[];
  /** Messages that stayed when the content of a result in them left the context, and the number of the event that took it out. */
  cleared: [index: number, event: number][];
  events: SessionEvent[];
  diagnostics: Diagnostic[];
}

interface ContextWindow {
  opened_at_index: number;
  opened_by: string;
  event_id: string | null;
  start: [number, number][];
  basis: string;
  confidence: string;
}

/** One letter for each kind of message, in the order of MESSAGE_KINDS. */
export const KIND_LETTERS = 'prtcsinm';

export interface SessionEvent {
  id: string;
  kind: EventKind;
  /** What happened, in one line. */
  line: string;
  /** Index of the message that it came after; -1: before all of them. */
  after: number;
  timestamp: string | null;
  /** On clears: key of the session that it went on in. */
  next: string | null;
  event: Compaction | Clear | Interruption | Rejection | Rewind | Denial | Failure;
}

export interface MessagesAnswer {
  api_version: 1;
  messages: ShownMessage[];
}

/** A message as the document has it; long texts are cut. */
export interface ShownMessage extends Omit<Message, 'content' | 'extra' | 'source'> {
  blocks: ShownBlock[];
}

export interface ShownBlock {
  block: Block;
  /** How many characters its texts have that are not here. */
  cut: number;
  /** On tool_use: how the call ended; with its change, where it is an edit. */
  call: ShownCall | null;
  /** Numbers of the images in it, for their addresses. */
  images: number[];
}

export interface ShownCall extends Omit<ToolCall, 'extra'> {
  /** Of what it was asked, the part that tells most. */
  about: string;
  /** Key of the subagent's session. */
  subagent: string | null;
}

export interface RawAnswer {
  api_version: 1;
  rows: { file: string; line: number; bytes: number; text: string; cut: number }[];
}

export interface FoundAnswer {
  api_version: 1;
  indices: number[];
  more: boolean;
}

export interface PlaceAnswer {
  api_version: 1;
  index: number;
}

/** Sessions that are one piece of work, and how each came from another. */
export interface ThreadAnswer {
  api_version: 1;
  nodes: ThreadNode[];
}

export interface ThreadNode {
  key: string;
  title: string | null;
  kind: string;
  started_at: string | null;
  messages: number;
  /** How it came about; null for where it all began. */
  by: 'clear' | 'fork' | 'clone' | 'subagent' | null;
  from: string | null;
}

export interface SearchAnswer {
  api_version: 1;
  hits: TextHit[];
  /** There are others. */
  more: boolean;
  /** False where the index lacks what was written since: another process writes, or it is much. */
  is_current: boolean;
  /** Not null where nothing could be searched. */
  trouble: string | null;
}

export interface TextHit {
  key: string;
  title: string | null;
  agent: string;
  project: string | null;
  message_index: number;
  kind: string;
  timestamp: string | null;
  live: boolean;
  left_by: string | null;
  /** The text around the hit, in pieces; every second one is a hit. */
  snippet: string[];
}

export interface ErrorAnswer {
  api_version: 1;
  error: string;
}
