// The histories in one or more homes: which sessions there are, and each of them opened.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Diagnostic } from '../schema/session.ts';
import type { SessionSummary } from '../schema/stream.ts';
import { firstTime, headRows, openedOrNot } from '../sources/head-rows.ts';
import { holdsAny } from '../sources/held-texts.ts';
import { sources } from '../sources/index.ts';
import { smallJson } from '../sources/small-files.ts';
import type { Family, Files, NativeReport, Retention, SessionWriter, Source } from '../sources/source.ts';
import type { Store } from '../store/open.ts';
import { agentFolders, type HomePlaces, realPath } from './agent-folder.ts';
import { type Den, denIn, denOf, type OpenFamily, once, openFamily } from './den.ts';
import { listedIn, rootIn } from './listing.ts';
import { absolutePath, beginningOf, filesOf, listFiles, type Root } from './node-files.ts';
import { type StoredFamily, storedFamilies } from './stored-families.ts';

/** A file of an agent, to be kept. */
export interface NativeFile {
  /** The agent's folder. */
  root: string;
  /** As documents name it. */
  path: string;
  absolute: string;
  bytes: number;
  modified_ms: number;
  /** It only ties sessions, or tells more of them. */
  isCompanion: boolean;
}

/** A session that was found, not yet read. */
export interface FoundFamily {
  agent: Source['agent'];
  id: string;
  /** Ids of the subagents whose files lie with it. */
  subagents: string[];
  bytes: number;
  files: { path: string; bytes: number; modified_ms: number }[];
  /** The agent has deleted it: it is read from what was kept. */
  isKept: boolean;
  /** The agent's own folder that it lies in; null where it was given by its path, and lies where its agent does not look. */
  agentFolder: string | null;
  /** It was given by its path: what ties it to others in its agent's folder is not known. */
  isAlone: boolean;
  /** Its own file is there, not only those of subagents. */
  hasMain: boolean;
  /** It comes from the store: no file is opened for what lists tell of it. */
  isStored: boolean;
  /** Its files that are still in the agent's folder, with those that tie it to others. */
  nativeFiles(): NativeFile[];
  /** What the beginning of its file tells; where that is gone, those of its subagents. */
  peek(): { project: string | null; started_at: string | null };
  /** None of its sessions begins before this. */
  earliest(): string | null;
  /** When it was last used, from the end of its files. */
  lastUsed(): string | null;
  /** What lists tell of its sessions; from the store, where the family comes from there. */
  summaries(): SessionSummary[];
  /** The agent's own command that goes on with it, to be run in its project. */
  resumeCommand: string[];
  /** The agent's own command that must be run before it; null where none must. */
  commandBeforeResume: string[] | null;
  /** When the agent will delete it, if nobody goes on with it; null where it never does. */
  deletedAt(): { time_ms: number; told: Retention['told'] } | null;
  /** How the agent's sessions are written anew; null where we cannot. */
  writer: FamilyWriter | null;
  /** What a resume would send, and why not more; null where that is not known of the agent. */
  check(): NativeReport | null;
  /** Does this text stand in one of its files? Told by their bytes. */
  mayName(text: string): boolean;
  /** Reads it: the main session first, then its subagents. */
  open(): OpenFamily;
  /**
   * Reads no more than so many bytes of its file. What was said before the last two turns in them is as `open` gives it; all else
   * (titles, totals, what left the context) is not known yet. Undefined where more may come in between: a session in several files.
   */
  openBeginning(bytes: number): OpenFamily | undefined;
}

/** Makes new sessions of a family's agent. */
interface FamilyWriter {
  lines: SessionWriter['lines'];
  /** The absolute path of a new session: beside this one, or where the agent looks when it is run in another folder. */
  path(id: string, project: string | null): string;
  /** Does the agent look there when it is run in this folder? */
  looksThere: SessionWriter['looksThere'];
  /** Holds a file against what the agent needs, as if it were a session. */
  check(path: string): NativeReport;
}

export interface Home {
  families: FoundFamily[];
  /** Folders and files that could not be read or are no history. */
  diagnostics: Diagnostic[];
}

export function openHome(places: HomePlaces): Home {
  const { folders, diagnostics } = agentFolders(places, sources);
  const dens = folders.map(denIn);
  return {
    families: dens.flatMap(({ den }) => den.families.map((family) => foundFamily(den, family))),
    diagnostics: [...diagnostics, ...dens.flatMap(({ diagnostics }) => diagnostics)],
  };
}

