// What was said, fetched in pieces as it comes into sight.

import type { ShownMessage } from '../../api.ts';
import { messages, whole } from '../ask.ts';

const PIECE = 40;
const MOST_PIECES = 150;

export class MessageStore {
  private readonly key: string;
  private readonly changed: () => void;
  private readonly known = new Map<number, ShownMessage[]>();
  private readonly wholes = new Map<number, ShownMessage>();
  private readonly asked = new Set<number>();

  constructor(key: string, changed: () => void) {
    this.key = key;
    this.changed = changed;
  }

  get(index: number): ShownMessage | undefined {
    return this.wholes.get(index) ?? this.known.get(Math.floor(index / PIECE))?.[index % PIECE];
  }

  want(from: number, to: number): void {
    for (let piece = Math.floor(from / PIECE); piece <= Math.floor(to / PIECE); piece++) {
      if (this.known.has(piece) || this.asked.has(piece)) continue;
      this.asked.add(piece);
      void this.fetch(piece);
    }
  }

  async all(index: number): Promise<void> {
    const [message] = (await whole(this.key, index)).messages;
    if (message !== undefined) this.wholes.set(index, message);
    this.changed();
  }

  /** The session has grown: its last turn may be otherwise now. */
  forgetFrom(index: number): void {
    for (const piece of [...this.known.keys()]) if ((piece + 1) * PIECE > index) this.known.delete(piece);
    for (const at of [...this.wholes.keys()]) if (at >= index) this.wholes.delete(at);
  }

  private async fetch(piece: number): Promise<void> {
    try {
      const answer = await messages(this.key, piece * PIECE, piece * PIECE + PIECE - 1);
      this.known.set(piece, answer.messages);
      for (const old of this.known.keys()) if (this.known.size > MOST_PIECES) this.known.delete(old);
    } catch {
      // It is asked for again when it comes into sight again.
    } finally {
      this.asked.delete(piece);
      this.changed();
    }
  }
}
