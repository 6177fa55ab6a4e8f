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
  private readonly failed = new Map<number, number>();
  /** How often the session has grown. */
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
  }

  async all(index: number): Promise<void> {
    const [message] = (await whole(this.key, index).catch(() => ({ messages: [] }))).messages;
    if (message !== undefined) this.wholes.set(index, message);
    this.changed();
  }

  /** The session has grown: what stands from here on may be otherwise now. */
  grewFrom(index: number): void {
    this.growth++;
    for (const piece of this.known.keys()) if ((piece + 1) * PIECE > index) this.old.add(piece);
    for (const at of [...this.wholes.keys()]) if (at >= index) this.wholes.delete(at);
  }

  private async fetch(piece: number): Promise<void> {
    const { growth } = this;
    try {
      const answer = await messages(this.key, piece * PIECE, piece * PIECE + PIECE - 1);
      this.known.set(piece, answer.messages);
      // Asked before it grew, answered after: the end of it may be missing.
      if (growth === this.growth) this.old.delete(piece);
      else this.old.add(piece);
      for (const other of this.known.keys()) if (this.known.size > MOST_PIECES) this.known.delete(other);
    } catch {
      this.failed.set(piece, performance.now());
    } finally {
      this.asked.delete(piece);
      this.changed();
    }
  }
}
