// Where the page is: the list, or a session, perhaps at a message.

import { useEffect, useState } from 'preact/hooks';

export interface Address {
  /** Null: the list. */
  key: string | null;
  /** Id of a message: it stays valid while the session grows. */
  message: string | null;
  /** What is asked of the list. */
  query: URLSearchParams;
}

export function addressOf(location: Pick<Location, 'pathname' | 'search' | 'hash'>): Address {
  const [, key] = /^\/s\/(.+)$/.exec(location.pathname) ?? [];
  return {
    key: key === undefined ? null : decoded(key),
    message: location.hash === '' ? null : decoded(location.hash.slice(1)),
    query: new URLSearchParams(location.search),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function sessionAddress(key: string, message?: string): string {
  const hash = message === undefined ? '' : `#${encodeURIComponent(message)}`;
  return `/s/${encodeURIComponent(key)}${hash}`;
}

const MOVED = 'palimpsest-moved';

export function go(address: string): void {
  history.pushState(null, '', address);
  dispatchEvent(new Event(MOVED));
}

/** The same page, seen a little otherwise: no step back leads here. */
export function replace(address: string): void {
  history.replaceState(null, '', address);
}

/** Links inside the page need no new page; those with keys held down are the browser's. */
export function followed(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.origin !== location.origin || link.target !== '') return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}

export function useAddress(): Address {
  const [address, set] = useState(() => addressOf(location));
  useEffect(() => {
    const moved = () => set(addressOf(location));
    for (const name of ['popstate', MOVED]) addEventListener(name, moved);
    return () => {
      for (const name of ['popstate', MOVED]) removeEventListener(name, moved);
    };
  }, []);
  return address;
}
