// The head of a session before anything of it was read, and what every agent's head is made of.

import type { OutlineHead } from '../schema/outline.ts';
import type { FamilyFile } from './source.ts';

type Given = Pick<OutlineHead, 'id' | 'agent' | 'kind' | 'dialect'> & {
  files: Pick<FamilyFile, 'info' | 'role'>[];
  /** The session that started it; the call is told later. */
  parent: string | null;
};

export function newHead({ id, agent, kind, dialect, files, parent }: Given): OutlineHead {
  return {
    id,
    agent,
    kind,
    title: null,
    title_source: null,
    project: null,
    cwds: [],
    git_branches: [],
    started_at: null,
    ended_at: null,
    client_versions: [],
    models: [],
    dialect,
    source: { files: files.map(({ info, role }) => ({ path: info.path, role, bytes: info.bytes })) },
    lineage: {
      parent: parent === null ? null : { session_id: parent, tool_call_id: null },
      forked_from: null,
      cleared_from: null,
      cloned_from: null,
      subagents: [],
    },
    accounting: { lines: 0, message: 0, record: 0, unknown: 0, copy: 0, bad: 0, blank: 0 },
    extra: {},
    // Types are whatever a file says, `__proto__` too.
    native_types: Object.create(null),
    unknown_types: Object.create(null),
  };
}

/** Counts a line as what it became. By names, not by a name: that would be looked up for each line. */
export function countLine(
  accounting: OutlineHead['accounting'],
  became: 'message' | 'record' | 'unknown' | 'copy',
): void {
  switch (became) {
    case 'message':
      accounting.message++;
      return;
    case 'record':
      accounting.record++;
      return;
    case 'unknown':
      accounting.unknown++;
      return;
    case 'copy':
      accounting.copy++;
  }
}

export function countType(head: OutlineHead, nativeType: string, known: boolean): void {
  head.native_types[nativeType] = (head.native_types[nativeType] ?? 0) + 1;
  if (!known) head.unknown_types[nativeType] = (head.unknown_types[nativeType] ?? 0) + 1;
}

const TITLE_LENGTH = 120;

/** The first line of a prompt, for sessions that nobody named. */
export function titleFrom(prompt: string): string {
  const line = prompt.split('\n', 1)[0]?.trim() ?? '';
  return line.length <= TITLE_LENGTH ? line : `${line.slice(0, TITLE_LENGTH - 1)}…`;
}
