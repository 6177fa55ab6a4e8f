// The sessions that a command is about, one after the other, with progress on a terminal.

import { inOrder, ownBytes, type SessionReader } from '../index.ts';
import { chooseMany, type FilterOptions, sayUnread, wantedOf, whyUnread } from './choose.ts';
import { progress } from './progress.ts';

/** In the order of an export. Each is valid until the next is asked for. */
export function* chosenSessions(names: string[], options: FilterOptions, doing: string): Generator<SessionReader> {
  const chosen = chooseMany(names, options);
  const families = [...new Set(chosen.map(({ family }) => family))];
  const wanted = wantedOf(chosen);
  const shown = progress(
    doing,
    families.reduce((sum, family) => sum + family.bytes, 0),
  );
  let [all, unread] = [0, 0];
  for (const session of inOrder(families)) {
    if (!wanted(session)) continue;
    sayUnread(session.document);
    all++;
    if (whyUnread(session.document) !== undefined) unread++;
    yield session;
    shown.add(ownBytes(session.document));
  }
  shown.end();
  if (unread > 0 && unread === all) process.exitCode = 1;
}
