// What ties sessions, and what their beginnings tell of that, as the texts that are kept of it.

import type { FileInfo, Link, LinkHead, Orphan } from '../sources/source.ts';

/** Of files only their names are kept: their sizes change. */
export function packedTies({ links, orphans, companions }: Ties): string {
  return JSON.stringify({ links, orphans, companions }, (key, value) =>
    key === 'file' ? (value as FileInfo).path : value,
  );
}

export function tiesFrom(text: string, infos: ReadonlyMap<string, FileInfo>): Ties {
  const { links, orphans, companions } = JSON.parse(text) as Ties;
  for (const link of links) {
    if (link.kind !== 'clear') continue;
    for (const evidence of link.evidence) {
      const path = String(evidence.file); // as `packedTies` wrote it
      evidence.file = infos.get(path) ?? { path, bytes: 0, modified_ms: 0 };
    }
  }
  return { links, orphans, companions };
}

/** What ties the sessions of a root, and the files beside them that tell. */
export interface Ties {
  links: Link[];
  /** Copies whose origin was not found. */
  orphans: Orphan[];
  companions: string[];
}

/** In place of a family's links: something else is told of it by now, and it has not been read again yet. */
export const NOT_YET_TOLD = '?';

export function linksText(links: Link[]): string {
  if (links.length === 0) return '';
  return JSON.stringify(links, (key, value) => (key === 'file' ? (value as FileInfo).path : value));
}

export function packedHead({ family: _, file, ...head }: LinkHead): string {
  return JSON.stringify({ ...head, path: file.path });
}
