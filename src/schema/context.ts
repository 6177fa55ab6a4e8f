// The one rule by which windows become contexts. Sources check themselves with it, detectors
// and surfaces use it, readers of exported documents can follow it.

interface WindowLike {
  opened_at_index: number;
  start: readonly (readonly [number, number])[];
}

interface MessageLike {
  sent: boolean;
  sent_before: number | null;
}

/**
 * What the model saw at message `at`, in the order sent: `start` of the last window opened at
 * or before it, then every sent message from there on that is not in `start`; at last, a message
 * with `sent_before` moves in front of the one it names.
 */
export function contextAt(windows: readonly WindowLike[], messages: readonly MessageLike[], at: number): number[] {
  const window = windows.findLast((opened) => opened.opened_at_index <= at);
  if (window === undefined) return [];
  const start = indicesIn(window.start);
  const known = new Set(start);
  const context = start;
  for (let index = window.opened_at_index; index <= at && index < messages.length; index++) {
    if (messages[index]?.sent && !known.has(index)) context.push(index);
  }
  return inOrderSent(context, messages);
}

/** The indices of ranges, both ends included, in their order. */
export function indicesIn(ranges: readonly (readonly [number, number])[]): number[] {
  const indices: number[] = [];
  for (const [from, to] of ranges) for (let index = from; index <= to; index++) indices.push(index);
  return indices;
}

function inOrderSent(context: number[], messages: readonly MessageLike[]): number[] {
  const moved = context.filter((index) => messages[index]?.sent_before !== null);
  if (moved.length === 0) return context;
  const movedSet = new Set(moved);
  const before = new Map<number, number[]>();
  const inContext = new Set(context);
  const result: number[] = [];
  for (const index of moved) {
    const target = messages[index]?.sent_before;
    if (target === null || target === undefined || !inContext.has(target)) movedSet.delete(index);
    else before.set(target, [...(before.get(target) ?? []), index]);
  }
  const place = (index: number): void => {
    for (const earlier of before.get(index) ?? []) place(earlier);
    result.push(index);
  };
  for (const index of context) if (!movedSet.has(index)) place(index);
  return result;
}

/** Message indices as ranges, keeping their order. */
export function rangesOf(indices: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const index of indices) {
    const last = ranges.at(-1);
    if (last !== undefined && index === last[1] + 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges;
}
