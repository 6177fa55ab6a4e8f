// The best of the newest: bm25 takes its time for every hit, so of a common word not all are ranked.

import { Foremost, type Found } from './found.ts';
import { eachRow, rowsOf } from './statements.ts';
import type { WordList } from './word-list.ts';

/** So many hits are ranked, over all word lists; fewer where filters must be asked about each of them. */
const RANKED = 16_000;
const RANKED_FILTERED = 4_000;

export function rankedWords(lists: readonly WordList[], most: number): Found[] {
  const best = new Foremost(most);
  const share = (all: number) => Math.max(most, Math.ceil(all / Math.max(1, lists.length)));
  for (const list of lists) {
    if (list.isFiltered) rank(list, newestIds(list, share(RANKED_FILTERED)), best, most);
    else rank(list, { from: nthNewest(list, share(RANKED)) }, best, most);
  }
  return best.inOrder();
}

/** Which hits are ranked: those from an id on, of a list where there is one. */
interface Ranked {
  from: number;
  only?: number[];
}

function newestIds(list: WordList, count: number): Ranked {
  const only = [...list.wanted().take(count)];
  return { from: only.reduce((least, id) => Math.min(least, id), Number.MAX_SAFE_INTEGER), only };
}

/** 0 where there are fewer. */
function nthNewest(list: WordList, count: number): number {
  const order = `order by rowid desc limit 1 offset ${count - 1}`;
  const { sql, values } = list.query('select rowid', order);
  return Number(rowsOf(list.messages.database, sql, ...values)[0]?.[0] ?? 0);
}

function rank(list: WordList, { from, only }: Ranked, best: Foremost, most: number): void {
  const { table, messages } = list;
  const among = only === undefined ? '' : 'and +rowid in (select value from json_each(?))';
  const { sql, values } = list.query(`select rowid, bm25(${table})`, `${among} order by 2`, {
    between: [from, Number.MAX_SAFE_INTEGER],
    isAnySession: true,
  });
  const given = only === undefined ? values : [...values, JSON.stringify(only)];
  let [seen, last] = [0, 0];
  for (const [row, score] of eachRow(messages.database, sql, ...given)) {
    // Of those that are as good as one another, the newest come first: all of them must be looked at.
    if (++seen > most && Number(score) > last) return;
    last = Number(score);
    const run = messages.runOf(Number(row));
    if (run !== undefined) list.put(run, Number(row), best, last);
  }
}
