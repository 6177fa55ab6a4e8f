// Tool calls taken out or cut down.

import { type BlockChange, type Cut, isLong, whereIs } from './change.ts';
import { type Draft, type DraftBlock, type DraftMessage, withBlocks } from './draft.ts';
import { insteadOfResult, type WordsAtCall } from './words-at-calls.ts';

export interface ToolChoice {
  /** Only tools of these names; all where none is given. */
  tools: string[];
  /** Only in messages for which this holds. */
  isOld: (message: DraftMessage) => boolean;
}

/** What stays of a long text: enough to know what it was. */
const TOOL_CUT: Cut = { head: 500, tail: 300 };

/**
 * Leaves out calls with their results. Where a turn had some, one line says so in the place of the first: a reply that tells
 * of work of which nothing is to be seen would teach the model to make things up. What the person said to a call (`words`, by the
 * call) stays.
 */
export function withoutTools(draft: Draft, choice: ToolChoice, words: ReadonlyMap<string, WordsAtCall>): Draft {
  const chosen = chosenCalls(draft, choice);
  const runs = runsOf(draft, chosen);
  return withBlocks(draft, (block, message) => {
    if (block.tool_use_id === null || !chosen.has(block.tool_use_id)) return undefined;
    const said = block.type === 'tool_result' ? words.get(block.tool_use_id) : undefined;
    if (said !== undefined) return { to: 'note', text: insteadOfResult(said, block.tool) };
    const run = block.type === 'tool_use' ? runs.get(block.tool_use_id) : undefined;
    if (run === undefined) return { to: 'nothing' };
    return { to: 'note', text: leftOut(run, { session_id: draft.session_id, message_id: message.id }) };
  });
}

/** Each call becomes a line that tells what was done and how it ended. */
export function toolsToNotes(draft: Draft, choice: ToolChoice, noteOf: (tool_use_id: string) => string): Draft {
  const chosen = chosenCalls(draft, choice);
  return withBlocks(draft, (block): BlockChange | undefined => {
    if (block.tool_use_id === null || !chosen.has(block.tool_use_id)) return undefined;
    return block.type === 'tool_use' ? { to: 'note', text: noteOf(block.tool_use_id) } : { to: 'nothing' };
  });
}

/** Long inputs and outputs keep their beginning and end. Calls of which only the results are to be cut stay as they were. */
export function toolsCut(draft: Draft, choice: ToolChoice, which: 'both' | 'outputs'): Draft {
  const chosen = chosenCalls(draft, choice);
  return withBlocks(draft, (block) => {
    if (!isCall(block) || !chosen.has(block.tool_use_id) || (which === 'outputs' && block.type === 'tool_use'))
      return undefined;
    const isShort = !isLong(block.longest, TOOL_CUT) && block.images === 0;
    // Of a result that is short its copies go all the same: they may be long where it is not.
    if (isShort) return block.type === 'tool_result' ? { to: 'words' } : undefined;
    return { to: 'cut', cut: TOOL_CUT };
  });
}

function isCall(block: DraftBlock): block is DraftBlock & { tool_use_id: string } {
  return block.tool_use_id !== null && (block.type === 'tool_use' || block.type === 'tool_result');
}

/** Ids of the calls that are meant; a call is as old as the message that made it. */
function chosenCalls(draft: Draft, { tools, isOld }: ToolChoice): Set<string> {
  const chosen = new Set<string>();
  for (const message of draft.messages) {
    if (!isOld(message)) continue;
    for (const block of message.blocks) {
      const isGone = block.change?.to === 'note' || block.change?.to === 'nothing';
      if (block.type !== 'tool_use' || block.tool_use_id === null || isGone) continue;
      if (tools.length === 0 || tools.includes(block.tool ?? '')) chosen.add(block.tool_use_id);
    }
  }
  return chosen;
}

interface Run {
  first: string;
  /** No call that stays stands before it in its message: what follows a call should be its result. */
  isClean: boolean;
  names: string[];
}

/** By one call of each turn, the first if it can be: the names of all that are left out in it. */
function runsOf(draft: Draft, chosen: Set<string>): Map<string, string[]> {
  const byTurn = new Map<number, Run>();
  for (const { turn, blocks } of draft.messages) {
    let isClean = true;
    for (const { type, tool_use_id, tool } of blocks) {
      if (type !== 'tool_use' || tool_use_id === null) continue;
      if (!chosen.has(tool_use_id)) {
        isClean = false;
        continue;
      }
      const run = byTurn.get(turn) ?? { first: tool_use_id, isClean, names: [] };
      if (isClean && !run.isClean) Object.assign(run, { first: tool_use_id, isClean });
      run.names.push(tool ?? 'unknown');
      byTurn.set(turn, run);
    }
  }
  return new Map([...byTurn.values()].map(({ first, names }) => [first, names]));
}

function leftOut(names: string[], origin: { session_id: string; message_id: string }): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const list = [...counts].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`)).join(', ');
  const calls =
    names.length === 1 ? 'A tool call and its result were' : `${names.length} tool calls and their results were`;
  return `[${calls} left out of this copy (${list}): ${whereIs(origin)}.]`;
}
