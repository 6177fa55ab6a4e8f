// The tree of rows: every row with an id hangs on another (`parentUuid`); some rows are messages.

import type { OutlineMessage, RowIds } from '../../schema/outline.ts';

/** Where a row stands in the tree; `index` is that of the message it belongs to, -1 for other rows. */
export interface RowPlace {
  parent: string | null;
  /** That of the parent, where it stood before: mostly it is the row just read. */
  above: RowPlace | undefined;
  index: number;
  /** How much its row said: see `sizeOf` in rows.ts. */
  size: number;
}

/** Files with circles of parents exist: a walk over rows that are no messages is never as long as this. */
const LONGEST_WALK = 2_000;

export class RowIndex implements RowIds {
  private readonly rows = new Map<string, RowPlace>();
  private readonly messages: readonly OutlineMessage[];
  private readonly answers: ReadonlyMap<number, number>;
  /** The row noted last. */
  private lastUuid: string | undefined;
  private lastPlace: RowPlace | undefined;

  constructor(messages: readonly OutlineMessage[], answers: ReadonlyMap<number, number>) {
    this.messages = messages;
    this.answers = answers;
  }

  /** Notes a new row; undefined where a row with this id was there before. */
  note(uuid: string, parent: string | null, size: number): RowPlace | undefined {
    if (this.rows.has(uuid)) return undefined;
    // Mostly it is the row just read, and its id is held already: this row's copy of it need not be.
    const held = parent !== null && parent === this.lastUuid ? this.lastUuid : parent;
    const place = { parent: held, above: held === null ? undefined : this.placeOf(held), index: -1, size };
    this.rows.set(uuid, place);
    this.lastUuid = uuid;
    this.lastPlace = place;
    return place;
  }

  /** Where a row stands. To compare two ids takes less than to look one up. */
  placeOf(uuid: string): RowPlace | undefined {
    return this.lastUuid === uuid ? this.lastPlace : this.rows.get(uuid);
  }

  private aboveOf({ parent, above }: RowPlace): RowPlace | undefined {
    return above ?? (parent === null ? undefined : this.rows.get(parent));
  }

  keys(): Iterable<string> {
    return this.rows.keys();
  }

  isKnown(uuid: string): boolean {
    return this.rows.has(uuid);
  }

  get(uuid: string): number | undefined {
    const place = this.rows.get(uuid);
    return place === undefined || place.index === -1 ? undefined : place.index;
  }

  has(uuid: string): boolean {
    return this.get(uuid) !== undefined;
  }

  sizeOf(uuid: string): number | undefined {
    return this.rows.get(uuid)?.size;
  }

  parentOf(uuid: string): string | null {
    return this.rows.get(uuid)?.parent ?? null;
  }

  /** The message that a row is, or hangs on; undefined where that row is not known. */
  messageAt(uuid: string): number | undefined {
    return this.messageAtPlace(this.rows.get(uuid));
  }

  /** The message that a row hangs on. */
  messageAbove(place: RowPlace): number | undefined {
    return this.messageAtPlace(this.aboveOf(place));
  }

  private messageAtPlace(from: RowPlace | undefined): number | undefined {
    let place = from;
    for (let steps = 0; place !== undefined && steps < LONGEST_WALK; steps++) {
      if (place.index !== -1) return place.index;
      place = this.aboveOf(place);
    }
    return undefined;
  }

  /**
   * Notices stand in the tree of rows, not in the context: the nearest message above that was sent. Null where the rows above are no
   * messages up to one that hangs on nothing; undefined where that cannot be said.
   */
  sentAbove(uuid: string): number | null | undefined {
    // Asked of the parent of the row that was noted last.
    const { lastPlace } = this;
    const from = lastPlace?.parent === uuid ? this.aboveOf(lastPlace) : this.rows.get(uuid);
    let index = this.messageAtPlace(from);
    if (index === undefined) return this.isBelowRoot(uuid) ? null : undefined;
    for (let steps = 0; index !== undefined && steps < LONGEST_WALK; steps++) {
      const message = this.messages[index];
      if (message === undefined || message.sent) return index;
      if (this.isFirst(message, index)) return null;
      index = this.above(message);
    }
    return undefined;
  }

  /** A notice that the session begins with: nothing was said before it, and it hangs on nothing. */
  private isFirst(message: OutlineMessage, index: number): boolean {
    return this.parentOf(message.id) === null && !this.messages.slice(0, index).some(({ sent }) => sent);
  }

  private isBelowRoot(uuid: string): boolean {
    let place = this.rows.get(uuid);
    for (let steps = 0; place !== undefined && steps < LONGEST_WALK; steps++) {
      if (place.parent === null) return true;
      place = this.aboveOf(place);
    }
    return false;
  }

  /** The messages above one, oldest first, itself included; results of parallel calls too. */
  chain(from: number): number[] {
    const found = new Set<number>();
    let at: number | undefined = from;
    while (at !== undefined && !found.has(at)) {
      found.add(at);
      const message: OutlineMessage | undefined = this.messages[at];
      at = message === undefined ? undefined : this.above(message);
    }
    for (const [result, caller] of this.answers) if (result < from && found.has(caller)) found.add(result);
    return [...found].sort((a, b) => a - b);
  }

  private above(message: OutlineMessage): number | undefined {
    const place = this.rows.get(message.id);
    return place === undefined ? undefined : this.messageAbove(place);
  }
}
