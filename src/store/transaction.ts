import type { DatabaseSync } from 'node:sqlite';

/** All of it or nothing. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  return between(database, 'begin immediate', work);
}

/** What is read is read as of one moment, and under one lock: a lock for each of thousands of statements would take as long as they do. */
export function reading<T>(database: DatabaseSync, work: () => T): T {
  return between(database, 'begin', work);
}

function between<T>(database: DatabaseSync, begin: string, work: () => T): T {
  database.exec(begin);
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
