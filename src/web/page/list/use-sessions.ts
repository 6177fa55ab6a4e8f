// All rows of the list: the newest at once, the others behind them, and what changes while one looks.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Change, SessionRow, SessionsAnswer } from '../../api.ts';
import { rows as askRows, changes, NO_ANSWER, sessions } from '../ask.ts';

const [FIRST, NEXT] = [200, 2000];
/** Rows come in bursts while everything is being read: they are drawn a few times a second. */
const [LEAST_WAIT_MS, MOST_WAIT_MS] = [200, 5000];

export interface Sessions {
  /** Newest first. */
  rows: readonly SessionRow[];
  /** What the first answer said; null until there is one. */
  about: Omit<SessionsAnswer, 'rows'> | null;
  trouble: string | null;
  /** Has these read, if they have not been. */
  see(keys: readonly string[]): void;
}

/** `isBusy`: somebody scrolls just now, and what changes can wait. */
export function useSessions(isBusy: () => boolean): Sessions {
  const known = useRef(new Map<string, SessionRow>());
  const asked = useRef(new Set<string>());
  const [rows, setRows] = useState<readonly SessionRow[]>([]);
  const [about, setAbout] = useState<Sessions['about']>(null);
  const [trouble, setTrouble] = useState<string | null>(null);

  const places = useRef(new Map<string, number>());
  const shown = useRef<readonly SessionRow[]>([]);
  const show = (next: readonly SessionRow[]) => {
    shown.current = next;
    setRows(next);
  };
  const take = useRef((fresh: readonly SessionRow[], gone: readonly string[] = []) => {
    for (const row of fresh) known.current.set(row.key, row);
    const lost = gone.filter((key) => known.current.delete(key)).length;
    const { size } = known.current;
    setAbout((before) => {
      const all = before === null ? 0 : Math.max(size, before.all - lost);
      return before === null || before.all === all ? before : { ...before, all };
    });
    const all = [...known.current.values()];
    if (!isInOrder(all)) {
      all.sort((a, b) => ((a.last_used ?? '') < (b.last_used ?? '') ? 1 : -1));
      known.current = new Map(all.map((row) => [row.key, row]));
    }
    places.current = new Map(all.map((row, place) => [row.key, place]));
    show(all);
  });
  /** More is known of rows that are there: they stay where they are until the next ones come. */
  const replace = useRef((fresh: readonly SessionRow[]) => {
    const next = [...shown.current];
    for (const row of fresh) {
      known.current.set(row.key, row);
      const place = places.current.get(row.key);
      if (place !== undefined) next[place] = row;
    }
    show(next);
  });

  useEffect(() => {
    let isOver = false;
    const load = async () => {
      const first = await sessions(0, FIRST);
      if (isOver) return;
      const { rows: _, ...told } = first;
      setAbout(told);
      setTrouble(null);
      take.current(first.rows);
      // Rows change their places while sessions are being read: then some are missed, and all are asked for once more.
      for (let times = 0; times < 2 && known.current.size < first.all; times++)
        for (let from = FIRST; from < first.all; from += NEXT) {
          const { rows } = await sessions(from, NEXT);
          while (isBusy()) await later(LEAST_WAIT_MS);
          if (isOver) return;
          take.current(rows);
        }
    };
    load().catch((error: Error) => setTrouble(error.message));
    let waiting: Extract<Change, { name: 'rows' }>[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wait = LEAST_WAIT_MS;
    const draw = () => {
      if (isBusy()) {
        timer = setTimeout(draw, LEAST_WAIT_MS);
        return;
      }
      timer = undefined;
      const begun = performance.now();
      const [fresh, gone] = [waiting.flatMap(({ rows }) => rows), waiting.flatMap(({ gone }) => gone)];
      waiting = [];
      take.current(fresh, gone);
      // With very many rows a drawing takes long enough to be felt: then there are fewer of them.
      setTimeout(() => {
        wait = Math.max(LEAST_WAIT_MS, Math.min(MOST_WAIT_MS, (performance.now() - begun) * 20));
      }, 0);
    };
    const end = changes({
      take: (change) => {
        if (change.name === 'indexing') {
          setAbout(
            (before) =>
              before && {
                ...before,
                indexing: change.indexing,
                has_index: before.has_index || change.indexing === null,
              },
          );
          if (change.indexing === null) load().catch(() => {});
        }
        if (change.name !== 'rows') return;
        waiting.push(change);
        timer ??= setTimeout(draw, wait);
      },
      hello: (isFirst) => {
        if (!isFirst) load().catch((error: Error) => setTrouble(error.message));
      },
      lost: () => setTrouble(NO_ANSWER),
    });
    return () => {
      isOver = true;
      clearTimeout(timer);
      end();
    };
  }, []);

  const see = useRef((keys: readonly string[]) => {
    const unread = keys.filter((key) => known.current.get(key)?.is_read === false && !asked.current.has(key));
    if (unread.length === 0) return;
    for (const key of unread) asked.current.add(key);
    askRows(unread.slice(0, 50))
      .then((answer) => {
        for (const { key, is_read } of answer.rows) if (!is_read) asked.current.delete(key);
        replace.current(answer.rows);
      })
      .catch(() => {});
  });
  return { rows, about, trouble, see: see.current };
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Mostly only what is known of rows changes, not their order. */
function isInOrder(rows: readonly SessionRow[]): boolean {
  return rows.every((row, i) => i === 0 || (rows[i - 1]?.last_used ?? '') >= (row.last_used ?? ''));
}
