// Where this agent's histories lie: all that must be known to see whether anything has changed.

import type { AgentPlace } from '../source.ts';

export const codexPlace: AgentPlace = {
  agent: 'codex',
  label: 'Codex',
  root: { name: '.codex', variable: 'CODEX_HOME', moves: 'root' },
  places: ['sessions', 'archived_sessions', 'history.jsonl', 'session_index.jsonl'],
  fileKey,
  isPlaced: (path) => PLACED.test(path),
};

const PLACED = /^(?:sessions\/(?:\d{4}\/\d\d\/\d\d\/)?|archived_sessions\/)rollout-[^/]*$/;

/** A rollout keeps its name in the archive, and when it is packed. */
function fileKey(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.startsWith('rollout-') ? name.replace(/\.zst$/, '') : path;
}
