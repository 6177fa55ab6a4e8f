/** Thrown where a file is not as the short way of reading knows it: it is then read in another way. */
export class Odd extends Error {}

/** What is read; null where that was thrown. */
export function unless<Value>(thrown: typeof Odd, read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof thrown) return null;
    throw error;
  }
}
