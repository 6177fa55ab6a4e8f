// Prepared statements, kept with their database: preparing takes longer than most of them run.

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

const prepared = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** Rows come as lists of their columns. */
export function rowsOf(database: DatabaseSync, sql: string, ...values: SQLInputValue[]): unknown[][] {
  return statement(database, sql).all(...values) as unknown as unknown[][];
}

/** The same for a statement that is asked once, and not kept. */
export function rowsOnce(database: DatabaseSync, sql: string, ...values: SQLInputValue[]): unknown[][] {
  const once = database.prepare(sql);
  once.setReturnArrays(true);
  return once.all(...values) as unknown as unknown[][];
}

/** The same one by one, for who may stop early. No statement may be begun again while it is gone through. */
export function eachRow(database: DatabaseSync, sql: string, ...values: SQLInputValue[]): Iterable<unknown[]> {
  return statement(database, sql).iterate(...values) as unknown as Iterable<unknown[]>;
}

function statement(database: DatabaseSync, sql: string): StatementSync {
  const known = prepared.get(database) ?? new Map<string, StatementSync>();
  prepared.set(database, known);
  const made = known.get(sql) ?? database.prepare(sql);
  if (!known.has(sql)) made.setReturnArrays(true);
  known.set(sql, made);
  return made;
}
