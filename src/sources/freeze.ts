// The state of a builder → bytes. See frozen.ts.

import { codeOf, hasModel, KIND, ORIGIN, OTHER, originOf, SPECIAL, Unkeepable } from './frozen.ts';

interface FreezeOptions {
  /** What the builder was made from: a new one has its own. */
  given: ReadonlySet<object>;
  /** What need not be kept: null is written instead. */
  forgotten: ReadonlySet<object>;
}

/** `fresh` is a builder like this one before it has taken anything: what it has already, the one that goes on will have too. */
export function freeze(state: object, fresh: object, options: FreezeOptions): Uint8Array {
  const freezer = new Freezer(options);
  freezer.value(state, fresh);
  return freezer.finish();
}

/** One more key than the shape that it hangs on. */
interface KeyNode {
  /** Its number, once an object ended here, and the values of the first one's fields. */
  number: number;
  model: unknown[] | null;
  next: Map<string, KeyNode>;
  /** The one that was taken last: mostly it is the one that is wanted. */
  lastKey: string;
  last: KeyNode | undefined;
}

function newNode(): KeyNode {
  return { number: -1, model: null, next: new Map(), lastKey: '', last: undefined };
}

class Freezer {
  private readonly options: FreezeOptions;
  private readonly graph = new ByteWriter();
  private readonly texts = new TextTable();
  private readonly numbers = new Map<object, number>();
  /** Objects of the fresh builder that are filled. */
  private readonly filled = new Set<object>();
  private readonly shapes = new Map<number, KeyNode>();
  private shapeCount = 0;

  constructor(options: FreezeOptions) {
    this.options = options;
  }

  finish(): Uint8Array {
    return Buffer.concat([...this.texts.finish(), ...this.graph.finish()]);
  }

  /** `fresh` is what stands in the same place of the fresh builder. */
  value(value: unknown, fresh: unknown): void {
    switch (typeof value) {
      case 'string':
        this.graph.pair(KIND.text, this.texts.numberOf(value));
        return;
      case 'number':
        this.number(value);
        return;
      case 'boolean':
        this.graph.pair(KIND.special, value ? SPECIAL.true : SPECIAL.false);
        return;
      case 'undefined':
        this.graph.pair(KIND.special, SPECIAL.undefined);
        return;
      case 'object':
        if (value === null) this.graph.pair(KIND.special, SPECIAL.null);
        else this.object(value, fresh);
        return;
      case 'function':
        if (typeof fresh !== 'function') throw new Unkeepable('a function that no constructor made');
        this.graph.pair(KIND.special, SPECIAL.left);
        return;
      default:
        throw new Unkeepable(`a ${typeof value}`);
    }
  }

  private number(value: number): void {
    if (!Number.isInteger(value) || Math.abs(value) >= 2 ** 48 || Object.is(value, -0)) {
      this.graph.pair(KIND.special, SPECIAL.fraction);
      this.graph.fraction(value);
    } else if (value < 0) this.graph.pair(KIND.negative, -value);
    else this.graph.pair(KIND.integer, value);
  }

  private object(value: object, fresh: unknown): void {
    if (this.options.forgotten.has(value)) {
      this.graph.pair(KIND.special, SPECIAL.null);
      return;
    }
    if (this.options.given.has(value)) {
      if (typeof fresh !== 'object' || fresh === null) throw new Unkeepable('something given that a new one lacks');
      this.graph.pair(KIND.special, SPECIAL.left);
      return;
    }
    const number = this.numbers.get(value);
    if (number !== undefined) {
      this.graph.pair(KIND.known, this.numbers.size - number);
      return;
    }
    this.numbers.set(value, this.numbers.size);
    const target = this.targetFor(value, fresh);
    if (Array.isArray(value)) this.list(value, target);
    else if (value instanceof Map) this.map(value, target);
    else if (value instanceof Set) this.set(value, target);
    else this.fields(value as Record<string, unknown>, target);
  }

  /** The object of the fresh builder that is to become this one; each becomes only one. */
  private targetFor(value: object, fresh: unknown): object | undefined {
    if (typeof fresh !== 'object' || fresh === null || this.filled.has(fresh)) return undefined;
    if (Object.getPrototypeOf(fresh) !== Object.getPrototypeOf(value)) return undefined;
    this.filled.add(fresh);
    return fresh;
  }

  private list(list: readonly unknown[], target: object | undefined): void {
    if (target === undefined) this.graph.pair(KIND.list, list.length);
    else {
      this.graph.pair(KIND.other, OTHER.filledList);
      this.graph.integer(list.length);
    }
    const before = target as unknown[] | undefined;
    for (let i = 0; i < list.length; i++) {
      if (list[i] === undefined && !(i in list)) this.graph.pair(KIND.special, SPECIAL.hole);
      else this.value(list[i], before?.[i]);
    }
  }

  private map(map: ReadonlyMap<unknown, unknown>, target: object | undefined): void {
    this.graph.pair(KIND.other, target === undefined ? OTHER.map : OTHER.filledMap);
    this.graph.integer(map.size);
    const before = target as Map<unknown, unknown> | undefined;
    for (const [key, value] of map) {
      this.value(key, undefined);
      this.value(value, before?.get(key));
    }
  }

  private set(set: ReadonlySet<unknown>, target: object | undefined): void {
    this.graph.pair(KIND.other, target === undefined ? OTHER.set : OTHER.filledSet);
    this.graph.integer(set.size);
    for (const value of set) this.value(value, undefined);
  }

