// The best of the newest: bm25 takes its time for every hit, so of a common word not all are ranked.

import { Foremost, type Found } from './found.ts';
import type { NameOf } from './session-names.ts';
import { eachRow } from './statements.ts';
import type { WordList } from './word-list.ts';

/** So many hits are ranked, over all word lists; fewer of phrases and prefixes, or where filters must be asked about each of them. */
const RANKED = 16_000;
const RANKED_HARD = 4_000;

export function rankedWords(lists: readonly WordList[], most: number, nameOf: NameOf): Found[] {
  const best = new Foremost(most, nameOf);
  const share = (all: number) => Math.max(most, Math.ceil(all / Math.max(1, lists.length)));
  for (const list of lists) {
    if (list.isFiltered) putBest(list, rankedAmong(list, [...list.wanted().take(share(RANKED_HARD))]), best, most);
    else putBest(list, rankedNewest(list, share(list.isHard ? RANKED_HARD : RANKED)), best, most);
  }
  return best.inOrder();
}

/** Ids and scores, the best first. */
type RankedRows = Iterable<unknown[]>;

function rankedNewest(list: WordList, count: number): RankedRows {
  const { sql, values } = list.query(
    `select rowid, bm25(${list.table}) as score`,
    `order by rowid desc limit ${count}`,
  );
  return eachRow(list.messages.database, `select * from (${sql}) order by score`, ...values);
}

function rankedAmong(list: WordList, ids: number[]): RankedRows {
  const from = ids.reduce((least, id) => Math.min(least, id), Number.MAX_SAFE_INTEGER);
  const order = 'and +rowid in (select value from json_each(?)) order by score';
  const { sql, values } = list.query(`select rowid, bm25(${list.table}) as score`, order, {
    between: [from, Number.MAX_SAFE_INTEGER],
    isAnySession: true,
  });
  return eachRow(list.messages.database, sql, ...values, JSON.stringify(ids));
}

function putBest(list: WordList, rows: RankedRows, best: Foremost, most: number): void {
  let [seen, last] = [0, 0];
  for (const [row, score] of rows) {
    // Of those that are as good as one another, the newest come first: all of them must be looked at.
    if (++seen > most && Number(score) > last) return;
    last = Number(score);
    const run = list.messages.runOf(Number(row));
    if (run !== undefined) list.put(run, Number(row), best, last);
  }
}
