// The choices of every facet, worked out one after the other while the page is idle: of 50,000 rows each takes its time.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { SessionRow } from '../../api.ts';
import { type Chosen, FACETS, type Facet } from '../../facets.ts';
import { type Choice, choicesOf } from './choices.ts';

type Choices = Record<Facet, readonly Choice[]>;

const LATER_MS = 700;
const NONE = Object.fromEntries(FACETS.map((facet) => [facet, []])) as unknown as Choices;

export function useChoices(rows: readonly SessionRow[], chosen: Chosen, now: number): Choices {
  const [choices, setChoices] = useState(NONE);
  const known = useRef({ chosen, isThere: false });
  useEffect(() => {
    // Who chooses wants to see it; what merely comes in while one looks can wait.
    const wait = known.current.isThere && known.current.chosen === chosen ? LATER_MS : 0;
    known.current = { chosen, isThere: rows.length > 0 };
    let timer: ReturnType<typeof setTimeout>;
    const workOut = ([facet, ...others]: readonly Facet[]) => {
      if (facet === undefined) return;
      const made = choicesOf(rows, facet, chosen, now);
      setChoices((before) => ({ ...before, [facet]: made }));
      timer = setTimeout(() => workOut(others), 0);
    };
    timer = setTimeout(() => workOut(FACETS), wait);
    return () => clearTimeout(timer);
  }, [rows, chosen, now]);
  return choices;
}
