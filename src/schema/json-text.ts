// JSON of values that come from files: they may be nested deeper than JSON.stringify can follow.

/** Nobody nests so deep; whoever follows values by functions that call themselves goes no further. */
export const DEEPEST = 400;

/** The value as JSON. What is nested too deep for that is cut there, and says so. */
export function jsonText(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, null, indent) ?? 'null';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify(pruned(value, DEEPEST), null, indent);
  }
}

function pruned(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '(nested too deep to show; it is whole in the file)';
  if (Array.isArray(value)) return value.map((entry) => pruned(entry, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, pruned(entry, levels - 1)]));
}
