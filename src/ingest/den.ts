// One agent's sessions in one place: which files are one session, what ties sessions, and each of them read.

import type { Outline } from '../schema/outline.ts';
import type { Diagnostic } from '../schema/session.ts';
import { smallText } from '../sources/small-files.ts';
import type { Family, FileInfo, Files, LinkHead, Retention, Source } from '../sources/source.ts';
import type { AgentFolder } from './agent-folder.ts';
import { applyLinks, type LinksById, linksById } from './apply-links.ts';
import { makeRoomFor } from './memory.ts';
import type { Root } from './node-files.ts';
import { rowStore } from './rows.ts';
import { type SessionReader, sessionReader } from './session-reader.ts';

/**
 * Families up to this size have the content of their messages made at once and held; of larger ones it is read back, which costs a quarter
 * more time. To export one of 79 MB took 263 to 293 MB, all told.
 */
const HOLD_BYTES = 80 * 1024 * 1024;

export interface Den {
  source: Source;
  root: Root;
  port: Files;
  families: Family[];
  companions: FileInfo[];
  links: () => LinksById;
  headOf: (family: Family) => LinkHead | undefined;
  retention: () => Retention | null;
}

export interface OpenFamily {
  sessions: SessionReader[];
  /** Of a beginning: the message of the main session from which on later lines may tell otherwise, beyond its last turns. */
  unsettled_from: number | null;
  /** Lets go of text that is held in memory; it is read back from the files when asked for. */
  rest(): void;
  close(): void;
}

export function denIn({ place, root, files, port }: AgentFolder<Source>): { den: Den; diagnostics: Diagnostic[] } {
  const { families, companions, diagnostics } = place.group(files, port);
  return { den: denOf(place, root, port, families, companions), diagnostics };
}

export function denOf(source: Source, root: Root, port: Files, families: Family[], companions: FileInfo[]): Den {
  const heads = once(() =>
    families.map((family) => source.linkHead(family, port, companions)).filter((head) => head !== null),
  );
  const byFamily = once(() => new Map(heads().map((head) => [head.family, head])));
  return {
    source,
    root,
    port,
    families,
    companions,
    headOf: (family) => byFamily().get(family),
    links: once(() => linksById(source.link(heads(), companions, port))),
    retention: once(() => source.retention(port)),
  };
}

export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export function openFamily(den: Den, family: Family, bytes: number): OpenFamily {
  makeRoomFor(bytes);
  const outlines = den.source.outline(family, den.port, { content: bytes <= HOLD_BYTES });
  const { sessions, close } = readersOf(outlines, family, {
    source: den.source,
    port: den.port,
    links: den.links(),
    project: () => den.headOf(family)?.project ?? null,
  });
  const [main] = outlines;
  return {
    sessions,
    unsettled_from: main === undefined ? null : den.source.unsettledFrom(main),
    rest: () => letGo(outlines),
    close,
  };
}

/** What is known of a family beside its own files. */
export interface Surroundings {
  source: Source;
  port: Files;
  links: LinksById;
  /** Some projects are told only by files beside the session. */
  project: () => string | null;
  /** Long strings were cut when the outlines were made: where content is needed it is read again, whole. */
  wasShortened?: boolean;
}

export function readersOf(
  outlines: Outline[],
  family: Family,
  { source, port, links, project, wasShortened }: Surroundings,
): Pick<OpenFamily, 'sessions' | 'close'> {
  const changed = new Set<string>();
  const store = rowStore(port, (path) => {
    if (changed.has(path)) return;
    changed.add(path);
    for (const { head, diagnostics } of outlines)
      if (head.source.files.some((file) => file.path === path)) diagnostics.push(changedWhileRead(path));
  });
  const sessions = outlines.map((outline) => {
    applyLinks(outline, links);
    const { head } = outline;
    head.project ??= project();
    if (head.project !== null && !head.cwds.includes(head.project)) head.cwds.unshift(head.project);
    const paths = outline.head.source.files.map(({ path }) => path);
    const rows = store.rowsOf(paths);
    const bytes = store.bytesOf(paths);
    const file = (path: string) => smallText(port, path);
    const reading = wasShortened === true ? readingAgain(source) : source;
    return sessionReader(outline, reading, { rows, bytes, file, familyId: family.id });
  });
  return { sessions, close: () => store.close() };
}

function changedWhileRead(path: string): Diagnostic {
  return {
    code: 'changed-while-read',
    message: `${path} was changed while it was read: what stood in it and could not be read again is missing.`,
    source: null,
  };
}

function readingAgain(source: Source): Source {
  return { ...source, content: (message, rows) => source.content({ ...message, content: null }, rows) };
}

function letGo(outlines: Outline[]): void {
  for (const { messages } of outlines) for (const message of messages) message.content = null;
}
