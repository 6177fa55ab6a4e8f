// All that the lines of a session say, in their order, before anything is made of it.

import { Copies } from './copies.ts';
import type { Entry, Told } from './rows.ts';

export interface Taken {
  entry: Entry;
  /** Whether it stands for its line: of several on one line, the first does. */
  isLine: boolean;
  /** It only records the kept history again. */
  isAgain: boolean;
  /** It repeats what an earlier file of the session has at the same place. */
  isCopied: boolean;
  /** What stood before it. */
  before: Entry['what'] | null;
  /** The message of the row after it, where that is one; settings do not count. */
  next: Told | undefined;
  /** Who asked for the compaction, on a context that is one. */
  trigger: 'manual' | 'auto' | null;
}

const LET_GO: Entry = {
  what: 'unknown',
  native_type: '',
  ref: { file: 0, line: 0, offset: 0, length: 0, pointer: null },
  time: null,
};

export class Entries {
  readonly firstRows = new Map<string, Told>();
  private readonly all: Entry[] = [];
  private readonly areLines: boolean[] = [];

  add(entry: Entry, isLine: boolean): void {
    this.all.push(entry);
    this.areLines.push(isLine);
    const told = entry.what === 'context' ? entry.told : entry.what === 'message' ? [entry] : [];
    for (const row of told) if (!this.firstRows.has(row.id)) this.firstRows.set(row.id, row);
  }

  /** Each in its order, once: it is let go of, for what it tells is then in the messages. */
  *take(): Iterable<Taken> {
    const again = recordedAgain(this.all);
    const copies = new Copies();
    const isOfSeveral = (this.all.at(-1)?.ref.file ?? 0) > 0;
    this.firstRows.clear();
    let before: Entry['what'] | null = null;
    for (const [i, entry] of this.all.entries()) {
      const trigger = entry.what === 'context' ? triggerAfter(this.all, i) : null;
      const isCopied = isOfSeveral && copies.repeats(entry);
      const next = entry.what === 'message' ? messageAfter(this.all, i) : undefined;
      yield { entry, isLine: this.areLines[i] === true, isAgain: again.has(i), isCopied, before, next, trigger };
      before = entry.what;
      this.all[i] = LET_GO;
    }
  }
}

/**
 * Entries that record the kept history again under new ids, right before the context that consists of exactly those ids
 * (0.57 on, after a refusal).
 */
function recordedAgain(entries: Entry[]): Set<number> {
  const again = new Set<number>();
  const firstAt = new Map<string, number>();
  entries.forEach((entry, at) => {
    if (entry.what === 'message' && !firstAt.has(entry.id)) firstAt.set(entry.id, at);
    if (entry.what !== 'context' || entry.told.length === 0) return;
    const run: number[] = [];
    for (let i = at - 1; i >= 0 && run.length < entry.told.length; i--) {
      const before = entries[i];
      if (before?.what === 'set') continue;
      const id = entry.told[entry.told.length - 1 - run.length]?.id;
      if (before?.what !== 'message' || before.id !== id || firstAt.get(before.id) !== i) break;
      run.push(i);
    }
    if (run.length === entry.told.length) for (const i of run) again.add(i);
  });
  return again;
}

function messageAfter(entries: Entry[], at: number): Told | undefined {
  let i = at + 1;
  while (entries[i]?.what === 'set') i++;
  const next = entries[i];
  return next?.what === 'message' ? next : undefined;
}

/** What follows a snapshot: an empty note after /compress, a note in words where the client did it by itself. */
function triggerAfter(entries: Entry[], at: number): 'manual' | 'auto' | null {
  const next = entries.slice(at + 1, at + 4).find((entry) => entry.what === 'message');
  if (next?.what !== 'message' || next.type !== 'info') return null;
  if (next.text === '') return 'manual';
  return next.text.startsWith('Context compressed from ') ? 'auto' : null;
}
