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

/** What is read in between is read as of one moment, and many statements take one lock: each by itself would take as long for that as to be run. */
export function reading<T>(database: DatabaseSync, work: () => T): T {
  if (database.isTransaction) return work();
  database.exec('begin');
  try {
    return work();
  } finally {
    database.exec('commit');
  }
}
