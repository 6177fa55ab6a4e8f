// The calls of tools by their ids: which message made them, and whether they were answered.

import type { SourceRef } from '../../schema/blocks.ts';
import { purposeOf } from './tools.ts';

interface Call {
  name: string;
  caller: number;
  isAnswered: boolean;
}

export class Calls {
  private readonly made = new Map<string, Call>();
  /** When calls were made that stand in a later row of their message. */
  readonly times = new Map<string, string>();
  /** Answers to calls that have not been told yet. */
  private readonly answered = new Set<string>();
  private readonly running = new Map<string, SourceRef>();

  /** `time` is that of its row, where that is not the first of its message. */
  add(id: string, name: string, caller: number, time: string | null): void {
    if (this.made.has(id)) return;
    this.made.set(id, { name, caller, isAnswered: this.answered.has(id) });
    if (time !== null) this.times.set(id, time);
  }

  /** A call has a result, whatever it says. Gives the message that made it. */
  answer(id: string): number | undefined {
    const call = this.made.get(id);
    if (call === undefined) this.answered.add(id);
    else call.isAnswered = true;
    return call?.caller;
  }

  isAnswered(id: string): boolean {
    return this.made.get(id)?.isAnswered ?? this.answered.has(id);
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
    this.made.forEach(({ caller, isAnswered }, id) => {
      if (!isAnswered) open.set(caller, [...(open.get(caller) ?? []), id]);
    });
    return open;
  }
}
