// Which rows can be seen: all have the same height, so nothing needs to be measured.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { leftList } from './left-list.ts';

/** How high a row is. */
export const ROW = 58;

/** `before`: how far down one was when one left. */
export function useView(count: number, scrolled: { current: number }, before: number) {
  const place = useRef<HTMLElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [range, setRange] = useState({ first: 0, last: 30 });
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const look = () => {
      const above = element.scrollTop - (list.current?.offsetTop ?? 0);
      const first = Math.max(0, Math.floor(above / ROW) - 6);
      const last = Math.ceil((above + element.clientHeight) / ROW) + 6;
      setRange((before) => (before.first === first && before.last === last ? before : { first, last }));
    };
    const moved = () => {
      scrolled.current = performance.now();
      leftList.top = Math.max(0, element.scrollTop - (list.current?.offsetTop ?? 0));
      look();
    };
    look();
    element.addEventListener('scroll', moved, { passive: true });
    addEventListener('resize', look);
    return () => {
      element.removeEventListener('scroll', moved);
      removeEventListener('resize', look);
    };
  }, [count]);
  // Rows come in pieces: one is back where one was when there are enough of them.
  const wanted = useRef(before);
  useEffect(() => {
    leftList.top = before;
  }, []);
  useLayoutEffect(() => {
    const element = place.current;
    const top = (list.current?.offsetTop ?? 0) + wanted.current;
    if (element === null || wanted.current === 0 || element.scrollHeight - element.clientHeight < top) return;
    element.scrollTop = top;
    wanted.current = 0;
  }, [count]);
  const reveal = (index: number) => {
    const element = place.current;
    if (element === null) return;
    const top = (list.current?.offsetTop ?? 0) + index * ROW;
    if (top < element.scrollTop) element.scrollTop = top - 8;
    else if (top + ROW > element.scrollTop + element.clientHeight)
      element.scrollTop = top + ROW + 8 - element.clientHeight;
  };
  return { ...range, place, list, reveal };
}
