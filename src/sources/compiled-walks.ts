// Compiled code that walks over bytes in a memory of its own: json-walk.wat. Who needs some asks for it; where there is no
// WebAssembly, or no room for the memory, there is none, and each who asks has another way.

import { WALK_CODE } from './json-walk-code.ts';

/** What json-walk.wat exports, and says of each. */
interface Walks {
  walk(at: number, fields: number, object: number, stack: number): number;
  long(at: number, to: number, longest: number, notes: number, room: number): number;
  lines(at: number, to: number, notes: number, room: number, wide: number): number;
  marked(at: number, to: number, notes: number, room: number, head: number, tail: number, skip: number): number;
  apart(
    at: number,
    to: number,
    longest: number,
    notes: number,
    room: number,
    texts: number,
    rest: number,
    most: number,
  ): number;
}

export interface WalkMemory {
  buffer: ArrayBuffer;
  /** Undefined where there are none: then the memory is an empty one. */
  walks: Walks | undefined;
}

/** What is used of it. */
interface Wasm {
  Memory: new (pages: { initial: number; maximum: number }) => { buffer: ArrayBuffer };
  Module: new (code: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: Walks };
}

const PAGE = 64 * 1024;
/** At the beginning of each memory: what may stand behind a backslash. */
export const TABLE_BYTES = 256;

let module: object | undefined;

/** A memory of at least so many bytes, and a page: sixteen bytes are looked at together. */
export function newWalks(bytes: number): WalkMemory {
  const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly?: Wasm };
  const pages = Math.ceil(bytes / PAGE) + 1;
  try {
    if (wasm === undefined) return { buffer: new ArrayBuffer(0), walks: undefined };
    module ??= new wasm.Module(Buffer.from(WALK_CODE, 'base64'));
    const memory = new wasm.Memory({ initial: pages, maximum: pages });
    markEscapes(new Uint8Array(memory.buffer));
    return { buffer: memory.buffer, walks: new wasm.Instance(module, { js: { memory } }).exports };
  } catch {
    return { buffer: new ArrayBuffer(0), walks: undefined };
  }
}

/** What may stand behind a backslash, how many bytes that takes, and what are hexadecimal digits. */
function markEscapes(table: Uint8Array): void {
  const mark = (characters: string, bits: number) => {
    for (const byte of Buffer.from(characters)) table[byte] = (table[byte] ?? 0) | bits;
  };
  mark('"\\/bfnrt', 2);
  mark('u', 6);
  mark('0123456789abcdefABCDEF', 8);
}
