import { useEffect } from 'preact/hooks';
import { isTyping } from '../parts/keys.ts';

/** What single keys do, by their names. Escape also counts while one types. */
export function useKeys(keys: Record<string, () => unknown>): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const act = keys[event.key];
      if (act === undefined || (isTyping(event) && event.key !== 'Escape')) return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  });
}
