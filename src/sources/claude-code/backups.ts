// Before the client changes a file it keeps a copy (2.0.55 on): `file-history/<session>/<hash>@vN` beside the
// projects. The rows only name the copies; with them a refused edit can be held against the file as it was.

import type { FileText } from '../../schema/outline.ts';
import { isObject, type JsonObject, objectAt, stringAt } from '../json-access.ts';

/** Adds the copies that a `file-history-snapshot` or `file-history-delta` row names. */
export function addBackups(into: FileText[], row: JsonObject, sessionId: string, messageIndex: number): void {
  if (row.type === 'file-history-delta') {
    addBackup(into, stringAt(row, 'trackingPath'), row.backup, sessionId, messageIndex);
    return;
  }
  const tracked = objectAt(objectAt(row, 'snapshot'), 'trackedFileBackups') ?? {};
  for (const path of Object.keys(tracked)) addBackup(into, path, tracked[path], sessionId, messageIndex);
}

function addBackup(
  into: FileText[],
  path: string | undefined,
  backup: unknown,
  sessionId: string,
  message_index: number,
): void {
  if (path === undefined || !isObject(backup)) return;
  const name = backup.backupFileName;
  // The path is relative to the project; `realParentDir` (2.1.3xx) says where the file lies.
  const folder = stringAt(backup, 'realParentDir');
  const absolute = path.startsWith('/')
    ? path
    : folder === undefined
      ? undefined
      : `${folder}/${path.slice(path.lastIndexOf('/') + 1)}`;
  if (absolute === undefined || (name !== null && typeof name !== 'string')) return;
  // No copy: the file was not there yet.
  into.push({
    path: absolute,
    message_index,
    backup: name === null ? '' : `.claude/file-history/${sessionId}/${name}`,
  });
}
