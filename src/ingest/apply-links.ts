// What ties a session to others, written into its outline before events are detected.

import type { SourceRef } from '../schema/blocks.ts';
import type { Outline } from '../schema/outline.ts';
import type { FileInfo, Link } from '../sources/source.ts';

type ClearLink = Extract<Link, { kind: 'clear' }>;

/** Links by the sessions that they touch. */
export interface LinksById {
  of(id: string): Link[];
  titles: Titles;
}

/** By the row that a title names: where a session has several of these rows, the title that is told first counts. */
type Titles = ReadonlyMap<string, { title: string; order: number }>;

export function linksById(links: Link[]): LinksById {
  const byId = new Map<string, Link[]>();
  const titles = new Map<string, { title: string; order: number }>();
  for (const link of links) {
    if (link.kind === 'title') {
      if (!titles.has(link.leaf)) titles.set(link.leaf, { title: link.title, order: titles.size });
      continue;
    }
    for (const id of new Set([link.kind === 'name' ? null : link.from, link.to]))
      if (id !== null) byId.set(id, [...(byId.get(id) ?? []), link]);
  }
  return { of: (id) => byId.get(id) ?? [], titles };
}

export function applyLinks(outline: Outline, links: LinksById): void {
  const { id } = outline.head;
  for (const link of links.of(id)) {
    if (link.kind === 'fork' && link.to === id) inherit(outline, link.from, new Set(link.shared));
    if (link.kind === 'clear' && link.to === id) outline.head.lineage.cleared_from = link.from;
    // Clients name sessions by their first prompt: that is no name.
    if (link.kind === 'name' && link.title !== outline.head.title)
      Object.assign(outline.head, { title: link.title, title_source: 'custom' });
    if (link.kind === 'clear' && (link.from ?? link.to) === id) outline.signals.push(clearSignal(outline, link));
  }
  entitle(outline, links.titles);
  const said = outline.messages.find((message) => message.inherited !== null)?.inherited;
  // A subagent may begin with what its parent said: it is no fork. Nor is a copy that was made of a session.
  if (said != null && outline.head.kind === 'main' && outline.head.lineage.cloned_from === null)
    outline.head.lineage.forked_from ??= said.session_id;
}

/** What a fork has of its parent is there for reading and context only. */
function inherit(outline: Outline, session_id: string, shared: Set<string>): void {
  outline.head.lineage.forked_from = session_id;
  for (const message of outline.messages)
    if (shared.has(message.id)) message.inherited ??= { session_id, id: message.id };
}

function clearSignal(outline: Outline, link: ClearLink): Outline['signals'][number] {
  const own = link.from === null ? null : lastBefore(outline, link.timestamp);
  return {
    name: 'context-cleared',
    message_index: null,
    after_message_index: own,
    anchor: link.to,
    timestamp: link.timestamp,
    basis: link.basis,
    confidence: link.confidence,
    could_be: link.confidence === 'low' ? 'none' : null,
    evidence: link.evidence.map(({ file, source }) => ({ file: fileIndex(outline, file), ...source })),
    // Where the old session is not on disk the entry stands in the new one, and names it.
    next_session_id: link.to,
  };
}

/** The last message written before the clear: the session may have been resumed after it. */
function lastBefore(outline: Outline, time: string | null): number | null {
  const { messages } = outline;
  if (messages.length === 0) return null;
  if (time === null) return messages.length - 1;
  const at = messages.findLastIndex((message) => message.timestamp !== null && message.timestamp <= time);
  return at === -1 ? messages.length - 1 : at;
}

/** Evidence that lies in another file makes that file a companion of this session. */
function fileIndex(outline: Outline, file: FileInfo): SourceRef['file'] {
  const { files } = outline.head.source;
  const at = files.findIndex((known) => known.path === file.path);
  return at !== -1 ? at : files.push({ path: file.path, role: 'companion', bytes: file.bytes }) - 1;
}

/** By the rows of the session, of which there are fewer than titles times sessions. */
function entitle(outline: Outline, titles: Titles): void {
  const { head, row_ids } = outline;
  const weaker = head.title_source === null || head.title_source === 'first-prompt';
  if (!weaker || head.kind !== 'main' || titles.size === 0) return;
  let found: { title: string; order: number } | undefined;
  for (const id of row_ids.keys()) {
    const told = titles.get(id);
    if (told !== undefined && row_ids.has(id) && told.order < (found?.order ?? titles.size)) found = told;
  }
  if (found !== undefined) Object.assign(head, { title: found.title, title_source: 'summary' });
}
