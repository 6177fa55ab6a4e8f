/** For lists with the latest, or the last in the alphabet, first. */
export function descending(a: string, b: string): number {
  return a < b ? 1 : a > b ? -1 : 0;
}
