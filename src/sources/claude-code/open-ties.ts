// Sessions that are tied to none may be so only because another one has not said enough yet.

import { holdsAny } from '../held-texts.ts';
import { lastTimes } from '../last-times.ts';
import type { Files, Link, LinkHead, OpenTies, Orphan } from '../source.ts';
import { isLate } from './forks.ts';
import { folderOf } from './links.ts';

export const openTies: OpenTies = { orphans, mayTie };

function orphans(heads: readonly LinkHead[], links: readonly Link[]): Orphan[] {
  const tied = new Set(links.flatMap((link) => (link.kind === 'fork' ? [link.from, link.to] : [])));
  return heads.flatMap((head) =>
    head.root === null || !isLate(head) || tied.has(head.family.id) ? [] : [{ path: head.file.path, row: head.root }],
  );
}

/**
 * It may hold the row that a copy begins with, or have been in use later before a clear than the session that was taken for the cleared
 * one. Both are asked of sessions in the same folder alone.
 */
function mayTie(
  port: Files,
  path: string,
  from: number,
  known: { links: readonly Link[]; orphans: readonly Orphan[] },
): boolean {
  const folder = folderOf(path);
  const rows = known.orphans.filter((orphan) => folderOf(orphan.path) === folder).map(({ row }) => row);
  if (rows.length > 0 && holdsAny(port, path, rows, from)) return true;
  const clears = known.links.flatMap((link) => (isPlacedByTime(link, folder) ? [link.timestamp ?? ''] : []));
  const added = clears.length === 0 ? [] : lastTimes(port, path, from);
  // Mostly it is newer than all of them, and nothing more needs to be read.
  const later = clears.filter((clear) => added.some((time) => time <= clear));
  if (later.length === 0) return false;
  const [before, now] = [lastTimes(port, path, 0, from), lastTimes(port, path)];
  return later.some((clear) => lastUntil(clear, before) !== lastUntil(clear, now));
}

/** When a session was last in use until then, as its file tells it. */
function lastUntil(time: string, times: readonly string[]): string | undefined {
  return times.findLast((candidate) => candidate <= time);
}

function isPlacedByTime(link: Link, folder: string): link is Extract<Link, { kind: 'clear' }> {
  if (link.kind !== 'clear' || (link.from !== null && link.basis !== 'inferred')) return false;
  // The first is the row of the session that was begun by it.
  return folderOf(link.evidence[0]?.file.path ?? '') === folder;
}
