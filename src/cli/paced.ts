// Work that may be wanted often and may take long: each piece is done as soon as it can be, and takes no more than a tenth of the time.

const REST = 9;

interface Wanted {
  due: number;
  work: () => void;
}

export class Paced {
  private readonly restsUntil = new Map<string, number>();
  private readonly wanted = new Map<string, Wanted>();
  private timer: NodeJS.Timeout | undefined;

  /** Would it be done at once? */
  isRested(key: string): boolean {
    return (this.restsUntil.get(key) ?? 0) <= performance.now();
  }

  do(key: string, work: () => void): void {
    const begun = performance.now();
    this.wanted.delete(key);
    work();
    const end = performance.now();
    this.restsUntil.set(key, end + (end - begun) * REST);
  }

  /** Once it has rested, and not before so many milliseconds. What is wanted already is not put off: it is done with the newer work. */
  doLater(key: string, wait_ms: number, work: () => void): void {
    const due = Math.max(performance.now() + wait_ms, this.restsUntil.get(key) ?? 0);
    this.wanted.set(key, { due: Math.min(due, this.wanted.get(key)?.due ?? due), work });
    this.setTimer();
  }

  close(): void {
    clearTimeout(this.timer);
    this.wanted.clear();
  }

  private setTimer(): void {
    clearTimeout(this.timer);
    const [next] = [...this.wanted].sort(([, a], [, b]) => a.due - b.due);
    if (next === undefined) return;
    const [key, { due, work }] = next;
    this.timer = setTimeout(
      () => {
        this.do(key, work);
        this.setTimer();
      },
      Math.max(0, due - performance.now()),
    );
  }
}
