// By which name a session goes wherever it is read: its number in the store tells only when it was written there.

import type { Store } from '../store/open.ts';
import { rowsOf } from './statements.ts';

/** For one search: asked for only where two messages were written at the same moment. */
export type NameOf = (session: number) => string;

export function sessionNames({ main }: Store): NameOf {
  const known = new Map<number, string>();
  return (session) => {
    const name = known.get(session) ?? nameIn(main, session);
    known.set(session, name);
    return name;
  };
}

function nameIn(main: Store['main'], session: number): string {
  const [row] = rowsOf(main, SESSION, session);
  return row === undefined ? '' : row.join(' ');
}

/** The same session may lie in several homes, and the same subagent with several sessions. */
const SESSION = `
  select s.native_id, f.native_id, r.agent, r.folder
  from sessions s join families f on f.id = s.family join roots r on r.id = f.root where s.id = ?`;
