// From one version of the tables to the next. Everything can be made anew from the agents' files, but that takes minutes for
// a large history: so what can be carried over is.

import type { DatabaseSync } from 'node:sqlite';
import { FAMILIES, LISTED_NAMES, MERGING, READINGS, STORE_VERSION, UNREAD } from './tables.ts';

/** Older ones lack what later ones keep of the files: nothing can be carried over, and they are made anew. */
export const OLDEST_VERSION = 2;

export type DatabaseKind = 'main' | 'shard';

/** By the version that they start from; each is one transaction. When a table changes again, the step to it keeps it as it was. */
const STEPS: Record<number, Record<DatabaseKind, string>> = {
  // Ids of sessions that were gone had been given to others, and sums may have been told of the wrong ones.
  2: {
    main: `
      drop index families_by_tier;
      drop index families_by_shard;
      alter table families rename to old_families;
      ${FAMILIES}
      insert into families select * from old_families;
      drop table old_families;
      delete from meta where name = 'sums';
      delete from usage_sums;
      delete from usage_days;
      delete from request_places;`,
    shard: '',
  },
  // Files that could not be opened were taken for read, and stayed so when they could be.
  3: {
    main: `
      ${UNREAD}
      update families set fingerprint = '' where id in (select family from sessions where diagnostics <> '[]');
      delete from listings;`,
    shard: '',
  },
  // A session that had grown was read again from its beginning.
  4: { main: '', shard: READINGS },
  // Now and then a session that grew by a line had all words merged; and each time the names of all files were written.
  5: {
    main: `
      ${LISTED_NAMES}
      insert into listed_names select root, names from listings;
      alter table listings drop column names;`,
    shard: MERGING,
  },
};

export function migrate(database: DatabaseSync, kind: DatabaseKind): void {
  while (versionOf(database) < STORE_VERSION) {
    database.exec('begin immediate');
    // Another process may have done it by now.
    const version = versionOf(database);
    const step = version < STORE_VERSION ? `${STEPS[version]?.[kind] ?? ''} pragma user_version = ${version + 1};` : '';
    database.exec(`${step} commit`);
  }
}

export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('pragma user_version').get()?.user_version ?? 0);
}
