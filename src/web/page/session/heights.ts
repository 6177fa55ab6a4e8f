// The heights of very many rows, some measured, most of them guessed: sums and places in a few steps, however many there are.
// (A virtual list that keeps a record for each row took 60 ms to take in one new height among 100,000.)

export class Heights {
  readonly count: number;
  private readonly heights: Float64Array;
  /** A Fenwick tree: each entry holds the sum of a stretch that ends at it. */
  private readonly tree: Float64Array;

  constructor(count: number, height: (index: number) => number) {
    this.count = count;
    this.heights = Float64Array.from({ length: count }, (_, index) => height(index));
    this.tree = new Float64Array(count + 1);
    for (let i = 1; i <= count; i++) {
      this.tree[i] = (this.tree[i] ?? 0) + (this.heights[i - 1] ?? 0);
      const parent = i + (i & -i);
      if (parent <= count) this.tree[parent] = (this.tree[parent] ?? 0) + (this.tree[i] ?? 0);
    }
  }

  get total(): number {
    return this.top(this.count);
  }

  height(index: number): number {
    return this.heights[index] ?? 0;
  }

  /** Where a row begins: the heights of all before it. */
  top(index: number): number {
    let sum = 0;
    for (let i = Math.min(index, this.count); i > 0; i -= i & -i) sum += this.tree[i] ?? 0;
    return sum;
  }

  /** The row at a place. */
  at(place: number): number {
    let [index, left] = [0, place];
    for (let step = 2 ** Math.floor(Math.log2(Math.max(1, this.count))); step >= 1; step /= 2) {
      const sum = this.tree[index + step];
      if (index + step > this.count || sum === undefined || sum > left) continue;
      index += step;
      left -= sum;
    }
    return Math.min(index, Math.max(0, this.count - 1));
  }

  /** Gives by how much it has become higher. */
  set(index: number, height: number): number {
    const more = height - this.height(index);
    if (more === 0 || index >= this.count) return 0;
    this.heights[index] = height;
    for (let i = index + 1; i <= this.count; i += i & -i) this.tree[i] = (this.tree[i] ?? 0) + more;
    return more;
  }
}
