// Bytes → the state of a builder that was made anew and goes on where another one was left. See frozen.ts.

import { type Maker, makerOf } from './frequent-objects.ts';
import { codeOf, hasModel, KIND, ORIGIN, OTHER, originOf, SPECIAL, Unkeepable } from './frozen.ts';

/** Fills a builder that has taken nothing yet. Throws where the bytes are not for it: then it is half filled, and must not be used. */
export function thaw(bytes: Uint8Array, fresh: object): void {
  const thawer = new Thawer(bytes);
  if (thawer.value(fresh) !== fresh || !thawer.isAtEnd) throw new Unkeepable('it is not what was kept');
}

interface Shape {
  origin: number;
  code: number;
  keys: string[];
  /** An object with these keys, to be copied; null where all fields of all objects are told. */
  model: Record<string, unknown> | null;
  maker: Maker | undefined;
}

const HOLE = Symbol('hole');
/** In the place of an object that is not yet made. */
const MISSING = {};

class Thawer {
  private readonly bytes: Buffer;
  private at = 0;
  private readonly texts: string[];
  private readonly objects: object[] = [];
  private readonly shapes: Shape[] = [];
  private readonly next = () => this.value(undefined);

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.texts = this.readTexts();
  }

  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  private readTexts(): string[] {
    const [count, narrowBytes, wideBytes] = [this.integer(), this.integer(), this.integer()];
    if (count + narrowBytes + wideBytes > this.bytes.length) throw new Unkeepable('it is too short');
    const lengths = new Float64Array(count);
    for (let i = 0; i < count; i++) lengths[i] = this.integer();
    const middle = this.at + narrowBytes;
    const [narrow, wide] = [
      this.bytes.toString('latin1', this.at, middle),
      this.bytes.toString('utf16le', middle, middle + wideBytes),
    ];
    this.at = middle + wideBytes;
    const texts: string[] = [];
    let [narrowAt, wideAt] = [0, 0];
    for (const pair of lengths) {
      const length = Math.floor(pair / 8);
      if (pair % 8 === 0) {
        texts.push(narrow.substring(narrowAt, narrowAt + length));
        narrowAt += length;
      } else {
        texts.push(wide.substring(wideAt, wideAt + length));
        wideAt += length;
      }
    }
    return texts;
  }

  /** `fresh` is what stands in this place of the fresh builder. */
  value(fresh: unknown): unknown {
    const number = this.integer();
    const kind = number % 8;
    const what = number < 0x7fffffff ? number >>> 3 : Math.floor(number / 8);
    switch (kind) {
      case KIND.special:
        return this.special(what, fresh);
      case KIND.text:
        return this.text(what);
      case KIND.integer:
        return what;
      case KIND.negative:
        return -what;
      case KIND.known:
        return this.known(what);
      case KIND.object:
        return this.object(this.shape(what));
      case KIND.list:
        return this.list(what);
      default:
        return this.other(what, fresh);
    }
  }

  private special(what: number, fresh: unknown): unknown {
    switch (what) {
      case SPECIAL.undefined:
        return undefined;
      case SPECIAL.null:
        return null;
      case SPECIAL.true:
        return true;
      case SPECIAL.false:
        return false;
      case SPECIAL.hole:
        return HOLE;
      case SPECIAL.left:
        if (fresh === undefined || fresh === null) throw new Unkeepable('the new builder lacks something');
        return fresh;
      case SPECIAL.fraction:
        this.at += 8;
        return this.bytes.readDoubleLE(this.at - 8);
      default:
        throw new Unkeepable('it is not what was kept');
    }
  }

  private text(number: number): string {
    const text = this.texts[number];
    if (text === undefined) throw new Unkeepable('a text is missing');
    return text;
  }

  private known(back: number): object {
    const object = this.objects[this.objects.length - back];
    if (object === undefined || object === MISSING) throw new Unkeepable('an object is missing');
    return object;
  }

  private object({ origin, keys, model, maker }: Shape): object {
    if (origin === ORIGIN.class) throw new Unkeepable('an object of a class that is not there');
    if (model !== null) return this.likeModel(keys, model, maker);
    const object: Record<string, unknown> = origin === ORIGIN.bare ? Object.create(null) : {};
    this.objects.push(object);
    for (const key of keys) setOwn(object, key, this.value(undefined));
    return object;
  }

  private likeModel(keys: readonly string[], model: Record<string, unknown>, maker: Maker | undefined): object {
    const bits = this.integer();
    const number = this.objects.length;
    if (maker !== undefined) {
      // Until it is made, nobody can hold it.
      this.objects.push(MISSING);
      const made = maker(bits, model, this.next);
      this.objects[number] = made;
      return made;
    }
    const object = { ...model };
    this.objects.push(object);
    for (let left = bits; left !== 0; left &= left - 1)
      object[keys[31 - Math.clz32(left & -left)] as string] = this.value(undefined); // a place of the list
    return object;
  }

  private list(length: number): unknown[] {
    const list: unknown[] = [];
    this.objects.push(list);
    this.elements(list, length, undefined);
    return list;
  }

  private elements(list: unknown[], length: number, before: readonly unknown[] | undefined): void {
    for (let i = 0; i < length; i++) {
      const value = this.value(before?.[i]);
      if (value === HOLE) list.length = i + 1;
      else list.push(value);
    }
  }

  private other(what: number, fresh: unknown): object {
    switch (what) {
      case OTHER.map:
        return this.map(new Map());
      case OTHER.set:
        return this.set(new Set());
      case OTHER.filledObject:
        return this.filledObject(this.shape(this.integer()), fresh);
      case OTHER.filledList:
        return this.filledList(this.integer(), fresh);
      case OTHER.filledMap:
        if (!(fresh instanceof Map)) throw new Unkeepable('the new builder has no map there');
        return this.map(fresh);
      case OTHER.filledSet:
        if (!(fresh instanceof Set)) throw new Unkeepable('the new builder has no set there');
        fresh.clear();
        return this.set(fresh);
      default:
        throw new Unkeepable('it is not what was kept');
    }
  }

  private map(map: Map<unknown, unknown>): object {
    this.objects.push(map);
    const before = map.size === 0 ? undefined : new Map(map);
    map.clear();
    for (let left = this.integer(); left > 0; left--) {
      const key = this.value(undefined);
      map.set(key, this.value(before?.get(key)));
    }
    return map;
  }

  private set(set: Set<unknown>): object {
    this.objects.push(set);
    for (let left = this.integer(); left > 0; left--) set.add(this.value(undefined));
    return set;
  }

  private filledList(length: number, fresh: unknown): object {
    if (!Array.isArray(fresh)) throw new Unkeepable('the new builder has no list there');
    this.objects.push(fresh);
    const before = [...fresh];
    fresh.length = 0;
    this.elements(fresh, length, before);
    return fresh;
  }

  private filledObject(shape: Shape, fresh: unknown): object {
    if (typeof fresh !== 'object' || fresh === null) throw new Unkeepable('the new builder has no object there');
    const target = fresh as Record<string, unknown>;
    this.objects.push(target);
    const before = { ...target };
    this.prepare(shape, target);
    for (const key of shape.keys) setOwn(target, key, this.value(before[key]));
    return target;
  }

  /** Objects of a class must be of the same, with the same fields; others get the keys that were kept, in their order. */
  private prepare({ origin, code, keys }: Shape, target: Record<string, unknown>): void {
    if (originOf(target) !== origin) throw new Unkeepable('another object stands there');
    const own = Object.keys(target);
    const isSame = own.length === keys.length && own.every((key, i) => key === keys[i]);
    if (origin !== ORIGIN.class) {
      if (!own.every((key, i) => key === keys[i])) for (const key of own) delete target[key];
    } else if (!isSame || codeOf(Object.getPrototypeOf(target)) !== code)
      throw new Unkeepable(`${target.constructor?.name} is another one now`);
  }

  private shape(number: number): Shape {
    const known = this.shapes[number];
    if (known !== undefined) return known;
    if (number !== this.shapes.length) throw new Unkeepable('a shape is missing');
    const [origin, code] = [this.integer(), this.integer()];
    const keys: string[] = [];
    for (let left = this.integer(); left > 0; left--) keys.push(this.text(this.integer()));
    const model: Record<string, unknown> | null = hasModel(origin, keys) ? {} : null;
    const shape = { origin, code, keys, model, maker: makerOf(keys) };
    this.shapes.push(shape);
    if (model !== null) {
      // V8 remembers what kind of value each field has held: that it may be any must be known before copies are made, or each is made over.
      for (const any of [0, 0.5, '', null]) for (const key of keys) model[key] = any;
      for (const key of keys) model[key] = this.value(undefined);
    }
    return shape;
  }

  private integer(): number {
    const { bytes } = this;
    let byte = bytes[this.at++] ?? END;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = bytes[this.at++] ?? END;
      if (byte === END) throw new Unkeepable('it is too short');
      value += (byte & 0x7f) * scale;
    }
    return value;
  }
}

/** No byte. */
const END = 0x100;

function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}
