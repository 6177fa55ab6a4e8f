const words = new Map<string, string>();

/** One string for all rows that say the same. Only for words of which there are few. */
export function interned(word: string): string {
  const known = words.get(word);
  if (known !== undefined) return known;
  if (words.size >= 1000) return word;
  // The names of an object are strings that V8 has once. One that becomes such a name later is compared in a much slower way.
  const [name = word] = Object.keys({ [word]: true });
  words.set(name, name);
  return name;
}
