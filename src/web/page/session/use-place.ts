// Where one is in the session, and the ways from there.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Item, SessionModel } from './model.ts';
import type { Scroller } from './transcript.tsx';
import type { Align } from './virtual.ts';

interface PlaceOptions {
  model: SessionModel | null;
  /** What is shown, in its order. */
  items: readonly Item[];
  /** Has everything shown, also what had left. */
  unhide: () => void;
  /** Unfolds an event. */
  openEvent: (event: number) => void;
}

export interface Place {
  scroller: { current: Scroller | null };
  /** The message that was gone to last; null: none yet. */
  current: number | null;
  currentEvent: number | null;
  /** First and last message that can be seen. */
  seen: { first: number; last: number };
  setSeen: (seen: { first: number; last: number }) => void;
  /** The message that was gone to last, if it can still be seen; else the first that can, or the last. */
  here: (otherwise?: 'first' | 'last') => number;
  setCurrent: (index: number) => void;
  goTo: (index: number, align?: Align) => void;
  goToItem: (item: Item, align?: Align) => void;
  goToEvent: (event: number) => void;
  /** To the next message, or the one before, that fits. */
  step: (by: 1 | -1, fits?: (index: number) => boolean) => void;
  stepEvent: (by: 1 | -1) => void;
}

export function usePlace({ model, items, unhide, openEvent }: PlaceOptions): Place {
  const scroller = useRef<Scroller | null>(null);
  const [current, setCurrent] = useState<number | null>(null);
  const [currentEvent, setCurrentEvent] = useState<number | null>(null);
  const [seen, setSeen] = useState({ first: 0, last: 0 });
  const places = useMemo(() => new Map(items.map((item, i) => [item, i])), [items]);
  const isSeen = (index: number) => index >= seen.first && index <= seen.last;
  const here = (otherwise: 'first' | 'last' = 'first') =>
    current !== null && isSeen(current) ? current : seen[otherwise];

  /** What is not shown, but gone to as soon as it is. */
  const [wanted, setWanted] = useState<{ item: Item; align: Align } | null>(null);
  const goToItem = (item: Item, align: Align = 'start') => {
    const to = places.get(item);
    if (to === undefined) setWanted({ item, align });
    else scroller.current?.toPlace(to, align);
  };
  useEffect(() => {
    if (wanted === null) return;
    const to = places.get(wanted.item);
    // First, what hides it is taken away.
    if (to === undefined && items !== model?.items) return unhide();
    setWanted(null);
    if (to !== undefined) scroller.current?.toPlace(to, wanted.align);
  }, [places, wanted]);

  const goTo = (index: number, align: Align = 'start') => {
    setCurrent(index);
    goToItem(index, align);
  };
  /** An event stands behind its message: from there keys go on. */
  const messageOf = (event: number) => Math.max(0, model?.answer.events[event]?.after ?? 0);
  const goToEvent = (event: number) => {
    setCurrentEvent(event);
    setCurrent(messageOf(event));
    openEvent(event);
    goToItem(-event - 1, 'start');
  };
  const step: Place['step'] = (by, fits = () => true) => {
    if (model === null) return;
    for (let index = here() + by; index >= 0 && index < model.count; index += by)
      if (places.has(index) && fits(index)) return goTo(index, 'auto');
  };
  const stepEvent = (by: 1 | -1) => {
    const { events } = model?.answer ?? { events: [] };
    const isAtEvent = currentEvent !== null && messageOf(currentEvent) === here();
    const around =
      by > 0
        ? events.findIndex(({ after }) => after >= here()) - 1
        : events.findLastIndex(({ after }) => after < here()) + 1;
    const next = (isAtEvent ? currentEvent : around) + by;
    if (next >= 0 && next < events.length) goToEvent(next);
  };
  return {
    scroller,
    current,
    currentEvent,
    seen,
    setSeen,
    here,
    setCurrent,
    goTo,
    goToItem,
    goToEvent,
    step,
    stepEvent,
  };
}
