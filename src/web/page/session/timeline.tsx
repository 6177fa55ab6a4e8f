// The session from top to bottom: how full the context was, what happened where, and what can be seen now. It is the scroll bar.

import { useEffect, useRef, useState } from 'preact/hooks';
import { GLYPHS } from '../parts/events.ts';
import { clock, tokens } from '../parts/measures.ts';
import type { SessionModel } from './model.ts';
import { colours, drawSession, drawView, eventPlaces } from './timeline-drawing.ts';

export interface TimelineProps {
  model: SessionModel;
  /** First and last message that can be seen. */
  first: number;
  last: number;
  /** The point of the layers; null where everything is shown. */
  at: number | null;
  pinned: number | null;
  /** Messages that were looked for and found. */
  found: readonly number[];
  goTo: (message: number) => void;
  goToEvent: (event: number) => void;
  /** So many times what can be seen at once. */
  scroll: (pages: number) => void;
  moveLayer: (message: number) => void;
}

interface Tip {
  y: number;
  text: string;
}

const NEAR = 7;
/** What the keys of a scroll bar do. */
const PAGES: Record<string, number> = {
  ArrowDown: 0.1,
  ArrowUp: -0.1,
  PageDown: 0.9,
  PageUp: -0.9,
  End: Number.POSITIVE_INFINITY,
  Home: Number.NEGATIVE_INFINITY,
};

export function Timeline({ model, first, last, at, pinned, found, goTo, goToEvent, scroll, moveLayer }: TimelineProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const above = useRef<HTMLCanvasElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [tip, setTip] = useState<Tip | null>(null);
  const [theme, setTheme] = useState(0);
  const drag = useRef<'scroll' | 'layer' | null>(null);

  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const measured = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    measured.observe(element);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const changed = () => setTheme((times) => times + 1);
    dark.addEventListener('change', changed);
    return () => {
      measured.disconnect();
      dark.removeEventListener('change', changed);
    };
  }, []);

  // The session is drawn when it changes; what can be seen of it moves with every turn of the wheel.
  useEffect(() => {
    const element = canvas.current;
    if (element === null || size.height === 0) return;
    drawSession(element, { model, at, pinned, found, ...size, colours: colours(element) });
  }, [model, at, pinned, found, size, theme]);
  useEffect(() => {
    const element = above.current;
    if (element === null || size.height === 0) return;
    drawView(element, { model, first, last, ...size, colours: colours(element) });
  }, [model, first, last, size, theme]);

  const messageAt = (event: { clientY: number }) => {
    const box = place.current?.getBoundingClientRect();
    if (box === undefined || box.height === 0) return { y: 0, message: 0 };
    const y = Math.max(0, Math.min(box.height - 1, event.clientY - box.top));
    return { y, message: Math.min(model.count - 1, Math.floor((y / box.height) * model.count)) };
  };
  const eventNear = (y: number): number | undefined => {
    const near = eventPlaces(model, size.height)
      .map((place, event) => ({ event, distance: Math.abs(place - y) }))
      .filter(({ distance }) => distance <= NEAR)
      .sort((a, b) => a.distance - b.distance);
    return near[0]?.event;
  };
  const pressed = (event: PointerEvent) => {
    const { y, message } = messageAt(event);
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    const handle = at === null ? Number.NaN : ((at + 1) / model.count) * size.height;
    drag.current = Math.abs(handle - y) <= NEAR ? 'layer' : 'scroll';
    if (drag.current === 'layer') return;
    const near = eventNear(y);
    if (near === undefined) goTo(message);
    else goToEvent(near);
  };
  const moved = (event: PointerEvent) => {
    const { y, message } = messageAt(event);
    if (drag.current === 'layer') moveLayer(message);
    else if (drag.current === 'scroll' && event.buttons !== 0 && Math.abs(event.movementY) > 0) goTo(message);
    const near = eventNear(y);
    const told = near === undefined ? undefined : model.answer.events[near];
    setTip({
      y,
      text: told === undefined ? about(model, message) : `${GLYPHS[told.kind]} ${told.line}`,
    });
  };

  const keyed = (event: KeyboardEvent) => {
    const pages = PAGES[event.key];
    if (pages === undefined) return;
    event.preventDefault();
    scroll(pages);
  };

  return (
    <div
      class="timeline"
      ref={place}
      role="scrollbar"
      aria-label="Timeline of the session: size of the context, and what happened"
      aria-controls="transcript"
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, model.count - 1)}
      aria-valuenow={first}
      aria-valuetext={about(model, first)}
      tabIndex={0}
      onKeyDown={keyed}
      onPointerDown={pressed}
      onPointerMove={moved}
      onPointerUp={() => {
        drag.current = null;
      }}
      onPointerLeave={() => {
        drag.current = null;
        setTip(null);
      }}
    >
      {[canvas, above].map((layer, i) => (
        <canvas key={i} ref={layer} style={{ width: `${size.width}px`, height: `${size.height}px` }} />
      ))}
      <span class="timeline-peak" aria-hidden="true">
        {tokens(model.peak)}
      </span>
      {tip !== null && (
        <div class="tip" style={{ top: `${Math.max(4, Math.min(size.height - 44, tip.y - 12))}px` }} role="tooltip">
          {tip.text}
        </div>
      )}
    </div>
  );
}

function about({ answer }: SessionModel, message: number): string {
  const time = answer.times[message] ?? 0;
  const when = time === 0 ? '' : clock(new Date(time).toISOString());
  const size = answer.context[message] ?? 0;
  const told = answer.context_recorded[message] === '1' ? 'recorded' : 'estimated';
  return `message ${message}${when === '' ? '' : ` · ${when}`} · ${tokens(size)} tokens, ${told}`;
}
