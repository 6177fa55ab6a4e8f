import { plain } from '../shown.ts';

/** Ids that begin with the time (version 7) share their first part with all that began in the same minute. */
const BY_TIME = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

const AT_RANDOM = /^[0-9a-f]{8}/i;

/** As much of an id as tells a session from others, for people to type. Names that somebody gave may differ only at their ends. */
export function shortId(id: string): string {
  const own = ownId(id);
  return plain(AT_RANDOM.test(own) ? own.slice(0, BY_TIME.test(own) ? 13 : 8) : own);
}

/** A subagent without a file of its own is named after its session, then by itself. */
export function ownId(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}
