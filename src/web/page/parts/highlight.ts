// Asks the thread that colours code.

import address from './highlight-worker.ts?worker&url';

/** Lines of pieces: text, colour on light, colour on dark. */
export type Coloured = [text: string, light: string, dark: string][][];

/** More would take seconds, and nobody reads it for its colours. */
const MOST_CHARACTERS = 20_000;

let worker: Worker | undefined;
const waiting = new Map<number, (lines: Coloured | null) => void>();
let number = 0;

export function coloured(text: string, language: string): Promise<Coloured | null> {
  if (text.length > MOST_CHARACTERS) return Promise.resolve(null);
  worker ??= started();
  return new Promise((resolve) => {
    waiting.set(++number, resolve);
    worker?.postMessage({ number, text, language });
  });
}

/** The browser runs only addresses that this rule lets through: this one file. */
interface Rules {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): URL };
}

function started(): Worker {
  const { trustedTypes } = globalThis as { trustedTypes?: Rules };
  const trusted = trustedTypes?.createPolicy('palimpsest', { createScriptURL: () => address }).createScriptURL(address);
  const made = new Worker(trusted ?? address, { type: 'module' });
  made.onmessage = ({ data }: MessageEvent<{ number: number; lines: Coloured | null }>) => {
    waiting.get(data.number)?.(data.lines);
    waiting.delete(data.number);
  };
  return made;
}
