// The same message told twice, by the item that was sent and by the event that was shown, in either order, sometimes many
// lines apart (0.36, 0.47), and sometimes only once: then that is the message.

export type Told = 'user' | 'assistant' | 'reasoning';

export interface Once {
  readonly told: Told;
  readonly id: string | undefined;
  /** Its words; of reasoning, the paragraphs. */
  readonly texts: string[];
  readonly index: number;
}

/** An item that waits for its event. */
export interface Sent extends Once {
  /** It is taken for the person's words: nothing says that the client wrote them. */
  readonly isPersons: boolean;
}

/** The item that stood right before an event. */
export interface Neighbour {
  readonly index: number;
  /** No line stands between them, not even one that cannot be read. */
  readonly isBeside: boolean;
}

/** Older ones are not looked for any more. */
const KEPT = 64;

export class TwiceTold {
  private items: Sent[] = [];
  private events: Once[] = [];
  /** The message with which the person, or the client in the person's place, last spoke. */
  private since = 0;

  /** The message that an event told before this item came; else the item waits for its event. */
  item(once: Sent): number | undefined {
    const found = this.take('events', once);
    if (found === undefined) this.keep(this.items, once);
    return found;
  }

  /** The message whose item this event tells again; else the event waits for its item. */
  event(once: Omit<Once, 'index'>, neighbour: Neighbour | undefined): number | undefined {
    const found = this.take('items', once);
    if (found !== undefined) return found;
    const near = this.items.at(-1);
    if (neighbour === undefined || near?.index !== neighbour.index || !isShownAs(near, once, neighbour))
      return undefined;
    this.items.pop();
    return near.index;
  }

  /** An event whose item has not come. */
  wait(once: Once): void {
    this.keep(this.events, once);
  }

  /** Several paragraphs of reasoning are told by several events: the one that waits, if it is the last message. */
  waiting(told: Told, index: number): Once | undefined {
    const last = this.events.at(-1);
    return last?.told === told && last.index === index ? last : undefined;
  }

  /** What was shown of a request that was aborted: its items are lost (up to 0.47). */
  lost(): void {
    this.events = [];
  }

  /** A message that was taken back. */
  forget(index: number): void {
    this.items = this.items.filter((once) => once.index !== index);
    this.events = this.events.filter((once) => once.index !== index);
  }

  private keep<O extends Once>(list: O[], once: O): void {
    if (list.push(once) > KEPT + 1) list.shift();
    if (once.told === 'user') this.since = once.index;
  }

  /**
   * Of the same words told several times since the person spoke, the first; else the last before. What was told before that
   * and still waits lost its other half with its process: the same words are told anew.
   */
  private take(from: 'items' | 'events', once: Omit<Once, 'index'>): number | undefined {
    const list: Once[] = this[from];
    const isIt = (other: Once) =>
      other.told === once.told && isSame(from === 'events' ? other : once, from === 'events' ? once : other);
    const near = list.findIndex((other) => other.index >= this.since && isIt(other));
    const at = near === -1 ? list.findLastIndex(isIt) : near;
    if (at === -1) return undefined;
    const [found] = list.splice(at, 1);
    // Reasoning may be told by further events.
    if (from === 'items' && found?.told === 'reasoning') list.push(found);
    return found?.index;
  }
}

/**
 * A prompt with files or pictures has other words in the item than on the screen. What the client wrote is never shown: where
 * that stands before the event, or a line that cannot be read, the item of the prompt is lost.
 */
function isShownAs(item: Sent, event: Omit<Once, 'index'>, { isBeside }: Neighbour): boolean {
  if (event.told !== 'user' || !item.isPersons) return false;
  return isBeside || item.texts.join('').includes(event.texts.join(''));
}

function isSame(event: Omit<Once, 'index'>, item: Omit<Once, 'index'>): boolean {
  if (event.id !== undefined && event.id === item.id) return true;
  if (event.texts.length === 0) return false;
  if (event.told === 'reasoning') return event.texts.every((text) => item.texts.includes(text));
  return event.texts.join('') === item.texts.join('');
}
