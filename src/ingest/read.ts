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
  const family = openFile(pathOrId) ?? openHome(places).families.find((found) => holds(found, pathOrId));
  if (family === undefined) return undefined;
  const open = family.open();
  const session = open.sessions.find((candidate) => candidate.document.session.id === pathOrId) ?? open.sessions[0];
  return session === undefined ? undefined : { session, close: open.close };
}

function holds(family: FoundFamily, id: string): boolean {
  return family.id === id || family.subagents.includes(id) || id.startsWith(`${family.id}/`);
}
