// A file that only grows is read on from where it was left, with what had been made of it by then.

import type { OutlineHead } from '../schema/outline.ts';
import { freeze } from './freeze.ts';
import { Unkeepable } from './frozen.ts';
import { type LinePlace, type RowHandler, readRows } from './jsonl.ts';
import type { Files, LeftReading, OutlineOptions } from './source.ts';
import { thaw } from './thaw.ts';

/** What the rows of one file become, and of no other file: it can be kept, and another one made anew can go on with it. */
export interface Growing {
  /** What it was made from, as a text: whoever was made from something else cannot go on with it. */
  made: string;
  /** All that rows change. */
  state: object;
  /** Objects that it was made from and holds: whoever goes on has its own. */
  given(): object[];
  /** Texts that are held of messages. They are not kept: who needs them reads them back. */
  texts(): object[];
  /** Names of what was begun on the way, in the order in which that was. */
  begun(): string[];
  /** To be told of each of them before going on, so that it is there. */
  begin(name: string): void;
  /** The same before it has taken a row. */
  fresh(): Growing | null;
}

interface Builder {
  readonly head: { readonly head: OutlineHead };
  heldTexts(): object[];
}

/** A builder that reads one file alone. */
export function growingBuilder<B extends Builder>(builder: B, made: string, newBuilder: () => B): Growing {
  return {
    made,
    state: builder,
    given: () => [builder.head.head.source],
    texts: () => builder.heldTexts(),
    begun: () => [],
    begin: () => undefined,
    fresh: () => growingBuilder(newBuilder(), made, newBuilder),
  };
}

/** As `readRows`, from where the file was left, if it was. Throws where that cannot be used after all: then `growing` is spoilt. */
export function readOn(
  port: Files,
  path: string,
  file: number,
  handler: RowHandler,
  growing: Growing | null,
  { readings }: OutlineOptions,
): number {
  if (readings === undefined || growing === null) return readRows(port, path, file, handler);
  return readRows(port, path, file, handler, {
    begin: (bytes) => {
      const left = readings.leftAt(path, growing.made);
      if (left === undefined || left.place.offset > bytes) return undefined;
      for (const name of left.begun) growing.begin(name);
      thaw(left.state, growing.state);
      return left.place;
    },
    wholeLines: (place) => {
      if (readings.isWanted(path, place.offset)) readings.keep(path, leftReading(growing, place));
    },
  });
}

/** Null where it holds something that cannot be kept. */
function leftReading(growing: Growing, place: LinePlace): LeftReading | null {
  const [begun, fresh] = [growing.begun(), growing.fresh()];
  if (fresh === null) return null;
  for (const name of begun) fresh.begin(name);
  const options = { given: new Set(growing.given()), forgotten: new Set(growing.texts()) };
  try {
    return { place, made: growing.made, begun, state: freeze(growing.state, fresh.state, options) };
  } catch (error) {
    // Or what hangs on one another is too deep for us.
    if (error instanceof Unkeepable || error instanceof RangeError) return null;
    throw error;
  }
}
