// One session, opened, and opened again as it grows.

import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { ShownMessage } from '../../api.ts';
import { beginning, changes, NO_ANSWER, open } from '../ask.ts';
import { MessageStore } from './message-store.ts';
import { SessionModel } from './model.ts';

export interface OpenedSession {
  model: SessionModel | null;
  store: MessageStore;
  /** What a large session begins with, while the rest is being read. */
  first: ShownMessage[];
  trouble: string | null;
}

export function useSession(key: string): OpenedSession {
  const [, draw] = useReducer((times: number, _: null) => times + 1, 0);
  const store = useMemo(() => new MessageStore(key, () => draw(null)), [key]);
  const [model, setModel] = useState<SessionModel | null>(null);
  const [first, setFirst] = useState<ShownMessage[]>([]);
  const [trouble, setTrouble] = useState<string | null>(null);
  const current = useRef<SessionModel | null>(null);
  useEffect(() => {
    let [isOver, isAsking, isOld, hasFailed, mayHaveCome] = [false, false, false, false, false];
    const load = async () => {
      isAsking = true;
      isOld = false;
      [hasFailed, mayHaveCome] = [false, false];
      try {
        const next = new SessionModel(await open(key));
        if (isOver) return;
        if (current.current !== null) store.mayDiffer();
        current.current = next;
        setModel(next);
        setTrouble(null);
      } catch (error) {
        hasFailed = true;
        isOld ||= mayHaveCome;
        if (!isOver) setTrouble((error as Error).message);
      } finally {
        isAsking = false;
        if (isOld && !isOver) void load();
      }
    };
    const begin = beginning(key)
      .then(({ messages }) => setFirst(messages))
      .catch(() => {});
    void begin.then(load);
    const reload = () => {
      if (isAsking) isOld = true;
      else void load();
    };
    const end = changes({
      take: (change) => {
        if (change.name === 'session' && change.key === key) reload();
        if (change.name !== 'rows') return;
        // A subagent in its parent's file is known when that has been read.
        if (hasFailed || change.gone.includes(key)) reload();
        else mayHaveCome = true;
      },
      // Between the first answer and the first word nobody listened.
      hello: (isFirst) => {
        if (!isFirst || hasFailed) reload();
      },
      lost: () => setTrouble(NO_ANSWER),
    });
    return () => {
      isOver = true;
      end();
    };
  }, [key, store]);
  return { model, store, first, trouble };
}
