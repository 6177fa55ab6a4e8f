// What was said, fetched in pieces as it comes into sight.

import type { ShownMessage } from '../../api.ts';
import { messages, whole } from '../ask.ts';

const PIECE = 40;
const MOST_PIECES = 150;
/** What could not be had is asked for again after this. */
const AGAIN_MS = 4000;

export class MessageStore {
  private readonly key: string;
  private readonly changed: () => void;
  private readonly known = new Map<number, ShownMessage[]>();
  private readonly wholes = new Map<number, ShownMessage>();
  private readonly asked = new Set<number>();
  /** Pieces that may read otherwise by now: they are shown until they have come again. */
  private readonly old = new Set<number>();
  /** Messages that were fetched whole, and may read otherwise by now. */
  private readonly oldWholes = new Set<number>();
  private readonly failed = new Map<number, number>();
  /** Why what was asked for last could not be had. */
  trouble: string | null = null;
  /** How often the session was read again. */
  private growth = 0;

  constructor(key: string, changed: () => void) {
    this.key = key;
    this.changed = changed;
  }

  get(index: number): ShownMessage | undefined {
    return this.wholes.get(index) ?? this.known.get(Math.floor(index / PIECE))?.[index % PIECE];
  }

  want(from: number, to: number): void {
    for (let piece = Math.floor(from / PIECE); piece <= Math.floor(to / PIECE); piece++) {
      const isThere = this.known.has(piece) && !this.old.has(piece);
      const isHopeless = performance.now() - (this.failed.get(piece) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS;
      if (isThere || isHopeless || this.asked.has(piece)) continue;
      this.asked.add(piece);
      void this.fetch(piece);
    }
    for (const index of this.oldWholes) if (index >= from && index <= to) void this.all(index);
  }

  async all(index: number): Promise<void> {
    this.oldWholes.delete(index);
    try {
      const [message] = (await whole(this.key, index)).messages;
      if (message !== undefined) this.wholes.set(index, message);
      this.trouble = null;
    } catch (error) {
      this.trouble = (error as Error).message;
    }
    this.changed();
  }

  /** The session was read again. Mostly it has grown; but its file may have been written anew, and then any message may be another. */
  mayDiffer(): void {
    this.growth++;
    this.failed.clear();
    for (const piece of this.known.keys()) this.old.add(piece);
    for (const index of this.wholes.keys()) this.oldWholes.add(index);
  }

  private async fetch(piece: number): Promise<void> {
    const { growth } = this;
    try {
      const answer = await messages(this.key, piece * PIECE, piece * PIECE + PIECE - 1);
      this.known.set(piece, answer.messages);
      // Asked before, answered after: it may be as it was.
      if (growth === this.growth) this.old.delete(piece);
      else this.old.add(piece);
      this.trouble = null;
      for (const other of this.known.keys()) if (this.known.size > MOST_PIECES) this.known.delete(other);
    } catch (error) {
      this.failed.set(piece, performance.now());
      this.trouble = (error as Error).message;
    } finally {
      this.asked.delete(piece);
      this.changed();
    }
  }
}
