// The transcript: only what can be seen of it is drawn.

import type { ComponentChildren } from 'preact';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'preact/hooks';
import type { MessageStore } from './message-store.ts';
import { type Item, isEvent, type SessionModel } from './model.ts';
import { useVirtual } from './virtual.ts';

export interface Scroller {
  toPlace(place: number, align: 'start' | 'center' | 'auto'): void;
  toEnd(): void;
}

interface TranscriptProps {
  model: SessionModel;
  store: MessageStore;
  items: readonly Item[];
  scroller: { current: Scroller | null };
  /** First and last message that can be seen. */
  seen: (first: number, last: number) => void;
  draw: (item: Item) => ComponentChildren;
}

/** How long the end is followed after something came. */
const FOLLOW_MS = 1500;
/** Messages beside those that can be seen, fetched along. */
const AROUND = 20;

export function Transcript({ model, store, items, scroller, seen, draw }: TranscriptProps) {
  const place = useRef<HTMLDivElement>(null);
  const list = useVirtual({
    count: items.length,
    place,
    keyOf: (i) => items[i] ?? 0,
    estimate: (i) => estimate(model, items[i] ?? 0),
  });
  // Who is at the end stays there while the session grows, until what came has been measured.
  const [atEnd, followsUntil] = [useRef(false), useRef(0)];
  const count = useRef(items.length);
  if (items.length > count.current && atEnd.current) followsUntil.current = performance.now() + FOLLOW_MS;
  count.current = items.length;
  const toEnd = () => {
    atEnd.current = true;
    followsUntil.current = performance.now() + FOLLOW_MS;
    list.scrollToIndex(items.length - 1, { align: 'end' });
  };
  const total = list.getTotalSize();
  useLayoutEffect(() => {
    if (performance.now() < followsUntil.current) list.scrollToIndex(items.length - 1, { align: 'end' });
  }, [total, items.length]);
  useEffect(() => {
    const element = place.current;
    const moved = () => {
      if (element !== null) atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 40;
    };
    const left = () => {
      followsUntil.current = 0;
    };
    element?.addEventListener('scroll', moved, { passive: true });
    for (const name of ['wheel', 'touchmove', 'keydown']) element?.addEventListener(name, left, { passive: true });
    return () => {
      element?.removeEventListener('scroll', moved);
      for (const name of ['wheel', 'touchmove', 'keydown']) element?.removeEventListener(name, left);
    };
  }, []);
  useImperativeHandle(
    scroller,
    () => ({
      toPlace: (to, align) => list.scrollToIndex(to, { align }),
      toEnd: () => toEnd(),
    }),
    [list, items],
  );
  const rows = list.getVirtualItems();
  const shown = rows.map(({ index }) => model.messageAt(items[index] ?? 0));
  const [least, most] = [Math.min(...shown), Math.max(...shown)];
  useEffect(() => {
    if (shown.length === 0) return undefined;
    // Who rushes through does not need what flies by.
    const timer = setTimeout(() => store.want(Math.max(0, least - AROUND), most + AROUND), 30);
    return () => clearTimeout(timer);
  }, [store, least, most, model]);
  const top = list.scrollOffset ?? 0;
  const bottom = top + (place.current?.clientHeight ?? 0);
  const inView = rows.filter(({ start, end }) => end > top + 4 && start < bottom - 4);
  const [first, last] = [inView[0], inView.at(-1)].map((row) => model.messageAt(items[row?.index ?? 0] ?? 0));
  useLayoutEffect(() => seen(first ?? 0, last ?? 0), [first, last]);
  return (
    <div
      id="transcript"
      class="transcript"
      ref={place}
      tabIndex={-1}
      role="feed"
      aria-label="Transcript"
      aria-busy={false}
    >
      <div class="transcript-room" style={{ height: `${total}px` }}>
        {rows.map(({ key, index, start }) => {
          const item = items[index] ?? 0;
          return (
            <article
              key={key}
              ref={list.measureElement}
              data-index={index}
              class={`item${isEvent(item) ? ' is-event' : ''}`}
              style={{ transform: `translateY(${start}px)` }}
              aria-posinset={index + 1}
              aria-setsize={items.length}
              aria-label={isEvent(item) ? 'Event' : `Message ${item}`}
            >
              {draw(item)}
            </article>
          );
        })}
      </div>
    </div>
  );
}

/** What is folded is a line; of the rest, so many bytes are a line of text, more or less. */
function estimate(model: SessionModel, item: Item): number {
  if (isEvent(item)) return 52;
  const size = model.answer.sizes[item] ?? 0;
  const kind = model.kind(item);
  if (kind === 'p') return 80 + Math.min(400, size / 8);
  if (kind === 'r') return 40 + Math.min(500, size / 12);
  return kind === 's' ? 400 : 44;
}
