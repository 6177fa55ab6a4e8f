// What the model could still see, followed row by row.
//
// A running client only ever adds to its context, until a compaction replaces it or the
// person takes turns back (/rewind, Esc before the first byte): then the next prompt hangs on
// an older row. Other forks of the parentUuid tree are no branches: parallel tool results hang
// each on its own call, attachments and progress rows hang beside the line (2.1.x).

import type { SourceRef } from '../../schema/blocks.ts';
import { indicesIn, rangesOf } from '../../schema/context.ts';
import type { OpenedWindow, OutlineMessage } from '../../schema/outline.ts';

/** What a prompt took back: the messages it no longer builds on. */
export interface TakenBack {
  at: number;
  /** The message it builds on; null where it begins anew. */
  to: number | null;
  removed: number[];
}

export class ContextTrack {
  readonly windows: OpenedWindow[] = [];
  readonly takenBack: TakenBack[] = [];
  private readonly messages: readonly OutlineMessage[];
  /** Result message → the message whose call it answers. */
  private readonly answers: ReadonlyMap<number, number>;
  /** Rows that commands hang on wherever they are run: see isCaveat. */
  private readonly caveats: ReadonlySet<number>;
  /** Messages that the last compaction kept: they stand after the summary, whatever hangs on it. */
  private kept = new Set<number>();
  private live: number[] = [];
  /** Where a message stands in `live`; undefined where it does not. */
  private place: (number | undefined)[] = [];

  constructor(messages: readonly OutlineMessage[], answers: ReadonlyMap<number, number>, caveats: ReadonlySet<number>) {
    this.messages = messages;
    this.answers = answers;
    this.caveats = caveats;
  }

  /**
   * A new message. `parent` is the message it hangs on, null where it hangs on none,
   * undefined where that row is not (yet) known. `chain` gives the messages above one, oldest first.
   */
  add(index: number, parent: number | null | undefined, chain: (index: number) => number[]): void {
    if (this.windows.length === 0) {
      this.open({
        opened_at_index: index,
        opened_by: 'start',
        anchor: null,
        start: [],
        basis: 'recorded',
        confidence: 'high',
        evidence: [],
      });
    } else if (parent !== null && parent !== undefined) {
      this.follow(index, parent, chain);
    } else if (parent === null && this.beginsAnew(index)) {
      // A second root: back to before the first prompt, or rows of two conversations in one file: see taken-back.ts.
      this.takenBack.push({ at: index, to: null, removed: this.live });
      const evidence = this.rowsOf(index);
      this.open({
        opened_at_index: index,
        opened_by: 'resume',
        anchor: null,
        start: [],
        basis: 'inferred',
        confidence: 'low',
        evidence,
      });
    }
    this.push(index);
  }

  /** From `index` on the context is `start`, then what follows. */
  replace(window: OpenedWindow): void {
    this.open(window);
    const start = indicesIn(window.start);
    this.kept = new Set(start);
    for (const index of start) this.push(index);
  }

  private follow(index: number, parent: number, chain: (index: number) => number[]): void {
    const message = this.messages[index];
    const evidence = this.rowsOf(index);
    if (this.place[parent] === undefined) {
      // The row builds on a branch that was given up: somebody went back to it.
      const start = chain(parent).filter((above) => this.messages[above]?.sent);
      this.open({
        opened_at_index: index,
        opened_by: 'resume',
        anchor: null,
        start: rangesOf(start),
        basis: 'inferred',
        confidence: 'low',
        evidence,
      });
      for (const above of start) this.push(above);
      return;
    }
    if (message?.role !== 'user' || message.kind === 'tool_result' || message.blocks[0]?.type === 'attachment') return;
    if (message.kind === 'command' && this.caveats.has(parent)) return;
    const after = this.live.slice((this.place[parent] ?? 0) + 1);
    const removed = after.filter(
      (other) => !this.isBeside(other, parent) && !(this.kept.has(other) && this.kept.has(parent)),
    );
    if (!removed.some((other) => this.isSubstance(other))) return;
    const kept = this.kept.has(parent) ? this.kept : new Set<number>();
    const above = this.live.slice(0, (this.place[parent] ?? 0) + 1);
    const start = [...new Set([...above, ...kept])];
    this.takenBack.push({ at: index, to: parent, removed });
    this.open({
      opened_at_index: index,
      opened_by: 'rewind',
      anchor: message.id,
      start: rangesOf(start),
      basis: 'inferred',
      confidence: 'medium',
      evidence,
    });
    for (const index of start) this.push(index);
    this.kept = kept;
  }

  private rowsOf(index: number): SourceRef[] {
    return this.messages[index]?.source.slice(0, 1) ?? [];
  }

  /** A prompt or summary with no parent, after others: not an attachment or a late row. */
  private beginsAnew(index: number): boolean {
    const kind = this.messages[index]?.kind;
    return kind === 'prompt' || kind === 'command';
  }

  /** Results of the same parallel calls stand beside one another. */
  private isBeside(other: number, parent: number): boolean {
    const caller = this.answers.get(other);
    return caller !== undefined && caller === this.answers.get(parent);
  }

  private isSubstance(index: number): boolean {
    const kind = this.messages[index]?.kind;
    return kind === 'prompt' || kind === 'reply' || kind === 'tool_result';
  }

  private open(window: OpenedWindow): void {
    this.windows.push(window);
    this.live = [];
    this.kept = new Set();
    this.place = [];
  }

  private push(index: number): void {
    if (this.place[index] !== undefined) return;
    this.place[index] = this.live.length;
    this.live.push(index);
  }
}

/** A window replaced before anything was sent is no window. */
export function withoutUnsent(windows: OpenedWindow[], messages: readonly OutlineMessage[]): OpenedWindow[] {
  return windows.filter((window, i) => {
    const next = windows[i + 1];
    // A compaction sends the context that it replaces: to have it summarised.
    if (next === undefined || next.opened_by === 'compaction') return true;
    for (let index = window.opened_at_index; index < next.opened_at_index; index++) {
      const kind = messages[index]?.kind;
      if (kind === 'reply' || kind === 'prompt' || kind === 'tool_result') return true;
    }
    return false;
  });
}
