import type { DatabaseSync } from 'node:sqlite';

/** All of it or nothing. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('begin immediate');
  try {
    const done = work();
    database.exec('commit');
    return done;
  } catch (error) {
    // Where the disk is full it has been rolled back already.
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}
