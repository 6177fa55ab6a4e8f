// Where the reading of large files that grow was left, and what had been made of them by then.

import type { DatabaseSync } from 'node:sqlite';

/** Of one file of a family. */
export interface StoredReading {
  path: string;
  /** How many of its bytes were read. */
  reach: number;
  /** Long strings were cut as they were read. */
  cut: boolean;
  /** All that it hangs on: whoever would go on must say the same. */
  bound: string;
  /** Where it was left, as JSON. */
  place: string;
  /** A hash of place and state: damage is found by it. */
  sum: string;
  state: Uint8Array;
}

/** So many are kept in a shard, those that were written last. */
const MOST = 8;

export class LeftReadings {
  private readonly sql;
  /** There may be some: else nothing needs to be removed of each family that is written. */
  private hasSome: boolean;

  constructor(database: DatabaseSync) {
    this.hasSome = database.prepare('select 1 from readings limit 1').get() !== undefined;
    this.sql = {
      of: database.prepare('select path, reach, cut, bound from readings where family = ?'),
      get: database.prepare(
        'select path, reach, cut, bound, place, sum, state from readings where family = ? and path = ?',
      ),
      put: database.prepare('insert or replace into readings values (?, ?, ?, ?, ?, ?, ?, ?)'),
      remove: database.prepare('delete from readings where family = ?'),
      forget: database.prepare(
        `delete from readings where rowid not in (select rowid from readings order by rowid desc limit ${MOST})`,
      ),
    };
  }

  /** How far the files of a family were read. */
  of(family: number): Pick<StoredReading, 'path' | 'reach' | 'cut' | 'bound'>[] {
    return this.sql.of.all(family).map(({ path, reach, cut, bound }) => ({
      path: String(path),
      reach: Number(reach),
      cut: cut === 1,
      bound: String(bound),
    }));
  }

  get(family: number, path: string): StoredReading | undefined {
    const row = this.sql.get.get(family, path);
    if (row === undefined) return undefined;
    // The columns are those of the interface, but for a number that is a truth value.
    return { ...(row as unknown as StoredReading), cut: row.cut === 1 };
  }

  put(family: number, readings: readonly StoredReading[]): void {
    this.hasSome ||= readings.length > 0;
    for (const { path, reach, cut, bound, place, sum, state } of readings)
      this.sql.put.run(family, path, reach, cut ? 1 : 0, bound, place, sum, state);
    if (readings.length > 0) this.sql.forget.run();
  }

  remove(family: number): void {
    if (this.hasSome) this.sql.remove.run(family);
  }
}
