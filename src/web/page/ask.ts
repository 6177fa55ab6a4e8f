// Questions to the server: the page knows nothing but what it answers.

import type {
  Change,
  ErrorAnswer,
  FoundAnswer,
  MessagesAnswer,
  PlaceAnswer,
  RawAnswer,
  SearchAnswer,
  SessionAnswer,
  SessionRow,
  SessionsAnswer,
  ThreadAnswer,
} from '../api.ts';
import { type Chosen, FACETS } from '../facets.ts';

export const NO_ANSWER = 'The server does not answer. Is "pal serve" still running?';

/** What the server could not answer. */
class Unanswered extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function ask<Answer>(address: string, signal?: AbortSignal): Promise<Answer> {
  const response = await fetch(`/api/v1/${address}`, signal === undefined ? {} : { signal }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Unanswered(0, NO_ANSWER);
  });
  if (response.ok) return (await response.json()) as Answer;
  const told = (await response.json().catch(() => ({}))) as Partial<ErrorAnswer>;
  throw new Unanswered(response.status, told.error ?? `The server said ${response.status}.`);
}

const session = (key: string) => `sessions/${encodeURIComponent(key)}`;

export const sessions = (from: number, count: number) => ask<SessionsAnswer>(`sessions?from=${from}&count=${count}`);
export const rows = (keys: readonly string[]) =>
  ask<{ rows: SessionRow[] }>(`rows?${keys.map((key) => `key=${encodeURIComponent(key)}`).join('&')}`);
export const search = (text: string, chosen: Chosen, signal: AbortSignal) => {
  const narrowed = FACETS.flatMap((facet) => chosen[facet].map((value) => [facet, value]));
  return ask<SearchAnswer>(`search?${new URLSearchParams([['q', text], ...narrowed])}`, signal);
};
export const beginning = (key: string) => ask<MessagesAnswer>(`${session(key)}/beginning`);
export const open = (key: string) => ask<SessionAnswer>(session(key));
export const messages = (key: string, from: number, to: number) =>
  ask<MessagesAnswer>(`${session(key)}/messages?from=${from}&to=${to}`);
export const whole = (key: string, index: number) => ask<MessagesAnswer>(`${session(key)}/messages/${index}`);
export const raw = (key: string, index: number) => ask<RawAnswer>(`${session(key)}/messages/${index}/raw`);
export const find = (key: string, text: string, signal: AbortSignal) =>
  ask<FoundAnswer>(`${session(key)}/find?q=${encodeURIComponent(text)}`, signal);
export const place = (key: string, id: string) =>
  ask<PlaceAnswer>(`${session(key)}/place?id=${encodeURIComponent(id)}`);
export const thread = (key: string) => ask<ThreadAnswer>(`${session(key)}/thread`);
export const imageAddress = (key: string, index: number, number: number) =>
  `/api/v1/${session(key)}/messages/${index}/images/${number}`;

interface Listening {
  take: (change: Change) => void;
  /** It listens, for the first time or again: what was told meanwhile is not told again. */
  hello: (isFirst: boolean) => void;
  /** The line was cut. The browser tries again, and then there is a `hello`. */
  lost: () => void;
}

/** Calls with every change until it is ended. A page that nobody sees does not listen: browsers have few lines to one server. */
export function changes({ take, hello, lost }: Listening): () => void {
  const listener = (event: MessageEvent<string>) => take(JSON.parse(event.data) as Change);
  let source: EventSource | null = null;
  let isFirst = true;
  const listen = () => {
    source = new EventSource('/api/v1/changes');
    for (const name of ['rows', 'session', 'indexing']) source.addEventListener(name, listener);
    source.addEventListener('hello', () => {
      hello(isFirst);
      isFirst = false;
    });
    source.addEventListener('error', lost);
  };
  const seen = () => {
    source?.close();
    source = null;
    if (!document.hidden) listen();
  };
  seen();
  document.addEventListener('visibilitychange', seen);
  return () => {
    document.removeEventListener('visibilitychange', seen);
    source?.close();
  };
}
