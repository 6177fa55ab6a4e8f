import type { Block, Json, SourceRef } from '../schema/blocks.ts';
import type { Message } from '../schema/message.ts';
import type { Outline, OutlineMessage, ToolPurpose } from '../schema/outline.ts';
import type { Diagnostic, RecordEntry, SessionHead } from '../schema/session.ts';
import type { UsageOfSession } from '../schema/usage-row.ts';
import type { AgentName } from '../schema/words.ts';
import type { LinePlace } from './jsonl.ts';

/** One file below a root. `path` is what documents show: the root's name, then `/`-separated. */
export interface FileInfo {
  path: string;
  bytes: number;
  modified_ms: number;
  /** It is no longer in the agent's folder: its kept copy is read. */
  kept?: boolean;
}

/** A file opened for reading. It is read to the size it had when it was opened, even if it grows. */
export interface OpenFile {
  size: number;
  /** Fills `into` with bytes from `at` on; gives how many there were. */
  read(into: Uint8Array, at: number): number;
  close(): void;
}

/** How a source reaches files. It has no other way: tests run it on memory. */
export interface Files {
  open(path: string): OpenFile;
  /** SHA-256 of a text, in hex: some clients name folders by it. */
  sha256(text: string): string;
  /** Whoever reads through this needs only beginnings and ends of long strings: see shorten.ts. */
  shortens?: true;
}

type FileRole = 'main' | 'base' | 'revert' | 'copy' | 'subagent' | 'companion';

/** A session with all that its files tie to it: its subagents, its companions. Read together. */
export interface Family {
  /** Id of the main session, also where only its subagents are left. */
  id: string;
  files: FamilyFile[];
}

export interface FamilyFile {
  info: FileInfo;
  role: FileRole;
  /** The session this file holds: the main one, or a subagent. Null for a companion. */
  session_id: string | null;
}

export interface Grouped {
  families: Family[];
  /** Files that belong to the whole home, such as a prompt history. */
  companions: FileInfo[];
  diagnostics: Diagnostic[];
}

/** Gives a row back, parsed, by its place in the files of one session. */
export interface Rows {
  row(ref: SourceRef): Json;
}

/** What the beginning of a family's main file tells, enough to link it with others. */
export interface LinkHead {
  family: Family;
  /** The first file of the main session. */
  file: FileInfo;
  project: string | null;
  /** Native id of the first message: forks share it with their parent. */
  root: string | null;
  /** That message says that it was copied from another session. */
  root_is_copy?: true;
  /** Time of the first row that has one, and of the first message. */
  file_started_at: string | null;
  started_at: string | null;
  /** Born from a cleared context: the row that says so; `at_once` where the session before it was at work until then. */
  clear: { timestamp: string | null; source: Omit<SourceRef, 'file'>; at_once?: true } | null;
  /** The id that the process had when it started, where recorded. */
  process_id: string | null;
  /** Titles that stand here for whatever session holds that row. */
  titles: { leaf: string; title: string }[];
}

/** Something that ties two sessions. Evidence names files by path, since two documents cite it. */
export type Link =
  | {
      kind: 'clear';
      from: string | null;
      to: string;
      timestamp: string | null;
      basis: 'recorded' | 'phrase' | 'inferred';
      confidence: 'high' | 'medium' | 'low';
      evidence: { file: FileInfo; source: Omit<SourceRef, 'file'> }[];
    }
  | { kind: 'fork'; from: string; to: string; shared: string[] }
  | { kind: 'title'; leaf: string; title: string }
  /** A name that the person gave the session. */
  | { kind: 'name'; to: string; title: string };

/** A change that a tool call asked for, as unified diff. */
export interface ProposedDiff {
  diff: string;
  diff_base: 'file' | 'fragment' | 'unknown';
}

/** What a message tells of the request that it answers. */
type AnsweredRequest = Pick<OutlineMessage, 'id' | 'request_id' | 'extra'>;

export interface OutlineOptions {
  /** Make the content of messages at once: for sessions small enough to hold. */
  content: boolean;
  /** Of most messages no more will be asked than what was said in them: a source may make that, of large sessions too, instead. */
  said?: boolean;
  /** Of large files that grow, only what came is read. Then `outline` throws where what was kept cannot be used. */
  readings?: KeptReadings;
}

