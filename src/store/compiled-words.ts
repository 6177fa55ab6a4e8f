// Compiled code that makes word lists, in a memory of its own: words/, which says what each function does.

import { WORDS_CODE } from './words-code.ts';

export interface Words {
  memory: { buffer: ArrayBuffer };
  textPlace(): number;
  mostBytes(): number;
  asciiPlace(): number;
  lettersPlace(block: number): number;
  begin(): void;
  isFull(): number;
  add(id: number, bytes: number, isMore: boolean): number;
  beginPages(bytes: number): void;
  writePages(): number;
  notesPlace(): number;
  pageCount(): number;
}

/** What is used of it. */
interface Wasm {
  Module: new (code: Uint8Array) => object;
  Instance: new (module: object) => { exports: Words };
}

let module: object | undefined;

/** Undefined where there is no WebAssembly, or no room. */
export function newWords(): Words | undefined {
  const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly?: Wasm };
  try {
    if (wasm === undefined) return undefined;
    module ??= new wasm.Module(Buffer.from(WORDS_CODE, 'base64'));
    return new wasm.Instance(module).exports;
  } catch {
    return undefined;
  }
}
