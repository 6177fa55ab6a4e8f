import type { Turn } from '../schema/message.ts';
import type { Outline, OutlineMessage } from '../schema/outline.ts';

/**
 * A turn: the agent is set to work and works until it is done.
 *
 * Prompts that wait for the same answer are one turn; words taken in while the agent works
 * belong to the turn at work. A command that makes the agent do nothing is no turn, nor is
 * what stands between two turns.
 */
export interface FoundTurns {
  turns: Turn[];
  turnOfMessage: (number | null)[];
}

interface OpenTurn {
  turn: Turn;
  /** It is a turn of another session, read for its context. */
  inherited: boolean;
  replied: boolean;
  ended: boolean;
  stopped: boolean;
  failed: boolean;
}

export function detectTurns(outline: Outline): FoundTurns {
  const { messages } = outline;
  const turns: OpenTurn[] = [];
  const turnOfMessage: (number | null)[] = [];
  const anew = new Set([
    ...outline.windows.filter((window) => window.opened_by !== 'compaction').map((window) => window.opened_at_index),
    ...(outline.turn_starts ?? []),
  ]);
  const stops = stopsOf(outline);
  // Only an agent that records where turns begin and end names them for certain.
  const bounded = outline.turn_times !== undefined;
  let current: OpenTurn | null = null;
  let command: number | null = null;
  let callers: Map<number, number> | undefined;
  /** Hardly ever asked: results follow replies. */
  const callerOf = (index: number) => {
    callers ??= callersOf(outline);
    return callers.get(index);
  };

  const open = (first: number, message: OutlineMessage, started_by: Turn['started_by']): OpenTurn => {
    const turn: Turn = {
      index: turns.length,
      id: message.turn_id,
      prompt_indices: [],
      first_message_index: first,
      last_message_index: first,
      started_at: message.timestamp,
      ended_at: message.timestamp,
      started_by,
      status: 'open',
    };
    const inherited = message.inherited !== null;
    const opened = { turn, inherited, replied: false, ended: false, stopped: false, failed: false };
    turns.push(opened);
    turn.first_message_index = beginning(messages, turnOfMessage, first, message.turn_id);
    for (let index = turn.first_message_index; index < turnOfMessage.length; index++) turnOfMessage[index] = turn.index;
    return opened;
  };

  /** Words that waited may be written before the end of what they waited for: that belongs to the turn before. */
  const turnAtWork = (message: OutlineMessage, index: number): OpenTurn | undefined => {
    const of = message.kind === 'tool_result' ? callerOf(index) : stops.stopped.get(index);
    const turn = of == null ? undefined : turns[turnOfMessage[of] ?? -1];
    return turn === undefined || turn.ended || turn.stopped ? undefined : turn;
  };

  messages.forEach((message, index) => {
    const start = message.starts_turn;
    if (start !== null && start !== 'command') {
      if (current === null || anew.has(index) || !takesIn(current, message, bounded))
        current = open(index, message, start);
      command = null;
    } else if (start === 'command') {
      if (current === null || current.ended || current.stopped || isOthers(current, message, bounded)) {
        current = null;
        command = index;
      }
    } else if (current === null && (message.kind === 'reply' || (command !== null && isStop(message, index, stops)))) {
      const first = command ?? index;
      current = open(first, messages[first] ?? message, command === null ? 'agent' : 'command');
      command = null;
    }
    const turn = current === null || current.replied ? current : (turnAtWork(message, index) ?? current);
    const endsIt = isStop(message, index, stops) || stops.failed.has(index);
    const part = turn !== null && isPart(turn, message, bounded, endsIt) ? turn : null;
    if (part !== null) extend(part, message, index, stops);
    turnOfMessage.push(part?.turn.index ?? null);
  });
  fillGaps(messages, turnOfMessage);
  const times = (turn: Turn) => outline.turn_times?.get(turn.id ?? '') ?? {};
  return {
    turns: turns.map((found) => {
      const ended = found.ended || outline.turn_times?.has(found.turn.id ?? '') === true;
      return { ...found.turn, ...times(found.turn), status: statusOf({ ...found, ended }) };
    }),
    turnOfMessage,
  };
}

/** What the client put in between two messages of one turn belongs to it, though the first of them looked like its end. */
function fillGaps(messages: readonly OutlineMessage[], turnOfMessage: (number | null)[]): void {
  let last = -1;
  turnOfMessage.forEach((turn, index) => {
    if (turn === null && (messages[index]?.kind === 'meta' || messages[index]?.kind === 'notice')) return;
    const isGap = turn !== null && last >= 0 && turnOfMessage[last] === turn;
    if (isGap) turnOfMessage.fill(turn, last + 1, index);
    last = index;
  });
}

