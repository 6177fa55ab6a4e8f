// Which ids were there before, for very many of them: as strings in a `Set` they took a tenth of the time of everything else.

const FIRST_SLOTS = 512;

/** Ids as numbers of 64 bits. What it has not seen is new; what it has seen may be another id, though that hardly ever happens. */
export class SeenIds {
  /** Two numbers a slot; both are zero where it is free. */
  private slots = new Uint32Array(2 * FIRST_SLOTS);
  private count = 0;

  /** Notes an id, given in bytes; says whether it may have been noted before. */
  add(bytes: Uint8Array, from: number, to: number): boolean {
    let a = 0x811c9dc5;
    let b = 0x9e3779b9 | 0;
    // Four bytes at a time; what is behind the last one counts as zeros, and the length with it.
    for (let at = from; at < to; at += 4) {
      const left = to - at;
      const four =
        (bytes[at] ?? 0) |
        (left > 1 ? (bytes[at + 1] ?? 0) << 8 : 0) |
        (left > 2 ? (bytes[at + 2] ?? 0) << 16 : 0) |
        (left > 3 ? (bytes[at + 3] ?? 0) << 24 : 0);
      // As in text-hash.ts: no `Math.imul`, and what is in the high bits is brought down.
      a = ((a ^ four) * 0x01b3) | 0;
      a ^= a >>> 15;
      b = ((b ^ four) * 0x3a8d) | 0;
      b ^= b >>> 13;
    }
    a ^= to - from;
    if (this.count * 4 > this.slots.length) this.grow();
    const isNew = put(this.slots, a >>> 0, (b | 1) >>> 0);
    if (isNew) this.count++;
    return !isNew;
  }

  private grow(): void {
    const larger = new Uint32Array(this.slots.length * 2);
    for (let i = 0; i < this.slots.length; i += 2) {
      const b = this.slots[i + 1] ?? 0;
      if (b !== 0) put(larger, this.slots[i] ?? 0, b);
    }
    this.slots = larger;
  }
}

/** Puts a number in; false where it is in there. */
function put(slots: Uint32Array, a: number, b: number): boolean {
  const mask = slots.length / 2 - 1;
  for (let slot = a & mask; ; slot = (slot + 1) & mask) {
    const there = slots[2 * slot + 1];
    if (there === 0) {
      slots[2 * slot] = a;
      slots[2 * slot + 1] = b;
      return true;
    }
    if (there === b && slots[2 * slot] === a) return false;
  }
}
