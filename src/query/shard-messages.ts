// Which message an id of the word lists stands for, and what the shard knows of it.

import type { DatabaseSync } from 'node:sqlite';
import { OutlineColumns } from '../store/outline-columns.ts';
import { type PackedOutline, PIECE } from '../store/packed-outline.ts';
import { rowsOf } from './statements.ts';

/** Ids that stand for messages of a session which follow one another. */
export interface Run {
  first: number;
  last: number;
  session: number;
  /** The number, in the session's outline, of the message with the first id. */
  start: number;
  /** When the newest of them was written; minus infinity where no time is known. */
  newest: number;
}

/** Where what is known of a message stands. */
export interface KnownMessage {
  outline: OutlineColumns;
  at: number;
}

export type MessageTest = (message: KnownMessage) => boolean;

const RUN = 'select first, last, session, start, newest from runs';

/** For one search: what was unpacked once is kept. */
export class ShardMessages {
  readonly shard: number;
  readonly database: DatabaseSync;
  private readonly outlines = new Map<string, OutlineColumns>();
  private lastRun: Run | undefined;
  private lastPiece: { session: number; piece: number; outline: OutlineColumns } | undefined;

  constructor(database: DatabaseSync, shard: number) {
    this.database = database;
    this.shard = shard;
  }

  runOf(id: number): Run | undefined {
    const { lastRun } = this;
    if (lastRun !== undefined && lastRun.first <= id && id <= lastRun.last) return lastRun;
    const [run] = this.runs('where first <= ? order by first desc limit 1', id);
    if (run === undefined || id > run.last) return undefined;
    this.lastRun = run;
    return run;
  }

  /** Runs of these sessions, or of all, that begin before this id and hold something as new as this, not more than so many. */
  runsBelow(id: number, { time, sessions, most }: { time: number; sessions: string | null; most: number }): Run[] {
    if (sessions === null) return this.runs('where first < ? and newest >= ? limit ?', id, time, most);
    // One by one: there may be many thousand sessions, but few runs are as new as this.
    const among = 'and +session in (select value from json_each(?))';
    return this.runs(`where first < ? and newest >= ? ${among} limit ?`, id, time, sessions, most);
  }

  /** Those of these sessions, or all, the newest first. */
  runsOfSessions(sessions: string | null): Run[] {
    const newestFirst = 'order by newest desc, first desc';
    return sessions === null
      ? this.runs(newestFirst)
      : this.runs(`where session in (select value from json_each(?)) ${newestFirst}`, sessions);
  }

  /** The first and the last id that may stand for a message of this time; null where that is no less than all. */
  between(since: number | null, until: number | null): [number, number] | null {
    if (since === null && until === null) return null;
    return [
      since === null ? 0 : this.firstSince(since),
      until === null ? Number.MAX_SAFE_INTEGER : this.lastBefore(until),
    ];
  }

  /** The first id that may stand for a message of this time or later. */
  firstSince(time: number): number {
    const [row] = rowsOf(this.database, 'select min(first) from runs where newest >= ?', time);
    return Number(row?.[0] ?? Number.MAX_SAFE_INTEGER);
  }

  private lastBefore(time: number): number {
    for (const { first, last, session, start } of this.runs('order by first desc'))
      for (let number = start; number <= start + last - first; number++) {
        const { outline, at } = this.message(session, number);
        if ((outline.times[at] ?? Number.NaN) < time) return last;
      }
    return 0;
  }

  /** A message of a session by its number in the outline. */
  message(session: number, number: number): KnownMessage {
    const piece = Math.floor(number / PIECE);
    if (this.lastPiece?.session !== session || this.lastPiece.piece !== piece) {
      const key = `${session} ${piece}`;
      const outline = this.outlines.get(key) ?? this.readPiece(session, piece);
      this.outlines.set(key, outline);
      this.lastPiece = { session, piece, outline };
    }
    return { outline: this.lastPiece.outline, at: number % PIECE };
  }

  private readPiece(session: number, piece: number): OutlineColumns {
    const sql = 'select messages, tools from outlines where session = ? and piece = ?';
    const [row] = rowsOf(this.database, sql, session, piece);
    return new OutlineColumns({ messages: row?.[0] ?? new Uint8Array(), tools: row?.[1] ?? '[]' } as PackedOutline);
  }

  private runs(where: string, ...values: (number | string)[]): Run[] {
    return rowsOf(this.database, `${RUN} ${where}`, ...values).map(([first, last, session, start, newest]) => ({
      first: Number(first),
      last: Number(last),
      session: Number(session),
      start: Number(start),
      newest: newest === null ? Number.NEGATIVE_INFINITY : Number(newest),
    }));
  }
}
