// The messages of a session without their text, one after the other in as few bytes as they need: a row for each took a
// third of the time in which a history is indexed, and a third of the store.

import type { MessageWords, RowPlace } from './rows.ts';

/**
 * So many messages are packed together. A session may have tens of thousands: who looks for one of them unpacks no more than its
 * piece, and who appends some writes no more than the last.
 */
export const PIECE = 512;

/** Where a message lies and what it is: enough to find it and to read its text again. */
export interface StoredMessage {
  /** Its index in the session. */
  position: number;
  kind: number;
  /** Milliseconds since 1970. */
  time: number | null;
  /** The shard's number for how its blocks lie in its rows. */
  shape: number;
  /** Names of the tools that it calls, or whose results it holds, between spaces. */
  tools: string | null;
  /** File, line, offset and length of each of its rows. */
  places: number[][];
}

export interface PackedOutline {
  messages: Uint8Array;
  /** The lists of tool names that the messages have. */
  tools: string;
}

export class OutlinePacker {
  private bytes = Buffer.allocUnsafe(4096);
  private length = 0;
  private readonly ends: number[] = [];
  private readonly tools = new Map<string, number>();
  private readonly last = { position: 0, time: 0, line: 0, offset: 0 };

  add({ position, kind, time, tools, places }: MessageWords, shape: number): void {
    const { last } = this;
    this.room(64 + places.length * 40);
    this.number(position - last.position);
    this.number(kind);
    this.number(time === null ? 0 : 1);
    if (time !== null) this.signed(time - last.time);
    this.number(shape);
    this.number(tools === null ? 0 : this.toolsNumber(tools));
    this.number(places.length);
    for (let i = 0; i < places.length; i++) {
      const { file, line, offset, length } = places[i] as RowPlace; // a place of the list
      this.number(file);
      this.signed(line - last.line);
      this.signed(offset - last.offset);
      this.number(length);
      last.line = line;
      last.offset = offset;
    }
    last.position = position;
    last.time = time ?? last.time;
    this.ends.push(this.length);
  }

  get count(): number {
    return this.ends.length;
  }

  finish(): PackedOutline {
    return { messages: this.bytes.subarray(0, this.length), tools: JSON.stringify([...this.tools.keys()]) };
  }

  /** How many messages from the first on are, byte for byte, as they were. */
  sameAs(old: PackedOutline): number {
    const known: string[] = JSON.parse(old.tools);
    const names = [...this.tools.keys()];
    // A number that stands for another name now makes its message another one; the first such name is where to stop.
    const names_same = known.findIndex((name, i) => names[i] !== name);
    if (names_same !== -1 && names_same < names.length) return 0;
    const most = Math.min(old.messages.length, this.length);
    let same = 0;
    while (same < most && old.messages[same] === this.bytes[same]) same++;
    let count = 0;
    while (count < this.ends.length && (this.ends[count] ?? 0) <= same) count++;
    return count;
  }

  private toolsNumber(tools: string): number {
    const known = this.tools.get(tools) ?? this.tools.size + 1;
    this.tools.set(tools, known);
    return known;
  }

  private room(bytes: number): void {
    if (this.length + bytes <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe((this.length + bytes) * 2);
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }

  /** Seven bits a byte, the lowest first; the eighth says that more follow. */
  private number(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.bytes[this.length++] = rest;
  }

  private signed(value: number): void {
    this.number(value < 0 ? -value * 2 - 1 : value * 2);
  }
}

export function unpackOutline({ messages: bytes, tools: names }: PackedOutline): StoredMessage[] {
  const tools: string[] = JSON.parse(names);
  const messages: StoredMessage[] = [];
  const last = { position: 0, time: 0, line: 0, offset: 0 };
  let at = 0;
  const number = (): number => {
    let [value, factor] = [0, 1];
    for (let byte = bytes[at++] ?? 0; ; byte = bytes[at++] ?? 0) {
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
    }
  };
  const signed = (): number => {
    const value = number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  while (at < bytes.length) {
    last.position += number();
    const kind = number();
    const hasTime = number() === 1;
    if (hasTime) last.time += signed();
    const shape = number();
    const tool = number();
    const places = Array.from({ length: number() }, () => {
      const file = number();
      last.line += signed();
      last.offset += signed();
      return [file, last.line, last.offset, number()];
    });
    const time = hasTime ? last.time : null;
    messages.push({ position: last.position, kind, time, shape, tools: tools[tool - 1] ?? null, places });
  }
  return messages;
}
