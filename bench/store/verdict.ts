// Is a gate reached? Values of several runs differ, so there are three answers.

export interface Bound {
  value: number;
  /** `most`: values must not be above it; `least`: not below. */
  at: 'most' | 'least';
}

export type Verdict = 'reached' | 'not reached' | 'not decided';

/** Reached where the worst run reaches it, not reached where not even the best one does; between the two nothing is decided. */
export function verdict(values: readonly number[], { value, at }: Bound): Verdict {
  if (values.length === 0 || values.some(Number.isNaN)) return 'not decided';
  const good = values.filter((each) => (at === 'most' ? each <= value : each >= value)).length;
  if (good === values.length) return 'reached';
  return good === 0 ? 'not reached' : 'not decided';
}

export function atMost(value: number): Bound {
  return { value, at: 'most' };
}

export function atLeast(value: number): Bound {
  return { value, at: 'least' };
}

/** The smallest value that so large a part of all values does not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Of two lists of the same runs. */
export function ratios(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((value, run) => value / (theirs[run] ?? Number.NaN));
}
