// Reads families and writes their words into one shard: in a worker, or in the process that owns the store.

import type { DatabaseSync } from 'node:sqlite';
import type { UsageOfSession } from '../schema/usage-row.ts';
import type { FileInfo, Files, Source } from '../sources/source.ts';
import { usageOfOutline } from '../sources/usage-of-outline.ts';
import { LeftReadings } from '../store/left-readings.ts';
import { WORD_TABLES } from '../store/list-record.ts';
import { packUsage } from '../store/packed-usage.ts';
import type { FamilyFacts, SessionFacts, SessionWords } from '../store/rows.ts';
import { SESSIONS_PER_FAMILY } from '../store/tables.ts';
import { listsIn, merge } from '../store/word-lists.ts';
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

/** Where words are written. */
export interface ShardPlace {
  /** The same each time. */
  open(): DatabaseSync;
  /** A connection for making lists of words, which is closed then; undefined where FTS5 is to make them. */
  openForLists?: (() => DatabaseSync) | undefined;
}

interface Writer {
  words: WordWriter;
  left: LeftReadings;
  close(): void;
}

/** Of more lists a search would have to look into each: they are merged. */
const MANY_LISTS = 16;
/** More pages than there ever are. */
const ALL_PAGES = 2 ** 30;

export class ShardIndexer {
  private readonly shard: number;
  private readonly place: ShardPlace;
  private readonly done: (batch: Batch) => void;
  private readonly readOnFrom: number;
  private writer: Writer | undefined;
  /** Undefined until the shard was looked at. */
  private makesLists: boolean | undefined;
  private batch: Batch = { facts: [], bytes: 0, fell_back: 0 };

  /** `done` is told of what has been committed. Of files that grow and have at least `readOnFrom` bytes only what came is read. */
  constructor(shard: number, place: ShardPlace, done: (batch: Batch) => void, readOnFrom = WORTH_READING_ON) {
    this.readOnFrom = readOnFrom;
    this.shard = shard;
    this.place = place;
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
    if (this.makesLists) this.mergeLists();
    const { batch } = this;
    this.batch = { facts: [], bytes: 0, fell_back: 0 };
    if (batch.facts.length > 0) this.done(batch);
  }

  /** To be called at the end, whatever happened. */
  close(): void {
    this.writer?.close();
    this.writer = undefined;
  }

  /** Lists are made only in a shard in which there was nothing, and only once of each family: all else is for FTS5, on a connection of its own. */
  private writerFor(family: number): Writer {
    if (this.makesLists && this.writer?.words.hasWritten(family)) {
      this.writer.words.commit();
      this.close();
      this.makesLists = false;
    }
    this.writer ??= this.listsWriter() ?? this.plainWriter();
    return this.writer;
  }

  private listsWriter(): Writer | undefined {
    const { openForLists } = this.place;
    if (openForLists === undefined || this.makesLists === false) return undefined;
    const database = openForLists();
    const words = new WordWriter(database, { isForLists: true });
    this.makesLists = words.makesLists;
    if (this.makesLists) return { words, left: new LeftReadings(database), close: () => database.close() };
    database.close();
    return undefined;
  }

  private plainWriter(): Writer {
    const database = this.place.open();
    return { words: new WordWriter(database), left: new LeftReadings(database), close: () => {} };
  }

  private mergeLists(): void {
    const database = this.place.open();
    for (const table of WORD_TABLES) if (listsIn(database, table) > MANY_LISTS) merge(database, table, ALL_PAGES);
  }

  private all(task: IndexTask, stamp: number, { source, titles }: Reading, port: Files): FamilyFacts {
    const { words: writer, left } = this.writerFor(task.id);
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
