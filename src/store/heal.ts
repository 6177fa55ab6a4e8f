// After a crash a shard may hold words of which the main database knows nothing, or lack some that it counts on.

import type { DatabaseSync } from 'node:sqlite';
import type { Store } from './open.ts';
import { WordWriter } from './write-words.ts';

/** Does every shard hold what the main database counts on? */
export function isWhole({ main, shards }: Store): boolean {
  return shards.length > 0 && shards.every((database, shard) => isSound(main, database, shard));
}

export function heal({ main, shards }: Store): void {
  shards.forEach((database, shard) => {
    if (!isSound(main, database, shard)) healShard(main, database, shard);
  });
}

function isSound(main: DatabaseSync, database: DatabaseSync, shard: number): boolean {
  const counted = main
    .prepare('select count(*) as count, total(stamp) as stamps from families where shard = ?')
    .get(shard);
  const there = database.prepare('select count(*) as count, total(stamp) as stamps from families').get();
  return counted?.count === there?.count && counted?.stamps === there?.stamps;
}

function healShard(main: DatabaseSync, database: DatabaseSync, shard: number): void {
  const known = stampsIn(main, 'select id, stamp from families where shard = ?', shard);
  const found = stampsIn(database, 'select family as id, stamp from families');
  const writer = new WordWriter(database);
  for (const [id, stamp] of found) if (known.get(id) !== stamp) writer.remove(id);
  writer.commit();
  const lost = main.prepare("update families set tier = -1, shard = null, stamp = null, fingerprint = '' where id = ?");
  for (const [id, stamp] of known) if (found.get(id) !== stamp) lost.run(id);
}

function stampsIn(database: DatabaseSync, sql: string, ...values: number[]): Map<number, number> {
  const rows = database.prepare(sql).all(...values);
  return new Map(rows.map(({ id, stamp }) => [Number(id), Number(stamp)]));
}
