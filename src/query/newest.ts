// The newest messages that fit, in their exact order, without looking at all that fit: a common word has a hundred thousand.

import { Foremost, type Found } from './found.ts';
import type { NameOf } from './session-names.ts';
import type { Run } from './shard-messages.ts';
import { eachRow, rowsOnce } from './statements.ts';
import type { WordList } from './word-list.ts';

/** Of a word list so many runs are looked at one by one rather than all that follow. */
const FEW_RUNS = 16;
/** After so many hits it is asked for the first time whether older ones can still matter. */
const FIRST_LOOK = 32;

/** `since`: nothing older is wanted. */
export function newestWords(
  lists: readonly WordList[],
  { most, since, nameOf }: { most: number; since: number | null; nameOf: NameOf },
): Found[] {
  const best = new Foremost(most, nameOf);
  const oldest = () => Math.max(best.oldest, since ?? Number.NEGATIVE_INFINITY);
  for (const list of lists) if (list.sessions === null || !lookAtNewest(list, best, oldest)) walk(list, best, oldest);
  return best.inOrder();
}

/** Where only some sessions are wanted, their newest messages may be enough. Tells whether they are. */
function lookAtNewest(list: WordList, best: Foremost, oldest: () => number): boolean {
  // With a prefix every look costs as much as all of them.
  const runs = list.isCostly ? [] : list.messages.runsOfSessions(list.sessions);
  for (const run of runs.slice(0, FEW_RUNS)) if (run.newest >= oldest()) lookAtEach(list, [run], best);
  const next = runs[FEW_RUNS];
  return !list.isCostly && (next === undefined || next.newest < oldest());
}

/** From the newest id down. Ids rise nearly in the order of time: the runs tell how nearly. */
function walk(list: WordList, best: Foremost, oldest: () => number): void {
  const { messages, sessions } = list;
  const { sql, values } = list.query('select rowid', 'order by rowid desc', { between: stillWanted(list, oldest()) });
  let [seen, nextLook] = [0, FIRST_LOOK];
  for (const [row] of eachRow(messages.database, sql, ...values)) {
    const id = Number(row);
    const run = messages.runOf(id);
    if (run !== undefined && run.newest >= oldest()) list.put(run, id, best);
    if (++seen < nextLook || oldest() === Number.NEGATIVE_INFINITY) continue;
    const below = messages.runsBelow(id, { time: oldest(), sessions, most: FEW_RUNS + 1 });
    const left = below.map((older) => upTo(older, id - 1));
    if (left.length <= FEW_RUNS) {
      (list.isCostly ? lookAtAll : lookAtEach)(list, left, best);
      return;
    }
    nextLook = seen * 2;
  }
}

/** Where other lists have given as many as are asked for, what is older than all of these need not be walked over. */
function stillWanted({ between, messages }: WordList, oldest: number): [number, number] | null {
  if (oldest === Number.NEGATIVE_INFINITY) return between;
  const [first, last] = between ?? [0, Number.MAX_SAFE_INTEGER];
  return [Math.max(first, messages.firstSince(oldest)), last];
}

function upTo(run: Run, last: number): Run {
  return { ...run, last: Math.min(run.last, last) };
}

/** The runs are of sessions that are wanted. */
function lookAtEach(list: WordList, runs: readonly Run[], best: Foremost): void {
  for (const run of runs) {
    const { sql, values } = list.query('select rowid', '', { between: [run.first, run.last], isAnySession: true });
    for (const [id] of eachRow(list.messages.database, sql, ...values)) list.put(run, Number(id), best);
  }
}

/** The same in one go, where asking is what costs. */
function lookAtAll(list: WordList, runs: readonly Run[], best: Foremost): void {
  if (runs.length === 0) return;
  const between: [number, number] = [
    Math.min(...runs.map(({ first }) => first)),
    Math.max(...runs.map(({ last }) => last)),
  ];
  const among = `and (${runs.map(({ first, last }) => `+rowid between ${first} and ${last}`).join(' or ')})`;
  const { sql, values } = list.query('select rowid', among, { between, isAnySession: true });
  // Not kept: another query has other runs.
  for (const [row] of rowsOnce(list.messages.database, sql, ...values)) {
    const id = Number(row);
    const run = runs.find(({ first, last }) => first <= id && id <= last);
    if (run !== undefined) list.put(run, id, best);
  }
}
