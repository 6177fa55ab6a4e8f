// Writes the words of families into one shard. What is there already and has not changed stays: an appended session costs
// what was appended.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { WORD_TABLES } from './list-record.ts';
import { newLists } from './new-lists.ts';
import { OutlinePacker, type PackedOutline, PIECE } from './packed-outline.ts';
import type { MessageWords, SessionWords, Tier } from './rows.ts';
import { SESSIONS_PER_FAMILY } from './tables.ts';
import { mergeMany } from './word-lists.ts';

interface Run {
  first: number;
  last: number;
  start: number;
}

/** The number of the first message of the next piece. */
function pieceEnd(number: number): number {
  return (Math.floor(number / PIECE) + 1) * PIECE;
}

const WAITING_CHARACTERS = 4 * 1024 * 1024;

/**
 * Texts that are to be written into a word list, some megabytes at a time: FTS5 looks up every word in tables that are large, and finds them
 * in the processor's cache only if nothing else was done in between. To write each session's as it was read took a seventh more time for the whole index.
 */
class WaitingTexts {
  private readonly insert: StatementSync;
  private readonly ids: number[] = [];
  private readonly texts: string[] = [];
  private characters = 0;

  constructor(insert: StatementSync) {
    this.insert = insert;
  }

  add(id: number, text: string): void {
    this.ids.push(id);
    this.texts.push(text);
    this.characters += text.length;
    if (this.characters > WAITING_CHARACTERS) this.write();
  }

  write(): void {
    for (let i = 0; i < this.ids.length; i++) this.insert.run(this.ids[i] ?? 0, this.texts[i] ?? '');
    this.ids.length = 0;
    this.texts.length = 0;
    this.characters = 0;
  }
}

export class WordWriter {
  private readonly database: DatabaseSync;
  private readonly shapes = new Map<string, number>();
  private readonly sql;
  /** Lists of words are made here: nothing else may be done with them, see new-lists.ts. */
  readonly makesLists: boolean;
  private readonly prose: Pick<WaitingTexts, 'add' | 'write'>;
  private readonly toolTexts: Pick<WaitingTexts, 'add' | 'write'>;
  private nextId: number;
  /** What was written to a shard in which there was nothing: of others nothing needs to be looked for. */
  private readonly written: Set<number> | undefined;
  private inTransaction = false;
  /** Characters written since the last commit. */
  pending = 0;

  /** `isForLists`: the database was opened for lists of words to be made here, if nothing is in it. */
  constructor(database: DatabaseSync, { isForLists } = { isForLists: false }) {
    this.database = database;
    for (const { id, blocks } of database.prepare('select id, blocks from shapes').iterate())
      this.shapes.set(String(blocks), Number(id));
    this.nextId = Number(database.prepare('select max(last) as id from runs').get()?.id ?? 0) + 1;
    this.written = database.prepare('select 1 from outlines limit 1').get() === undefined ? new Set() : undefined;
    this.sql = {
      outline: database.prepare('select messages, tools from outlines where session = ? and piece = ?'),
      setOutline: database.prepare('insert or replace into outlines values (?, ?, ?, ?)'),
      noOutline: database.prepare('delete from outlines where session = ? and piece >= ?'),
      runs: database.prepare('select first, last, start from runs where session = ? order by start'),
      run: database.prepare('insert into runs values (?, ?, ?, ?, ?)'),
      endRun: database.prepare('update runs set last = ? where first = ?'),
      noRun: database.prepare('delete from runs where first = ?'),
      noProse: database.prepare('delete from prose where rowid = ?'),
      noTool: database.prepare('delete from tool_texts where rowid = ?'),
      shape: database.prepare('insert into shapes (blocks) values (?)'),
      family: database.prepare('insert or replace into families values (?, ?)'),
      noFamily: database.prepare('delete from families where family = ?'),
      noReadings: database.prepare('delete from readings where family = ?'),
      sessions: database.prepare('select distinct session from outlines where session between ? and ?'),
    };
    const isEmpty = this.written !== undefined;
    const lists = isForLists && isEmpty ? WORD_TABLES.flatMap((table) => newLists(database, table) ?? []) : [];
    this.makesLists = lists.length === WORD_TABLES.length;
    const [prose, toolTexts] = this.makesLists ? lists : [];
    this.prose = prose ?? new WaitingTexts(database.prepare('insert into prose(rowid, text) values (?, ?)'));
    this.toolTexts =
      toolTexts ?? new WaitingTexts(database.prepare('insert into tool_texts(rowid, text) values (?, ?)'));
  }

  write(family: number, stamp: number, sessions: readonly SessionWords[], tier: Tier): void {
    this.begin();
    const known = new Set(sessions.flatMap(({ session, had }) => (had === null ? [] : [session])));
    for (const session of this.sessionsOf(family)) if (!known.has(session)) this.removeSession(session);
    for (const session of sessions) this.session(session, tier);
    this.written?.add(family);
    this.sql.family.run(family, stamp);
  }