/** How far a file was read, and what had been made of it by then: see read-on.ts. */
export interface LeftReading {
  place: LinePlace;
  /** What the reader was made from beside the file itself. */
  made: string;
  /** Names of what was begun on the way. */
  begun: string[];
  state: Uint8Array;
}

/** What is kept between two readings of the same files. */
export interface KeptReadings {
  /** Where the reading of a file was left by a reader made from the same; undefined where it must be read from its beginning. */
  leftAt(path: string, made: string): LeftReading | undefined;
  /** Is it worth while to keep what was made of its first so many bytes? */
  isWanted(path: string, bytes: number): boolean;
  /** Null where it cannot be kept. */
  keep(path: string, left: LeftReading | null): void;
}

/** Where an agent's histories lie. */
export interface AgentPlace {
  /** Stable, lower case; used in ids, in URLs and on the command line. */
  agent: AgentName;
  /** As its makers write it. */
  label: string;
  /** The folder in a home, and the environment variable that moves it: the folder itself, or the home that it lies in. */
  root: { name: string; variable: string; moves: 'root' | 'home' };
  /** Folders and files below the root that hold histories. */
  places: string[];
  /** The same for a file that the agent has moved to another folder, or packed. */
  fileKey(path: string): string;
  /** Is this a path below the root by which the agent finds a session? */
  isPlaced(path: string): boolean;
}

/** A session that begins with a row of another one, which nobody was found to hold. */
export interface Orphan {
  path: string;
  row: string;
}

/** What a session that grows may still tie. */
export interface OpenTies {
  orphans(heads: readonly LinkHead[], links: readonly Link[]): Orphan[];
  /** May what was written to a file from this byte on tie its session, which begins as it did and was tied to none? */
  mayTie(
    port: Files,
    path: string,
    from: number,
    known: { links: readonly Link[]; orphans: readonly Orphan[] },
  ): boolean;
}

/** What every agent fills in. */
export interface Source extends AgentPlace {
  /** Is this a row of one of this agent's sessions? For a file given by its path. */
  recognises(row: Json): boolean;
  /** Names, in the same folder, of what belongs to the file of this name. */
  beside(name: string): string[];
  /** Which files are one session. */
  group(files: FileInfo[], port: Files): Grouped;
  /** Pass 1: the main session first, then its subagents. Never throws for bad content. */
  outline(family: Family, port: Files, options: OutlineOptions): Outline[];
  /** Of the beginning of a file: the message from which on later lines may tell otherwise; null where only the last turns are open. */
  unsettledFrom(outline: Outline): number | null;
  /**
   * The tokens of a family's sessions without their outlines, and equal to what the outlines tell; sessions that asked for nothing
   * are left out. Null where anything in the files is odd: then the outlines must be read.
   */
  usage(family: Family, port: Files): UsageOfSession[] | null;
  /** What the request of a reply is known by in every file that holds it; null where nothing tells. */
  usageKey(request: AnsweredRequest): string | null;
  /** Pass 2: the blocks of one message, read back by place. */
  content(message: OutlineMessage, rows: Rows): Block[];
  /** What kind of act a tool is. */
  purpose(toolName: string): ToolPurpose;
  /** May a call of this tool be an edit, whatever else it is for? Then `diff` is asked. */
  mayEdit(toolName: string): boolean;
  /** The change that a call asked for, null for a call that changes no file. */
  diff(call: DiffRequest): ProposedDiff | null;
  /** When a family was last used, from the ends of its files. */
  lastUsed(family: Family, port: Files): string | null;
  /** The beginnings of sessions, and what ties them. */
  linkHead(family: Family, port: Files, companions: FileInfo[]): LinkHead | null;
  link(heads: LinkHead[], companions: FileInfo[], port: Files): Link[];
  /**
   * Ties hang on what `linkHead` tells, and seldom on what sessions say later. Null where they hang on more: on how sessions end (Codex),
   * on their first prompts (Gemini).
   */
  openTies: OpenTies | null;
  /** A file beside the sessions that tells where their projects lie. */
  tellsProjects(path: string): boolean;
  /** The agent's own command that goes on with a session, to be run in the session's project. */
  resumeCommand(id: string): string[];
  /** The agent's own command without which it would refuse to; null where it needs none. */
  commandBeforeResume(family: Family, pathOf: (info: FileInfo) => string): string[] | null;
  /** Folders below the root with what else a session needs, though it is no history. */
  alongside(id: string): string[];
  /** How the agent is told to run a command when a session ends; null where it cannot be. */
  hookFor(command: string): string | null;
  /** Null where we cannot write this agent's sessions. */
  writer: SessionWriter | null;
  /** Holds a session's own files against what its client needs; null where we do not know enough of the client. */
  check: ((family: Family, port: Files) => NativeReport) | null;
  /** When the agent deletes sessions, as its settings in this root say; null where it never does. */
  retention(port: Files): Retention | null;
}

