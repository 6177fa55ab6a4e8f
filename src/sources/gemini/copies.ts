// A project's folder may have been copied, with its logs: what a copy repeats has happened once. A file repeats another one for as
// long as its rows are the same from the first on; what it goes on with is its own.

import type { Entry } from './rows.ts';

export class Copies {
  /** What each file's rows were, by file. */
  private readonly rows: string[][] = [];
  /** The files that the present one has repeated so far. */
  private repeated: number[] = [];

  /** Whether a row, told in the order of the files, repeats the one of an earlier file at the same place. */
  repeats(entry: Entry): boolean {
    const { file } = entry.ref;
    if (this.rows[file] === undefined) this.repeated = Object.keys(this.rows).map(Number);
    this.rows[file] ??= [];
    const at = this.rows[file].push(markOf(entry)) - 1;
    this.repeated = this.repeated.filter((other) => this.rows[other]?.[at] === this.rows[file]?.[at]);
    return this.repeated.length > 0;
  }
}

/** Messages are known by their ids; a header may get a title later on, but begins when it began. A log that goes on from a document (whose header has no time of its own) repeats nothing. */
function markOf(entry: Entry): string {
  switch (entry.what) {
    case 'message':
      return `message ${entry.id}`;
    case 'header':
      return `header ${entry.time} ${entry.header.startTime}`;
    case 'context':
      return `context ${entry.time} ${entry.told.length} ${entry.told[0]?.id} ${entry.told.at(-1)?.id}`;
    case 'set':
      return `set ${entry.native_type} ${entry.time}`;
    case 'rewind':
      return `rewind ${entry.to}`;
    case 'restart':
    case 'unknown':
      return entry.what;
  }
}
