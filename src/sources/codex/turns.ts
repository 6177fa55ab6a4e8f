// Turns as the client bounds them (`task_started` … `task_complete` or `turn_aborted`, 0.105 on), or, before, from prompt to prompt.

import type { Outline, OutlineMessage } from '../../schema/outline.ts';
import { stringAt } from '../json-access.ts';
import type { Row } from './rows.ts';

export interface ThreadTurn {
  id: string | null;
  started: Row | null;
  completed: Row | null;
  aborted: Row | null;
  /** The error that it ended with, where that is written ("Extended" mode, 0.105 on). */
  failed: Row | null;
  /** The message that tells the model of the abort (0.88 on). */
  marker: number | null;
  prompts: number[];
  replies: number[];
  /** Calls of the turn, in order. */
  calls: string[];
  /** The last message of the turn so far. */
  lastMessage: number | null;
  inherited: boolean;
  /** The settings it ran under. */
  approval_policy: string | null;
  /** A request was made: up to 0.105 each writes its settings down. */
  requested: boolean;
}

export class Turns {
  readonly all: ThreadTurn[] = [];
  /** The turn at work; null before the first and after the end of one. */
  current: ThreadTurn | null = null;
  /** `codex migrate-rollouts` makes up turns for old files, and names them by line: their bounds prove nothing. */
  migrated = false;
  /** Prompts that came after a request which nobody answered, in files without bounds: it failed, or its process died. */
  readonly afterUnanswered = new Set<number>();
  private policy: string | null = null;
  private reviewMark: Row | null = null;

  settings(row: Row): void {
    this.policy = stringAt(row.payload, 'approval_policy') ?? this.policy;
    if (this.current === null) return;
    this.current.approval_policy = this.policy;
    this.current.requested = true;
  }

  start(row: Row, inherited: boolean): void {
    const id = stringAt(row.payload, 'turn_id') ?? null;
    if (id !== null && /^rollout-\d+$/.test(id)) this.migrated = true;
    this.current = this.open(id, row, inherited);
  }

  /** `/review` begins a turn of its own. From 0.130 on it is named: here (paginated), or not before its end. */
  review(row: Row, inherited: boolean): void {
    this.current = this.open(stringAt(row.payload, 'turn_id') ?? null, null, inherited);
    this.reviewMark = row;
  }

  /** The reviewer's own turn began: turns of this client have bounds. */
  reviewing(): void {
    if (this.current !== null) this.current.started = this.reviewMark;
  }

  complete(row: Row): ThreadTurn | null {
    return this.end(row, 'completed');
  }

  abort(row: Row): ThreadTurn | null {
    return this.end(row, 'aborted');
  }

  /** Files without bounds: a prompt after an answer, or after a request that never got one, begins a turn. */
  prompt(index: number, inherited: boolean): void {
    const { current } = this;
    const isUnbounded = current?.started === null;
    const isUnanswered = isUnbounded && current.requested && current.replies.length === 0;
    const isOver = current === null || (isUnbounded && (current.replies.length > 0 || current.aborted !== null));
    if (isUnanswered) this.afterUnanswered.add(index);
    if (isOver || isUnanswered) this.current = this.open(null, null, inherited);
    this.current?.prompts.push(index);
  }

  /** Files without bounds: words that were waiting are taken in with the results of a call. */
  takesIn(index: number, prompt: OutlineMessage, before: OutlineMessage | undefined): boolean {
    const { current } = this;
    const isAtWork = current !== null && current.started === null && current.aborted === null;
    if (!isAtWork || !isAtOnce(before, prompt)) return false;
    current.prompts.push(index);
    return true;
  }

  /** A prompt whose turn is told only after it: migrated files tell the prompt first, and then begin its turn. */
  moved(index: number, turnId: string): void {
    const turn = this.current;
    if (turn?.id !== turnId || turn.prompts.includes(index)) return;
    for (const other of this.all.slice(-3)) {
      other.prompts = other.prompts.filter((prompt) => prompt !== index);
      if (other.lastMessage === index) other.lastMessage = index - 1;
    }
    const last = this.all.at(-2);
    const isEmpty = last?.started === null && last.prompts.length === 0 && last.replies.length === 0;
    if (isEmpty) this.all.splice(-2, 1);
    turn.prompts.push(index);
    turn.lastMessage = index;
  }

  /** Words that were no prompt after all. */
  noPrompt(index: number): void {
    this.afterUnanswered.delete(index);
    for (const turn of this.all) turn.prompts = turn.prompts.filter((prompt) => prompt !== index);
  }

  /** The turn has bounds, this is its last message, and nothing ended it: its process died there, or is still at work. */
  isCutBehind(index: number): boolean {
    const turn = this.all.find(({ prompts }) => prompts.includes(index));
    if (turn === undefined || turn.started === null || turn.completed !== null || turn.aborted !== null) return false;
    return turn.lastMessage === index && turn.replies.length === 0;
  }

  message(index: number): void {
    if (this.current !== null) this.current.lastMessage = index;
  }

  reply(index: number): void {
    this.current?.replies.push(index);
  }

  /** A message that was taken back. */
  forget(index: number): void {
    const { current } = this;
    if (current === null) return;
    current.replies = current.replies.filter((reply) => reply !== index);
    if (current.lastMessage === index) current.lastMessage = index === 0 ? null : index - 1;
  }

  times(): NonNullable<Outline['turn_times']> {
    const times: NonNullable<Outline['turn_times']> = new Map();
    for (const turn of this.all) {
      const end = turn.completed ?? turn.aborted;
      if (turn.id === null || turn.started === null || turn.inherited) continue;
      if (end !== null) times.set(turn.id, { started_at: turn.started.time, ended_at: end.time });
    }
    return times;
  }

  private open(id: string | null, started: Row | null, inherited: boolean): ThreadTurn {
    const turn: ThreadTurn = {
      id,
      started,
      completed: null,
      aborted: null,
      failed: null,
      marker: null,
      prompts: [],
      replies: [],
      calls: [],
      lastMessage: null,
      inherited,
      approval_policy: this.policy,
      requested: false,
    };
    this.all.push(turn);
    return turn;
  }

  /** The end names its turn from 0.105 on. An end without a turn is the turn at work's. */
  private end(row: Row, how: 'completed' | 'aborted'): ThreadTurn | null {
    const id = stringAt(row.payload, 'turn_id');
    const named = id === undefined ? undefined : this.all.findLast((turn) => turn.id === id);
    const turn = named ?? (this.current?.id == null || id === undefined ? this.current : null);
    if (turn === null) return null;
    turn[how] ??= row;
    // What was answered may be written after the end of the turn; after an abort nothing is.
    if (turn === this.current && (turn.started !== null || how === 'aborted')) this.current = null;
    return turn;
  }
}

/** Nobody types that fast: these words were waiting for the results (0.98: a millisecond after them). */
function isAtOnce(before: OutlineMessage | undefined, prompt: OutlineMessage): boolean {
  if (before?.kind !== 'tool_result' || before.timestamp === null || prompt.timestamp === null) return false;
  const gap = Date.parse(prompt.timestamp) - Date.parse(before.timestamp);
  return gap >= 0 && gap < 1000;
}
