// Where this agent's histories lie: all that must be known to see whether anything has changed.

import type { AgentPlace } from '../source.ts';

export const geminiPlace: AgentPlace = {
  agent: 'gemini',
  label: 'Gemini',
  root: { name: '.gemini', variable: 'GEMINI_CLI_HOME', moves: 'home' },
  places: ['tmp', 'projects.json'],
  fileKey,
  isPlaced: (path) => PLACED.test(path),
};

const PLACED = /^tmp\/[^/]+\/chats\/.*\.jsonl?$/;

/** Projects that were migrated hold copies, which are read as such. */
function fileKey(path: string): string {
  return path;
}
