const words = new Map<string, string>();

/** One string for all rows that say the same. Only for words of which there are few. */
export function interned(word: string): string {
  const known = words.get(word);
  if (known !== undefined) return known;
  if (words.size < 1000) words.set(word, word);
  return word;
}
