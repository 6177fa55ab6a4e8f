// A store of which what was written last stands in a log.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openStore, type Store } from '../src/store/open.ts';

/** As that of a large history would be: a log stays only beside a database that is much larger. */
export function fill({ main, shards }: Store): void {
  for (const database of [main, ...shards]) database.exec('create table filler as select zeroblob(4000000) as bytes');
}

export function leaveLog(folder: string): void {
  const first = openStore(folder);
  fill(first);
  first.close();
  const second = openStore(folder);
  second.main.exec("insert into meta values ('written last', '')");
  second.close();
}

/** Bytes of the log of the main database. */
export function leftIn(folder: string): number {
  return statSync(join(folder, 'main.db-wal'), { throwIfNoEntry: false })?.size ?? 0;
}
