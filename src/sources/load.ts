// One agent's source at a time: where one session has grown, what reads the others' need not be loaded, some 200 KB of the program.

import type { AgentName } from '../schema/words.ts';
import type { Source } from './source.ts';

const LOAD: Record<AgentName, () => Promise<Source>> = {
  'claude-code': async () => (await import('./claude-code/index.ts')).claudeCode,
  codex: async () => (await import('./codex/index.ts')).codex,
  gemini: async () => (await import('./gemini/index.ts')).gemini,
};

export type SourceOf = (agent: AgentName) => Source;

/** The sources of these agents, to be had by name. */
export async function loadSources(agents: Iterable<AgentName>): Promise<SourceOf> {
  const loaded = await Promise.all([...new Set(agents)].map((agent) => LOAD[agent]()));
  return (agent) => {
    const source = loaded.find((one) => one.agent === agent);
    if (source === undefined) throw new Error(`What reads the histories of ${agent} was not loaded.`);
    return source;
  };
}
