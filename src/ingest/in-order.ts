// Sessions in the order of an export: agent, start, id. It is known of a family when the earliest of its sessions begins, so it is
// enough to hold back what begins after that of the next one.

import { AGENTS } from '../schema/words.ts';
import type { OpenFamily } from './den.ts';
import type { FoundFamily } from './home.ts';
import type { SessionReader } from './session-reader.ts';

interface Waiting {
  session: SessionReader;
  release: () => void;
  rest: () => void;
}

/** Opens the families one after the other and gives their sessions in order. Each is valid until the next is asked for. */
export function* inOrder(families: FoundFamily[]): Generator<SessionReader> {
  const ordered = families
    .map((family) => ({ family, agent: family.agent, start: family.earliest(), id: family.id }))
    .sort((a, b) => AGENTS.indexOf(a.agent) - AGENTS.indexOf(b.agent) || byStart(a.start, b.start) || byId(a.id, b.id));
  let waiting: Waiting[] = [];
  for (const [i, { family }] of ordered.entries()) {
    waiting.push(...opened(family));
    const next = ordered[i + 1];
    waiting.sort((a, b) => compare(a.session, b.session));
    const ready = waiting.filter(
      ({ session }) => next === undefined || next.agent !== family.agent || comesBefore(session, next),
    );
    waiting = waiting.filter((one) => !ready.includes(one));
    for (const { session, release } of ready) {
      yield session;
      release();
    }
    // What must wait may wait long: it keeps its outline, not its text.
    for (const { rest } of waiting) rest();
  }
}

/** A family stays open until the last of its sessions is done. */
function opened(family: FoundFamily): Waiting[] {
  const open: OpenFamily = family.open();
  let left = open.sessions.length;
  const release = () => {
    left--;
    if (left === 0) open.close();
  };
  return open.sessions.map((session) => ({ session, release, rest: open.rest }));
}

function compare(a: SessionReader, b: SessionReader): number {
  const [first, second] = [a.document.session, b.document.session];
  return byStart(first.started_at, second.started_at) || byId(first.id, second.id);
}

function comesBefore(session: SessionReader, next: { start: string | null; id: string }): boolean {
  const { started_at, id } = session.document.session;
  return (byStart(started_at, next.start) || byId(id, next.id)) < 0;
}

/** Sessions without any time come last. */
function byStart(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}

function byId(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
