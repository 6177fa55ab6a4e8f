// A session looked over: what would be wrong with a resume, what could not be read, and what makes it big.

import type { FoundFamily } from '../ingest/home.ts';
import type { SessionReader } from '../ingest/session-reader.ts';
import type { Diagnostic } from '../schema/session.ts';
import { wholeInput } from '../schema/tokens.ts';
import type { NativeReport } from '../sources/source.ts';
import { type Share, sharesOf } from './shares.ts';

export interface Examined {
  id: string;
  title: string | null;
  project: string | null;
  bytes: number;
  report: NativeReport | null;
  diagnostics: Diagnostic[];
  unknown_types: Record<string, number>;
  client_versions: string[];
  requests: { recorded: number; explained: number };
  /** Tokens of its last request; null where none was recorded. */
  context_tokens: number | null;
  /** The largest first. */
  shares: Share[];
}

/** What keeps a client from going on with a session, or makes it lose something. */
export function isWrong({ effect }: { effect: string }): boolean {
  return effect === 'refused' || effect === 'lost';
}

export function examine(family: FoundFamily): Examined {
  const open = family.open();
  try {
    const [main] = open.sessions;
    const head = main?.document.session;
    return {
      id: family.id,
      title: head?.title ?? null,
      project: head?.project ?? null,
      bytes: family.bytes,
      report: family.check(),
      diagnostics: open.sessions.flatMap(({ document }) => document.diagnostics),
      unknown_types: addedUp(open.sessions.map(({ document }) => document.session.counts.unknown_types)),
      client_versions: head?.client_versions ?? [],
      requests: {
        recorded: open.sessions.reduce((sum, { requests }) => sum + requests.recorded, 0),
        explained: open.sessions.reduce((sum, { requests }) => sum + requests.explained, 0),
      },
      context_tokens: main === undefined ? null : contextTokens(main),
      shares: sharesOf(open.sessions),
    };
  } finally {
    open.close();
  }
}

/** How much the last request of a session had: what it has used of its context. A copy that nobody has gone on with has no usage. */
export function contextTokens(session: SessionReader): number | null {
  for (let index = session.messageCount - 1; index >= 0; index--) {
    const { usage } = session.message(index);
    const all = usage === null ? 0 : wholeInput(usage);
    if (all > 0) return all;
  }
  return null;
}

function addedUp(counts: Record<string, number>[]): Record<string, number> {
  // The names are from files: one may be "constructor".
  const sums = new Map<string, number>();
  for (const count of counts)
    for (const [name, number] of Object.entries(count)) sums.set(name, (sums.get(name) ?? 0) + number);
  return Object.fromEntries(sums);
}
