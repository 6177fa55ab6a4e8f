// Which files are one session.

import type { Diagnostic } from '../../schema/session.ts';
import { stringAt } from '../json-access.ts';
import type { Family, FamilyFile, FileInfo, Files, Grouped } from '../source.ts';
import { firstRow } from './file-head.ts';

const PROJECTS = '.claude/projects/';
const HISTORY = /(^|\/)history\.jsonl$/;

/** `realpath(cwd)` with every character but letters and digits replaced by "-": the folder of a project. */
export function projectFolder(cwd: string): string {
  return cwd.replace(/[^a-zA-Z0-9]/g, '-');
}

/** A session's folder of the same name, a subagent's description. */
export function beside(name: string): string[] {
  const stem = name.replace(/\.jsonl$/, '');
  return [stem, `${stem}.meta.json`];
}

/** Beside sessions the client keeps notes, large outputs and an index there (2.0.77 to 2.1.20): no history. */
const KNOWN_OTHERS =
  /\/(memory|tool-results|session-memory|workflows|scratchpad)\/|\/sessions-index\.json$|\/\.DS_Store$/;

/**
 * Main sessions are `<project>/<session>.jsonl`. A subagent's file lies beside them
 * (`agent-*.jsonl`, 2.0.x) or below `<project>/<session>/subagents/` with a `.meta.json` (2.1.x).
 */
export function group(files: FileInfo[], port: Files): Grouped {
  const families = new Map<string, Family>();
  const companions: FileInfo[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const info of files) {
    if (isHistory(info, port)) {
      companions.push(info);
      continue;
    }
    const place = placeOf(info, port);
    if (place === 'foreign')
      diagnostics.push({
        code: 'foreign-file',
        message: `${info.path} is no Claude Code session; it was left alone.`,
        source: null,
      });
    if (typeof place === 'string') continue;
    const family = families.get(place.family) ?? { id: place.family, files: [] };
    // A session whose project was moved lies in two folders: the same id, one document.
    const again = place.file.role === 'main' && family.files.some((other) => other.role === 'main');
    family.files.push(again ? { ...place.file, role: 'copy' } : place.file);
    families.set(place.family, family);
  }
  return { families: [...families.values()], companions, diagnostics };
}

/** What was typed in all sessions. In a copy of the client's folder it lies wherever that was put. */
function isHistory({ path }: FileInfo, port: Files): boolean {
  if (!HISTORY.test(path) || path.startsWith(PROJECTS)) return false;
  return path.startsWith('.claude/') || stringAt(firstRow(port, path), 'display') !== undefined;
}

type Place = { family: string; file: FamilyFile } | 'foreign' | 'other';

function placeOf(info: FileInfo, port: Files): Place {
  const parts = info.path.startsWith(PROJECTS) ? info.path.slice(PROJECTS.length).split('/') : info.path.split('/');
  const name = parts.at(-1) ?? '';
  const below = parts.indexOf('subagents');
  if (below > 0 && name.startsWith('agent-')) return subagentPlace(info, parts[below - 1] ?? '', name);
  const folder = parts.at(-2) ?? '';
  if (name === 'custom-title.json') return { family: folder, file: { info, role: 'companion', session_id: null } };
  if (name === 'summary.md' && folder === 'session-memory') {
    return { family: parts.at(-3) ?? '', file: { info, role: 'companion', session_id: null } };
  }
  if (KNOWN_OTHERS.test(info.path)) return 'other';
  if (/^agent-[0-9a-f]+\.(jsonl|meta\.json)$/.test(name)) {
    const transcript = info.path.replace(/\.meta\.json$/, '.jsonl');
    const parent = stringAt(firstRow(port, transcript), 'sessionId');
    if (parent !== undefined) return subagentPlace(info, parent, name);
  }
  if (!name.endsWith('.jsonl')) return 'foreign';
  const id = sessionId(info, port);
  return { family: id, file: { info, role: 'main', session_id: id } };
}

function subagentPlace(info: FileInfo, parent: string, name: string): Place {
  const id = name.replace(/^agent-/, '').replace(/\.(jsonl|meta\.json)$/, '');
  if (name.endsWith('.meta.json')) return { family: parent, file: { info, role: 'companion', session_id: id } };
  if (!name.endsWith('.jsonl')) return 'foreign';
  return { family: parent, file: { info, role: 'subagent', session_id: id } };
}

/** The file's name, where it is an id; a file that was given another name tells it in its rows. */
function sessionId(info: FileInfo, port: Files): string {
  const stem = (info.path.split('/').at(-1) ?? '').replace(/\.jsonl$/, '');
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(stem)) return stem;
  return stringAt(firstRow(port, info.path), 'sessionId') ?? stem;
}
