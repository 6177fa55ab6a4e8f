import type { LineFile } from '../line-file.ts';
import type { Random } from '../random.ts';
import type { TextSource } from '../text.ts';
import type { Needle, Truth } from '../truth.ts';
import { isLate, type Version } from './versions.ts';

export type Row = Record<string, unknown>;

/** A row of history.jsonl; they come from many sessions and are sorted by time at the end. */
export interface HistoryRow {
  display: string;
  timestamp: number;
  project: string;
  sessionId: string;
}

/** A transcript that is being written: what the next row needs to know of the ones before it. */
export interface Conversation {
  random: Random;
  text: TextSource;
  truth: Truth;
  file: LineFile;
  version: Version;
  sessionId: string;
  /** The id of the first session of this process: the same after a /clear, where `sessionId` changes. */
  processId: string;
  /** With a person at the keyboard, or `-p`. */
  interactive: boolean;
  cwd: string;
  gitBranch: string;
  slug: string | null;
  model: string;
  permissionMode: string;
  /** Set in a subagent's transcript. `promptId` is then the parent's. */
  agentId: string | null;
  history: HistoryRow[];
  /** 2.0.42 stamps a prompt in history.jsonl when its turn ends. */
  stampAtEnd: HistoryRow | null;
  /** Words still to be planted. */
  needles: Needle[];
  /** The time of the last row, in milliseconds. */
  clock: number;
  /** The row that the next one hangs on. */
  leaf: string | null;
  promptId: string;
  /** The row of the prompt that is being answered. */
  promptRow: string;
  /** The text of the prompt that is being answered. */
  prompt: string;
  promptIndex: number;
  turnIndex: number;
  /** Chained rows so far, as turn_duration reports them. */
  chained: number;
  /** Tokens that the next request will read from the cache. */
  cachedTokens: number;
  droppedTokens: number;
  trackedFiles: Map<string, { name: string; version: number; time: string }>;
  toolsUsed: string[];
  /** Rows of the last turn, newest last: what a compaction in 2.1.325 keeps. */
  recent: string[];
  /** Once the file has so many bytes, the model comes to an end. */
  enough: number;
  /** Sees every chained row; 2.1.20 copied a subagent's rows into its parent. */
  observe: ((row: Row) => void) | null;
  /** The tools-and-prompt snapshot, which 2.1.325 writes after the first reply. */
  snapshotDue: boolean;
}

/** Moves the clock on by a random time and gives it as a row's timestamp. */
export function tick(conversation: Conversation, least = 40, most = 9000): string {
  conversation.clock += conversation.random.integer(least, most);
  return timestampOf(conversation.clock);
}

export function timestampOf(time: number): string {
  return new Date(time).toISOString();
}

interface ChainedRow {
  /** Fields in the order in which this client writes them, `type` among them; uuid and timestamp too. */
  body: Row & { uuid: string };
  /** Another parent than the last row; null starts a new chain. */
  parent?: string | null;
  logicalParent?: string | null;
  /** With the id of the prompt that it answers (2.1.x, user rows). */
  promptId?: boolean;
  /** With `session_id`, the id of the process (2.1.325 with a person, most rows). */
  processId?: boolean;
}

/** Writes a row that is part of the parentUuid chain, and makes it the one that the next hangs on. */
export function writeChained(conversation: Conversation, chained: ChainedRow): string {
  const { version, agentId } = conversation;
  const head = {
    parentUuid: chained.parent === undefined ? conversation.leaf : chained.parent,
    ...(chained.logicalParent !== undefined && { logicalParentUuid: chained.logicalParent }),
    isSidechain: agentId !== null,
  };
  const row = isLate(version)
    ? {
        ...head,
        ...(chained.promptId && { promptId: conversation.promptId }),
        ...(agentId && { agentId }),
        ...chained.body,
        ...(chained.processId && writesProcessId(conversation) && { session_id: conversation.processId }),
        userType: 'external',
        entrypoint: conversation.interactive ? 'cli' : 'sdk-cli',
        ...whereAndWho(conversation),
      }
    : // 1.0.100 has no agentId: its subagents lie inside the parent's file.
      {
        ...head,
        userType: 'external',
        ...whereAndWho(conversation),
        ...(agentId && version.subagents !== 'inline' && { agentId }),
        ...chained.body,
      };
  conversation.file.row(row);
  conversation.observe?.(row);
  conversation.leaf = chained.body.uuid;
  conversation.chained++;
  conversation.recent.push(chained.body.uuid);
  if (conversation.recent.length > 8) conversation.recent.shift();
  return chained.body.uuid;
}

/** Only 2.1.325 has the id of the process, and neither in `-p` nor in a subagent's file. */
function writesProcessId({ version, interactive, agentId }: Conversation): boolean {
  return version.name === '2.1.325' && interactive && agentId === null;
}

function whereAndWho(conversation: Conversation): Row {
  const { cwd, sessionId, version, gitBranch, slug } = conversation;
  return { cwd, sessionId, version: version.name, gitBranch, ...(slug && { slug }) };
}

/** Writes a row that stands outside the chain: titles, modes, snapshots. */
export function writeLoose(conversation: Conversation, row: Row): void {
  conversation.file.row(row);
}

interface UserRow {
  content: unknown;
  /** Between message and uuid: isMeta, isCompactSummary. */
  flags?: Row;
  /** After the timestamp: toolUseResult, permissionMode, … */
  extra?: Row;
  parent?: string | null;
  uuid?: string;
  timestamp?: string;
  promptId?: boolean;
  processId?: boolean;
}

export function writeUser(conversation: Conversation, user: UserRow): string {
  return writeChained(conversation, {
    body: {
      type: 'user',
      message: { role: 'user', content: user.content },
      ...user.flags,
      uuid: user.uuid ?? conversation.random.uuid(),
      timestamp: user.timestamp ?? tick(conversation),
      ...user.extra,
    },
    ...(user.parent !== undefined && { parent: user.parent }),
    promptId: user.promptId ?? true,
    processId: user.processId ?? true,
  });
}

/** A word waiting to be planted in such a place; it is given once. */
export function takeNeedle(conversation: Conversation, where: Needle['where']): string {
  const place = conversation.needles.findIndex((needle) => needle.where === where);
  const [needle] = place < 0 ? [] : conversation.needles.splice(place, 1);
  if (!needle) return '';
  conversation.truth.needles.push(needle);
  return ` ${needle.word} `;
}