/** The same from a store that is current: no file is opened before somebody asks for what is in it. */
export function openStoredHome(places: HomePlaces, { main }: Store): Home {
  const { folders, diagnostics } = agentFolders(places, sources, listedIn(main));
  const families = folders.flatMap((folder) => {
    const root = rootIn(main, folder);
    if (root === undefined) return [];
    const stored = storedFamilies(main, root, folder.files);
    const all = stored.families.map(({ family }) => family);
    const den = denOf(folder.place, folder.root, folder.port, all, stored.companions);
    return stored.families.map((known) => ({ ...foundFamily(den, known.family), ...answers(known) }));
  });
  return { families, diagnostics };
}

function answers({ project, started_at, last_used, summaries }: StoredFamily) {
  return {
    isStored: true,
    peek: () => ({ project, started_at }),
    lastUsed: () => last_used,
    summaries: once(summaries),
  };
}

/** A family as everything above sees it. */
export function foundFamily(den: Den, family: Family): FoundFamily {
  // A file beside the sessions may belong to many of them.
  const bytes = family.files.reduce((sum, { role, info }) => sum + (role === 'companion' ? 0 : info.bytes), 0);
  const subagents = family.files.flatMap((file) =>
    file.role === 'subagent' && file.session_id !== null ? [file.session_id] : [],
  );
  return {
    agent: den.source.agent,
    id: family.id,
    subagents: [...new Set(subagents)],
    bytes,
    files: family.files.map((file) => file.info),
    isKept: family.files.every(({ info, role }) => role === 'companion' || info.kept === true),
    agentFolder: agentFolderOf(den, family),
    isAlone: den.root.name === '',
    hasMain: family.files.some(({ role }) => role === 'main'),
    isStored: false,
    nativeFiles: () => nativeFiles(den, family),
    peek: once(() => {
      const head = den.headOf(family);
      if (head === undefined) return peekAtSubagents(den, family);
      return { project: head.project, started_at: head.started_at };
    }),
    earliest: once(() => earliestIn(den, family)),
    lastUsed: once(() => den.source.lastUsed(family, den.port)),
    summaries: () => summariesOf(openFamily(den, family, bytes)),
    resumeCommand: den.source.resumeCommand(family.id),
    commandBeforeResume: den.source.commandBeforeResume(family, ({ path }) => resolve(absolutePath(den.root, path))),
    deletedAt: () => {
      const kept = den.retention();
      const written = Math.max(...family.files.map((file) => (file.role === 'companion' ? 0 : file.info.modified_ms)));
      return kept === null ? null : { time_ms: written + kept.days * 86_400_000, told: kept.told };
    },
    writer: writerOf(den, family),
    check: () => den.source.check?.(family, den.port) ?? null,
    mayName: (text) => family.files.some(({ info }) => holdsAny(den.port, info.path, [text])),
    open: () => openFamily(den, family, bytes),
    openBeginning: (most) =>
      family.files.filter(({ role }) => role !== 'companion').length === 1
        ? openFamily({ ...den, port: beginningOf(den.port, most) }, family, most)
        : undefined,
  };
}

/** Of a file that was given by its path: the folder above it in which it lies as its agent would have it. Links lead there, too. */
function agentFolderOf({ root, source }: Den, { files }: Family): string | null {
  if (root.name !== '') return root.folder;
  const [first] = files;
  if (first === undefined) return null;
  const path = realPath(absolutePath(root, first.info.path));
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const inside = path
      .slice(folder.length + 1)
      .split(sep)
      .join('/');
    if (source.isPlaced(inside)) return folder;
  }
  return null;
}

/** Of a session whose own file is gone, subagents tell where it was and when it began. */
function peekAtSubagents({ source, port, companions }: Den, family: Family): ReturnType<FoundFamily['peek']> {
  const heads = family.files
    .filter(({ role }) => role === 'subagent')
    .map((file) => source.linkHead({ id: family.id, files: [{ ...file, role: 'main' }] }, port, companions));
  const times = heads.map((head) => head?.started_at ?? head?.file_started_at ?? null);
  return {
    project: heads.find((head) => head?.project != null)?.project ?? null,
    started_at: times.filter((time) => time !== null).sort()[0] ?? null,
  };
}

