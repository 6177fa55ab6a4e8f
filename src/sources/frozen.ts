// The state of a builder as bytes: a graph of objects in which each stands once, however many hold it. `freeze.ts` writes it, `thaw.ts` reads it.
//
// A number says what follows: its lowest three bits the kind, the rest how much, or which. Texts stand apart, each once. Objects with the
// same keys share a shape. Unlike what `v8.serialize` writes (twice the time to read, three times the bytes) it is filled into a builder that was made anew, so that
// functions, and whatever else a constructor ties together, are those of the new one.

import { hashOf } from '../schema/text-hash.ts';

export const KIND = { special: 0, text: 1, integer: 2, negative: 3, known: 4, object: 5, list: 6, other: 7 } as const;

export const SPECIAL = {
  undefined: 0,
  null: 1,
  true: 2,
  false: 3,
  /** A place of a list that was never set. */
  hole: 4,
  /** What the new builder has in this place stays: functions, what it was made from. */
  left: 5,
  fraction: 6,
} as const;

/** Those that are filled stand in the new builder already: who else holds them there holds what they are filled with. */
export const OTHER = { map: 0, set: 1, filledObject: 2, filledList: 3, filledMap: 4, filledSet: 5 } as const;

/** Whose objects have such keys: anybody's, nobody's (no prototype), or those of a class, by its code. */
export const ORIGIN = { plain: 0, bare: 1, class: 2 } as const;

/**
 * Of plain objects with few keys only what differs from the first one of their shape is told: most fields of most messages are null.
 * Which these are is told by the bits of one number.
 */
export function hasModel(origin: number, keys: readonly string[]): boolean {
  return origin === ORIGIN.plain && keys.length > 0 && keys.length <= 30 && !keys.includes('__proto__');
}

/** What a builder holds cannot be kept, or what was kept is not for this builder. */
export class Unkeepable extends Error {}

/** All code of the sources, as a short text: `scripts/build.ts` puts it in. Not there where they are not built. */
declare const SOURCES_CODE: string | undefined;

/**
 * A class is known by its code: a builder that works otherwise now cannot go on with what an earlier one made. Once built, by that of all sources: the text
 * of a class may then differ between the program and its threads, and what its methods call counts as well.
 */
export function codeOf(prototype: object): number {
  const known = codes.get(prototype);
  if (known !== undefined) return known;
  const code = hashOf(typeof SOURCES_CODE === 'string' ? SOURCES_CODE : String(prototype.constructor));
  codes.set(prototype, code);
  return code;
}

const codes = new WeakMap<object, number>();

/** Is it an object of a class of ours, or none at all? */
export function originOf(value: object): (typeof ORIGIN)[keyof typeof ORIGIN] {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype ? ORIGIN.plain : prototype === null ? ORIGIN.bare : ORIGIN.class;
}
