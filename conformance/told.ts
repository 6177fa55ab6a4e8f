// What a home tells of its sessions, as short whole values that a scenario can name beforehand.

import { inOrder, openHome, type SessionReader } from '../src/index.ts';

/** One session as it is told. Lists without entries are left out. */
export interface Told {
  /** Each prompt, and how its turn ended. */
  turns?: [prompt: string, status: string][];
  /** Each call: "Bash ok". */
  calls?: string[];
  rejections?: { tool: string | null; reason: string | null }[];
  /** "response, by user" */
  interruptions?: string[];
  /** Triggers. */
  compactions?: (string | null)[];
  /** "linked" where the session that followed is named. */
  clears?: string[];
  /** How many messages each one took away. */
  rewinds?: number[];
  /** "Bash by headless" */
  denials?: string[];
  /** Causes. */
  failures?: string[];
  from?: 'fork' | 'clear';
}

/** The main sessions and subagents of a home, in order. Clients leave files without any message: they tell nothing. */
export function toldOf(home: string): Told[] {
  const told: Told[] = [];
  for (const session of inOrder(openHome({ homes: [home] }).families))
    if (session.document.session.kind !== 'helper' && session.messageCount > 0) told.push(sessionTold(session));
  return told;
}

function sessionTold(session: SessionReader): Told {
  const { document } = session;
  const { lineage } = document.session;
  const told: Told = {
    turns: document.turns.map(({ prompt_indices, status }) => [promptOf(session, prompt_indices), status]),
    calls: document.tool_calls.map(({ name, status }) => `${name} ${status}`),
    rejections: document.rejections.map(({ tool_name, reason }) => ({ tool: tool_name, reason })),
    interruptions: document.interruptions.map(({ target, type }) => `${target}, by ${type}`),
    compactions: document.compaction.boundaries.map(({ trigger }) => trigger),
    clears: document.context_clears.map(({ next_session_id }) => (next_session_id === null ? 'not linked' : 'linked')),
    rewinds: document.rewinds.map(({ removed_message_indices }) => removed_message_indices.length),
    denials: document.denials.map(({ tool_name, denied_by }) => `${tool_name} by ${denied_by}`),
    failures: document.failures.map(({ cause }) => cause),
  };
  const filled = Object.entries(told).filter(([, list]) => list.length > 0);
  const from = lineage.forked_from !== null ? 'fork' : lineage.cleared_from !== null ? 'clear' : undefined;
  return { ...Object.fromEntries(filled), ...(from === undefined ? {} : { from }) };
}

function promptOf(session: SessionReader, indices: number[]): string {
  const blocks = indices.flatMap((index) => session.message(index).content);
  return blocks.flatMap((block) => (block.type === 'text' ? [String(block.text)] : [])).join(' | ');
}