  /** Was it written by this writer, to a shard in which there was nothing? */
  hasWritten(family: number): boolean {
    return this.written?.has(family) === true;
  }

  /** Takes all words of a family away. */
  remove(family: number): void {
    this.begin();
    for (const session of this.sessionsOf(family)) this.removeSession(session);
    this.sql.noFamily.run(family);
    this.sql.noReadings.run(family);
  }

  commit(): void {
    this.writeWaiting();
    if (this.inTransaction) {
      if (!this.makesLists) for (const table of WORD_TABLES) mergeMany(this.database, table);
      this.database.exec('commit');
    }
    this.inTransaction = false;
    this.pending = 0;
  }

  private writeWaiting(): void {
    this.prose.write();
    this.toolTexts.write();
  }

  private begin(): void {
    if (!this.inTransaction) this.database.exec('begin immediate');
    this.inTransaction = true;
  }

  private sessionsOf(family: number): number[] {
    const from = family * SESSIONS_PER_FAMILY;
    if (this.written?.has(family) === false) return [];
    return this.sql.sessions.all(from, from + SESSIONS_PER_FAMILY - 1).map(({ session }) => Number(session));
  }

  private removeSession(session: number): void {
    this.removeFrom(session, 0);
    this.sql.noOutline.run(session, 0);
  }

  /** Takes the messages from this one on out of the word lists. */
  private removeFrom(session: number, start: number): void {
    for (const run of this.runsOf(session)) {
      const first = Math.max(run.first, run.first + start - run.start);
      if (first <= run.last) this.writeWaiting();
      for (let id = first; id <= run.last; id++) {
        this.sql.noProse.run(id);
        this.sql.noTool.run(id);
      }
      if (first <= run.first) this.sql.noRun.run(run.first);
      else if (first <= run.last) this.sql.endRun.run(first - 1, run.first);
    }
  }

  private runsOf(session: number): Run[] {
    return this.sql.runs.all(session) as unknown as Run[];
  }

  private session(words: SessionWords, tier: Tier): void {
    const { session, messages, had } = words;
    const pieces = this.packed(messages);
    const same = had === null ? 0 : this.same(session, pieces);
    if (had !== null) this.removeFrom(session, same);
    // The texts of tools come later than what was said.
    if (tier === 2 && had === 1) this.addToolTexts(words, same);
    for (let start = same; start < messages.length; start = pieceEnd(start)) this.append(words, start, tier);
    const changed = Math.floor(same / PIECE);
    if (had !== null) this.sql.noOutline.run(session, changed);
    pieces.slice(changed).forEach((piece, i) => {
      const { messages: bytes, tools } = piece.finish();
      this.sql.setOutline.run(session, changed + i, bytes, tools);
    });
  }

  /** A session without messages has a piece, too: by that it is known. */
  private packed(messages: MessageWords[]): OutlinePacker[] {
    const pieces = Array.from({ length: Math.max(1, Math.ceil(messages.length / PIECE)) }, () => new OutlinePacker());
    messages.forEach((message, i) => {
      pieces[Math.floor(i / PIECE)]?.add(message, this.shapeId(message.shape));
    });
    return pieces;
  }

  /** How many messages from the first on are as they were. */
  private same(session: number, pieces: OutlinePacker[]): number {
    let same = 0;
    for (const [i, piece] of pieces.entries()) {
      const old = this.sql.outline.get(session, i) as PackedOutline | undefined;
      const count = old === undefined ? 0 : piece.sameAs(old);
      same += count;
      if (count < PIECE) break;
    }
    return same;
  }

  /** Of so many messages from the first on. */
  private addToolTexts({ session, messages, text }: SessionWords, count: number): void {
    for (const { first, last, start } of this.runsOf(session))
      for (let id = first; id <= last; id++) {
        const at = start + id - first;
        const message = at < count ? messages[at] : undefined;
        if (message !== undefined) this.toolText(id, text(message.position).tool_text);
      }
  }

  /** From this message to the end of its piece. */
  private append({ session, messages, text }: SessionWords, start: number, tier: Tier): void {
    const first = this.nextId;
    let newest: number | null = null;
    for (let i = start; i < Math.min(messages.length, pieceEnd(start)); i++) {
      const id = this.nextId++;
      const message = messages[i];
      if (message === undefined) continue;
      const { time, position } = message;
      const { prose, tool_text } = text(position);
      if (prose !== '') {
        this.prose.add(id, prose);
        this.pending += prose.length;
      }
      if (tier === 2) this.toolText(id, tool_text);
      if (time !== null && (newest === null || time > newest)) newest = time;
    }
    this.sql.run.run(first, this.nextId - 1, session, start, newest);
  }

  private toolText(id: number, text: string): void {
    if (text === '') return;
    this.toolTexts.add(id, text);
    this.pending += text.length;
  }

  private shapeId(blocks: string): number {
    const known = this.shapes.get(blocks);
    if (known !== undefined) return known;
    const id = Number(this.sql.shape.run(blocks).lastInsertRowid);
    this.shapes.set(blocks, id);
    return id;
  }
}
