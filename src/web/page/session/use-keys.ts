import { isOnControl, isTyping, useKeyDown } from '../parts/keys.ts';

/** What single keys do, by their names. Escape also counts while one types. */
export function useKeys(keys: Record<string, () => unknown>): void {
  useKeyDown((event) => {
    const act = keys[event.key];
    if (act === undefined || (isTyping(event) && event.key !== 'Escape')) return;
    if (event.key === 'Enter' && isOnControl(event)) return;
    if (document.querySelector('dialog[open]') !== null) return;
    event.preventDefault();
    act();
  });
}
