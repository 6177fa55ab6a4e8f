// The messages of a packed outline by columns: who looks through thousands of them for a time or a kind needs no objects.

import type { PackedOutline, StoredMessage } from './packed-outline.ts';

/** No message takes fewer bytes. */
const LEAST_BYTES = 6;

export class OutlineColumns {
  readonly count: number;
  readonly positions: Uint32Array;
  readonly kinds: Uint8Array;
  /** Milliseconds since 1970; NaN where none was recorded. */
  readonly times: Float64Array;
  private readonly shapes: Uint32Array;
  private readonly toolNumbers: Uint32Array;
  private readonly names: string[];
  private readonly bytes: Uint8Array;
  /** Where the places of each begin. */
  private readonly placesAt: Uint32Array;
  /** For each message, the line and the offset that its places count from. */
  private origins: Float64Array | undefined;
  private at = 0;

  constructor({ messages, tools }: PackedOutline) {
    const most = Math.ceil(messages.length / LEAST_BYTES);
    this.bytes = messages;
    this.names = JSON.parse(tools);
    this.positions = new Uint32Array(most);
    this.kinds = new Uint8Array(most);
    this.times = new Float64Array(most);
    this.shapes = new Uint32Array(most);
    this.toolNumbers = new Uint32Array(most);
    this.placesAt = new Uint32Array(most);
    this.count = this.read();
  }

  /** The names of its tools between spaces; null for none. */
  toolsOf(number: number): string | null {
    return this.names[(this.toolNumbers[number] ?? 0) - 1] ?? null;
  }

  /** Bytes of the longest of its rows. */
  longestRow(number: number): number {
    this.at = this.placesAt[number] ?? 0;
    let longest = 0;
    for (let rest = this.number(); rest > 0; rest--) {
      this.skip();
      this.skip();
      this.skip();
      longest = Math.max(longest, this.number());
    }
    return longest;
  }

  /** One message, whole. */
  message(number: number): StoredMessage {
    this.origins ??= this.readOrigins();
    let [line, offset] = [this.origins[number * 2] ?? 0, this.origins[number * 2 + 1] ?? 0];
    this.at = this.placesAt[number] ?? 0;
    const places = Array.from({ length: this.number() }, () => {
      const file = this.number();
      line += this.signed();
      offset += this.signed();
      return [file, line, offset, this.number()];
    });
    const time = this.times[number] ?? Number.NaN;
    return {
      position: this.positions[number] ?? 0,
      kind: this.kinds[number] ?? 0,
      time: Number.isNaN(time) ? null : time,
      shape: this.shapes[number] ?? 0,
      tools: this.toolsOf(number),
      places,
    };
  }

  private read(): number {
    const { bytes } = this;
    let [count, position, time] = [0, 0, 0];
    while (this.at < bytes.length) {
      position += this.number();
      this.positions[count] = position;
      this.kinds[count] = this.number();
      const hasTime = this.number() === 1;
      if (hasTime) time += this.signed();
      this.times[count] = hasTime ? time : Number.NaN;
      this.shapes[count] = this.number();
      this.toolNumbers[count] = this.number();
      this.placesAt[count] = this.at;
      for (let rest = this.number() * 4; rest > 0; rest--) this.skip();
      count++;
    }
    return count;
  }

  private readOrigins(): Float64Array {
    const origins = new Float64Array(this.count * 2);
    let [line, offset] = [0, 0];
    for (let number = 0; number < this.count; number++) {
      origins[number * 2] = line;
      origins[number * 2 + 1] = offset;
      this.at = this.placesAt[number] ?? 0;
      for (let rest = this.number(); rest > 0; rest--) {
        this.skip();
        line += this.signed();
        offset += this.signed();
        this.skip();
      }
    }
    return origins;
  }

  private skip(): void {
    while ((this.bytes[this.at++] ?? 0) >= 0x80);
  }

  private number(): number {
    const { bytes } = this;
    let byte = bytes[this.at++] ?? 0;
    if (byte < 0x80) return byte;
    let [value, factor] = [byte & 0x7f, 0x80];
    do {
      byte = bytes[this.at++] ?? 0;
      value += (byte & 0x7f) * factor;
      factor *= 0x80;
    } while (byte >= 0x80);
    return value;
  }

  private signed(): number {
    const value = this.number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
