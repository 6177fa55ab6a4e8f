// Which files are one session. A file is named by the minute in which it was begun and eight digits of the id, so a session
// that was resumed, migrated or copied lies in several: the same id is one session.

import type { Diagnostic } from '../../schema/session.ts';
import { headRows } from '../head-rows.ts';
import { isObject, type JsonObject, stringAt } from '../json-access.ts';
import { smallJson, smallText } from '../small-files.ts';
import type { Family, FamilyFile, FileInfo, Files, Grouped } from '../source.ts';
import { timeIn } from '../times.ts';

const TMP = '.gemini/tmp/';
export const DOCUMENT_BYTES = 256 * 1024 * 1024;

interface Found {
  info: FileInfo;
  id: string;
  start: string;
  /** The session that started it. */
  parent: string | null;
  folder: string;
}

/** Content decides, not the ending: a document may lie under the name of a log. */
export function headerOf(path: string, port: Files): JsonObject | undefined {
  for (const { row } of headRows(port, path)) {
    if (typeof row.sessionId === 'string' && (row.projectHash !== undefined || row.startTime !== undefined)) return row;
    break;
  }
  const document = smallJson(port, path, DOCUMENT_BYTES);
  return document !== undefined && typeof document.sessionId === 'string' ? document : undefined;
}

export function beside(): string[] {
  return [];
}

/** Beside sessions lie saved contexts, outputs of tools and the like: no history. */
const OTHERS =
  /\/(tool-outputs|plans|tracker|tasks|logs|shadow|images)\/|\/(shell_history|\.project_root|checkpoint[^/]*\.json)$|\.unreadable-\d+$|\.tmp-\d+$|\.bak$/;

export function group(files: FileInfo[], port: Files): Grouped {
  const diagnostics: Diagnostic[] = [];
  const found: Found[] = [];
  const logs = files.filter((info) => info.path.endsWith('/logs.json'));
  for (const info of files) {
    const inChats = info.path.includes('/chats/') || !info.path.startsWith('.gemini/');
    if (!inChats || logs.includes(info) || OTHERS.test(info.path)) continue;
    const header = /\.jsonl?$/.test(info.path) ? headerOf(info.path, port) : undefined;
    const named = /\/session-[^/]+\.jsonl?$/.test(info.path);
    if (header === undefined && !named)
      diagnostics.push({
        code: 'foreign-file',
        message: `${info.path} is no Gemini session; it was left alone.`,
        source: null,
      });
    else found.push(foundOf(info, header));
  }
  return { families: familiesOf(found, logs), companions: files.filter((info) => isCompanion(info.path)), diagnostics };
}

/** Files by which a project's folder is known. */
export function isCompanion(path: string): boolean {
  return path.endsWith('/.project_root') || path === '.gemini/projects.json';
}

function foundOf(info: FileInfo, header: JsonObject | undefined): Found {
  const parts = info.path.split('/');
  const chats = parts.lastIndexOf('chats');
  const stem = (parts.at(-1) ?? '').replace(/\.jsonl?$/, '');
  const id = stringAt(header, 'sessionId') ?? stem;
  // From 0.37 on a subagent's file lies in a folder that has its parent's id.
  const folder = chats !== -1 && parts.length === chats + 3 ? (parts[chats + 1] ?? null) : null;
  // Before, it lies beside the others and has that id itself: it is known by its name.
  const isBeside = folder === null && header?.kind === 'subagent' && stem.startsWith('session-');
  return {
    info,
    id: isBeside ? stem : id,
    start: timeIn(header?.startTime) ?? '',
    parent: isBeside ? id : folder,
    folder: chats === -1 ? parts.slice(0, -1).join('/') : parts.slice(0, chats).join('/'),
  };
}

function familiesOf(found: Found[], logs: FileInfo[]): Family[] {
  const families = new Map<string, Found[]>();
  for (const file of found) {
    const root = file.parent ?? file.id;
    families.set(root, [...(families.get(root) ?? []), file]);
  }
  return [...families].map(([id, members]) => {
    const folders = new Set(members.map(({ folder }) => folder));
    const typed = logs.filter((info) => folders.has(info.path.slice(0, -'/logs.json'.length)));
    const own = [...new Set(members.map((file) => file.id))].sort((a, b) => Number(a !== id) - Number(b !== id));
    const files = own.flatMap((session) =>
      filesOf(
        session,
        session === id,
        members.filter((file) => file.id === session),
      ),
    );
    return {
      id,
      files: [...files, ...typed.map((info): FamilyFile => ({ info, role: 'companion', session_id: null }))],
    };
  });
}

/** In the order of their beginning; the folder of a migrated project before the one that it was copied from; documents before logs. */
function filesOf(id: string, isMain: boolean, members: Found[]): FamilyFile[] {
  const isHash = ({ folder }: Found) => Number(/\/[0-9a-f]{64}$/.test(folder));
  const isLog = ({ info }: Found) => Number(info.path.endsWith('.jsonl'));
  const ordered = members.sort(
    (a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0) || isHash(a) - isHash(b) || isLog(a) - isLog(b),
  );
  return ordered.map(({ info }, i) => ({
    info,
    role: i === 0 ? (isMain ? 'main' : 'subagent') : 'copy',
    session_id: id,
  }));
}

/** Where the project lies: told by a file in its folder, by a list of all projects, or by nothing but a hash of the path. */
export function projectOf(path: string, companions: FileInfo[], port: Files): string | null {
  const folder = path.slice(0, path.indexOf('/', TMP.length));
  const name = folder.slice(TMP.length);
  const marker = companions.find((info) => info.path === `${folder}/.project_root`);
  if (marker !== undefined) return smallText(port, marker.path)?.trim() || null;
  const known = knownProjects(companions, port);
  return (
    known.find(({ slug }) => slug === name)?.path ??
    known.find((project) => port.sha256(project.path) === name)?.path ??
    null
  );
}

function knownProjects(companions: FileInfo[], port: Files): { path: string; slug: string }[] {
  const list = companions.find((info) => info.path === '.gemini/projects.json');
  const projects = list === undefined ? undefined : smallJson(port, list.path)?.projects;
  const named = isObject(projects)
    ? Object.entries(projects).map(([path, slug]) => ({ path, slug: String(slug) }))
    : [];
  const roots = companions
    .filter((info) => info.path.endsWith('/.project_root'))
    .map((info) => ({ path: smallText(port, info.path)?.trim() ?? '', slug: '' }));
  return [...named, ...roots];
}
