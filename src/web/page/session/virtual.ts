// Draws only what can be seen of a long list whose rows have heights that nobody knows before they are drawn. What is on screen
// stays where it is when rows above it turn out higher or lower than they were thought to be.

import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { Heights } from './heights.ts';

export type Align = 'start' | 'center' | 'end' | 'auto';

interface VirtualOptions<Item> {
  items: readonly Item[];
  place: { current: HTMLElement | null };
  estimate: (item: Item) => number;
}

export interface VirtualList {
  rows: { index: number; top: number }[];
  total: number;
  /** First and last row that can be seen. */
  first: number;
  last: number;
  /** For each row that is drawn; it has its index in `data-index`. */
  measure: (element: HTMLElement | null) => void;
  scrollTo: (index: number, align: Align) => void;
  scrollBy: (pixels: number) => void;
}

/** Rows drawn beyond those that can be seen. */
const BEYOND = 6;
/** So long a place is held to that was gone to: rows on the way there are still being measured. */
const HOLD_MS = 900;
/** Unless somebody goes on from there: by hand, or by the keys that scroll. */
const LEAVING = ['wheel', 'touchmove', 'keydown'];

export function useVirtual<Item>({ items, place, estimate }: VirtualOptions<Item>): VirtualList {
  const [, draw] = useReducer((times: number, _: null) => times + 1, 0);
  const measured = useRef(new Map<Item, number>());
  const heights = useMemo(() => {
    const heightOf = (index: number) => {
      const item = items[index] as Item;
      return measured.current.get(item) ?? estimate(item);
    };
    return new Heights(items.length, heightOf);
  }, [items]);
  const now = useRef({ items, heights });
  now.current = { items, heights };
  const view = useRef({ top: 0, height: 0 });
  const held = useRef<{ index: number; align: Align; until: number } | null>(null);
  const drawn = useRef('');
  const windowOf = (): [number, number] => {
    const { top, height } = view.current;
    return [now.current.heights.at(top + 2), now.current.heights.at(top + height - 2)];
  };

  const goTo = (index: number, align: Align) => {
    const element = place.current;
    const { heights } = now.current;
    if (element === null || heights.count === 0) return;
    const [top, height, room] = [heights.top(index), heights.height(index), element.clientHeight];
    const [least, most] = [top + height - room, top];
    const wanted = {
      start: most,
      end: least,
      center: height > room ? most : top - (room - height) / 2,
      auto: Math.max(least, Math.min(most, element.scrollTop)),
    };
    element.scrollTop = Math.max(0, height > room && align === 'auto' ? most : wanted[align]);
    view.current = { top: element.scrollTop, height: room };
  };

  const sizes = useMemo(
    () =>
      new ResizeObserver((entries) => {
        const element = place.current;
        if (element === null) return;
        const { items, heights } = now.current;
        let [isOther, above] = [false, 0];
        for (const { target, borderBoxSize } of entries) {
          const index = Number((target as HTMLElement).dataset.index);
          const height = borderBoxSize[0]?.blockSize ?? 0;
          if (!target.isConnected || height === 0 || index >= items.length) continue;
          const isAbove = heights.top(index) + heights.height(index) <= element.scrollTop + 1;
          const more = heights.set(index, height);
          measured.current.set(items[index] as Item, height);
          if (more === 0) continue;
          isOther = true;
          if (isAbove) above += more;
        }
        if (!isOther) return;
        if (held.current !== null && performance.now() < held.current.until) {
          draw(null);
          // By then, somebody may have gone elsewhere.
          requestAnimationFrame(() => held.current && goTo(held.current.index, held.current.align));
        } else {
          if (above !== 0) element.scrollTop += above;
          draw(null);
        }
      }),
    [],
  );
  const seen = useRef(new WeakSet<Element>());
  const measure = useRef((element: HTMLElement | null) => {
    if (element === null || seen.current.has(element)) return;
    seen.current.add(element);
    sizes.observe(element);
  });

  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const look = () => {
      view.current = { top: element.scrollTop, height: element.clientHeight };
      if (drawn.current !== windowOf().join(' ')) draw(null);
    };
    const release = () => {
      held.current = null;
    };
    const resized = new ResizeObserver(() => {
      look();
      draw(null);
    });
    resized.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    for (const name of LEAVING) element.addEventListener(name, release, { passive: true });
    look();
    return () => {
      resized.disconnect();
      sizes.disconnect();
      element.removeEventListener('scroll', look);
      for (const name of LEAVING) element.removeEventListener(name, release);
    };
  }, []);

  const [first, last] = windowOf();
  drawn.current = `${first} ${last}`;
  const rows: VirtualList['rows'] = [];
  for (let index = Math.max(0, first - BEYOND); index <= Math.min(items.length - 1, last + BEYOND); index++)
    rows.push({ index, top: heights.top(index) });
  // A shorter list may end above where one was.
  useLayoutEffect(() => {
    const element = place.current;
    if (element !== null && element.scrollTop !== view.current.top) view.current.top = element.scrollTop;
  }, [heights]);
  return {
    rows,
    total: heights.total,
    first,
    last,
    measure: measure.current,
    scrollTo: (index, align) => {
      held.current = { index, align, until: performance.now() + HOLD_MS };
      goTo(index, align);
      draw(null);
    },
    scrollBy: (pixels) => {
      held.current = null;
      place.current?.scrollBy(0, pixels);
    },
  };
}
