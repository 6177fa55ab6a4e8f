// The public library. Surfaces use only this.

export { cloneTitle } from './clone/clone-title.ts';
export { type PlannedBlocks, plannedBlocks } from './clone/planned-blocks.ts';
export { rewriteFile } from './clone/rewrite-file.ts';
export { type CloneTarget, linesOf, UnsoundClone, type WrittenClone, writeClone } from './clone/write-clone.ts';
export { contextTokens, type Examined, examine, isWrong } from './doctor/examine.ts';
export type { OpenFamily } from './ingest/den.ts';
export {
  type FoundFamily,
  type Home,
  type NativeFile,
  openFile,
  openFolder,
  openHome,
  openStoredHome,
} from './ingest/home.ts';
export { inOrder } from './ingest/in-order.ts';
export { type Keeper, type KeepResult, keeperIn } from './ingest/keep.ts';
export { type ListedFacts, listedFacts, ownBytes, usedAt, writtenAt } from './ingest/listed-session.ts';
export { type LiveFamily, type LiveHome, liveHome } from './ingest/live-home.ts';
export { openSession, readSessions } from './ingest/read.ts';
export type { SessionReader } from './ingest/session-reader.ts';
export { type UpdateOptions, type UpdateReport, updateStore } from './ingest/update.ts';
export { type ChangedFiles, type Watching, type WatchOptions, watch } from './ingest/watch.ts';
export { diffBase, diffLines } from './render/diff-lines.ts';
export { actionLines, eventRule } from './render/event-rule.ts';
export { doubt, eventLine, eventsOf, type ListedEvent } from './render/events.ts';
export { addToInventory, emptyInventory, type Inventory } from './render/inventory.ts';
export { mainPart } from './render/main-part.ts';
export { type ExportOptions, ndjsonPieces } from './render/ndjson.ts';
export { recordLines } from './render/records.ts';
export { foldThreads, type ThreadRow } from './render/threads.ts';
export * from './reports.ts';
export type { Block, Json, SourceRef } from './schema/blocks.ts';
export { contextAt } from './schema/context.ts';
export type { Clear, Compaction, Denial, Failure, Interruption, Rejection, Rewind } from './schema/events.ts';
export type { Message, TokenCounts, Turn, Usage } from './schema/message.ts';
export type { Diagnostic, RecordEntry, Session, SessionHead, ToolCall } from './schema/session.ts';
export type { SessionStream, SessionSummary, SessionView } from './schema/stream.ts';
export { addTokens, noTokens } from './schema/tokens.ts';
export type { UsageRow } from './schema/usage-row.ts';
export {
  AGENTS,
  type AgentName,
  EVENT_KINDS,
  type EventKind,
  SCHEMA_VERSION,
  USAGE_GROUPINGS,
  type UsageGrouping,
} from './schema/words.ts';
export * from './shown.ts';
export { sources } from './sources/index.ts';
export type { NativeFault, NativeReport } from './sources/source.ts';
export { memoryStore, openStore, readStore, type Store } from './store/open.ts';
export type { Rung } from './transform/budget.ts';
export type { Level, Summariser, TurnRange } from './transform/compress.ts';
export { CATEGORIES } from './transform/draft.ts';
export { builtInSummariser, type CloneOptions, type ClonePlan, KEEP_LAST, planClone } from './transform/plan.ts';
export { type PlannedMessage, plannedMessages } from './transform/planned-messages.ts';
export { PRESETS, type PresetName } from './transform/presets.ts';
export { summarise } from './transform/summarise.ts';
export { turnsOf } from './transform/turns.ts';
export { turnsText } from './transform/turns-text.ts';