  private fields(value: Record<string, unknown>, target: object | undefined): void {
    const origin = originOf(value);
    if (origin === ORIGIN.class && target === undefined)
      throw new Unkeepable(`a ${value.constructor?.name} that no constructor made`);
    const keys = Object.keys(value);
    const { model } = this.shape(value, keys, origin, target === undefined);
    if (target === undefined && model !== null) this.differing(value, keys, model);
    else {
      const before = target as Record<string, unknown> | undefined;
      for (const key of keys) this.value(value[key], before?.[key]);
    }
  }

  private differing(value: Record<string, unknown>, keys: readonly string[], model: readonly unknown[]): void {
    let bits = 0;
    for (let i = 0; i < keys.length; i++) if (!Object.is(value[keys[i] ?? ''], model[i])) bits |= 1 << i;
    this.graph.integer(bits);
    for (let i = 0; i < keys.length; i++) if ((bits & (1 << i)) !== 0) this.value(value[keys[i] ?? ''], undefined);
  }

  /** The keys of an object by their number; at the first time the keys themselves follow. */
  private shape(value: Record<string, unknown>, keys: readonly string[], origin: number, isNew: boolean): KeyNode {
    const code = origin === ORIGIN.class ? codeOf(Object.getPrototypeOf(value)) : 0;
    const node = this.nodeOf(keys, code === 0 ? origin : -code);
    const isFirst = node.number === -1;
    if (isFirst) node.number = this.shapeCount++;
    if (isNew) this.graph.pair(KIND.object, node.number);
    else {
      this.graph.pair(KIND.other, OTHER.filledObject);
      this.graph.integer(node.number);
    }
    if (!isFirst) return node;
    this.graph.integer(origin);
    this.graph.integer(code);
    this.graph.integer(keys.length);
    for (const key of keys) this.graph.integer(this.texts.numberOf(key));
    if (!hasModel(origin, keys)) return node;
    node.model = keys.map((key) => (isPlainValue(value[key]) ? value[key] : undefined));
    for (const field of node.model) this.value(field, undefined);
    return node;
  }

  private nodeOf(keys: readonly string[], kind: number): KeyNode {
    let node = this.shapes.get(kind);
    if (node === undefined) {
      node = newNode();
      this.shapes.set(kind, node);
    }
    for (let i = 0; i < keys.length; i++) node = nextNode(node, keys[i] ?? '');
    return node;
  }
}

function isPlainValue(value: unknown): boolean {
  return value === null || (typeof value !== 'object' && typeof value !== 'function');
}

function nextNode(node: KeyNode, key: string): KeyNode {
  if (node.last !== undefined && node.lastKey === key) return node.last;
  let next = node.next.get(key);
  if (next === undefined) {
    next = newNode();
    node.next.set(key, next);
  }
  node.lastKey = key;
  node.last = next;
  return next;
}

/** Every text once: those of one byte for each character, and the others. */
class TextTable {
  private readonly numbers = new Map<string, number>();
  private readonly lengths = new ByteWriter();
  private readonly narrow = new ByteWriter();
  private readonly wide = new ByteWriter();

  numberOf(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const number = this.numbers.size;
    this.numbers.set(text, number);
    const isWide = WIDE.test(text);
    if (isWide) this.wide.text(text, 'utf16le');
    else this.narrow.text(text, 'latin1');
    this.lengths.pair(isWide ? 1 : 0, text.length);
    return number;
  }

  /** Their number, the bytes of both kinds, then lengths, then texts. */
  finish(): Uint8Array[] {
    const head = new ByteWriter();
    for (const count of [this.numbers.size, this.narrow.length, this.wide.length]) head.integer(count);
    return [head, this.lengths, this.narrow, this.wide].flatMap((writer) => writer.finish());
  }
}

const WIDE = /[^\0-\xff]/;

/** Several pieces, so that what is written need not be copied as it grows. */
const PIECE_BYTES = 64 * 1024;

class ByteWriter {
  private readonly pieces: Uint8Array[] = [];
  private bytes = Buffer.alloc(0);
  private at = 0;
  private before = 0;

  get length(): number {
    return this.before + this.at;
  }

  /** A number of which the lowest three bits are a kind. */
  pair(kind: number, value: number): void {
    this.integer(value * 8 + kind);
  }

  /** Seven bits in each byte, the lowest first. */
  integer(value: number): void {
    this.makeRoom(16);
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.at++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.bytes[this.at++] = rest;
  }

  fraction(value: number): void {
    this.makeRoom(16);
    this.at = this.bytes.writeDoubleLE(value, this.at);
  }

  text(text: string, encoding: 'latin1' | 'utf16le'): void {
    this.makeRoom(text.length * 2);
    this.at += this.bytes.write(text, this.at, encoding);
  }

  finish(): Uint8Array[] {
    this.endPiece();
    return this.pieces;
  }

  private makeRoom(bytes: number): void {
    if (this.at + bytes <= this.bytes.length) return;
    this.endPiece();
    this.bytes = Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, bytes));
  }

  private endPiece(): void {
    if (this.at > 0) this.pieces.push(this.bytes.subarray(0, this.at));
    this.before += this.at;
    this.bytes = Buffer.alloc(0);
    this.at = 0;
  }
}
