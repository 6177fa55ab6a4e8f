// The two ways in which most callers read: everything, or one session.

import type { Session } from '../schema/session.ts';
import type { HomePlaces } from './agent-folder.ts';
import { type FoundFamily, openFile, openHome } from './home.ts';
import { inOrder } from './in-order.ts';
import type { SessionReader } from './session-reader.ts';

/** Every session below the given homes as a whole document, in the order of an export. */
export function* readSessions(places: HomePlaces): Generator<Session> {
  for (const session of inOrder(openHome(places).families)) yield session.read();
}

/** One session, opened by the path of its file or by its id. Close it when done. */
export function openSession(
  pathOrId: string,
  places: HomePlaces = { homes: [] },
): { session: SessionReader; close: () => void } | undefined {
  const file = openFile(pathOrId);
  if (file !== undefined) return opened(file, ([main]) => main);
  const { families } = openHome(places);
  const byId = (sessions: SessionReader[]) => sessions.find(({ document }) => document.session.id === pathOrId);
  const named = families.find((found) => holds(found, pathOrId));
  // Some subagents have no file of their own: they stand in their session's, or in that of another session.
  const others = named === undefined ? families.filter((found) => found.mayName(pathOrId)) : [named];
  for (const family of others) {
    const found = opened(family, byId);
    if (found !== undefined) return found;
  }
  return undefined;
}

function opened(
  family: FoundFamily,
  choose: (sessions: SessionReader[]) => SessionReader | undefined,
): { session: SessionReader; close: () => void } | undefined {
  const open = family.open();
  const session = choose(open.sessions);
  if (session !== undefined) return { session, close: open.close };
  open.close();
  return undefined;
}

function holds(family: FoundFamily, id: string): boolean {
  return family.id === id || family.subagents.includes(id) || id.startsWith(`${family.id}/`);
}
