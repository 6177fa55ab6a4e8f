// The newest messages that fit, in their exact order, without looking at all that fit: a common word has a hundred thousand.

import { Foremost, type Found } from './found.ts';
import type { Run } from './shard-messages.ts';
import { eachRow } from './statements.ts';
import type { WordList } from './word-list.ts';

/** Of a word list so many runs are looked at one by one rather than all that follow. */
const FEW_RUNS = 16;
const FEW_COSTLY = 4;
/** After so many hits it is asked for the first time whether older ones can still matter. */
const FIRST_LOOK = 32;

/** `since`: nothing older is wanted. */
export function newestWords(
  lists: readonly WordList[],
  { most, since }: { most: number; since: number | null },
): Found[] {
  const best = new Foremost(most);
  const oldest = () => Math.max(best.oldest, since ?? Number.NEGATIVE_INFINITY);
  for (const list of lists) if (list.sessions === null || !lookAtNewest(list, best, oldest)) walk(list, best, oldest);
  return best.inOrder();
}

/** Where only some sessions are wanted, their newest messages may be enough. Tells whether they are. */
function lookAtNewest(list: WordList, best: Foremost, oldest: () => number): boolean {
  // With a prefix every look costs as much as all of them.
  const runs = list.isCostly ? [] : list.messages.runsOfSessions(list.sessions);
  for (const run of runs.slice(0, FEW_RUNS)) if (run.newest >= oldest()) lookAt(list, run, run.last, best);
  const next = runs[FEW_RUNS];
  return !list.isCostly && (next === undefined || next.newest < oldest());
}

/** From the newest id down. Ids rise nearly in the order of time: the runs tell how nearly. */
function walk(list: WordList, best: Foremost, oldest: () => number): void {
  const { messages } = list;
  const { sql, values } = list.query('select rowid', 'order by rowid desc');
  let [seen, nextLook] = [0, FIRST_LOOK];
  for (const [row] of eachRow(messages.database, sql, ...values)) {
    const id = Number(row);
    const run = messages.runOf(id);
    if (run !== undefined && run.newest >= oldest()) list.put(run, id, best);
    if (++seen < nextLook || oldest() === Number.NEGATIVE_INFINITY) continue;
    const few = list.isCostly ? FEW_COSTLY : FEW_RUNS;
    const left = messages.runsBelow(id, oldest(), few + 1);
    if (left.length <= few) {
      for (const older of left) lookAt(list, older, Math.min(older.last, id - 1), best);
      return;
    }
    nextLook = seen * 2;
  }
}

/** All hits of a run up to an id. */
function lookAt(list: WordList, run: Run, last: number, best: Foremost): void {
  const { sql, values } = list.query('select rowid', '', { between: [run.first, last], isAnySession: true });
  for (const [id] of eachRow(list.messages.database, sql, ...values)) list.put(run, Number(id), best);
}