/** Words belong to the turn at work where the agent says so; else, while it waits for its first answer. */
function takesIn(current: OpenTurn, message: OutlineMessage, bounded: boolean): boolean {
  if (current.inherited !== (message.inherited !== null)) return false;
  const { id } = current.turn;
  if (bounded && id !== null && message.turn_id !== null) return id === message.turn_id;
  return !current.replied && !current.stopped && !current.failed;
}

/** What the agent told the model before the words that set it to work belongs to the turn, where the agent says so. */
function beginning(
  messages: readonly OutlineMessage[],
  turnOfMessage: readonly (number | null)[],
  first: number,
  turnId: string | null,
): number {
  let at = first;
  while (turnId !== null && at > 0 && turnOfMessage[at - 1] === null && messages[at - 1]?.turn_id === turnId) at--;
  return at;
}

/** After the end only what belongs to it: its own results and replies, not the commands run later. */
function isPart(current: OpenTurn, message: OutlineMessage, bounded: boolean, endsIt: boolean): boolean {
  if (current.inherited !== (message.inherited !== null)) return false;
  if (message.starts_turn === null && isOthers(current, message, bounded)) return false;
  // A reply that looks finished may have been stopped, or have been the last of several that failed: what says so comes after it.
  if (endsIt || (!current.ended && !current.stopped)) return true;
  // What says that it was stopped: to the model, or to the person.
  const ends = current.stopped && (message.kind === 'interruption' || (message.kind === 'notice' && message.ends_turn));
  return ends || message.kind === 'reply' || message.kind === 'tool_result' || message.starts_turn !== null;
}

/** It says that it belongs to another turn. */
function isOthers({ turn }: OpenTurn, { turn_id }: OutlineMessage, bounded: boolean): boolean {
  return bounded && turn.id !== null && turn_id !== null && turn_id !== turn.id;
}

/** A mark that the person, or the client, stopped the agent. */
function isStop(message: OutlineMessage, index: number, { stopped }: Stops): boolean {
  return message.kind === 'interruption' && stopped.has(index);
}

function extend(current: OpenTurn, message: OutlineMessage, index: number, stops: Stops): void {
  const { turn } = current;
  turn.last_message_index = index;
  turn.ended_at = message.ended_at ?? message.timestamp ?? turn.ended_at;
  if (message.kind === 'prompt') turn.prompt_indices.push(index);
  if (message.kind === 'reply') {
    current.replied = true;
    current.ended = message.ends_turn;
    current.stopped = false;
    current.failed = false;
  }
  if (message.kind === 'tool_result' && message.ends_turn) current.ended = true;
  if (stops.stopped.has(index)) current.stopped = true;
  if (stops.failed.has(index)) current.failed = true;
}

/** By the message that holds results, the one that made the call. */
function callersOf({ messages, outcomes }: Outline): Map<number, number> {
  const made = new Map<string, number>();
  messages.forEach(({ blocks }, index) => {
    for (const block of blocks)
      if (block.type === 'tool_use' && block.tool_use_id !== null) made.set(block.tool_use_id, index);
  });
  return new Map(
    outcomes.flatMap(({ tool_use_id, message_index }) => {
      const caller = made.get(tool_use_id);
      return message_index === null || caller === undefined ? [] : [[message_index, caller] as const];
    }),
  );
}

interface Stops {
  /** With the message that was stopped, where it is known. */
  stopped: Map<number, number | null>;
  failed: Set<number>;
}

/** Messages at which a turn was stopped, by the person or otherwise, or failed. */
function stopsOf(outline: Outline): Stops {
  const stopped = new Map<number, number | null>();
  const failed = new Set<number>();
  for (const signal of outline.signals) {
    const at = signal.message_index ?? signal.after_message_index;
    if (at === null) continue;
    // A refusal without a word ends the turn; with a reason the agent goes on, unless the reason is the next prompt.
    const goesOn = signal.name === 'tool-declined' && signal.reason_source === 'recorded';
    if (signal.name === 'turn-interrupted') stopped.set(at, signal.interrupted_message_index);
    if (signal.name === 'tool-declined' && !goesOn && !stopped.has(at)) stopped.set(at, null);
    if (signal.name === 'request-failed') failed.add(at);
  }
  return { stopped, failed };
}

function statusOf(found: OpenTurn): Turn['status'] {
  if (found.stopped) return 'interrupted';
  if (found.failed) return 'failed';
  return found.ended ? 'completed' : 'open';
}
