// The transcript: only what can be seen of it is drawn.

import type { ComponentChildren } from 'preact';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'preact/hooks';
import type { MessageStore } from './message-store.ts';
import { type Item, isEvent, type SessionModel } from './model.ts';
import { type Align, useVirtual } from './virtual.ts';

export interface Scroller {
  toPlace(place: number, align: Align): void;
  toEnd(): void;
  /** So many times what can be seen at once; infinity: to the end, or to the beginning. */
  byPages(pages: number): void;
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

/** Messages beside those that can be seen, fetched along. */
const AROUND = 20;

export function Transcript({ model, store, items, scroller, seen, draw }: TranscriptProps) {
  const place = useRef<HTMLDivElement>(null);
  const list = useVirtual({ items, place, estimate: (item) => estimate(model, item) });
  const { rows, total } = list;
  // So that the keys that scroll do so at once.
  useEffect(() => place.current?.focus({ preventScroll: true }), []);
  const toEnd = () => list.scrollTo(items.length - 1, 'end');
  const byPages = (pages: number) => {
    if (pages === Number.POSITIVE_INFINITY) toEnd();
    else if (pages === Number.NEGATIVE_INFINITY) list.scrollTo(0, 'start');
    else list.scrollBy(pages * (place.current?.clientHeight ?? 0));
  };
  useImperativeHandle(scroller, () => ({ toPlace: list.scrollTo, toEnd, byPages }), [items]);
  useFollowing(place, items.length, toEnd);

  const [least, most] = [rows[0], rows.at(-1)].map((row) => model.messageAt(items[row?.index ?? 0] ?? 0));
  useEffect(() => {
    if (least === undefined || most === undefined) return undefined;
    // Who rushes through does not need what flies by.
    const timer = setTimeout(() => store.want(Math.max(0, least - AROUND), most + AROUND), 30);
    return () => clearTimeout(timer);
  }, [store, least, most, model]);
  const [first, last] = [list.first, list.last].map((index) => model.messageAt(items[index] ?? 0));
  useLayoutEffect(() => seen(first ?? 0, last ?? 0), [first, last]);
  return (
    <main class="transcript-frame">
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
          {rows.map(({ index, top }) => {
            const item = items[index] ?? 0;
            return (
              <article
                key={item}
                ref={list.measure}
                data-index={index}
                class={`item${isEvent(item) ? ' is-event' : ''}`}
                style={{ transform: `translateY(${top}px)` }}
                aria-posinset={index + 1}
                aria-setsize={items.length}
                aria-label={isEvent(item) ? 'Event' : `Message ${item}`}
              >
                {draw(item)}
              </article>
            );
          })}
        </div>
        {items.length === 0 && <p class="empty">There is no message in this session.</p>}
      </div>
    </main>
  );
}

/** Who is at the end stays there when more is written. */
function useFollowing(place: { current: HTMLElement | null }, count: number, toEnd: () => void): void {
  const isAtEnd = useRef(false);
  const before = useRef(count);
  useEffect(() => {
    const element = place.current;
    const moved = () => {
      if (element !== null) isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 40;
    };
    element?.addEventListener('scroll', moved, { passive: true });
    return () => element?.removeEventListener('scroll', moved);
  }, []);
  useLayoutEffect(() => {
    if (count > before.current && isAtEnd.current) toEnd();
    before.current = count;
  }, [count]);
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
