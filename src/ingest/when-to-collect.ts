/** Below this, V8 is left alone. */
const ENOUGH_BYTES = 100 * 1024 * 1024;
const GARBAGE_BYTES = 32 * 1024 * 1024;
/** So much more may be in use until a collection that was asked for is done. */
const LATE_BYTES = 16 * 1024 * 1024;

/** `begin`: V8 is to be told that it is time for a collection; `stop`: it need no longer be; `collect`: none came, so it is done at once. */
type Step = 'nothing' | 'begin' | 'stop' | 'collect';

/** Says from what is in use when garbage has to go. */
export class WhenToCollect {
  /** What was in use after the last collection. */
  private inUse = 0;
  /** What was in use when V8 was told; null: no collection is awaited. */
  private awaited: number | null = null;

  next(used: number): Step {
    if (this.awaited === null) {
      if (used < Math.max(ENOUGH_BYTES, this.inUse + GARBAGE_BYTES)) return 'nothing';
      this.awaited = used;
      return 'begin';
    }
    if (used > this.awaited + LATE_BYTES) return 'collect';
    // Another thread may have told V8 the contrary, so it is told again.
    if (used >= this.awaited) return 'begin';
    this.inUse = used;
    this.awaited = null;
    return 'stop';
  }

  /** All garbage went at once. Tells whether V8 was to begin by itself. */
  collected(used: number): boolean {
    const wasAwaited = this.awaited !== null;
    this.inUse = used;
    this.awaited = null;
    return wasAwaited;
  }
}
