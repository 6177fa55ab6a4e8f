// The order of the chain, where it is not that of the file.

interface Linked {
  id: string;
  parent_id: string | null;
}

/**
 * A row may stand in the file before the one that it hangs on; clients go by the chain, and a copy is one straight chain: there it
 * follows it. Everything else keeps its place, rows too that hang on one another in a circle.
 */
export function afterParents<T extends Linked>(messages: T[]): T[] {
  const places = new Map(messages.map(({ id }, place) => [id, place]));
  const placeOfParent = ({ parent_id }: Linked) => places.get(parent_id ?? '') ?? -1;
  const early = new Set(messages.filter((message, place) => placeOfParent(message) > place));
  if (early.size === 0) return messages;
  for (const message of inCircles(messages, (one) => messages[placeOfParent(one)])) early.delete(message);
  const children = Map.groupBy(early, ({ parent_id }) => parent_id);
  const ordered: T[] = [];
  // A list of what is next, not a function that calls itself: a file may be written backwards as a whole.
  const next = messages.filter((message) => !early.has(message)).reverse();
  for (let message = next.pop(); message !== undefined; message = next.pop()) {
    ordered.push(message);
    next.push(...(children.get(message.id) ?? []).reverse());
  }
  return ordered;
}

/** Each is looked at once: walked up from where nobody was yet, until where somebody was. */
function inCircles<T>(messages: T[], parentOf: (message: T) => T | undefined): Set<T> {
  const circles = new Set<T>();
  const done = new Set<T>();
  for (const start of messages) {
    const path = new Set<T>();
    let at: T | undefined = start;
    while (at !== undefined && !done.has(at) && !path.has(at)) {
      path.add(at);
      at = parentOf(at);
    }
    // Come back to its own way: from there on it is a circle.
    while (at !== undefined && path.has(at) && !circles.has(at)) {
      circles.add(at);
      at = parentOf(at);
    }
    for (const message of path) done.add(message);
  }
  return circles;
}