/** A message as the new session has it: for each block of the old one what stands there, null for nothing. */
export interface WrittenMessage {
  message: Message;
  blocks: (Block | null)[];
  /** It goes on the reply before it: both are one message now. */
  isJoined: boolean;
}

/** What stands in place of the oldest messages. */
export interface WrittenSummary {
  summary: string;
  timestamp: string | null;
  /** Tokens before and after, by our estimate. */
  tokens: { before: number; after: number };
}

export interface WriteRequest {
  id: string;
  /** The session that it is made from. */
  origin: string;
  title: string;
  now: string;
  /** The folder in which it will be gone on with, where that is another one. */
  project: string | null;
  /** What rows that are written anew tell where no old row does. */
  head: Pick<SessionHead, 'project' | 'client_versions' | 'git_branches'>;
  /** How the tokens of the old session were estimated: the new one has no usage to go by. */
  estimate: { fixed: number; scale: number };
  newId(): string;
  summary: WrittenSummary | null;
  /** Some calls are not in it: what else tells of calls must go, too. */
  leavesOutCalls: boolean;
  messages: Iterable<WrittenMessage>;
  /** Any message of the old session. */
  messageAt(index: number): Message | undefined;
  /** Rows of the old session that are no messages. */
  records: Iterable<RecordEntry>;
  bytes(ref: SourceRef): Buffer;
}

/** What comes of a fault: the client or the server refuses the session, messages are lost, the client mends it by itself, or nothing: it is as it should be. */
type FaultEffect = 'refused' | 'lost' | 'mended' | 'normal';

/** Something in a session's own files that tells why a resume sends other than all of it. */
export interface NativeFault {
  code: string;
  effect: FaultEffect;
  message: string;
  /** How many messages or rows it is about. */
  count: number;
  /** The first place. */
  source: SourceRef | null;
}

/** What a resume would send, and why not more. */
export interface NativeReport {
  /** Messages that a resume sends, of all that are in the files; null where we do not know what the client would send. */
  sent: number | null;
  of: number | null;
  /** Where clients differ: which ones send so many, and what others send. */
  by: string | null;
  also: { client: string; sent: number }[];
  faults: NativeFault[];
}

/** A row whose values can be looked up without parsing it. */
interface LookedUpRow {
  keys(): string[];
  /** The JSON text of a value. */
  text(key: string): string | undefined;
}

/** New values of a row's own keys, as JSON texts; null takes the key away. Null for a row that stays as it is. */
export type RowChanges = (row: LookedUpRow, line: number) => Record<string, string | null> | null;

/** How an agent's sessions are written anew. */
export interface SessionWriter {
  /** The lines of the new session's file. */
  lines(request: WriteRequest): Iterable<Uint8Array>;
  /** A file with some values changed and every other byte as it is. */
  rewrite(port: Files, path: string, changes: RowChanges): Iterable<Uint8Array>;
  /** Where the client looks for a session: beside the one it is made from, or in the folder of another project. */
  place(family: Family, id: string, project: string | null): string;
  /** Does the client look there when it is run in this folder? */
  looksThere(path: string, project: string): boolean;
}

/** After so many days without use. */
export interface Retention {
  days: number;
  told: 'settings' | 'default';
}

export interface DiffRequest {
  outline: Outline;
  tool_use_id: string;
  name: string;
  message_index: number;
  result_message_index: number | null;
  /** The blocks of a message. */
  content(messageIndex: number): Block[];
  /** A file that lies beside the history; undefined where it is not there. */
  file(path: string): string | undefined;
}
