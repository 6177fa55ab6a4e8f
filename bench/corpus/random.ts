/**
 * Random numbers that are the same on every run: the corpus must be byte-identical, so nothing here looks at the clock.
 * The generator is sfc32, a small one with a long period; each session gets a stream of its own, so that a change in
 * how one session is written does not change all the others.
 */
export interface Random {
  /** A number in [0, 1). */
  unit(): number;
  /** A whole number, both ends included. */
  integer(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** One of the values, by weight; the weights need not sum to one. */
  weighted<T>(list: readonly (readonly [value: T, weight: number])[]): T;
  /** Long-tailed sizes: half lie under `median`; a greater `spread` makes the tail longer. Whole, and never over `most`. */
  longTail(median: number, spread: number, most: number): number;
  hex(length: number): string;
  base62(length: number): string;
  /** A version 4 UUID, as every client writes them. */
  uuid(): string;
}

const HEX = '0123456789abcdef';
const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function createRandom(seed: number, stream: number): Random {
  const next = sfc32(seed, stream);
  const unit = () => next() / 4294967296;
  const integer = (least: number, most: number) => least + Math.floor(unit() * (most - least + 1));
  const letters = (alphabet: string, length: number) => {
    let text = '';
    for (let i = 0; i < length; i++) text += alphabet[integer(0, alphabet.length - 1)];
    return text;
  };
  return {
    unit,
    integer,
    chance: (probability) => unit() < probability,
    pick: (list) => at(list, integer(0, list.length - 1)),
    weighted: (list) => {
      let left = unit() * list.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of list) {
        left -= weight;
        if (left < 0) return value;
      }
      return at(list, 0)[0];
    },
    longTail: (median, spread, most) => {
      // Box-Muller; `1 - unit()` because the logarithm of zero is not a number we want.
      const normal = Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit());
      return Math.min(most, Math.max(1, Math.round(median * Math.exp(spread * normal))));
    },
    hex: (length) => letters(HEX, length),
    base62: (length) => letters(BASE62, length),
    uuid: () =>
      `${letters(HEX, 8)}-${letters(HEX, 4)}-4${letters(HEX, 3)}-${letters('89ab', 1)}${letters(HEX, 3)}-${letters(HEX, 12)}`,
  };
}

function at<T>(list: readonly T[], index: number): T {
  if (index >= list.length) throw new RangeError('Cannot pick from an empty list.');
  // The line above has checked the bounds; T itself may include undefined, so `!== undefined` would be wrong.
  return list[index] as T;
}

function sfc32(seed: number, stream: number): () => number {
  let a = 0x9e3779b9 ^ seed;
  let b = 0x243f6a88 ^ stream;
  let c = Math.imul(seed + 1, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35);
  let counter = 1;
  const next = () => {
    const result = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + result;
    return result >>> 0;
  };
  // The first numbers of near seeds are alike; these rounds part them.
  for (let i = 0; i < 15; i++) next();
  return next;
}
