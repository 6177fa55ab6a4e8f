// Sessions that are tied to none may be so only because another one has not said enough yet.

import { lastTimes } from '../sources/last-times.ts';
import type { Files, Link, LinkHead } from '../sources/source.ts';
import { holdsAny } from './held-texts.ts';
import { beginningOf } from './node-files.ts';
import type { Ties } from './packed-ties.ts';

/** A session that begins with a row of another one, which nobody was found to hold. */
export interface Orphan {
  path: string;
  row: string;
}

/** Copies are known by files that begin later than their first message. */
export function orphansAmong(heads: readonly LinkHead[], links: readonly Link[]): Orphan[] {
  const tied = new Set(links.flatMap((link) => (link.kind === 'fork' ? [link.from, link.to] : [])));
  return heads.flatMap(({ family, file, root, file_started_at, started_at }) => {
    const isLate = file_started_at !== null && started_at !== null && file_started_at > started_at;
    return root === null || !isLate || tied.has(family.id) ? [] : [{ path: file.path, row: root }];
  });
}

/**
 * May what was written to a file from this byte on tie its session, which begins as it did and was tied to none? It may hold the row
 * that a copy begins with, or have been in use later before a clear than the session that was taken for the cleared one. Both are asked
 * of sessions in the same folder alone.
 */
export function mayTie(port: Files, path: string, from: number, { links, orphans }: Ties): boolean {
  const folder = folderOf(path);
  const rows = orphans.filter((orphan) => folderOf(orphan.path) === folder).map(({ row }) => row);
  if (rows.length > 0 && holdsAny(port, path, rows, from)) return true;
  const clears = links.flatMap((link) => (isPlacedByTime(link, folder) ? [link.timestamp ?? ''] : []));
  const added = clears.length === 0 ? [] : lastTimes(port, path, from);
  // Mostly it is newer than all of them, and nothing more needs to be read.
  const later = clears.filter((clear) => added.some((time) => time <= clear));
  if (later.length === 0) return false;
  const [before, now] = [beginningOf(port, from), port].map((files) => lastTimes(files, path));
  return later.some((clear) => lastUntil(clear, before) !== lastUntil(clear, now));
}

/** When a session was last in use until then, as its file tells it. */
function lastUntil(time: string, times: readonly string[] = []): string | undefined {
  return times.findLast((candidate) => candidate <= time);
}

function isPlacedByTime(link: Link, folder: string): link is Extract<Link, { kind: 'clear' }> {
  if (link.kind !== 'clear' || (link.from !== null && link.basis !== 'inferred')) return false;
  // The first is the row of the session that was begun by it.
  return folderOf(link.evidence[0]?.file.path ?? '') === folder;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
