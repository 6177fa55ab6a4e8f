/**
 * The list with one more at its end; the one that was given may be gone. A list that grows by itself has room for seventeen, and of the
 * lists that every message has nearly all end with two or three.
 */
export function withOneMore<T>(list: T[], more: T): T[] {
  if (list.length === 0) return [more];
  if (list.length === 1) return [list[0] as T, more]; // it has one
  if (list.length > MOST) {
    list.push(more);
    return list;
  }
  return list.concat([more]);
}

/** From here on a list may become long, and to copy it each time would take too long. */
const MOST = 8;
