// Where this agent's histories lie: all that must be known to see whether anything has changed.

import type { AgentPlace } from '../source.ts';

export const claudeCodePlace: AgentPlace = {
  agent: 'claude-code',
  label: 'Claude Code',
  root: { name: '.claude', variable: 'CLAUDE_CONFIG_DIR', moves: 'root' },
  places: ['projects', 'history.jsonl'],
  fileKey,
  isPlaced: (path) => PLACED.test(path),
};

/** The folder of a project is named by its path: `-home-me-demo`, `C--Users-me-demo`. */
const PLACED = /^projects\/(?:-|[A-Za-z]-)[^/]*\/.*\.jsonl$/;

/** Sessions stay where they are. */
function fileKey(path: string): string {
  return path;
}
