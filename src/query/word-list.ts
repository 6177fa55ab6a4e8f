// One word list of one shard, asked for one query.

import type { SQLInputValue } from 'node:sqlite';
import { type Foremost, foundAt } from './found.ts';
import type { MessageTest, Run, ShardMessages } from './shard-messages.ts';
import { eachRow } from './statements.ts';
import type { WordTable } from './wanted-messages.ts';

interface Asked {
  messages: ShardMessages;
  table: WordTable;
  match: string;
  /** The sessions that are wanted, as JSON; null for all. */
  sessions: string | null;
  /** Asking anew costs much: a prefix has its words put together each time. */
  isCostly: boolean;
  /** Every hit costs more than that of a word: words must stand beside one another, or a prefix has many. */
  isHard: boolean;
  /** Nothing older is wanted. */
  since: number | null;
  /** All that are wanted have ids from the one to the other; null where nothing is known of that. */
  between: [number, number] | null;
  /** Something in the list may be left out, by its session or by `isWanted`. */
  isFiltered: boolean;
  isWanted: MessageTest;
}

/** Of so many runs each is asked for its hits; of more, all hits are gone through. */
const FEW_RUNS = 64;

export class WordList {
  readonly messages: ShardMessages;
  readonly table: WordTable;
  readonly sessions: string | null;
  readonly isCostly: boolean;
  readonly isHard: boolean;
  readonly isFiltered: boolean;
  private readonly since: number | null;
  readonly between: [number, number] | null;
  private readonly match: string;
  private readonly isWanted: MessageTest;

  constructor(asked: Asked) {
    const { messages, table, match, sessions, since, between, isCostly, isHard, isFiltered, isWanted } = asked;
    this.since = since;
    this.between = between;
    this.messages = messages;
    this.table = table;
    this.match = match;
    this.sessions = sessions;
    this.isCostly = isCostly;
    this.isHard = isHard;
    this.isFiltered = isFiltered;
    this.isWanted = isWanted;
  }

  /** `isAnySession`: the ids between which it is asked are known to be of sessions that are wanted. */
  query(
    select: string,
    order: string,
    {
      between = this.between,
      isAnySession = false,
    }: { between?: [number, number] | null; isAnySession?: boolean } = {},
  ): { sql: string; values: SQLInputValue[] } {
    const { table, sessions } = this;
    const conditions = [`${table} match ?`];
    const values: SQLInputValue[] = [this.match];
    if (between !== null) {
      // A number is bound as a float: FTS5 does not take that for an id, and goes through all there are.
      conditions.push('rowid between cast(? as integer) and cast(? as integer)');
      values.push(...between);
    }
    if (sessions !== null && !isAnySession) {
      conditions.push(
        `(select session from runs where first <= ${table}.rowid order by first desc limit 1) in (select value from json_each(?))`,
      );
      values.push(sessions);
    }
    return { sql: `${select} from ${table} where ${conditions.join(' and ')} ${order}`, values };
  }

  /** Ids of messages that fit, the newest first, as nearly as ids tell. */
  *wanted(): Generator<number> {
    const { sessions, isCostly } = this;
    const runs = sessions === null || isCostly ? null : this.messages.runsOfSessions(sessions);
    const isFew = runs !== null && runs.length <= FEW_RUNS;
    for (const part of isFew ? runs.map(partOf) : [{}]) {
      const { sql, values } = this.query('select rowid', 'order by rowid desc', part);
      for (const [id] of eachRow(this.messages.database, sql, ...values)) if (this.fits(Number(id))) yield Number(id);
    }
  }

  /** If the filters leave it. */
  put(run: Run, id: number, best: Foremost, score = 0): void {
    const { session } = run;
    const number = run.start + id - run.first;
    const message = this.messages.message(session, number);
    const { shard } = this.messages;
    if (this.isWanted(message)) best.put(foundAt({ shard, session, number, score }, message));
  }

  private fits(id: number): boolean {
    const run = this.messages.runOf(id);
    if (run === undefined || (this.since !== null && run.newest < this.since)) return false;
    return this.isWanted(this.messages.message(run.session, run.start + id - run.first));
  }
}

function partOf({ first, last }: Run): { between: [number, number]; isAnySession: boolean } {
  return { between: [first, last], isAnySession: true };
}
