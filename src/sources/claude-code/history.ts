// What people typed, of all sessions: `history.jsonl`.

import type { SourceRef } from '../../schema/blocks.ts';
import { isObject, stringAt } from '../json-access.ts';
import { readRows } from '../jsonl.ts';
import type { FileInfo, Files } from '../source.ts';

/** 2.0.42 stamps `/clear` 270 to 400 ms late, and writes it three or four times. */
export const HISTORY_MS = 3000;

export interface HistoryRow {
  file: FileInfo;
  source: Omit<SourceRef, 'file'>;
  command: string;
  time: number;
  project: string | undefined;
  session_id: string | undefined;
}

/** `history.jsonl` holds every prompt and command typed, with the session it was typed in. */
export function historyOf(file: FileInfo, port: Files): HistoryRow[] {
  const rows: HistoryRow[] = [];
  readRows(port, file.path, 0, {
    row: (row, ref) => {
      if (!isObject(row) || typeof row.timestamp !== 'number') return;
      const [command = ''] = (stringAt(row, 'display') ?? '').trim().split(/\s/, 1);
      const { line, offset, length, pointer } = ref;
      rows.push({
        file,
        source: { line, offset, length, pointer },
        command,
        time: row.timestamp,
        project: stringAt(row, 'project'),
        session_id: stringAt(row, 'sessionId'),
      });
    },
    bad: () => {},
    blank: () => {},
    trouble: () => {},
  });
  return rows;
}
