// What the model could still see, followed row by row.
//
// A running client only ever adds to its context, until a compaction replaces it or the
// person takes turns back (/rewind, Esc before the first byte): then the next prompt hangs on
// an older row. Other forks of the parentUuid tree are no branches: parallel tool results hang
// each on its own call, attachments and progress rows hang beside the line (2.1.x), and may come when the line has gone on elsewhere.

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

/** Messages in the context, where each stands among them, and those that a compaction kept. */
interface InContext {
  live: number[];
  place: (number | undefined)[];
  kept: Set<number>;
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
  /** What was in the context before the last prompt or command took something back. */
  private before: InContext | null = null;
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
      if (this.place[parent] === undefined) this.goOnFrom(parent);
      if (this.place[parent] === undefined && this.hangsBeside(index)) return;
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

  /** A row that builds on what was taken back shows that it was not: a command that is run while the agent works hangs on the prompt. */
  private goOnFrom(parent: number): void {
    const { before } = this;
    if (before === null || before.place[parent] === undefined) return;
    const since = this.live.filter((index) => before.place[index] === undefined);
    if (since.some((index) => this.isSubstance(index))) return;
    this.windows.pop();
    this.takenBack.pop();
    [this.live, this.place, this.kept] = [before.live, before.place, before.kept];
    this.before = null;
    for (const index of since) this.push(index);
  }

  /** Results and attachments take nothing back; and where what they hang on is gone from the context they change nothing: who builds on them does. */
  private hangsBeside(index: number): boolean {
    const message = this.messages[index];
    return message?.kind === 'tool_result' || message?.blocks[0]?.type === 'attachment';
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
    // What tells that the agent was stopped takes nothing back.
    if (message?.role !== 'user' || message.kind === 'interruption' || this.hangsBeside(index)) return;
    if (message.kind === 'command' && this.caveats.has(parent)) return;
    const after = this.live.slice((this.place[parent] ?? 0) + 1);
    const { live, place, kept } = this;
    const stays = (other: number) => this.messages[parent]?.kind === 'summary' && kept.has(other) && kept.has(parent);
    const removed = after.filter((other) => !this.isBeside(other, parent) && !stays(other));
    if (!removed.some((other) => this.isSubstance(other) && !this.isAnswerTo(other, parent))) return;
    const start = [...live.slice(0, (place[parent] ?? 0) + 1), ...after.filter(stays)];
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
    this.kept = new Set(start.filter((index) => kept.has(index)));
    this.before = { live, place, kept };
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

  /** The result of a call that stays: nobody goes back to between the two. Rows of parallel results may stand behind what follows them. */
  private isAnswerTo(other: number, parent: number): boolean {
    const caller = this.answers.get(other);
    const place = caller === undefined ? undefined : this.place[caller];
    return place !== undefined && place <= (this.place[parent] ?? -1);
  }

  private isSubstance(index: number): boolean {
    const kind = this.messages[index]?.kind;
    return kind === 'prompt' || kind === 'reply' || kind === 'tool_result';
  }

  private open(window: OpenedWindow): void {
    this.windows.push(window);
    this.before = null;
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
