// Finding words in the session, while they are typed.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FoundAnswer } from '../../api.ts';
import { find } from '../ask.ts';

export interface Found {
  text: string;
  setText: (text: string) => void;
  indices: readonly number[];
  /** There are others behind these. */
  hasMore: boolean;
  set: ReadonlySet<number>;
  isOpen: boolean;
  isLooking: boolean;
  open: () => void;
  close: () => void;
}

const WAIT_MS = 100;
const NONE = { indices: [], more: false };

export function useFind(session: string): Found {
  const [text, setText] = useState('');
  const [{ indices, more: hasMore }, setAnswer] = useState<Pick<FoundAnswer, 'indices' | 'more'>>(NONE);
  const [isOpen, setOpen] = useState(false);
  const [isLooking, setLooking] = useState(false);
  useEffect(() => {
    if (text.trim().length < 2) {
      setAnswer(NONE);
      return undefined;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      setLooking(true);
      find(session, text, abort.signal)
        .then(setAnswer)
        .catch(() => {})
        .finally(() => setLooking(false));
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [session, text]);
  const set = useMemo(() => new Set(indices), [indices]);
  return {
    text,
    setText,
    indices,
    hasMore,
    set,
    isOpen,
    isLooking,
    open: () => setOpen(true),
    close: () => {
      setOpen(false);
      setText('');
    },
  };
}

export function FindBar({ found, goTo }: { found: Found; goTo: (index: number) => void }) {
  const box = useRef<HTMLInputElement>(null);
  const [at, setAt] = useState(-1);
  useEffect(() => box.current?.focus(), []);
  useEffect(() => {
    setAt(-1);
  }, [found.indices]);
  const step = (by: number) => {
    const { indices } = found;
    if (indices.length === 0) return;
    // Backwards from where none was gone to yet, the last one comes first.
    const next = (Math.max(at, by > 0 ? -1 : 0) + by + indices.length) % indices.length;
    setAt(next);
    goTo(indices[next] ?? 0);
  };
  const told =
    found.text.trim().length < 2
      ? ''
      : found.isLooking
        ? '…'
        : `${at + 1} of ${found.hasMore ? 'more than ' : ''}${found.indices.length}`;
  return (
    <search class="find-bar">
      <input
        ref={box}
        type="search"
        aria-label="Find in this session"
        placeholder="Find in this session"
        value={found.text}
        onInput={(event) => found.setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          step(event.shiftKey ? -1 : 1);
        }}
      />
      <span role="status">{told}</span>
      <button type="button" class="quiet" onClick={() => step(-1)} aria-label="The one before">
        ↑
      </button>
      <button type="button" class="quiet" onClick={() => step(1)} aria-label="The next one">
        ↓
      </button>
      <button type="button" class="quiet" onClick={found.close} aria-label="Close">
        ✕
      </button>
    </search>
  );
}
