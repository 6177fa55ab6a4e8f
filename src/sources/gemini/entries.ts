// All that the lines of a session say, in their order, before anything is made of it.

import type { Entry, Told } from './rows.ts';

/** Every context repeats all that is in it: what the first row of an id says is held once. */
export class Entries {
  readonly all: Entry[] = [];
  private readonly firstRows = new Map<string, Told>();

  add(entry: Entry): void {
    const isContext = entry.what === 'context';
    this.all.push(isContext ? { ...entry, told: entry.told.map((told) => this.shared(told)) } : entry);
    if (entry.what === 'message' && !this.firstRows.has(entry.id)) this.firstRows.set(entry.id, entry);
  }

  private shared(told: Told): Told {
    const first = this.firstRows.get(told.id);
    if (first === undefined) this.firstRows.set(told.id, told);
    if (first === undefined) return told;
    const { blocks, keys, calls, answers, text, tokens, display } = first;
    return { ...told, blocks, keys, calls, answers, text, tokens, display };
  }
}

/**
 * Entries that record the kept history again under new ids, right before the context that consists of exactly those ids
 * (0.57 on, after a refusal).
 */
export function recordedAgain(entries: Entry[]): Set<number> {
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

/** What follows a snapshot: an empty note after /compress, a note in words where the client did it by itself. */
export function triggerAfter(entries: Entry[], at: number): 'manual' | 'auto' | null {
  const next = entries.slice(at + 1, at + 4).find((entry) => entry.what === 'message');
  if (next?.what !== 'message' || next.type !== 'info') return null;
  if (next.text === '') return 'manual';
  return next.text.startsWith('Context compressed from ') ? 'auto' : null;
}