/** Subagents may begin before their session does (2.0.x warms some up), and be all that is left of it; and so may a part of it in another file. */
function earliestIn(den: Den, family: Family): string | null {
  const others = family.files.filter(({ role }) => role === 'subagent' || role === 'copy' || role === 'revert');
  const times = [den.headOf(family)?.started_at ?? null, ...others.map(({ info }) => firstTime(den.port, info.path))];
  return times.filter((time) => time !== null).sort()[0] ?? null;
}

function summariesOf(open: OpenFamily): SessionSummary[] {
  const documents = open.sessions.map(({ document }) => document);
  open.close();
  return documents;
}

function nativeFiles({ root, companions, source }: Den, family: Family): NativeFile[] {
  const alongside = listFiles(root, source.alongside(family.id)).files;
  const own = new Set(family.files.filter(({ role }) => role !== 'companion').map(({ info }) => info));
  const infos = new Set([...family.files.map(({ info }) => info), ...companions, ...alongside]);
  return [...infos]
    .filter((info) => info.kept !== true)
    .map((info) => ({ ...info, isCompanion: !own.has(info) }))
    .map(({ path, bytes, modified_ms, isCompanion }) => ({
      root: realPath(root.folder),
      path,
      absolute: absolutePath(root, path),
      bytes,
      modified_ms,
      isCompanion,
    }));
}

function writerOf(den: Den, family: Family): FamilyWriter | null {
  const { source, root } = den;
  const { writer, check } = source;
  if (writer === null || check === null) return null;
  return {
    lines: writer.lines,
    looksThere: writer.looksThere,
    path: (id, project) => {
      const path = writer.place(family, id, project);
      if (root.name !== '') return absolutePath(root, path);
      // A session that was given by its path: the folder that it lies in is all we know.
      if (project === null) return join(root.folder, path);
      return absolutePath({ folder: agentFolderOf(den, family) ?? root.folder, name: source.root.name }, path);
    },
    check: (path) => checkFile(path, check),
  };
}

/** A file held against what its agent needs, whatever it is called. */
function checkFile(path: string, check: NonNullable<Source['check']>): NativeReport {
  const info = { path: basename(path), bytes: 0, modified_ms: 0 };
  const family = { id: '', files: [{ info, role: 'main' as const, session_id: '' }] };
  return check(family, filesOf({ folder: dirname(path), name: '' }));
}

/** One file alone, and what its name ties to it: no links into a home. Undefined where no agent knows it. */
export function openFile(path: string): FoundFamily | undefined {
  if (!existsSync(path) || !statSync(path).isFile()) return undefined;
  const folder = dirname(path);
  const name = basename(path);
  const root: Root = { folder, name: '' };
  const port = filesOf(root);
  port.open(name).close(); // a file that cannot be read is the caller's to hear of
  const source = sources.find((candidate) => isOf(candidate, name, port));
  if (source === undefined) return undefined;
  const tied = source.beside(name).filter((entry) => existsSync(join(folder, entry)));
  const listing = listFiles(root, [name, ...tied]);
  const { families } = source.group(listing.files, port);
  const family = families.find((candidate) => candidate.files.some((file) => file.info.path === name));
  return family === undefined ? undefined : foundFamily(denOf(source, root, port, [family], []), family);
}

/** A folder that is no home but holds session files: they are grouped and linked as in a home. */
export function openFolder(folder: string): Home {
  // An agent's own folder is laid out as the agent does it.
  const name = sources.find((source) => source.root.name === basename(resolve(folder)))?.root.name ?? '';
  const root: Root = { folder, name };
  const port = filesOf(root);
  const listing = listFiles(root, readdirSync(folder));
  const families = sources.flatMap((source) => {
    const grouped = source.group(listing.files, port);
    const own = grouped.families.filter((family) => family.files.some((file) => isOf(source, file.info.path, port)));
    const den = denOf(source, root, port, own, grouped.companions);
    return own.map((family) => foundFamily(den, family));
  });
  return { families, diagnostics: listing.diagnostics };
}

/** A session file is known by its rows, whatever it is called. One that cannot be opened may be: reading it will say why. */
function isOf(source: Source, path: string, port: Files): boolean {
  const open = openedOrNot(port, path);
  if (open === undefined) return true;
  open.close();
  let rows = 0;
  for (const { row } of headRows(port, path)) {
    if (source.recognises(row)) return true;
    rows++;
  }
  // A history that is one JSON document, over many lines, whatever its name.
  return rows === 0 && source.recognises(smallJson(port, path, 256 * 1024 * 1024) ?? null);
}
