// Questions to the thread that reads sessions.

import { Worker } from 'node:worker_threads';
import { threadOptions } from '../thread-options.ts';
import type { Change } from './api.ts';
import type { Library } from './library.ts';
import type { LibraryOptions } from './upkeep.ts';

type Asked =
  | 'sessions'
  | 'rows'
  | 'beginning'
  | 'session'
  | 'messages'
  | 'message'
  | 'raw'
  | 'find'
  | 'place'
  | 'thread'
  | 'search';

export interface Question {
  number: number;
  name: Asked | 'image' | 'close';
  args: unknown;
}

export type FromLibrary =
  | { name: 'ready' }
  | { name: 'change'; change: Change }
  | { name: 'trouble'; message: string }
  | ({ name: 'answer'; number: number } & Answer)
  | { name: 'failed'; number: number; status: 404 | 500; message: string };

export interface Answer {
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** What could not be answered, and whose fault that is. */
export class Unanswered extends Error {
  readonly status: 400 | 404 | 500;
  constructor(status: 400 | 404 | 500, message: string) {
    super(message);
    this.status = status;
  }
}

export interface Asking {
  ask<Name extends Asked | 'image'>(name: Name, args: Parameters<Library[Name]>[0]): Promise<Answer>;
  /** Calls with every change until it is ended. */
  listen(take: (change: Change) => void): () => void;
  close(): Promise<void>;
}

interface Waiting {
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

export function startLibrary(options: LibraryOptions, onTrouble: (message: string) => void): Promise<Asking> {
  const name = import.meta.url.endsWith('.ts') ? './library-worker.ts' : './library-worker.js';
  const worker = new Worker(new URL(name, import.meta.url), { workerData: options, ...threadOptions() });
  const waiting = new Map<number, Waiting>();
  const listeners = new Set<(change: Change) => void>();
  let number = 0;
  /** Why nothing can be answered any more. */
  let ended: string | null = null;
  const asking: Asking = {
    ask: (name, args) =>
      new Promise((resolve, reject) => {
        if (ended !== null) {
          reject(new Unanswered(500, ended));
          return;
        }
        waiting.set(++number, { resolve, reject });
        worker.postMessage({ number, name, args } satisfies Question);
      }),
    listen: (take) => {
      listeners.add(take);
      return () => listeners.delete(take);
    },
    close: async () => {
      worker.postMessage({ number: 0, name: 'close', args: null } satisfies Question);
      await worker.terminate();
    },
  };
  const { promise, resolve, reject } = Promise.withResolvers<Asking>();
  worker.on('message', (message: FromLibrary) => {
    if (message.name === 'ready') resolve(asking);
    else if (message.name === 'change') for (const take of listeners) take(message.change);
    else if (message.name === 'trouble') onTrouble(message.message);
    else settle(message, waiting);
  });
  const end = (reason: string) => {
    ended ??= reason;
    reject(new Error(reason));
    for (const { reject } of waiting.values()) reject(new Unanswered(500, reason));
    waiting.clear();
  };
  worker.on('error', (error: Error) => {
    onTrouble(`What reads the sessions has ended: ${error.message}. Start "pal serve" again.`);
    end(error.message);
  });
  worker.on('exit', () => end('What reads the sessions has ended. Start "pal serve" again.'));
  return promise;
}

function settle(message: Extract<FromLibrary, { number: number }>, waiting: Map<number, Waiting>): void {
  const one = waiting.get(message.number);
  waiting.delete(message.number);
  if (message.name === 'answer') one?.resolve({ type: message.type, bytes: message.bytes });
  else one?.reject(new Unanswered(message.status, message.message));
}
