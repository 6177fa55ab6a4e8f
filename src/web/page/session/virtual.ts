// Draws only what can be seen of a long list whose rows have heights that nobody knows before they are drawn.

import {
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';

interface VirtualOptions {
  count: number;
  place: { current: HTMLElement | null };
  keyOf: (index: number) => number;
  estimate: (index: number) => number;
}

type List = Virtualizer<HTMLElement, HTMLElement>;

export function useVirtual({ count, place, keyOf, estimate }: VirtualOptions): List {
  const [, draw] = useReducer((times: number) => times + 1, 0);
  const options: VirtualizerOptions<HTMLElement, HTMLElement> = {
    count,
    getScrollElement: () => place.current,
    getItemKey: keyOf,
    estimateSize: estimate,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    measureElement,
    overscan: 6,
    onChange: () => draw(null as never),
  };
  const list = useRef<List | null>(null);
  list.current ??= new Virtualizer(options);
  list.current.setOptions(options);
  useLayoutEffect(() => list.current?._didMount(), []);
  useLayoutEffect(() => list.current?._willUpdate());
  return list.current;
}
