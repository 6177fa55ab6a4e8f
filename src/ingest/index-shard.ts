// Reads families and writes their words into one shard: in a worker, or in the process that owns the store.

import type { DatabaseSync } from 'node:sqlite';
import type { UsageOfSession } from '../schema/usage-row.ts';
import type { FileInfo, Files, Source } from '../sources/source.ts';
import { usageOfOutline } from '../sources/usage-of-outline.ts';
import { LeftReadings } from '../store/left-readings.ts';
import { packUsage } from '../store/packed-usage.ts';
import type { FamilyFacts, SessionFacts, SessionWords } from '../store/rows.ts';
import { SESSIONS_PER_FAMILY } from '../store/tables.ts';
import { WordWriter } from '../store/write-words.ts';
import type { LinksById } from './apply-links.ts';
import { WORTH_READING_ON } from './family-readings.ts';
import { withFilesOpen } from './files-open.ts';
import { type IndexTask, indexFamily } from './index-family.ts';
import { boundMemory } from './memory.ts';
import { notingUnread } from './unread-files.ts';

/** Committed after so much text, or so much read. */
const BATCH_CHARACTERS = 32 * 1024 * 1024;
const BATCH_BYTES = 512 * 1024 * 1024;
/** What is known of each is held until then: small sessions are many. */
const BATCH_FAMILIES = 1000;
/** Of tokens alone, so that what one thread has read is written while others still read. */
const TOKENS_BYTES = 128 * 1024 * 1024;
const TOKENS_FAMILIES = 250;

export interface Batch {
  facts: FamilyFacts[];
  bytes: number;
  /** Families that had to be read in full where a quicker way had been tried. */
  fell_back: number;
}

/** What a family's files are read with. */
export interface Reading {
  source: Source;
  port: Files;
  titles: LinksById['titles'];
  companions: FileInfo[];
}

export class ShardIndexer {
  private readonly shard: number;
  private readonly openDatabase: () => DatabaseSync;
  private readonly done: (batch: Batch) => void;
  private readonly readOnFrom: number;
  private writer: { words: WordWriter; left: LeftReadings } | undefined;
  private batch: Batch = { facts: [], bytes: 0, fell_back: 0 };

  /** `done` is told of what has been committed. Of files that grow and have at least `readOnFrom` bytes only what came is read. */
  constructor(
    shard: number,
    openDatabase: () => DatabaseSync,
    done: (batch: Batch) => void,
    readOnFrom = WORTH_READING_ON,
  ) {
    this.readOnFrom = readOnFrom;
    this.shard = shard;
    this.openDatabase = openDatabase;
    this.done = done;
  }

  index(task: IndexTask, stamp: number, reading: Reading): void {
    const { port, unread } = notingUnread(reading.port);
    const facts = task.tier === 0 ? this.tokens(task, { ...reading, port }) : this.all(task, stamp, reading, port);
    facts.unread = unread();
    // So it is read again as soon as that can be done.
    if (facts.unread.length > 0) facts.fingerprint = '';
    this.batch.facts.push(facts);
    boundMemory(task.family.files.reduce((sum, { info }) => sum + info.bytes, 0));
    this.batch.bytes += task.bytes;
    const isFull =
      task.tier === 0
        ? this.batch.bytes > TOKENS_BYTES || this.batch.facts.length >= TOKENS_FAMILIES
        : this.batch.bytes > BATCH_BYTES || this.batch.facts.length >= BATCH_FAMILIES;
    if (isFull || (this.writer?.words.pending ?? 0) > BATCH_CHARACTERS) this.commit();
  }

  commit(): void {
    this.writer?.words.commit();
    const { batch } = this;
    this.batch = { facts: [], bytes: 0, fell_back: 0 };
    if (batch.facts.length > 0) this.done(batch);
  }

  private opened(): { words: WordWriter; left: LeftReadings } {
    if (this.writer === undefined) {
      const database = this.openDatabase();
      this.writer = { words: new WordWriter(database), left: new LeftReadings(database) };
    }
    return this.writer;
  }

  private all(task: IndexTask, stamp: number, { source, titles }: Reading, port: Files): FamilyFacts {
    const { words: writer, left } = this.opened();
    const take = (words: SessionWords[]) => writer.write(task.id, stamp, words, task.tier);
    const readOn = { left, from: this.readOnFrom };
    const { facts, fellBack, readings } = withFilesOpen(port, (open) =>
      indexFamily(task, source, open, titles, take, readOn),
    );
    // In the transaction of the words: what is there of neither counts.
    if (readings === null) left.remove(task.id);
    else left.put(task.id, readings);
    if (fellBack) this.batch.fell_back++;
    return { ...facts, shard: this.shard, stamp, unread: [] };
  }

  /** Tokens alone: by the quick way, where that understands all of the files. */
  private tokens(task: IndexTask, { source, port, companions }: Reading): FamilyFacts {
    const project = () => source.linkHead(task.family, port, companions)?.project ?? null;
    const quick = source.usage(task.family, port);
    if (quick === null) this.batch.fell_back++;
    const sessions =
      quick ?? source.outline(task.family, port, { content: false }).map((outline) => usageOfOutline(outline, source));
    return {
      ...{
        id: task.id,
        tier: 0,
        shard: null,
        stamp: null,
        fingerprint: task.fingerprint,
        links: '',
        last_used: null,
        unread: [],
      },
      sessions: sessions.map((session, position) => tokensOf(session, task, position, { source, project })),
    };
  }
}

function tokensOf(
  { session_id, project, rows }: UsageOfSession,
  task: IndexTask,
  position: number,
  { source, project: told }: { source: Source; project: () => string | null },
): SessionFacts {
  return {
    id: task.id * SESSIONS_PER_FAMILY + position,
    position,
    native_id: session_id,
    agent: source.agent,
    kind: position === 0 ? 'main' : 'subagent',
    title: null,
    // Some projects are told only by files beside the session.
    project: project ?? told(),
    started_at: null,
    ended_at: null,
    messages: 0,
    ...{ head: '{}', paths: '[]', presence: '[]', calls: '[]', diagnostics: '[]', events: [] },
    usage: packUsage(rows),
  };
}
