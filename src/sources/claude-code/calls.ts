// The calls of tools by their ids: which message made them, and whether they were answered.

import type { SourceRef } from '../../schema/blocks.ts';
import { purposeOf } from './tools.ts';

export class Calls {
  private readonly made = new Map<string, { name: string; caller: number }>();
  /** When calls were made that stand in a later row of their message. */
  readonly times = new Map<string, string>();
  private readonly answered = new Set<string>();
  private readonly running = new Map<string, SourceRef>();

  /** `time` is that of its row, where that is not the first of its message. */
  add(id: string, name: string, caller: number, time: string | null): void {
    if (this.made.has(id)) return;
    this.made.set(id, { name, caller });
    if (time !== null) this.times.set(id, time);
  }

  /** A call has a result, whatever it says. */
  answer(id: string): void {
    this.answered.add(id);
  }

  isAnswered(id: string): boolean {
    return this.answered.has(id);
  }

  /** A row that tells how the call gets on. */
  progress(id: string, row: SourceRef): void {
    this.running.set(id, row);
  }

  /** The last such row. */
  progressOf(id: string): SourceRef | undefined {
    return this.running.get(id);
  }

  nameOf(id: string): string | undefined {
    return this.made.get(id)?.name;
  }

  callerOf(id: string): number | undefined {
    return this.made.get(id)?.caller;
  }

  purposeOf(id: string): ReturnType<typeof purposeOf> {
    return purposeOf(this.nameOf(id) ?? '');
  }

  /** Where each stands in the order in which they were made. */
  places(): Map<string, number> {
    return new Map([...this.made.keys()].map((id, i) => [id, i]));
  }

  /** By the message that made them. */
  unanswered(): Map<number, string[]> {
    const open = new Map<number, string[]>();
    this.made.forEach(({ caller }, id) => {
      if (!this.answered.has(id)) open.set(caller, [...(open.get(caller) ?? []), id]);
    });
    return open;
  }
}
