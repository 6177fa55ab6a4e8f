import { useEffect, useRef } from 'preact/hooks';

/** Calls what the page does with a key as it stands at that moment: fast fingers are faster than effects. */
export function useKeyDown(pressed: (event: KeyboardEvent) => void): void {
  const latest = useRef(pressed);
  latest.current = pressed;
  useEffect(() => {
    const listener = (event: KeyboardEvent) => latest.current(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}

/** Letters that go into a box are not meant for the page. */
export function isTyping(event: KeyboardEvent): boolean {
  const { target } = event;
  if (event.metaKey || event.ctrlKey || event.altKey) return true;
  return target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && !isSlider(target);
}

/** A button, a link or a box has its own use for Enter. */
export function isOnControl({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('a, button, input, select, summary') !== null;
}

function isSlider(target: HTMLElement): boolean {
  return target instanceof HTMLInputElement && (target.type === 'checkbox' || target.type === 'range');
}
